// A strategy for one relationship, put into tables that exist.
//
// alternatives.cc lays out a relationship by itself, in a table of its own: that compares strategies where there are no tables
// yet. Here the tables are there, and only the items of the children (or links) move:
//
//   item collection       the child's base key becomes the owner's, spelled as the owner's items spell it
//   secondary index       the child's base key becomes its own; the collection moves into an index
//   composite sort key    child and owner go under the owner's owner, one behind the other in the sort key
//   adjacency list        links under one end; inverted: the other end in an index, or by the table's own keys swapped
//   lists                 the child's items go, and its rows are in a list of the owner, or of both ends
//   duplicate attributes  the keys stay, the items get copies
//   write sharding        the hottest partition key of the children gets shards
//
// A pattern that this leaves without a key gets one, by the proposals that `check` prints: they share an index where the entity
// has no keys yet, so the index that the old keys left is used again. Index keys that only repeat the new base key go, if
// nothing gets dearer without them. All other items, indexes and projections stay, so the two designs differ in this
// relationship and in nothing else, and the difference of their prices is what the strategy costs.
//
// A switch that leaves out a pattern that was served, or that `check` calls an error, is none.
#include "model/advise/switch_strategy.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "model/advise/layout_editor.h"
#include "model/check/check.h"
#include "model/cost/heat.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/plan/section_access.h"
#include "model/schema/join.h"
#include "model/schema/strategy_match.h"

namespace prejoin::model {
namespace {

constexpr int kShardsLeast = 8;
constexpr int kShardsMost = 4096;
constexpr double kShardHeadroom = 1.5;

using Errors = std::set<std::pair<std::string, std::string>>;

Errors ErrorsOf(const Model& model) {
  ReadModelResult read;
  read.model = model;
  read.ok = true;
  Errors found;
  for (const Diagnostic& finding : CheckModel(read)) {
    if (finding.severity == Severity::kError) {
      found.emplace(finding.rule, finding.message);
    }
  }
  return found;
}

std::string EntityWord(const Entity& entity) { return absl::AsciiStrToUpper(entity.name.text); }

// customerName for Customer.name
std::string NameOfCopy(const Entity& holder, const Path& path) {
  std::string name = path.entity.text + path.attribute.text;
  const auto letter = [&](std::size_t at) -> unsigned char {
    return static_cast<unsigned char>(name[at]);
  };
  name[0] = static_cast<char>(std::tolower(letter(0)));
  const std::size_t second = path.entity.text.size();
  name[second] = static_cast<char>(std::toupper(letter(second)));
  while (holder.Find(name) != nullptr) {
    name += "Copy";
  }
  return name;
}

class Switcher {
 public:
  Switcher(const Model& model, const Relationship& relationship)
      : before_(model),
        relationship_(relationship),
        many_(relationship.kind == RelationshipKind::kManyToMany),
        hierarchy_(relationship.kind == RelationshipKind::kHierarchy),
        from_(model.At(relationship.from)),
        to_(model.At(relationship.to.given() ? relationship.to : relationship.from)),
        child_(model.At(relationship.child())),
        tables_(model) {}

  std::optional<SwitchedDesign> Run(const Strategy& strategy, std::string& why_not) {
    if (Fits(strategy) && Lay(strategy.id)) {
      for (const auto& [name, entity] : tables_.rebased()) {
        tables_.KeepRowsUnique(before_.At(entity));
        tables_.DropRepeatedKeys(before_.At(entity));
      }
      Repair(strategy.id);
      tables_.DropEmpty();
      NameStrategies();
      if (Holds(strategy)) {
        return SwitchedDesign{tables_.model(), std::move(added_)};
      }
    }
    why_not = tables_.why_not();
    return std::nullopt;
  }

 private:
  bool Refuse(std::string why) { return tables_.Refuse(std::move(why)); }

  bool Fits(const Strategy& strategy) {
    if (!(many_ ? strategy.for_many_to_many : strategy.for_one_to_many)) {
      return Refuse("it is not made for this kind of relationship");
    }
    if (many_ && from_.name == to_.name) {
      return Refuse("both ends are `" + from_.name.text +
                    "`: their keys cannot be told apart here");
    }
    const bool within = from_.name == child_.name && !hierarchy_;
    if (within && strategy.id != StrategyId::kSecondaryIndex) {
      return Refuse("parent and child are both `" + from_.name.text +
                    "`, which has one table key: the other direction is an index");
    }
    if (child_.KeyNames().empty()) {
      return Refuse("`" + child_.name.text + "` has no key");
    }
    if (tables_.FindLayout(child_.name.text) == nullptr && !IsInList()) {
      return Refuse("`" + child_.name.text + "` is stored nowhere yet");
    }
    return true;
  }

  bool Lay(StrategyId id) {
    switch (id) {
      case StrategyId::kItemCollection:
        return hierarchy_ ? LayLevels() : LayCollection();
      case StrategyId::kComplexAttribute:
        return LayLists({&from_});
      case StrategyId::kDuplicateAttributes:
        return LayCopies();
      case StrategyId::kSecondaryIndex:
        return LaySecondaryIndex();
      case StrategyId::kCompositeSortKey:
        return hierarchy_ ? LayLevels() : LayPath();
      case StrategyId::kAdjacencyList:
      case StrategyId::kInvertedIndex:
      case StrategyId::kInvertedBaseKeys:
        return LayLinks(id);
      case StrategyId::kShallowDuplication:
        return LayLists({&from_, &to_});
      case StrategyId::kReferences:
        return many_ ? LayLists({&from_}) : tables_.DropCopies(child_.name.text, from_.name.text);
      case StrategyId::kWriteSharding:
        return LayShards();
    }
    return false;
  }

  // The rows of the child are inside other items.
  bool IsInList() const {
    return std::ranges::any_of(before_.tables, [&](const Table& table) {
      return std::ranges::any_of(table.items, [&](const ItemLayout& layout) {
        return std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
          return stored.embedded == child_.name;
        });
      });
    });
  }

  bool LayCollection() {
    const NameSet pointing = NamesOf(child_, from_);
    if (pointing.empty()) {
      return Refuse("no attribute of `" + child_.name.text + "` names its parent");
    }
    return tables_.Rebase(child_, from_.name.text, tables_.OwnerKey(child_, from_),
                          tables_.CollectionSort(child_, pointing));
  }

  // A hierarchy under its first level, the others one behind the other.
  bool LayLevels() {
    const std::string& first = relationship_.levels[0].text;
    NameSet used = {first};
    std::vector<std::string> names;
    for (const Name& level : relationship_.levels) {
      names.push_back(level.text);
    }
    for (const std::string& key : from_.KeyNames()) {
      names.push_back(key);
    }
    KeyTemplate sort;
    for (const std::string& name : names) {
      if (used.insert(name).second) {
        sort = Extended(sort, (sort.empty() ? "" : "#") + PartText(*from_.Find(name)));
      }
    }
    if (sort.empty()) {
      sort = KeyOfText(EntityWord(from_));
    }
    return tables_.Rebase(from_, from_.name.text, KeyOfText(PartText(*from_.Find(first))), sort);
  }

  bool LaySecondaryIndex() {
    const std::string& name = child_.name.text;
    if (hierarchy_) {
      return Refuse("the levels of a hierarchy make one key, which an index repeats");
    }
    const NameSet pointing = NamesOf(child_, from_);
    if (pointing.empty()) {
      return Refuse("no attribute of `" + name + "` names its parent");
    }
    KeyTemplate partition = tables_.OwnerKey(child_, from_);
    KeyTemplate sort = tables_.CollectionSort(child_, pointing);
    const bool in_base = tables_.PartitionNames(name) == pointing;
    if (in_base && tables_.TakesOthers(*tables_.FindTable(name), child_)) {
      partition = tables_.PartitionKey(name)->key;
      sort = tables_.SortKey(name)->key;
    }
    if ((in_base || tables_.FindLayout(name) == nullptr) &&
        !tables_.Rebase(child_, from_.name.text, OwnKey(), KeyOfText(EntityWord(child_)))) {
      return false;
    }
    if (tables_.IndexBy(name, pointing) == nullptr) {
      tables_.AddIndexKeys(child_, partition, sort);
    }
    return true;
  }

  KeyTemplate OwnKey() const {
    std::string text = EntityWord(child_);
    for (const std::string& key : child_.KeyNames()) {
      text += "#" + PartText(*child_.Find(key));
    }
    return KeyOfText(text);
  }

  // By attribute of the parent that names the row above it: the child's attribute that names the same row.
  std::map<std::string, std::string> NamingAbove(const Entity& top) const {
    std::map<std::string, std::string> names;
    for (const JoinColumn& up : JoinColumns(from_, top)) {
      for (const JoinColumn& own : JoinColumns(child_, top)) {
        if (own.to == up.to) {
          names.emplace(up.from, own.from);
        }
      }
      for (const JoinColumn& own : JoinColumns(child_, from_)) {
        if (own.to == up.from) {
          names.emplace(up.from, own.from);
        }
      }
    }
    return names.size() == top.KeyNames().size() ? names : std::map<std::string, std::string>();
  }

  bool LayPath() {
    for (const Relationship& above : before_.relationships) {
      if (!(above.to == relationship_.from) || above.kind != RelationshipKind::kOneToMany) {
        continue;
      }
      const Entity& top = before_.At(above.from);
      const auto up = NamingAbove(top);
      if (!up.empty()) {
        return LayUnder(top, up);
      }
    }
    return Refuse("no level stands above it: item-collection is the same path (R6)");
  }

  bool LayUnder(const Entity& top, const std::map<std::string, std::string>& up) {
    const KeyTemplate upper = tables_.OwnerKey(from_, top);
    KeyTemplate partition = upper;
    NameSet bound;
    for (TemplatePart& part : partition.parts) {
      if (part.is_literal()) {
        continue;
      }
      const auto own = up.find(part.attribute);
      if (own == up.end()) {
        return Refuse("there are two levels only (R6)");
      }
      part.attribute = own->second;
      bound.insert(part.attribute);
    }
    KeyTemplate own = KeyOfText(EntityWord(from_));
    KeyTemplate path = own;
    for (const JoinColumn& column : JoinColumns(child_, from_)) {
      if (!bound.insert(column.from).second) {
        continue;
      }
      own = Extended(own, "#" + PartText(*from_.Find(column.to)));
      path = Extended(path, "#" + PartText(*child_.Find(column.from)));
    }
    path = Extended(path, "#" + EntityWord(child_));
    for (const std::string& key : child_.KeyNames()) {
      if (bound.insert(key).second) {
        path = Extended(path, "#" + PartText(*child_.Find(key)));
      }
    }
    return tables_.Rebase(from_, top.name.text, upper, own) &&
           tables_.Rebase(child_, top.name.text, partition, path);
  }

  // One end of a link, and what its key has besides both ends.
  KeyTemplate FarEnd(const Entity& end) {
    KeyTemplate key = tables_.OwnerKey(child_, end);
    NameSet used = NamesOf(child_, from_);
    used.merge(NamesOf(child_, to_));
    for (const std::string& name : child_.KeyNames()) {
      if (used.insert(name).second) {
        key = Extended(key, "#" + PartText(*child_.Find(name)));
      }
    }
    return key;
  }

  bool LayLinks(StrategyId id) {
    const std::string& link = child_.name.text;
    const NameSet to_first = NamesOf(child_, from_);
    NameSet near = tables_.PartitionNames(link);
    if (near != to_first && near != NamesOf(child_, to_)) {
      if (!tables_.Rebase(child_, from_.name.text, tables_.OwnerKey(child_, from_), FarEnd(to_))) {
        return false;
      }
      near = to_first;
    }
    const Entity& here = near == to_first ? from_ : to_;
    const Entity& there = near == to_first ? to_ : from_;
    const NameSet far = NamesOf(child_, there);
    if (id == StrategyId::kInvertedIndex) {
      if (tables_.IndexBy(link, far) == nullptr) {
        tables_.AddIndexKeys(child_, tables_.OwnerKey(child_, there), FarEnd(here));
      }
      return true;
    }
    while (const Index* index = tables_.IndexBy(link, far)) {
      tables_.DropKeys(child_, *index);
    }
    return id == StrategyId::kAdjacencyList || LaySwappedKeys(there, far);
  }

  // An index of the table's own keys the other way round: every item of the table is in it.
  bool LaySwappedKeys(const Entity& there, const NameSet& far) {
    const std::string& link = child_.name.text;
    tables_.DropEmpty();  // The new index may have the name of the one that the links left.
    Table& table = *tables_.FindTable(link);
    if (!tables_.TakesOthers(table, child_)) {
      return Refuse("the keys of table " + table.name.text + " are attributes of its items");
    }
    if (NamesInKey(tables_.SortKey(link)->key) != far) {
      const KeyTemplate near = tables_.PartitionKey(link)->key;
      if (!tables_.Rebase(child_, link, near, FarEnd(there))) {
        return false;
      }
    }
    const bool swapped = std::ranges::any_of(table.indexes, [&](const Index& index) {
      return index.partition.size() == 1 && index.sort.size() == 1 &&
             index.partition[0] == table.sort && index.sort[0] == table.partition;
    });
    if (swapped) {
      return true;
    }
    Index& index = LayoutEditor::NewIndex(table);
    index.partition = {{table.sort.text, {}}};
    index.sort = {{table.partition.text, {}}};
    return true;
  }

  // An entity that is to hold a list needs items; if it has none yet, they get its own key, where the child's are.
  bool IsPlaced(const Entity& entity) {
    const std::string& holder = entity.name.text;
    if (tables_.FindLayout(holder) != nullptr) {
      return true;
    }
    Table* table = tables_.FindTable(child_.name.text);
    if (table == nullptr || !tables_.TakesOthers(*table, entity)) {
      return Refuse("`" + holder + "` is stored nowhere by itself");
    }
    ItemLayout layout;
    layout.entity = entity;
    std::string key = EntityWord(entity);
    for (const std::string& name : entity.KeyNames()) {
      key += "#" + PartText(*entity.Find(name));
    }
    layout.attributes.push_back(MakeStored(table->partition.text, key));
    layout.attributes.push_back(MakeStored(table->sort.text, EntityWord(entity)));
    table->items.push_back(std::move(layout));
    return true;
  }

  bool LayLists(const std::vector<const Entity*>& holders) {
    for (const Entity* holder : holders) {
      if (!IsPlaced(*holder)) {
        return false;
      }
      ItemLayout* layout = tables_.FindLayout(holder->name.text);
      const auto in_it = [&](const StoredAttribute& one) { return one.embedded == child_.name; };
      if (std::ranges::any_of(layout->attributes, in_it)) {
        continue;
      }
      StoredAttribute list;
      list.name.text = child_.name.text + "s";
      while (holder->Find(list.name.text) != nullptr || layout->Find(list.name.text) != nullptr) {
        list.name.text += "_";
      }
      list.kind = StoredKind::kEmbedList;
      list.embedded = child_;
      layout->attributes.push_back(std::move(list));
    }
    const auto is_child = [&](const Reference<Entity>& name) {
      return before_.RowsOf(name).name == child_.name;
    };
    for (Table& table : tables_.model().tables) {
      std::erase_if(table.items, [&](const ItemLayout& layout) { return is_child(layout.entity); });
      std::erase_if(table.sort_claims, [&](const SortClaim& claim) {
        return is_child(claim.first) || is_child(claim.second);
      });
    }
    std::erase_if(tables_.model().second_layouts,
                  [&](const Entity& rows) { return rows.rows_of.text == child_.name.text; });
    return true;
  }

  bool LayCopies() {
    ItemLayout* layout = tables_.FindLayout(child_.name.text);
    if (layout == nullptr) {
      return Refuse("`" + child_.name.text + "` has no items of its own");
    }
    bool wanted = false;
    for (const Pattern& pattern : before_.patterns) {
      for (const Section& section : pattern.sections) {
        if (!(section.entity == child_.name)) {
          continue;
        }
        for (const Path& path : section.get) {
          const bool end = path.entity == from_.name || path.entity == to_.name;
          if (path.entity.text.empty() || path.entity == child_.name || !end) {
            continue;
          }
          wanted = true;
          AddCopy(path, *layout);
        }
      }
    }
    if (!wanted) {
      return Refuse("no pattern returns another entity's data with `" + child_.name.text +
                    "`, so there is nothing to copy");
    }
    return true;
  }

  void AddCopy(const Path& path, ItemLayout& layout) const {
    const auto is_it = [&](const StoredAttribute& one) {
      return one.kind == StoredKind::kCopy && one.copy.entity == path.entity &&
             one.copy.attribute == path.attribute;
    };
    const auto is_key = [&](const JoinColumn& column) { return column.to == path.attribute.text; };
    const Entity& owner = before_.At(path.entity);
    if (std::ranges::any_of(layout.attributes, is_it) ||
        std::ranges::any_of(JoinColumns(child_, owner), is_key)) {
      return;
    }
    const Attribute* source = owner.Find(path.attribute.text);
    StoredAttribute copy;
    copy.name.text = NameOfCopy(child_, path);
    copy.kind = StoredKind::kCopy;
    copy.copy.entity = path.entity;
    copy.copy.attribute.text = path.attribute.text;
    copy.upkeep = source != nullptr && source->immutable ? CopyUpkeep::kNever : CopyUpkeep::kStream;
    layout.attributes.push_back(std::move(copy));
  }

  // The most used partition key of the child's items, in as many shards as it needs.
  bool LayShards() {
    ItemLayout* layout = tables_.FindLayout(child_.name.text);
    if (layout == nullptr) {
      return Refuse("`" + child_.name.text + "` has no items of its own");
    }
    StoredAttribute* hottest = nullptr;
    double most = 0;
    for (const Heat& heat : EstimateHeat(before_, PlanAll(before_))) {
      for (StoredAttribute& stored : layout->attributes) {
        if (!IsPartitionOf(stored.name, heat.view) || stored.key.natural ||
            stored.key.ToString() != heat.key || heat.utilisation <= most) {
          continue;
        }
        most = heat.utilisation;
        hottest = &stored;
      }
    }
    if (hottest == nullptr || most <= 1) {
      return Refuse("no key of `" + child_.name.text +
                    "` exceeds the limit of one partition, 1,000 writes or 3,000 reads a second "
                    "(R10)");
    }
    int shards = kShardsLeast;
    while (shards < most * kShardHeadroom && shards < kShardsMost) {
      shards *= 2;
    }
    hottest->key = Extended(hottest->key, "#{shard " + std::to_string(shards) + " of " +
                                              child_.KeyNames().back() + "}");
    return true;
  }

  // True if the attribute is the partition key of the child's table or of one of its indexes, by the name of that view.
  bool IsPartitionOf(const Name& attribute, const std::string& view) {
    const Table& table = *tables_.FindTable(child_.name.text);
    if (attribute == table.partition) {
      return view == View{&table, nullptr}.Label();
    }
    return std::ranges::any_of(table.indexes, [&](const Index& index) {
      return !index.local && index.partition.size() == 1 && index.partition[0] == attribute &&
             view == View{&table, &index}.Label();
    });
  }

  // True if a pattern reads links by the end that an adjacency list alone does not support.
  bool IsOtherEnd(const Pattern& pattern) const {
    const NameSet back = NamesOf(child_, to_);
    return std::ranges::any_of(pattern.sections, [&](const Section& section) {
      return std::ranges::any_of(section.conditions, [&](const Condition& one) {
        return back.contains(one.attribute.text);
      });
    });
  }

  void Repair(StrategyId id) {
    if (id == StrategyId::kComplexAttribute || id == StrategyId::kReferences ||
        id == StrategyId::kShallowDuplication) {
      return;
    }
    Model& model = tables_.model();
    for (const Plan& plan : PlanAll(before_)) {
      const Pattern& pattern = *plan.pattern;
      if (!plan.served || PlanPattern(model, pattern).served) {
        continue;
      }
      if (id == StrategyId::kAdjacencyList && IsOtherEnd(pattern)) {
        continue;
      }
      std::optional<Model> changed = WithProposedChange(model, pattern);
      if (!changed) {
        continue;
      }
      added_.push_back(pattern.name.text);
      model.tables = std::move(changed->tables);
    }
    WidenProjections();
  }

  // An index keeps what is read from it of the child.
  void WidenProjections() {
    Model& model = tables_.model();
    for (const Pattern& pattern : model.patterns) {
      for (const Section& section : pattern.sections) {
        for (const Access& access : FindAccesses(model, section, {})) {
          if (access.plan.item_entity != child_.name) {
            continue;
          }
          for (Table& table : model.tables) {
            for (Index& index : table.indexes) {
              if (&index == access.request.view.index && index.projection != ProjectionKind::kAll) {
                WidenIndex(access, index);
              }
            }
          }
        }
      }
    }
  }

  void WidenIndex(const Access& access, Index& index) const {
    std::vector<std::string> wanted;
    for (const FollowUp& follow_up : access.plan.follow_ups) {
      if (follow_up.kind == FollowUpKind::kFetchItem && !follow_up.other_layout) {
        wanted.insert(wanted.end(), follow_up.reasons.begin(), follow_up.reasons.end());
      }
      if (follow_up.kind != FollowUpKind::kJoin) {
        continue;
      }
      // A join that a copy on the item would answer, if the index kept the copy.
      const Model& model = tables_.model();
      for (const StoredAttribute& stored :
           model.FindPlacement(access.plan.item_entity).layout->attributes) {
        if (stored.kind == StoredKind::kCopy &&
            stored.copy.entity == model.RowsOf(follow_up.entity).name) {
          wanted.push_back(stored.name.text);
        }
      }
    }
    for (const std::string& name : wanted) {
      index.projection = ProjectionKind::kInclude;
      const auto is_it = [&](const Name& one) { return one.text == name; };
      if (std::ranges::none_of(index.include, is_it)) {
        index.include.push_back({name, {}});
      }
    }
  }

  // The file's statements about strategies stay true, and the new strategy is named.
  void NameStrategies() {
    Model& model = tables_.model();
    const auto named = [&](const Relationship& one) {
      std::vector<Name> names;
      for (const Strategy* strategy : StrategiesInUse(model, one)) {
        names.push_back({std::string(strategy->name), {}});
      }
      return names;
    };
    bool found = false;
    for (StrategyChoice& choice : model.strategies) {
      const Relationship* one = model.FindRelationship(choice.relationship.text);
      if (one == nullptr) {
        continue;
      }
      const bool own = one->name == relationship_.name;
      found = found || own;
      const bool holds = std::ranges::all_of(choice.strategies, [&](const Name& name) {
        const Strategy* strategy = FindStrategy(name.text);
        return strategy == nullptr || StrategyMismatch(model, *one, *strategy).empty();
      });
      if (own || !holds) {
        choice.strategies = named(*one);
      }
    }
    if (!found) {
      StrategyChoice choice;
      choice.relationship = relationship_;
      choice.strategies = named(*model.FindRelationship(relationship_.name.text));
      model.strategies.push_back(std::move(choice));
    }
    std::erase_if(model.strategies,
                  [](const StrategyChoice& one) { return one.strategies.empty(); });
  }

  bool Holds(const Strategy& strategy) {
    const Model& model = tables_.model();
    const std::vector<Plan> before = PlanAll(before_);
    const std::vector<Plan> after = PlanAll(model);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const std::string name = "`" + after[i].pattern->name.text + "`";
      if (before[i].served && !after[i].served) {
        return Refuse(name + " is not supported by any key: " + after[i].refusal);
      }
      if (before[i].strong && !after[i].strong &&
          after[i].pattern->freshness != Freshness::kEventual) {
        return Refuse(name + " needs strongly consistent data, and a global index is eventually consistent");
      }
    }
    if (!StrategyMismatch(model, *model.FindRelationship(relationship_.name.text), strategy)
             .empty()) {
      return Refuse("the tables here cannot be made so by moving `" + child_.name.text + "` alone");
    }
    return true;
  }

  const Model& before_;
  const Relationship& relationship_;
  const bool many_;
  const bool hierarchy_;
  const Entity from_;
  const Entity to_;
  const Entity child_;
  LayoutEditor tables_;
  std::vector<std::string> added_;
};

}  // namespace

std::optional<SwitchedDesign> StrategySwitches::Make(const Relationship& relationship,
                                                     const Strategy& strategy,
                                                     std::string& why_not) {
  std::optional<SwitchedDesign> made = Switcher(model_, relationship).Run(strategy, why_not);
  if (!made) {
    return made;
  }
  if (!known_errors_) {
    known_errors_ = ErrorsOf(model_);
  }
  for (const auto& error : ErrorsOf(made->model)) {
    if (known_errors_->contains(error)) {
      continue;
    }
    why_not = error.second;
    return std::nullopt;
  }
  return made;
}

}  // namespace prejoin::model
