// Rules about indexes: limits, projections, use.
#include <algorithm>
#include <array>
#include <set>

#include "base/limits.h"
#include "model/check/checker.h"
#include "model/check/fix_lines.h"
#include "model/cost/copies.h"
#include "model/plan/expectation.h"
#include "model/schema/print_physical.h"

namespace prejoin::model {
namespace {

constexpr std::array kIndexRules = std::to_array<Rule>({
    {"PJ119", "index-limits", Severity::kError,
     "more indexes or projected attributes than a table may have",
     "20 global and 5 local indexes, 100 projected attributes in all, 4 partition and 4 sort "
     "attributes in a global index.",
     "Overload the indexes: several entities can share one."},
    {"PJ121", "no-projection", Severity::kError, "an index says not what it projects",
     "CreateTable is not valid without a projection for each index.",
     "Add `project all`, `project keys` or `project a, b`."},
    {"PJ123", "key-in-include", Severity::kError, "an index projects a key attribute by name",
     "Keys are always in an index; CreateTable refuses them in the list of projected attributes.",
     "Leave the key out of the list."},
    {"PJ201", "index-per-relationship", Severity::kWarning, "indexes that could be one",
     "Every index costs writes and storage, and there may be 20.",
     "Overload one index: give each entity its own key values in it."},
    {"PJ209", "projection-too-wide", Severity::kWarning,
     "the index keeps attributes that nothing reads from it",
     "They cost storage and a write each time they change.",
     "Project only what the patterns need."},
    {"PJ210", "unused-index", Severity::kWarning, "no pattern uses this index",
     "It costs writes and storage for nothing.", "Remove it, or declare the pattern it is for."},
    {"PJ226", "unread-entries", Severity::kWarning, "no pattern reads these entries of an index",
     "Every write of the entity pays for an entry that nothing reads.",
     "Remove the entity's keys of that index, or declare the pattern they are for."},
    {"PJ230", "unread-layout", Severity::kWarning, "no pattern reads this layout of an entity",
     "Every write of a row pays for an item more, in a transaction, that nothing reads.",
     "Remove it, or declare the pattern it is for."},
    {"PJ211", "unused-attribute", Severity::kNote,
     "no pattern reads this attribute and no write sets it",
     "It is stored for nothing, as far as the model says.", "Remove it, or declare its use."},
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
                     "a table without sort key cannot have local indexes",
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

bool Uses(const Plan& plan, const Index& index) {
  return std::any_of(plan.requests.begin(), plan.requests.end(),
                     [&](const Request& request) { return request.view.index == &index; });
}

std::set<std::string> EntitiesIn(const Checker& checker, const Table& table, const Index& index) {
  std::set<std::string> entities;
  for (const ItemLayout& layout : table.items) {
    if (AppearsIn(checker.model, layout.entity.text, View{&table, &index})) {
      entities.insert(layout.entity.text);
    }
  }
  return entities;
}

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

// PJ209: attributes that an index keeps and no pattern reads there.
void CheckWidth(Checker& checker, const Table& table, const Index& index) {
  if (index.projection == ProjectionKind::kKeys) {
    return;
  }
  const std::set<std::string> read = ReadFrom(checker, index);
  const View view{&table, &index};
  std::vector<std::string> idle;
  for (const std::string& name : EntitiesIn(checker, table, index)) {
    const Model::Placement placement = checker.model.FindPlacement(name);
    for (const Attribute& attribute : checker.model.FindEntity(name)->attributes) {
      const std::string& stored = attribute.name.text;
      const bool kept = !placement.layout->Omits(stored) &&
                        placement.layout->Find(stored) == nullptr && IsProjected(view, stored);
      if (kept && !read.contains(stored)) {
        idle.push_back(name + "." + stored);
      }
    }
  }
  // A few small attributes are not worth a word; keeping everything for a list of ids is.
  const bool ids_only =
      read.empty() || std::none_of(read.begin(), read.end(), [&](const std::string& name) {
        return std::any_of(table.items.begin(), table.items.end(), [&](const ItemLayout& layout) {
          const Entity* entity = checker.model.FindEntity(layout.entity.text);
          const Attribute* attribute = entity->Find(name);
          const bool in_key = attribute != nullptr && (attribute->is_key || attribute->references);
          return attribute != nullptr && !in_key;
        });
      });
  if (idle.empty() || !ids_only) {
    return;
  }
  std::string list;
  for (std::size_t i = 0; i < idle.size() && i < 4; ++i) {
    list += (i > 0 ? ", " : "") + idle[i];
  }
  Index keys_only = index;
  keys_only.projection = ProjectionKind::kKeys;
  checker.Report(RuleIn(kIndexRules, "PJ209"), index.at,
                 "patterns read only ids from `" + index.name.text + "`, but it keeps " + list +
                     (idle.size() > 4 ? ", …" : ""),
                 Proposal(std::vector{ReplaceIndex(table, index, keys_only)}));
}

// Gives the items of `from` the keys of `into` instead, and removes `from`.
Proposal OneIndexForBoth(const Table& table, const Index& from, const Index& into) {
  const std::string advice =
      "give its items keys in " + into.name.text + " and remove " + from.name.text;
  if (from.sort.size() != into.sort.size() || into.projection != ProjectionKind::kAll) {
    return advice;
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
    return advice;
  }
  edits.push_back(RemoveFrom("table " + table.name.text, from.at, PrintIndex(from)));
  return edits;
}

// Keys that are attributes of their own: another entity's values cannot stand in them.
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
    const std::set<std::string> mine = EntitiesIn(checker, table, *global[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const std::set<std::string> other = EntitiesIn(checker, table, *global[j]);
      const bool disjoint = std::none_of(mine.begin(), mine.end(),
                                         [&](const auto& name) { return other.contains(name); });
      if (!disjoint || mine.empty() || other.empty()) {
        continue;
      }
      checker.Report(RuleIn(kIndexRules, "PJ201"), global[i]->at,
                     "`" + global[i]->name.text + "` (" + *mine.begin() + ") and `" +
                         global[j]->name.text + "` (" + *other.begin() +
                         ") hold different entities and could be one index",
                     OneIndexForBoth(table, *global[i], *global[j]));
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
      const std::string& source = section.via.text.empty() ? section.entity.text : section.via.text;
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
    const bool key = name == table.partition || name == table.sort ||
                     std::ranges::find(index.partition, name) != index.partition.end() ||
                     std::ranges::find(index.sort, name) != index.sort.end();
    if (key) {
      checker.Report(
          RuleIn(kIndexRules, "PJ123"), name.at,
          "`" + name.text + "` is a key and always in `" + index.name.text + "`",
          Proposal(std::vector{ReplaceIndex(table, index, WithoutIncluded(index, name))}),
          Applicability::kSafe);
    }
  }
}

// Whether the upkeep of copies needs the index to find them.
bool FindsCopies(const CopyPlan& copy, const Table& table, const Index& index) {
  return copy.upkeep != CopyUpkeep::kNever &&
         copy.found_by.find(View{&table, &index}.Label()) != std::string::npos;
}

// PJ226: entries that come with what a pattern reads are read as well.
void CheckUnreadEntries(Checker& checker, const std::vector<CopyPlan>& copies, const Table& table,
                        const Index& index) {
  std::set<std::string> read;
  for (const CopyPlan& copy : copies) {
    if (FindsCopies(copy, table, index)) {
      read.insert(copy.holder);
    }
  }
  for (const Plan& plan : checker.plans) {
    if (!Uses(plan, index)) {
      continue;
    }
    for (const SectionPlan& section : plan.sections) {
      if (plan.requests[section.request].view.index == &index) {
        read.insert(section.item_entity);
      }
    }
  }
  for (const ItemLayout& layout : table.items) {
    const std::string& entity = layout.entity.text;
    if (read.contains(entity) || !AppearsIn(checker.model, entity, View{&table, &index})) {
      continue;
    }
    // Keys that are the table's own cost no attribute and cannot be left out.
    const auto own = [&](const Name& name) {
      return name == table.partition || name == table.sort ||
             checker.model.FindEntity(entity)->Find(name.text) != nullptr;
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
        return section.item_entity == name ||
               std::ranges::any_of(section.follow_ups, [&](const FollowUp& follow_up) {
                 return follow_up.entity == name;
               });
      });
    });
    const auto identifies = [&](const Model::Placement& placement) {
      const std::set<std::string> key = KeyAttributes(checker.model, placement.layout->entity.text,
                                                      View{placement.table, nullptr});
      return std::ranges::all_of(key, [&](const std::string& attribute) {
        const Attribute* found = checker.model.FindEntity(name)->Find(attribute);
        return found != nullptr && (found->is_key || found->unique);
      });
    };
    const bool guards =
        identifies({&table, &layout}) && !identifies(checker.model.FindPlacement(layout.of.text));
    // What the first layout leaves out has no other place.
    const bool only_place =
        std::ranges::any_of(checker.model.FindPlacement(layout.of.text).layout->without,
                            [&](const Name& omitted) { return !layout.Omits(omitted.text); });
    if (!read && !guards && !only_place) {
      checker.Report(RuleIn(kIndexRules, "PJ230"), layout.entity.at,
                     "no pattern reads `" + layout.of.text + "` as `" + name + "`");
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

// PJ210: the index and the keys that serve nothing else.
Proposal RemoveUnused(const Table& table, const Index& index) {
  if (!index.projection_given) {
    return {};
  }
  std::vector<LineEdit> edits = {
      RemoveFrom("table " + table.name.text, index.at, PrintIndex(index))};
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
      if (!index.projection_given) {
        checker.Report(RuleIn(kIndexRules, "PJ121"), index.at,
                       "`" + index.name.text + "` does not say what it projects",
                       ProjectAll(table, index));
      }
      const bool used =
          std::ranges::any_of(
              copies, [&](const CopyPlan& copy) { return FindsCopies(copy, table, index); }) ||
          std::ranges::any_of(checker.plans, [&](const Plan& plan) { return Uses(plan, index); });
      CheckIncluded(checker, table, index);
      if (used) {
        CheckUnreadEntries(checker, copies, table, index);
      }
      if (!used) {
        checker.Report(RuleIn(kIndexRules, "PJ210"), index.at,
                       "no pattern reads `" + index.name.text + "`", RemoveUnused(table, index));
      } else {
        CheckWidth(checker, table, index);
      }
    }
  }
  CheckUnusedAttributes(checker);
}

}  // namespace

constinit const RuleFamily kIndexFamily = {kIndexRules, CheckIndexes};

}  // namespace prejoin::model
