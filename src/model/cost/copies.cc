#include "model/cost/copies.h"

#include <algorithm>
#include <set>

#include "model/cost/find_copies.h"
#include "model/cost/write_cost.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"
#include "model/schema/total.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr double kSecondsPerDay = 86400;

// Units to write the items that hold a copy, once.
double UnitsOf(Expectations& figures, const Table& table, const ItemLayout& layout,
               const std::string& stored) {
  const Reference<Entity>& entity = layout.entity;
  double units = ItemWriteUnits(figures.EntrySizes(entity, View{&table, nullptr}));
  for (const Index& index : table.indexes) {
    const View view{&table, &index};
    if (AppearsIn(figures.model(), entity, view) && IsProjected(view, stored)) {
      units += ItemWriteUnits(figures.EntrySizes(entity, view)) * figures.PresenceIn(entity, view);
    }
  }
  return units;
}

double ChangesPerDay(Expectations& figures, const Entity& owner, const std::string& attribute) {
  const Attribute* found = owner.Find(attribute);
  double per_second = found != nullptr ? found->changes_per_second : 0;
  for (const Write& write : figures.model().writes) {
    for (const WriteStep& step : write.steps) {
      const bool sets = step.entity == owner.name && step.kind == WriteKind::kUpdate &&
                        std::any_of(step.set.begin(), step.set.end(),
                                    [&](const Name& name) { return name.text == attribute; });
      if (sets) {
        per_second += write.rate_per_second / std::max(1.0, figures.Count(owner));
      }
    }
  }
  return per_second * kSecondsPerDay;
}

// Changes in all that the attribute states and no write makes, of all rows.
double UnwrittenPerSecond(Expectations& figures, const Entity& owner,
                          const std::string& attribute) {
  const Attribute* found = owner.Find(attribute);
  if (found == nullptr || found->changes_per_second <= 0) {
    return 0;
  }
  for (const Write& write : figures.model().writes) {
    for (const WriteStep& step : write.steps) {
      const bool sets =
          step.entity == owner.name && step.kind == WriteKind::kUpdate &&
          std::ranges::any_of(step.set, [&](const Name& name) { return name.text == attribute; });
      if (sets) {
        return 0;
      }
    }
  }
  return found->changes_per_second * figures.Count(owner);
}

}  // namespace

std::vector<CopyPlan> PlanCopies(const Model& model) {
  Expectations figures(model);
  return PlanCopies(figures);
}

std::vector<CopyPlan> PlanCopies(Expectations& figures) {
  const Model& model = figures.model();
  std::vector<CopyPlan> all;
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.kind == StoredKind::kTemplate || IsTotal(stored)) {
          continue;
        }
        // A copy on an item belongs to its entity; one inside a list belongs to the rows in it.
        const bool embedded = stored.kind != StoredKind::kCopy;
        const Entity& rows = model.At(embedded ? stored.embedded : layout.entity);
        std::vector<Path> paths = stored.members;
        if (!embedded) {
          paths = {stored.copy};
        }
        for (const Path& path : paths) {
          if (path.entity.text.empty() || path.entity.text == rows.name.text) {
            continue;
          }
          const Entity& owner = model.At(path.entity);
          CopyPlan plan;
          plan.entity = owner;
          plan.attribute = path.attribute.text;
          plan.holder = layout.entity;
          plan.stored = stored.name.text;
          plan.upkeep = stored.upkeep;
          const std::set<std::string> pointing = PointingAt(rows, owner);
          plan.copies = figures.Rows(rows, pointing);
          plan.copies_most = figures.Most(rows, pointing);
          plan.units = plan.copies * UnitsOf(figures, table, layout, stored.name.text);
          const CopySearch search = FindCopies(figures, rows, owner, table);
          plan.found_by = search.request;
          plan.find_units = search.read_units;
          plan.changes_per_day = ChangesPerDay(figures, owner, plan.attribute);
          plan.unwritten_per_second = UnwrittenPerSecond(figures, owner, plan.attribute);
          all.push_back(std::move(plan));
        }
      }
    }
  }
  return all;
}

std::string RenderCopies(const std::vector<CopyPlan>& copies) {
  std::string out;
  for (const CopyPlan& plan : copies) {
    out += plan.entity.text + "." + plan.attribute + " is copied to " + plan.holder.text + "." + plan.stored +
           ": " + RoughText(plan.copies) + (RoughText(plan.copies) == "1" ? " copy" : " copies") +
           " of each, " +
           (plan.copies_most > 0 ? "at most " + FigureText(plan.copies_most) : "without a bound");
    if (plan.upkeep == CopyUpkeep::kNever) {
      out += "; it never changes, so nothing has to be touched\n";
      continue;
    }
    out += "; a change writes them all, " + Counted(plan.units, "write unit") + ", " +
           (plan.upkeep == CopyUpkeep::kNotStated
                ? "and the model does not say who does it"
                : "kept by " + std::string(CopyUpkeepName(plan.upkeep)));
    out += plan.found_by.empty() ? "; no key finds them: it would need a Scan"
                                 : "; found by " + plan.found_by;
    out += ", " + Counted(plan.find_units, "read unit");
    if (plan.changes_per_day > 0) {
      out +=
          "; one " + plan.entity.text + " changes " + RoughText(plan.changes_per_day) + " times a day";
    }
    out += "\n";
  }
  return out;
}

}  // namespace prejoin::model
