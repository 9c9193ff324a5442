// Rules about what an index keeps.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "model/check/bill.h"
#include "model/check/checker.h"
#include "model/check/index_use.h"
#include "model/layout/layout_edits.h"
#include "model/layout/print_physical.h"
#include "model/plan/expectation.h"
#include "model/plan/section_access.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr std::array kProjectionRules = std::to_array<Rule>({
    {"PJ121", "no-projection", Severity::kError, "an index has no projection",
     "CreateTable requires a projection for each index.",
     "Add `project all`, `project keys` or `project a, b`."},
    {"PJ123", "key-in-include", Severity::kError, "an index projects a key attribute by name",
     "Keys are always in an index; CreateTable refuses them in the list of projected attributes.",
     "Leave the key out of the list."},
    {"PJ209", "projection-too-wide", Severity::kWarning,
     "the index projects attributes that no pattern reads from it",
     "They cost storage and a write each time they change.",
     "Project only the attributes that the patterns need."},
});

// Attributes that the patterns read from an index, beyond its keys.
std::set<std::string> ReadFrom(const Checker& checker, const Index& index) {
  std::set<std::string> names;
  for (const Plan& plan : checker.plans) {
    for (std::size_t i = 0; i < plan.sections.size(); ++i) {
      const SectionPlan& section = plan.sections[i];
      if (plan.requests[section.request].view.index != &index) {
        continue;
      }
      for (const Path& path : SectionPaths(checker.model, plan.pattern->sections[i])) {
        names.insert(AnswerName(plan.pattern->sections[i], path));
      }
      names.insert(section.filters.begin(), section.filters.end());
    }
  }
  return names;
}

// An attribute of an entity as an index keeps it.
struct Idle {
  std::string entity;
  const Attribute* attribute;

  std::string Text() const { return entity + "." + attribute->name.text; }
};

// Attributes that an index keeps and no pattern reads there.
std::vector<Idle> IdleIn(const Checker& checker, const Table& table, const Index& index,
                         const std::set<std::string>& read) {
  const View view{&table, &index};
  std::vector<Idle> idle;
  for (const auto& [name, layout] : LayoutsIn(checker.model, table, index)) {
    for (const Attribute& attribute : checker.model.At(layout->entity).attributes) {
      const std::string& stored = attribute.name.text;
      const bool kept = !layout->Omits(stored) && layout->Find(stored) == nullptr &&
                        IsProjected(view, stored);
      if (kept && !read.contains(stored)) {
        idle.push_back({name, &attribute});
      }
    }
  }
  return idle;
}

std::string Listed(const std::vector<Idle>& idle) {
  constexpr std::size_t kNamed = 4;
  std::string list;
  for (std::size_t i = 0; i < idle.size() && i < kNamed; ++i) {
    list += (i > 0 ? ", " : "") + idle[i].Text();
  }
  return list + (idle.size() > kNamed ? ", …" : "");
}

// The index with everything that it keeps now but `left_out`.
Index WithoutIdle(const Checker& checker, const Table& table, const Index& index,
                  const std::set<std::string>& left_out) {
  Index narrow = index;
  narrow.include.clear();
  std::set<std::string> added = left_out;
  const auto keep = [&](const std::string& name) {
    const bool key = name == table.partition.text || name == table.sort.text || index.HasKey(name);
    if (!name.empty() && !key && IsProjected(View{&table, &index}, name) &&
        added.insert(name).second) {
      narrow.include.push_back({name, {}});
    }
  };
  for (const auto& [entity, layout] : LayoutsIn(checker.model, table, index)) {
    for (const Attribute& attribute : checker.model.At(layout->entity).attributes) {
      if (!layout->Omits(attribute.name.text)) {
        keep(attribute.name.text);
      }
    }
    for (const StoredAttribute& stored : layout->attributes) {
      if (stored.kind != StoredKind::kTemplate) {
        keep(stored.name.text);
      }
    }
  }
  keep(table.type_attribute.text);
  narrow.projection = narrow.include.empty() ? ProjectionKind::kKeys : ProjectionKind::kInclude;
  return narrow;
}

// PJ209: kilobytes in every entry that no pattern reads from the index, where a smaller projection is cheaper.
bool CheckIdleBytes(Checker& checker, const Table& table, const Index& index,
                    const std::vector<Idle>& idle) {
  constexpr double kLargeBytes = 256;
  constexpr double kWorthBytes = 1024;
  std::vector<Idle> large;
  std::set<std::string> names;
  std::map<std::string, double> bytes;  // By entity.
  for (const Idle& one : idle) {
    names.insert(one.attribute->name.text);
    const double size = AverageValueBytes(*one.attribute);
    if (size >= kLargeBytes) {
      large.push_back(one);
      bytes[one.entity] += size;
    }
  }
  double most = 0;
  for (const auto& [entity, size] : bytes) {
    most = std::max(most, size);
  }
  if (most < kWorthBytes || index.local) {
    return false;
  }
  const std::vector<LineEdit> edits = {
      ReplaceIndex(table, index, WithoutIdle(checker, table, index, names))};
  const std::set<std::string> entities = EntitiesIn(checker.model, table, index);
  const std::optional<Model> after = checker.After(edits);
  const MonthlyBill now = BillOf(checker.model, entities);
  const MonthlyBill then = after ? BillOf(*after, entities) : MonthlyBill{};
  if (!after || !now.NotDearer(then) || then.money_per_month >= now.money_per_month) {
    return false;
  }
  checker.Report(
      RuleIn(kProjectionRules, "PJ209"), index.at,
      "`" + index.name.text + "` projects " + Listed(large) + ", " + RoughText(most / 1024) +
          " KB in an entry, and no pattern reads it there: without it the monthly cost "
          "falls from " +
          MoneyText("$", now.money_per_month) + " to " + MoneyText("$", then.money_per_month),
      Proposal(edits));
  return true;
}

// PJ209
void CheckWidth(Checker& checker, const Table& table, const Index& index) {
  if (index.projection == ProjectionKind::kKeys) {
    return;
  }
  const std::set<std::string> read = ReadFrom(checker, index);
  const std::vector<Idle> idle = IdleIn(checker, table, index, read);
  if (CheckIdleBytes(checker, table, index, idle)) {
    return;
  }
  // A few small attributes are not worth a word; keeping everything for a list of ids is.
  const bool ids_only =
      read.empty() || std::none_of(read.begin(), read.end(), [&](const std::string& name) {
        return std::any_of(table.items.begin(), table.items.end(), [&](const ItemLayout& layout) {
          const Entity& entity = checker.model.At(layout.entity);
          const Attribute* attribute = entity.Find(name);
          const bool in_key = attribute != nullptr && (attribute->is_key || attribute->references);
          return attribute != nullptr && !in_key;
        });
      });
  if (idle.empty() || !ids_only) {
    return;
  }
  Index keys_only = index;
  keys_only.projection = ProjectionKind::kKeys;
  checker.Report(
      RuleIn(kProjectionRules, "PJ209"), index.at,
      "patterns read only ids from `" + index.name.text + "`, but it projects " + Listed(idle),
      Proposal(std::vector{ReplaceIndex(table, index, keys_only)}));
}

Index WithoutIncluded(Index index, const Name& name) {
  std::erase(index.include, name);
  if (index.include.empty()) {
    index.projection = ProjectionKind::kKeys;
  }
  return index;
}

// PJ123
void CheckIncluded(Checker& checker, const Table& table, const Index& index) {
  for (const Name& name : index.include) {
    const bool key = name == table.partition || name == table.sort || index.HasKey(name.text);
    if (key) {
      checker.Report(
          RuleIn(kProjectionRules, "PJ123"), name.at,
          "`" + name.text + "` is a key attribute, and those are always in `" + index.name.text +
              "`",
          Proposal(std::vector{ReplaceIndex(table, index, WithoutIncluded(index, name))}),
          Applicability::kSafe);
    }
  }
}

// PJ121: the line as it is, and the same with everything projected.
Proposal ProjectAll(const Table& table, Index index) {
  index.projection = ProjectionKind::kAll;
  const std::string line = PrintIndex(index);
  const std::string bare = line.substr(0, line.rfind(" project "));
  return std::vector{ReplaceIn("table " + table.name.text, index.at, bare, line)};
}

void CheckProjections(Checker& checker) {
  const std::vector<CopyPlan> copies = PlanCopies(checker.model);
  for (const Table& table : checker.model.tables) {
    for (const Index& index : table.indexes) {
      if (!index.projection_given) {
        checker.Report(RuleIn(kProjectionRules, "PJ121"), index.at,
                       "`" + index.name.text + "` does not state its projection",
                       ProjectAll(table, index));
      }
      CheckIncluded(checker, table, index);
      if (IsUsed(checker.plans, copies, table, index)) {
        CheckWidth(checker, table, index);
      }
    }
  }
}

}  // namespace

constinit const RuleFamily kProjectionFamily = {kProjectionRules, CheckProjections};

}  // namespace prejoin::model
