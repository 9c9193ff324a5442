// The smallest change that serves a pattern.
//
// A copy of the model is changed section by section and planned again after each step, so a proposal is never a guess:
// what the planner cannot use is not proposed. The steps, from small to large:
//
//   1. keys that are in the item and belong to no index: the index alone is missing;
//   2. an index where the entity has no keys yet: giving it some costs nothing to the others;
//   3. a new index;
//   4. items of its own for an entity that is stored nowhere.
//
// New keys put what is bound by equality into the partition key and the order, the ranges and the row's own key behind
// each other into the sort key. Attributes that point at another entity take over the prefix under which that entity
// stands, so that they share its partition; all others get a prefix that no other entity has in that index.
//
//   find Enrollment where courseId = :course     index GSI1 partition GSI1PK sort GSI1SK project grade
//                                                GSI1PK = "CRS#{courseId}"   GSI1SK = "STU#{studentId}"
#include "model/plan/propose.h"

#include <algorithm>
#include <cmath>

#include "model/layout/key_spelling.h"
#include "model/layout/print_physical.h"
#include "model/layout/table_edits.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"
#include "model/plan/section_access.h"
#include "model/schema/presence.h"

namespace prejoin::model {
namespace {

// The prefix under which an attribute already is in some template: STU# for studentId.
std::string PrefixOf(const Model& model, const Entity& owner, const std::string& attribute) {
  const Attribute* found = owner.Find(attribute);
  const Entity& target =
      found != nullptr && found->references ? model.At(found->references->entity) : owner;
  const std::string target_attribute =
      found != nullptr && found->references ? found->references->attribute.text : attribute;
  const Model::Placement placement = model.FindPlacement(target);
  if (placement) {
    const StoredAttribute* key = placement.layout->Find(placement.table->partition.text);
    if (key != nullptr && key->key.parts.size() == 2 &&
        key->key.parts[1].attribute == target_attribute) {
      return key->key.parts[0].literal;
    }
  }
  // An ordinary attribute gives its own name.
  const bool plain = found != nullptr && !found->references && !found->is_key;
  return KeyWord(plain ? attribute : target.name.text) + "#";
}

struct NewKeys {
  std::string partition;  // Empty: the section binds nothing.
  std::string sort;
};

NewKeys KeysFor(const Model& model, const Section& section, const Entity& rows) {
  NewKeys keys;
  std::vector<std::string> used;
  const auto add_partition = [&](const std::string& name) {
    keys.partition +=
        (keys.partition.empty() ? "" : "#") + PrefixOf(model, rows, name) + "{" + name + "}";
    used.push_back(name);
  };
  for (const Condition& condition : section.conditions) {
    if (condition.comparison == Comparison::kEqual) {
      add_partition(condition.attribute.text);
    }
  }
  for (const Condition& condition : section.conditions) {
    if (keys.partition.empty() && condition.comparison == Comparison::kIn) {
      add_partition(condition.attribute.text);
    }
  }
  // Rows without the attribute must be found too.
  const auto may_lack = [&](const std::string& name) {
    const Attribute* attribute = rows.Find(name);
    return attribute != nullptr && FindsRowsWithout(section, *attribute);
  };
  std::vector<std::string> order;
  for (const OrderKey& key : section.order) {
    if (may_lack(key.attribute.text)) {
      break;
    }
    order.push_back(key.attribute.text);
  }
  for (const Condition& condition : section.conditions) {
    if (condition.comparison != Comparison::kEqual && ImpliesPresence(condition)) {
      order.push_back(condition.attribute.text);
    }
  }
  for (const std::string& key : rows.KeyNames()) {
    order.push_back(key);
  }
  for (const std::string& name : order) {
    if (std::find(used.begin(), used.end(), name) != used.end()) {
      continue;
    }
    used.push_back(name);
    const Attribute* attribute = rows.Find(name);
    if (keys.sort.empty()) {
      keys.sort = attribute != nullptr && attribute->references ? PrefixOf(model, rows, name)
                                                                : KeyWord(rows) + "#";
    } else {
      keys.sort += "#";
    }
    keys.sort += attribute != nullptr ? PartText(*attribute) : "{" + name + "}";
  }
  if (keys.sort.empty()) {
    keys.sort = KeyWord(rows);
  }
  return keys;
}

// Changes a copy of the model, section by section, until the pattern is served, and keeps a record.
class Proposer {
 public:
  explicit Proposer(const Model& model) : model_(model), changed_(model) {}

  Proposal ForEntity(const Entity& entity) {
    Section by_key;
    by_key.entity = entity;
    Place(by_key, entity);
    return AddedLayout(model_, changed_);
  }

  Model TakeChanged() { return std::move(changed_); }

  Proposal ForPattern(const Pattern& pattern) {
    for (const Section& section : pattern.sections) {
      if (section.has_or) {
        return "write two `find` lines, or `attribute in (:a, :b)`";
      }
      const Entity& entity = changed_.At(section.searched());
      if (IsServed(section)) {
        continue;
      }
      if (!changed_.FindPlacement(entity)) {
        Place(section, entity);
      }
      if (!IsServed(section)) {
        AddIndexKeys(section, entity);
      }
      // The rows that links point at must be found by their key.
      if (!section.via.text.empty() && !changed_.FindPlacement(section.entity)) {
        Section by_key;
        by_key.entity = section.entity;
        Place(by_key, changed_.At(section.entity));
      }
    }
    for (const Section& section : pattern.sections) {
      PlaceJoined(section);
    }
    Proposal proposal = AddedLayout(model_, changed_);
    if (!proposal.edits.empty() &&
        !PlanPattern(changed_, *changed_.FindPattern(pattern.name.text)).served) {
      proposal.advice = "this is one part of the pattern";
    }
    return proposal;
  }

 private:
  bool IsServed(const Section& section) const {
    return !FindAccesses(changed_, section, {}).empty();
  }

  // A joined row must be found by its key, unless it is copied or kept elsewhere.
  void PlaceJoined(const Section& section) {
    for (const Path& path : section.get) {
      const Reference<Entity>& entity = path.entity;
      if (!entity.given() || entity == section.entity || changed_.FindPlacement(entity)) {
        continue;
      }
      const bool planned =
          !FindAccesses(changed_, section, {}).empty() && IsKept(section.entity, path);
      if (planned) {
        continue;
      }
      Section by_key;
      by_key.entity = path.entity;
      Place(by_key, changed_.At(entity));
    }
  }

  // True if the items of `holder` have a copy of it.
  bool IsKept(const Reference<Entity>& holder, const Path& path) const {
    const Model::Placement placement = changed_.FindPlacement(holder);
    return placement && FindCopy(*placement.layout, path) != nullptr;
  }

  // True if the table's key must be the row's own: `once` guards the item's key and would let a second row with the same
  // key pass, and an update of what is in the key would have to move the item.
  bool NeedsOwnKey(const Entity& entity) const {
    for (const Write& write : changed_.writes) {
      for (const WriteStep& step : write.steps) {
        if (!(step.entity == entity.name)) {
          continue;
        }
        if (step.once || !step.set.empty() || !step.remove.empty()) {
          return true;
        }
      }
    }
    return false;
  }

  // The demands of the section on the row's own key.
  static Section OwnKeyPart(Section section, const Entity& entity) {
    const auto other = [&](const Name& name) {
      const Attribute* attribute = entity.Find(name.text);
      return attribute == nullptr || !attribute->is_key;
    };
    std::erase_if(section.conditions, [&](const Condition& one) { return other(one.attribute); });
    std::erase_if(section.order, [&](const OrderKey& one) { return other(one.attribute); });
    return section;
  }

  // Gives an entity items of its own, found by the bound attributes or by its own key.
  void Place(const Section& section, const Entity& rows) {
    NewKeys keys = KeysFor(changed_, NeedsOwnKey(rows) ? OwnKeyPart(section, rows) : section, rows);
    if (changed_.tables.empty()) {
      Table table;
      table.name.text = "Main";
      table.partition.text = "PK";
      table.sort.text = "SK";
      changed_.tables.push_back(std::move(table));
    }
    Table& table = changed_.tables.front();
    if (keys.partition.empty() || table.sort.text.empty()) {
      keys = {OwnKeyText(rows), KeyWord(rows)};
    }
    LockUniqueAttributes(rows, AddItem(table, rows, keys.partition, keys.sort));
  }

  void AddIndexKeys(const Section& section, const Entity& entity) {
    Table* table = FindTable(changed_, entity.name.text);
    ItemLayout* layout = FindLayout(changed_, entity.name.text);
    if (UseKeysThatAreThere(section, *table, *layout)) {
      return;
    }
    NewKeys keys = KeysFor(changed_, section, entity);
    if (keys.partition.empty()) {
      // All rows of an entity share one key, in as many shards as their size and rate ask for.
      keys.partition = KeyWord(entity);
      if (const int shards = ShardsFor(changed_, entity, *table); shards > 1) {
        keys.partition += ShardText(shards, entity.KeyNames().front());
      }
    }
    Index* index = IndexToShare(changed_, *table, *layout);
    if (index == nullptr) {
      index = &NewIndex(*table);
    }
    if (Collides(*table, *layout, index->partition[0].text, keys.partition)) {
      keys.partition = KeyWord(entity) + "#" + keys.partition;
    }
    layout->attributes.push_back(MakeStored(index->partition[0].text, keys.partition));
    layout->attributes.push_back(MakeStored(index->sort[0].text, keys.sort));
    WidenFor(section, *index);
  }

  // Another entity's entries would be under the same keys, although nothing joins them.
  bool Collides(const Table& table, const ItemLayout& layout, const std::string& attribute,
                const std::string& text) const {
    const KeyTemplate key = KeyOfText(text);
    const Entity& entity = changed_.At(layout.entity);
    for (const std::string& name : key.Attributes()) {
      const Attribute* found = entity.Find(name);
      if (found != nullptr && (found->references || found->is_key)) {
        return false;
      }
    }
    return std::ranges::any_of(table.items, [&](const ItemLayout& other) {
      const StoredAttribute* stored = other.Find(attribute);
      return &other != &layout && stored != nullptr &&
             stored->key.LeadingLiteral() == key.LeadingLiteral();
    });
  }

  // The keys of an index are in the item, and only the index itself is gone.
  bool UseKeysThatAreThere(const Section& section, Table& table, const ItemLayout& layout) {
    const std::vector<std::string> loose = LooseKeys(table, layout);
    for (const std::string& partition : loose) {
      for (const std::string& sort : loose) {
        if (partition == sort) {
          continue;
        }
        table.indexes.push_back(MakeIndex(FreeName(table), partition, sort));
        WidenFor(section, table.indexes.back());
        if (IsServed(section)) {
          return true;
        }
        table.indexes.pop_back();
      }
    }
    return false;
  }

  // Attributes with a template that are a key of nothing, up to as many as two forgotten indexes
  // would leave.
  static std::vector<std::string> LooseKeys(const Table& table, const ItemLayout& layout) {
    constexpr std::size_t kLooseMax = 4;
    std::vector<std::string> loose;
    for (const StoredAttribute& stored : layout.attributes) {
      const bool used = stored.kind != StoredKind::kTemplate || table.HasKey(stored.name.text);
      if (!used && loose.size() < kLooseMax) {
        loose.push_back(stored.name.text);
      }
    }
    return loose;
  }

  // The first number that no index has; its keys may be there.
  static std::string FreeName(const Table& table) {
    int number = 1;
    while (table.FindIndex("GSI" + std::to_string(number)) != nullptr) {
      ++number;
    }
    return "GSI" + std::to_string(number);
  }

  // Projects what the section returns, so that it needs no second request.
  void WidenFor(const Section& section, Index& index) {
    for (const Access& access : FindAccesses(changed_, section, {})) {
      if (access.request.view.index != &index) {
        continue;
      }
      for (const FollowUp& follow_up : access.plan.follow_ups) {
        if (follow_up.kind == FollowUpKind::kFetchItem) {
          Widen(index, follow_up.reasons);
        }
      }
    }
  }

  const Model& model_;
  Model changed_;
};

}  // namespace

Proposal ProposeChange(const Model& model, const Pattern& pattern) {
  return Proposer(model).ForPattern(pattern);
}

std::optional<Model> WithProposedChange(const Model& model, const Pattern& pattern) {
  Proposer proposer(model);
  proposer.ForPattern(pattern);
  Model changed = proposer.TakeChanged();
  if (!PlanPattern(changed, pattern).served) {
    return std::nullopt;
  }
  return changed;
}

Proposal ProposeItem(const Model& model, const Entity& entity) {
  return Proposer(model).ForEntity(entity);
}

namespace {

// What an entry lacks: attributes that are fetched, and copies on the item that would answer a join.
std::vector<std::string> LackingIn(const Model& model, const Access& access) {
  std::vector<std::string> names;
  for (const FollowUp& follow_up : access.plan.follow_ups) {
    if (follow_up.kind == FollowUpKind::kFetchItem && !follow_up.other_layout) {
      names.insert(names.end(), follow_up.reasons.begin(), follow_up.reasons.end());
    }
    if (follow_up.kind != FollowUpKind::kJoin) {
      continue;
    }
    for (const StoredAttribute& stored :
         model.FindPlacement(access.plan.item_entity).layout->attributes) {
      if (stored.kind == StoredKind::kCopy &&
          stored.copy.entity == model.RowsOf(follow_up.entity).name) {
        names.push_back(stored.name.text);
      }
    }
  }
  return names;
}

}  // namespace

void WidenIndexes(Model& model, const Entity* rows) {
  for (const Pattern& pattern : model.patterns) {
    for (const Section& section : pattern.sections) {
      for (const Access& access : FindAccesses(model, section, {})) {
        if (rows != nullptr && access.plan.item_entity != rows->name) {
          continue;
        }
        for (Table& table : model.tables) {
          for (Index& index : table.indexes) {
            if (&index == access.request.view.index) {
              Widen(index, LackingIn(model, access));
            }
          }
        }
      }
    }
  }
}

namespace {

// A layout that lists what it holds can hold more; one that leaves something out does so on purpose.
Proposal ProposeInLayout(const Model& model, const Reference<Entity>& name,
                         const FollowUp& follow_up) {
  const Model::Placement placement = model.FindPlacement(name);
  const ItemLayout& layout = *placement.layout;
  if (layout.only.empty()) {
    return "leave it out with `get`, or accept the request: `" + follow_up.entity.text + "` has it";
  }
  ItemLayout wider = layout;
  for (const std::string& attribute : follow_up.reasons) {
    wider.only.push_back({attribute, {}});
  }
  return std::vector{ReplaceIn("table " + placement.table->name.text, layout.entity.at,
                               PrintItemHead(layout), PrintItemHead(wider))};
}

}  // namespace

Proposal ProposeAttributes(const Model& model, const SectionPlan& section,
                           const FollowUp& follow_up, const View& view) {
  if (follow_up.other_layout) {
    return ProposeInLayout(model, section.item_entity, follow_up);
  }
  std::vector<LineEdit> edits;
  std::vector<std::string> wanted = follow_up.reasons;
  if (follow_up.kind == FollowUpKind::kJoin) {
    wanted.clear();
    const Entity& holder = model.At(section.item_entity);
    const Entity& owner = model.RowsOf(follow_up.entity);
    const ItemLayout& layout = *model.FindPlacement(holder).layout;
    std::vector<std::string> lines;
    for (const std::string& attribute : follow_up.reasons) {
      const Path original{owner, {attribute, {}}};
      if (const StoredAttribute* there = FindCopy(layout, original)) {
        wanted.push_back(there->name.text);
        continue;
      }
      const Attribute* source = owner.Find(attribute);
      const bool fixed = source != nullptr && source->immutable;
      const StoredAttribute copy =
          MakeCopy(holder, original, fixed ? CopyUpkeep::kNever : CopyUpkeep::kStream,
                   CopyNaming::kAsHolder);
      wanted.push_back(copy.name.text);
      lines.push_back(PrintStored(copy));
    }
    if (!lines.empty()) {
      edits.push_back(AddToItem(layout, std::move(lines)));
    }
  }
  if (view.index != nullptr && view.index->projection != ProjectionKind::kAll) {
    Index wide = *view.index;
    Widen(wide, wanted);
    edits.push_back(ReplaceIndex(*view.table, *view.index, wide));
  }
  return edits;
}

}  // namespace prejoin::model
