#include "model/cost/find_copies.h"

#include "model/plan/planner.h"
#include "model/schema/join.h"

namespace prejoin::model {

CopySearch FindCopies(Expectations& figures, const Entity& holder, const Entity& owner,
                      const Table& table) {
  Pattern pattern;
  Section section;
  section.entity = holder;
  for (const JoinColumn& column : JoinColumns(holder, owner)) {
    Condition condition;
    condition.attribute.text = column.from;
    condition.operands.push_back({column.to, {}, {}});
    section.conditions.push_back(std::move(condition));
  }
  for (const std::string& key : holder.KeyNames()) {
    section.get.push_back({{}, {key, {}}});
  }
  pattern.sections.push_back(std::move(section));
  const Plan plan = PlanPattern(figures, pattern);
  if (plan.served) {
    return {DescribeRequest(plan.requests[0]), plan.estimate.read_units};
  }
  const View base{&table, nullptr};
  double bytes = 0;
  for (const ItemLayout& layout : table.items) {
    const Reference<Entity>& entity = layout.entity;
    bytes +=
        figures.Count(entity) * figures.PresenceIn(entity, base) * figures.EntryBytes(entity, base);
  }
  return {"", ReadUnits(bytes, /*consistent=*/false)};
}

}  // namespace prejoin::model
