// Rules about indexes: limits, use, sharing.
#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/limits.h"
#include "model/check/bill.h"
#include "model/check/checker.h"
#include "model/check/index_use.h"
#include "model/layout/layout_edits.h"
#include "model/layout/print_physical.h"
#include "model/layout/table_edits.h"
#include "model/plan/expectation.h"

namespace prejoin::model {
namespace {

constexpr std::array kIndexRules = std::to_array<Rule>({
    {"PJ119", "index-limits", Severity::kError,
     "more indexes or projected attributes than a table may have",
     "20 global and 5 local indexes, 100 projected attributes in all, 4 partition and 4 sort "
     "attributes in a global index.",
     "Overload the indexes: several entities can share one."},
    {"PJ201", "index-per-relationship", Severity::kWarning, "two indexes could be one",
     "Every index costs writes and storage, and a table can have at most 20 global ones.",
     "Overload one index: give each entity its own key values in it."},
    {"PJ210", "unused-index", Severity::kWarning, "no pattern uses this index",
     "The index costs writes and storage, and no pattern needs it.",
     "Remove it, or declare the pattern that reads it."},
    {"PJ226", "unread-entries", Severity::kWarning, "no pattern reads these entries of an index",
     "Every write of the entity pays for an entry that nothing reads.",
     "Remove the entity's keys from that index, or declare the pattern that reads them."},
    {"PJ230", "unread-layout", Severity::kWarning, "no pattern reads this layout of an entity",
     "Every write of a row also writes this item, in a transaction, and no pattern reads it.",
     "Remove it, or declare the pattern that reads it."},
    {"PJ211", "unused-attribute", Severity::kNote,
     "no pattern reads this attribute and no write sets it",
     "Nothing in the model uses the attribute.",
     "Remove the attribute, or declare the pattern or write that uses it."},
});

// PJ119
void CheckLimits(Checker& checker, const Table& table) {
  std::size_t global = 0;
  std::size_t local = 0;
  std::size_t included = 0;
  for (const Index& index : table.indexes) {
    (index.local ? local : global) += 1;
    included += index.include.size();
    if (index.partition.size() > kIndexKeyPartsMax || index.sort.size() > kIndexKeyPartsMax) {
      checker.Report(RuleIn(kIndexRules, "PJ119"), index.at,
                     "`" + index.name.text + "` has more than 4 partition or 4 sort attributes");
    }
    if (index.local && index.sort.size() != 1) {
      checker.Report(RuleIn(kIndexRules, "PJ119"), index.at,
                     "a local index has exactly one sort attribute",
                     Suggestion("add `sort` with one attribute"));
    }
    if (index.local && table.sort.text.empty()) {
      checker.Report(RuleIn(kIndexRules, "PJ119"), index.at,
                     "a table without a sort key cannot have local indexes",
                     Suggestion("use a global index"));
    }
  }
  if (global > kGlobalIndexesMax || local > kLocalIndexesMax ||
      included > kProjectedAttributesMax) {
    checker.Report(RuleIn(kIndexRules, "PJ119"), table.name.at,
                   "`" + table.name.text + "` has " + std::to_string(global) + " global and " +
                       std::to_string(local) + " local indexes and projects " +
                       std::to_string(included) + " attributes");
  }
}

// Everything that either of them keeps.
Index WithProjectionOf(Index into, const Index& from) {
  if (into.projection == ProjectionKind::kAll || from.projection == ProjectionKind::kAll) {
    into.projection = ProjectionKind::kAll;
    into.include.clear();
    return into;
  }
  for (const Name& name : from.include) {
    Widen(into, std::vector{name.text});
  }
  return into;
}

// Gives the items of `from` the keys of `into` instead, and removes `from`. Empty if their keys do not fit.
std::vector<LineEdit> OneIndexForBoth(const Table& table, const Index& from, const Index& into) {
  if (from.sort.size() != into.sort.size()) {
    return {};
  }
  std::vector<LineEdit> edits;
  for (const ItemLayout& layout : table.items) {
    const auto rename = [&](const Name& old_name, const Name& new_name) {
      const StoredAttribute* stored = layout.Find(old_name.text);
      if (stored == nullptr || !IsWritten(layout, *stored)) {
        return;
      }
      StoredAttribute now = *stored;
      now.name = new_name;
      edits.push_back(ReplaceStored(layout, *stored, now));
    };
    rename(from.partition[0], into.partition[0]);
    if (!from.sort.empty()) {
      rename(from.sort[0], into.sort[0]);
    }
  }
  if (edits.empty()) {
    return {};
  }
  edits.push_back(RemoveIndex(table, from));
  const Index both = WithProjectionOf(into, from);
  if (PrintIndex(both) != PrintIndex(into)) {
    edits.push_back(ReplaceIndex(table, into, both));
  }
  return edits;
}

// Keys that are attributes of their own: another entity's values cannot be in them.
bool HasNaturalKeys(const Table& table, const Index& index) {
  return std::ranges::any_of(table.items, [&](const ItemLayout& layout) {
    const StoredAttribute* stored = layout.Find(index.partition[0].text);
    return stored != nullptr && stored->key.natural;
  });
}

// PJ201
void CheckOverloading(Checker& checker, const Table& table) {
  std::vector<const Index*> global;
  for (const Index& index : table.indexes) {
    if (!index.local && index.partition.size() == 1 && index.sort.size() <= 1 &&
        !HasNaturalKeys(table, index)) {
      global.push_back(&index);
    }
  }
  for (std::size_t i = 1; i < global.size(); ++i) {
    const std::set<std::string> mine = EntitiesIn(checker.model, table, *global[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const std::set<std::string> other = EntitiesIn(checker.model, table, *global[j]);
      const bool disjoint = std::none_of(mine.begin(), mine.end(),
                                         [&](const auto& name) { return other.contains(name); });
      if (!disjoint || mine.empty() || other.empty()) {
        continue;
      }
      // An index for both that keeps more of one of them, or makes a read dearer, is no improvement.
      const std::vector<LineEdit> edits = OneIndexForBoth(table, *global[i], *global[j]);
      std::set<std::string> entities = mine;
      entities.insert(other.begin(), other.end());
      const std::optional<Model> after = edits.empty() ? std::nullopt : checker.After(edits);
      if (!after || !BillOf(checker.model, entities).NotDearer(BillOf(*after, entities))) {
        continue;
      }
      checker.Report(RuleIn(kIndexRules, "PJ201"), global[i]->at,
                     "`" + global[i]->name.text + "` (" + *mine.begin() + ") and `" +
                         global[j]->name.text + "` (" + *other.begin() +
                         ") hold different entities and could be one index",
                     Proposal(edits));
      break;
    }
  }
}

bool InSample(const Model& model, const Entity& entity, const Attribute& attribute) {
  return std::ranges::any_of(model.samples, [&](const Sample& sample) {
    return sample.entity == entity.name &&
           std::ranges::find(sample.columns, attribute.name) != sample.columns.end();
  });
}

// PJ211
void CheckUnusedAttributes(Checker& checker) {
  std::set<std::string> used;
  for (const Pattern& pattern : checker.model.patterns) {
    for (const Section& section : pattern.sections) {
      const std::string& source = section.searched().text;
      for (const Path& path : SectionPaths(checker.model, section)) {
        used.insert((path.entity.text.empty() ? section.entity.text : path.entity.text) + "." +
                    path.attribute.text);
      }
      for (const Condition& condition : section.conditions) {
        used.insert(source + "." + condition.attribute.text);
      }
      for (const OrderKey& key : section.order) {
        used.insert(section.entity.text + "." + key.attribute.text);
      }
    }
  }
  for (const Write& write : checker.model.writes) {
    for (const WriteStep& step : write.steps) {
      for (const Name& name : step.set) {
        used.insert(step.entity.text + "." + name.text);
      }
    }
  }
  std::set<std::string> read_entities;
  for (const std::string& name : used) {
    read_entities.insert(name.substr(0, name.find('.')));
  }
  for (const Entity& entity : checker.model.entities) {
    if (!read_entities.contains(entity.name.text)) {
      continue;
    }
    const Model::Placement placement = checker.model.FindPlacement(entity.name.text);
    for (const Attribute& attribute : entity.attributes) {
      if (attribute.is_key || attribute.references ||
          used.contains(entity.name.text + "." + attribute.name.text)) {
        continue;
      }
      bool in_key = false;
      for (const Table& table : checker.model.tables) {
        for (const ItemLayout& layout : table.items) {
          for (const StoredAttribute& stored : layout.attributes) {
            const std::vector<std::string> names = stored.key.Attributes();
            in_key = in_key ||
                     (layout.entity == entity.name &&
                      std::find(names.begin(), names.end(), attribute.name.text) != names.end());
            in_key = in_key ||
                     (stored.copy.entity == entity.name && stored.copy.attribute == attribute.name);
          }
        }
      }
      if (!in_key && placement) {
        checker.Report(
            RuleIn(kIndexRules, "PJ211"), attribute.name.at,
            "nothing reads or sets `" + entity.name.text + "." + attribute.name.text + "`",
            InSample(checker.model, entity, attribute)
                ? Proposal()
                : Proposal(std::vector{RemoveFrom("entity " + entity.name.text, attribute.name.at,
                                                  attribute.name.text + " …")}));
      }
    }
  }
}

// PJ226: a pattern reads entries that it does not need.
void CheckUnreadEntries(Checker& checker, const std::vector<CopyPlan>& copies, const Table& table,
                        const Index& index) {
  std::set<std::string> read;
  for (const CopyPlan& copy : copies) {
    if (FindsCopies(copy, table, index)) {
      read.insert(copy.holder.text);
    }
  }
  for (const Plan& plan : checker.plans) {
    if (!Uses(plan, index)) {
      continue;
    }
    for (const SectionPlan& section : plan.sections) {
      if (plan.requests[section.request].view.index == &index) {
        read.insert(section.item_entity.text);
      }
    }
  }
  for (const ItemLayout& layout : table.items) {
    const std::string& entity = layout.entity.text;
    if (read.contains(entity) || !AppearsIn(checker.model, layout.entity, View{&table, &index})) {
      continue;
    }
    // Keys that are the table's own cost no attribute and cannot be left out.
    const auto own = [&](const Name& name) {
      return name == table.partition || name == table.sort ||
             checker.model.At(layout.entity).Find(name.text) != nullptr;
    };
    if (std::ranges::all_of(index.partition, own) && std::ranges::all_of(index.sort, own)) {
      continue;
    }
    const bool loaded = std::ranges::any_of(checker.plans, [&](const Plan& plan) {
      return std::ranges::find(plan.thrown_away, entity) != plan.thrown_away.end();
    });
    if (!loaded) {
      checker.Report(RuleIn(kIndexRules, "PJ226"), layout.Find(index.partition[0].text)->name.at,
                     "no pattern reads `" + entity + "` from `" + index.name.text + "`",
                     Proposal(RemoveOwnKeys(table, layout, index)));
    }
  }
}

// PJ230: a second layout that serves no pattern, and keeps no row from being put twice.
void CheckUnreadLayouts(Checker& checker, const Table& table) {
  for (const ItemLayout& layout : table.items) {
    if (layout.of.text.empty()) {
      continue;
    }
    const std::string& name = layout.entity.text;
    const bool read = std::ranges::any_of(checker.plans, [&](const Plan& plan) {
      return std::ranges::any_of(plan.sections, [&](const SectionPlan& section) {
        return section.item_entity == layout.entity ||
               std::ranges::any_of(section.follow_ups, [&](const FollowUp& follow_up) {
                 return follow_up.entity == layout.entity;
               });
      });
    });
    const auto identifies = [&](const Model::Placement& placement) {
      const std::set<std::string> key = KeyAttributes(checker.model, placement.layout->entity,
                                                      View{placement.table, nullptr});
      return std::ranges::all_of(key, [&](const std::string& attribute) {
        const Attribute* found = checker.model.At(layout.entity).Find(attribute);
        return found != nullptr && (found->is_key || found->unique);
      });
    };
    const bool guards =
        identifies({&table, &layout}) && !identifies(checker.model.FindPlacement(layout.of));
    // A row that the first layout leaves out has no other place.
    const bool only_place =
        std::ranges::any_of(checker.model.FindPlacement(layout.of).layout->without,
                            [&](const Name& omitted) { return !layout.Omits(omitted.text); });
    if (!read && !guards && !only_place) {
      checker.Report(RuleIn(kIndexRules, "PJ230"), layout.entity.at,
                     "no pattern reads `" + layout.of.text + "` as `" + name + "`");
    }
  }
}

// PJ210: the index and the keys that serve nothing else.
Proposal RemoveUnused(const Table& table, const Index& index) {
  if (!index.projection_given) {
    return {};
  }
  std::vector<LineEdit> edits = {RemoveIndex(table, index)};
  for (const ItemLayout& layout : table.items) {
    const std::vector<LineEdit> keys = RemoveOwnKeys(table, layout, index);
    edits.insert(edits.end(), keys.begin(), keys.end());
  }
  return edits;
}

void CheckIndexes(Checker& checker) {
  const std::vector<CopyPlan> copies = PlanCopies(checker.model);
  for (const Table& table : checker.model.tables) {
    CheckLimits(checker, table);
    CheckOverloading(checker, table);
    CheckUnreadLayouts(checker, table);
    for (const Index& index : table.indexes) {
      if (IsUsed(checker.plans, copies, table, index)) {
        CheckUnreadEntries(checker, copies, table, index);
      } else {
        checker.Report(RuleIn(kIndexRules, "PJ210"), index.at,
                       "no pattern reads `" + index.name.text + "`", RemoveUnused(table, index));
      }
    }
  }
  CheckUnusedAttributes(checker);
}

}  // namespace

constinit const RuleFamily kIndexFamily = {kIndexRules, CheckIndexes};

}  // namespace prejoin::model
