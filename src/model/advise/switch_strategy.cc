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

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/check/check.h"
#include "model/cost/cost.h"
#include "model/cost/heat.h"
#include "model/layout/key_spelling.h"
#include "model/layout/layout_editor.h"
#include "model/layout/table_edits.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/schema/join.h"
#include "model/schema/strategy_match.h"

namespace prejoin::model {
namespace {

constexpr int kShardsLeast = 8;
constexpr int kShardsMost = 4096;
constexpr double kShardHeadroom = 1.5;
constexpr double kNoMoney = 1e-9;

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
        DropRepeatedKeys(before_.At(entity));
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
        return tables_.Embed(child_, {&from_});
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
        return tables_.Embed(child_, {&from_, &to_});
      case StrategyId::kReferences:
        return many_ ? tables_.Embed(child_, {&from_})
                     : tables_.DropCopies(child_.name.text, from_.name.text);
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
    const NameSet pointing = PointingAt(child_, from_);
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
    std::erase_if(names, [&](const std::string& name) { return !used.insert(name).second; });
    const std::string sort = names.empty() ? KeyWord(from_) : PartsText(from_, names).substr(1);
    return tables_.Rebase(from_, from_.name.text, KeyOfText(PartText(*from_.Find(first))),
                          KeyOfText(sort));
  }

  bool LaySecondaryIndex() {
    const std::string& name = child_.name.text;
    if (hierarchy_) {
      return Refuse("the levels of a hierarchy make one key, which an index repeats");
    }
    const NameSet pointing = PointingAt(child_, from_);
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
        !tables_.Rebase(child_, from_.name.text, OwnKey(), KeyOfText(KeyWord(child_)))) {
      return false;
    }
    if (tables_.IndexBy(name, pointing) == nullptr) {
      tables_.AddIndexKeys(child_, partition, sort);
    }
    return true;
  }

  KeyTemplate OwnKey() const {
    return KeyOfText(KeyWord(child_) + PartsText(child_, child_.KeyNames()));
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
    KeyTemplate own = KeyOfText(KeyWord(from_));
    KeyTemplate path = own;
    for (const JoinColumn& column : JoinColumns(child_, from_)) {
      if (!bound.insert(column.from).second) {
        continue;
      }
      own = Extended(own, "#" + PartText(*from_.Find(column.to)));
      path = Extended(path, "#" + PartText(*child_.Find(column.from)));
    }
    path = Extended(path, "#" + KeyWord(child_) + PartsText(child_, KeysBeside(bound)));
    return tables_.Rebase(from_, top.name.text, upper, own) &&
           tables_.Rebase(child_, top.name.text, partition, path);
  }

  // One end of a link, and what its key has besides both ends.
  KeyTemplate FarEnd(const Entity& end) {
    NameSet ends = PointingAt(child_, from_);
    ends.merge(PointingAt(child_, to_));
    return Extended(tables_.OwnerKey(child_, end), PartsText(child_, KeysBeside(ends)));
  }

  std::vector<std::string> KeysBeside(const NameSet& bound) const {
    std::vector<std::string> keys = child_.KeyNames();
    std::erase_if(keys, [&](const std::string& key) { return bound.contains(key); });
    return keys;
  }

  bool LayLinks(StrategyId id) {
    const std::string& link = child_.name.text;
    const NameSet to_first = PointingAt(child_, from_);
    NameSet near = tables_.PartitionNames(link);
    if (near != to_first && near != PointingAt(child_, to_)) {
      if (!tables_.Rebase(child_, from_.name.text, tables_.OwnerKey(child_, from_), FarEnd(to_))) {
        return false;
      }
      near = to_first;
    }
    const Entity& here = near == to_first ? from_ : to_;
    const Entity& there = near == to_first ? to_ : from_;
    const NameSet far = PointingAt(child_, there);
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
    Index& index = NewIndex(table);
    index.partition = {{table.sort.text, {}}};
    index.sort = {{table.partition.text, {}}};
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
    const auto is_key = [&](const JoinColumn& column) { return column.to == path.attribute.text; };
    const Entity& owner = before_.At(path.entity);
    if (FindCopy(layout, path) != nullptr ||
        std::ranges::any_of(JoinColumns(child_, owner), is_key)) {
      return;
    }
    const Attribute* source = owner.Find(path.attribute.text);
    const bool fixed = source != nullptr && source->immutable;
    layout.attributes.push_back(
        MakeCopy(child_, path, fixed ? CopyUpkeep::kNever : CopyUpkeep::kStream));
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
    hottest->key = Extended(hottest->key, ShardText(shards, child_.KeyNames().back()));
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
    const NameSet back = PointingAt(child_, to_);
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
    WidenIndexes(model, &child_);
  }

  // Index keys that say what the base key says go, if nothing gets dearer without them.
  void DropRepeatedKeys(const Entity& rows) {
    const std::string& entity = rows.name.text;
    const Index* index = tables_.IndexBy(entity, tables_.PartitionNames(entity));
    if (index == nullptr) {
      return;
    }
    LayoutEditor without(tables_.model());
    without.DropKeys(rows, *index);
    const std::optional<double> bill = BillOf(without.model());
    if (bill && *bill <= *BillOf(tables_.model()) + kNoMoney) {
      tables_.model() = std::move(without.model());
    }
  }

  // Nothing if a model does not serve what the tables serve now.
  std::optional<double> BillOf(const Model& model) const {
    const std::vector<Plan> plans = PlanAll(model);
    const std::vector<Plan> now = PlanAll(tables_.model());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (now[i].served && (!plans[i].served || (now[i].strong && !plans[i].strong))) {
        return std::nullopt;
      }
    }
    return EstimateCost(model, plans, Prices()).money_per_month;
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
