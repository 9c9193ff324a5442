#include "model/check/index_use.h"

#include <algorithm>

#include "model/plan/expectation.h"

namespace prejoin::model {

bool Uses(const Plan& plan, const Index& index) {
  return std::any_of(plan.requests.begin(), plan.requests.end(),
                     [&](const Request& request) { return request.view.index == &index; });
}

bool FindsCopies(const CopyPlan& copy, const Table& table, const Index& index) {
  return copy.upkeep != CopyUpkeep::kNever &&
         copy.found_by.find(View{&table, &index}.Label()) != std::string::npos;
}

bool IsUsed(const std::vector<Plan>& plans, const std::vector<CopyPlan>& copies, const Table& table,
            const Index& index) {
  return std::ranges::any_of(
             copies, [&](const CopyPlan& copy) { return FindsCopies(copy, table, index); }) ||
         std::ranges::any_of(plans, [&](const Plan& plan) { return Uses(plan, index); });
}

std::map<std::string, const ItemLayout*> LayoutsIn(const Model& model, const Table& table,
                                                   const Index& index) {
  std::map<std::string, const ItemLayout*> layouts;
  for (const ItemLayout& layout : table.items) {
    if (AppearsIn(model, layout.entity, View{&table, &index})) {
      layouts.emplace(layout.entity.text, &layout);
    }
  }
  return layouts;
}

std::set<std::string> EntitiesIn(const Model& model, const Table& table, const Index& index) {
  std::set<std::string> entities;
  for (const auto& [entity, layout] : LayoutsIn(model, table, index)) {
    entities.insert(entity);
  }
  return entities;
}

}  // namespace prejoin::model
