// One relationship under each strategy.
//
// The part of the model that the relationship is about (its entities, the patterns that read its children or links, the
// writes of them) is laid out again in one table with generic keys, as the strategy prescribes:
//
//   item collection       parent PK = PARENT#{id} SK = #PARENT     child PK = PARENT#{parentId} SK = CHILD#{id}
//   complex attribute     parent with a list of its children
//   duplicate attributes  child under its own key, with copies of what is read of the parent
//   secondary index       child under its own key, the collection in GSI1
//   composite sort key    the levels one behind the other in SK
//   adjacency list        link PK = FROM#{fromId} SK = TO#{toId}; inverted: the same in GSI1 or with SK and PK swapped
//   shallow duplication   a list of the other side on each end
//   references            ids on one end, the rows by BatchGetItem
//   write sharding        as collection or edges, the key ending in a shard
//
// Patterns that the layout does not serve get an index of their own, by the same proposals that `check` prints, so that
// every strategy answers the whole workload and prices can be compared. Indexes keep only what is read from them. Where
// `once` promises one row for a key that the item's key does not fix, a lock item keeps the promise.
//
// The result is an ordinary model: the planner plans it, the cost model prices it, and a test proves every one of them.
#include "model/advise/alternatives.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "model/layout/key_spelling.h"
#include "model/layout/table_edits.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

constexpr int kShards = 8;

// The levels of a path without a word in front; `#` if there are none.
std::string LevelsText(const std::vector<std::string>& names) {
  return names.empty() ? "#" : PartsText(names).substr(1);
}

class StrategyDesigner {
 public:
  StrategyDesigner(const Model& workload, const Relationship& relationship)
      : relationship_(relationship),
        many_(relationship.kind == RelationshipKind::kManyToMany),
        from_(workload.At(relationship.from)),
        child_(workload.At(relationship.child())),
        to_(workload.At(relationship.to.given() ? relationship.to : relationship.from)) {
    design_.model = workload;
    table_.name.text = "Design";
    table_.partition.text = "PK";
    table_.sort.text = "SK";
  }

  std::optional<AlternativeDesign> Run(const Strategy& strategy, std::string& why_not) {
    if (!(many_ ? strategy.for_many_to_many : strategy.for_one_to_many)) {
      why_not = "it is not made for this kind of relationship";
      return std::nullopt;
    }
    if (many_ && from_.name == to_.name) {
      why_not = "both ends are `" + from_.name.text + "`: their keys cannot be told apart here";
      return std::nullopt;
    }
    if (IsWithinOneEntity() && strategy.id != StrategyId::kSecondaryIndex) {
      why_not = "parent and child are both `" + from_.name.text +
                "`, which has one table key: the other direction is an index";
      return std::nullopt;
    }
    if (!Lay(strategy.id, why_not)) {
      return std::nullopt;
    }
    design_.model.tables.push_back(std::move(table_));
    if (strategy.id != StrategyId::kComplexAttribute &&
        strategy.id != StrategyId::kShallowDuplication && strategy.id != StrategyId::kReferences) {
      AddMissingKeys();
    }
    NarrowIndexes();
    LockRowKeys();
    return std::move(design_);
  }

 private:
  // People who lead people.
  bool IsWithinOneEntity() const {
    return from_.name == child_.name && relationship_.kind != RelationshipKind::kHierarchy;
  }

  bool Lay(StrategyId id, std::string& why_not) {
    switch (id) {
      case StrategyId::kItemCollection:
        return LayCollection("");
      case StrategyId::kComplexAttribute:
        return LayLists({&from_});
      case StrategyId::kDuplicateAttributes:
        return LayCopies(why_not);
      case StrategyId::kSecondaryIndex:
        return LaySecondaryIndex();
      case StrategyId::kCompositeSortKey:
        return LayPath(why_not);
      case StrategyId::kAdjacencyList:
        return LayEdges("", "", "");
      case StrategyId::kInvertedIndex:
        return LayEdges("GSI1PK", "GSI1SK", "");
      case StrategyId::kInvertedBaseKeys:
        return LayEdges("SK", "PK", "");
      case StrategyId::kShallowDuplication:
        return LayLists({&from_, &to_});
      case StrategyId::kReferences:
        return LayReferences(why_not);
      case StrategyId::kWriteSharding:
        return many_ ? LayEdges("GSI1PK", "GSI1SK", Shards()) : LayCollection(Shards());
    }
    return false;
  }

  // By the attribute that varies most among the items of a key: the last of the child's own.
  std::string Shards() const { return ShardText(kShards, child_.KeyNames().back()); }

  ItemLayout& Item(const Entity& entity, const std::string& partition, const std::string& sort) {
    return AddItem(table_, entity, partition, sort);
  }

  ItemLayout& Parent(const Entity& entity) {
    return Item(entity, OwnKeyText(entity), "#" + KeyWord(entity));
  }

  // After the entity's word: what the patterns under `bound` sort by, then the rest of the key.
  std::string SortText(const Entity& entity, const std::set<std::string>& bound) const {
    return CollectionSortText(design_.model, entity, bound);
  }

  std::set<std::string> Pointing(const Entity& owner) const { return PointingAt(child_, owner); }

  void AddIndex(const std::string& partition, const std::string& sort) {
    table_.indexes.push_back(MakeIndex("GSI1", partition, sort));
    table_.indexes.back().projection = ProjectionKind::kAll;  // Until it is known what is read.
  }

  bool LayCollection(const std::string& shard) {
    if (relationship_.kind == RelationshipKind::kHierarchy) {
      return LayLevels();
    }
    Parent(from_);
    Item(child_, OwnerKeyText(child_, from_) + shard, SortText(child_, Pointing(from_)));
    return true;
  }

  // A hierarchy of two levels in a collection, or of all of them in the sort key.
  bool LayLevels() {
    std::vector<std::string> names = LowerLevels();
    for (const std::string& key : from_.KeyNames()) {
      if (key != relationship_.levels[0].text && std::ranges::find(names, key) == names.end()) {
        names.push_back(key);
      }
    }
    Item(from_, "{" + relationship_.levels[0].text + "}", LevelsText(names));
    return true;
  }

  std::vector<std::string> LowerLevels() const {
    std::vector<std::string> names;
    for (const Name& level : std::span(relationship_.levels).subspan(1)) {
      names.push_back(level.text);
    }
    return names;
  }

  bool LaySecondaryIndex() {
    if (relationship_.kind == RelationshipKind::kHierarchy) {
      ItemLayout& item = Parent(from_);
      item.attributes.push_back(MakeStored("GSI1PK", "{" + relationship_.levels[0].text + "}"));
      item.attributes.push_back(MakeStored("GSI1SK", LevelsText(LowerLevels())));
      AddIndex("GSI1PK", "GSI1SK");
      return true;
    }
    if (!IsWithinOneEntity()) {
      ItemLayout& parent = Parent(from_);
      parent.attributes.push_back(MakeStored("GSI1PK", OwnKeyText(from_)));
      parent.attributes.push_back(MakeStored("GSI1SK", "#" + KeyWord(from_)));
    }
    ItemLayout& child = Parent(child_);
    child.attributes.push_back(MakeStored("GSI1PK", OwnerKeyText(child_, from_)));
    child.attributes.push_back(MakeStored("GSI1SK", SortText(child_, Pointing(from_))));
    AddIndex("GSI1PK", "GSI1SK");
    return true;
  }

  // Children under the grandparent, with the parent in their sort key.
  // Attributes of the child that name the row two levels above it: its own, or those that its parent has from there.
  std::vector<std::string> NamingTop(const Entity& top) const {
    std::vector<std::string> names;
    for (const JoinColumn& column : JoinColumns(child_, top)) {
      names.push_back(column.from);
    }
    if (!names.empty()) {
      return names;
    }
    for (const JoinColumn& up : JoinColumns(from_, top)) {
      for (const JoinColumn& column : JoinColumns(child_, from_)) {
        if (column.to == up.from) {
          names.push_back(column.from);
        }
      }
    }
    return names.size() == top.KeyNames().size() ? names : std::vector<std::string>();
  }

  bool LayPath(std::string& why_not) {
    if (relationship_.kind == RelationshipKind::kHierarchy) {
      return LayLevels();
    }
    for (const Relationship& above : design_.model.relationships) {
      if (!(above.to == relationship_.from) || above.kind != RelationshipKind::kOneToMany) {
        continue;
      }
      const Entity& top = design_.model.At(above.from);
      const std::vector<std::string> up = NamingTop(top);
      if (up.empty()) {
        continue;
      }
      Parent(top);
      std::set<std::string> bound = Pointing(from_);
      bound.insert(up.begin(), up.end());
      // The levels below the top, one behind the other.
      std::string own = KeyWord(from_);
      std::string path = own;
      for (const JoinColumn& column : JoinColumns(child_, from_)) {
        if (std::ranges::find(up, column.from) != up.end()) {
          continue;
        }
        own += "#{" + column.to + "}";
        path += "#{" + column.from + "}";
      }
      Item(from_, OwnerKeyText(from_, top), own);
      Item(child_, KeyWord(top) + PartsText(up), path + "#" + SortText(child_, bound));
      return true;
    }
    // The upper of three levels: the lower one continues its sort key.
    for (const Relationship& below : design_.model.relationships) {
      if (below.from == relationship_.to && below.kind == RelationshipKind::kOneToMany) {
        return LayCollection("");
      }
    }
    why_not = "there are two levels only (R6)";
    return false;
  }

  bool LayEdges(const std::string& index_partition, const std::string& index_sort,
                const std::string& shard) {
    Parent(from_);
    if (to_.name.text != from_.name.text) {
      Parent(to_);
    }
    std::set<std::string> ends = Pointing(from_);
    ends.merge(Pointing(to_));
    std::vector<std::string> keys = child_.KeyNames();
    std::erase_if(keys, [&](const std::string& key) { return ends.contains(key); });
    const std::string rest = PartsText(keys);
    ItemLayout& edge = Item(child_, OwnerKeyText(child_, from_), OwnerKeyText(child_, to_) + rest);
    if (index_partition.empty()) {
      return true;
    }
    if (index_partition != "SK") {
      edge.attributes.push_back(MakeStored(index_partition, OwnerKeyText(child_, to_) + shard));
      edge.attributes.push_back(MakeStored(index_sort, OwnerKeyText(child_, from_) + rest));
    }
    AddIndex(index_partition, index_sort);
    return true;
  }

  // The children, or the links, inside each of these.
  bool LayLists(const std::vector<const Entity*>& holders) {
    for (const Entity* holder : holders) {
      ItemLayout& layout = Parent(*holder);
      layout.attributes.push_back(MakeList(*holder, layout, child_));
      layout.attributes.back().name.text = child_.name.text + "List";
      if (holders.size() > 1 && to_.name.text == from_.name.text) {
        return false;
      }
    }
    if (holders.size() == 1 && many_) {
      Parent(to_);
    }
    return true;
  }

  // Ids on the first side; the other side, or the children, found by them.
  bool LayReferences(std::string& why_not) {
    if (!many_) {
      why_not = "a child names its parent: a Query finds the children without a list of their ids";
      return false;
    }
    return LayLists({&from_});
  }

  // Copies of the attributes that the patterns return with the children, beside the usual keys.
  bool LayCopies(std::string& why_not) {
    std::vector<Path> wanted;
    for (const Pattern& pattern : design_.model.patterns) {
      for (const Section& section : pattern.sections) {
        if (!(section.entity == child_.name)) {
          continue;
        }
        for (const Path& path : section.get) {
          const bool ends = path.entity == from_.name || path.entity == to_.name;
          const bool is_own = path.entity.text.empty() || path.entity == child_.name;
          const bool known = std::any_of(wanted.begin(), wanted.end(), [&](const Path& one) {
            return one.entity == path.entity && one.attribute == path.attribute;
          });
          if (ends && !is_own && !known) {
            wanted.push_back(path);
          }
        }
      }
    }
    if (wanted.empty()) {
      why_not = "no pattern returns another entity's data with `" + child_.name.text +
                "`, so there is nothing to copy";
      return false;
    }
    if (many_) {
      LayEdges("GSI1PK", "GSI1SK", "");
    } else {
      LayCollection("");
    }
    for (ItemLayout& layout : table_.items) {
      if (!(layout.entity == child_.name)) {
        continue;
      }
      for (const Path& path : wanted) {
        layout.attributes.push_back(MakeCopy(child_, path, CopyUpkeep::kStream));
      }
    }
    return true;
  }

  // The other direction of a many-to-many is the strategy's own business.
  bool IsOtherDirection(const Pattern& pattern) const {
    if (!many_) {
      return false;
    }
    const std::set<std::string> back = Pointing(to_);
    return std::any_of(
        pattern.sections.begin(), pattern.sections.end(), [&](const Section& section) {
          return std::any_of(
              section.conditions.begin(), section.conditions.end(),
              [&](const Condition& one) { return back.contains(one.attribute.text); });
        });
  }

  // A question besides the relationship gets an index, whatever the strategy.
  void AddMissingKeys() {
    for (const Pattern& pattern : design_.model.patterns) {
      if (PlanPattern(design_.model, pattern).served || IsOtherDirection(pattern)) {
        continue;
      }
      std::optional<Model> changed = WithProposedChange(design_.model, pattern);
      if (!changed) {
        continue;
      }
      design_.added.push_back(pattern.name.text);
      design_.model.tables = std::move(changed->tables);
    }
  }

  // `once` promises one row for each key. Where the item's key holds more than that, a lock item keeps the promise.
  void LockRowKeys() {
    for (Table& table : design_.model.tables) {
      for (ItemLayout& layout : table.items) {
        model::LockRowKeys(design_.model, table, layout);
      }
    }
  }

  // Indexes keep what the patterns read from them, and no more.
  void NarrowIndexes() {
    for (Table& table : design_.model.tables) {
      for (Index& index : table.indexes) {
        Project(index, {});
      }
    }
    WidenIndexes(design_.model, nullptr);
  }

  const Relationship& relationship_;
  const bool many_;
  const Entity from_;
  const Entity child_;
  const Entity to_;
  Table table_;
  AlternativeDesign design_;
};

}  // namespace

Model WorkloadOf(const Model& model, const Relationship& relationship) {
  const bool many = relationship.kind == RelationshipKind::kManyToMany;
  const std::string& child = many                           ? relationship.through.text
                             : relationship.to.text.empty() ? relationship.from.text
                                                            : relationship.to.text;
  const auto reads_child = [&](const Section& section) {
    return (section.searched().text) == child;
  };
  Model out = model;
  out.tables.clear();
  out.strategies.clear();
  out.suppressions.clear();
  out.tenant.reset();
  std::erase_if(out.patterns, [&](const Pattern& pattern) {
    return std::none_of(pattern.sections.begin(), pattern.sections.end(), reads_child);
  });
  for (Pattern& pattern : out.patterns) {
    std::erase_if(pattern.sections, [&](const Section& section) {
      return !reads_child(section) && !(section.entity == relationship.from) &&
             !(section.entity == relationship.to);
    });
  }
  for (Write& write : out.writes) {
    std::erase_if(write.steps, [&](const WriteStep& step) {
      const bool end = step.entity == relationship.from || step.entity == relationship.to;
      return step.entity.text != child && !(end && step.kind == WriteKind::kUpdate);
    });
  }
  std::erase_if(out.writes, [](const Write& write) { return write.steps.empty(); });
  return out;
}

std::optional<AlternativeDesign> DesignWith(const Model& workload, const Relationship& relationship,
                                            const Strategy& strategy, std::string& why_not) {
  return StrategyDesigner(workload, relationship).Run(strategy, why_not);
}

}  // namespace prejoin::model
