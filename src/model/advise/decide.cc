#include "model/advise/decide.h"

#include <algorithm>
#include <array>

#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr double kSparseLinks = 5;
constexpr double kOftenPerSecond = 1.0 / 60;
constexpr double kFewChildren = 20;

std::string PerHour(double per_second) { return RoughText(per_second * 3600) + " per hour"; }

// Walks the rules. Borrows everything.
class Decider {
 public:
  Decider(const Model& workload, const Relationship& relationship, const RelationshipFacts& facts)
      : workload_(workload), relationship_(relationship), facts_(facts) {}

  Decision Run() {
    Framework();
    if (relationship_.kind == RelationshipKind::kManyToMany) {
      ManyToMany();
    } else if (relationship_.kind == RelationshipKind::kHierarchy) {
      Hierarchy();
    } else {
      OneToMany();
    }
    Partitions();
    return std::move(decision_);
  }

 private:
  void Say(int rule, std::string text, bool settles = false) {
    decision_.path.push_back({rule, RuleTitle(rule) + std::move(text), settles});
  }
  void Recommend(StrategyId id) { decision_.recommended.push_back(&GetStrategy(id)); }

  // R1: the four questions.
  void Framework() {
    const RelationshipFacts& f = facts_;
    Say(1,
        "How many? about " + RoughText(f.children_each) +
            (f.children_bound > 0 ? ", at most " + FigureText(f.children_bound) : ", unbounded"));
    Say(1, "Both directions? " + RoughText(f.reads_from_parent) + " reads/s from " +
               relationship_.from.text + ", " + RoughText(f.reads_from_child) + " the other way");
    Say(1, "Change rate? " + PerHour(f.writes) + "; reads to writes " +
               (f.writes > 0
                    ? RoughText((f.reads_from_parent + f.reads_from_child) / f.writes) + " to 1"
                    : "without writes"));
  }

  void ManyToMany() {
    const RelationshipFacts& f = facts_;
    const bool sparse = relationship_.sparse.value_or(f.children_each <= kSparseLinks);
    const bool both = f.reads_from_child > kOftenPerSecond && f.reads_from_parent > kOftenPerSecond;
    Say(2,
        std::string("Sparse (few links each)? ") + (sparse ? "yes: adjacency list" : "no: go on"),
        sparse);
    Say(2,
        std::string("Both directions often? ") +
            (both ? "yes: adjacency list with an inverted index" : "no: go on"),
        both);
    if (sparse || both) {
      Recommend(StrategyId::kAdjacencyList);
      if (f.reads_from_child > 0) {
        Recommend(StrategyId::kInvertedIndex);
        Say(7, "The other side is another partition: a global index, not a local one");
      }
      return;
    }
    Say(2, std::string("Data on the edge? ") + (f.edge_data ? "yes: adjacency list" : "no: go on"),
        f.edge_data);
    if (f.edge_data) {
      Recommend(StrategyId::kAdjacencyList);
      if (f.reads_from_child > 0) {
        Recommend(StrategyId::kInvertedIndex);
      }
      return;
    }
    const bool acceptable = f.children_bound > 0 && f.writes <= kOftenPerSecond && !f.strong_needed;
    Say(2,
        std::string("Denormalisation acceptable (bounded, stable, not strong)? ") +
            (acceptable ? "yes: shallow duplication" : "no: normalise (references)"),
        acceptable);
    Recommend(acceptable ? StrategyId::kShallowDuplication : StrategyId::kReferences);
  }

  void OneToMany() {
    const RelationshipFacts& f = facts_;
    const bool queried = f.reads_by_value > 0 || f.reads_from_child > 0;
    const bool few = f.children_bound > 0 && f.children_bound <= kFewChildren;
    Say(3, std::string("Any pattern on the nested values? ") +
               (queried ? "yes: not a complex attribute" : "no"));
    Say(3,
        std::string("Unbounded, or more than a few? ") +
            (few ? "no: at most " + FigureText(f.children_bound) : "yes: not a complex attribute"));
    if (few && !queried) {
      Recommend(StrategyId::kComplexAttribute);
      return;
    }
    if (f.reads_with_parent > 0) {
      Duplication();
    }
    // Read by themselves, with copies of the attributes they need: no collection is needed.
    if (!decision_.recommended.empty() && f.reads_from_parent == 0) {
      return;
    }
    OtherOrder();
    if (f.levels > 2) {
      Say(6,
          std::string("More than two levels? yes. Whole subtree wanted at each? ") +
              (f.subtree_wanted ? "yes: one sort key for all levels"
                                : "no: keep the levels in collections of their own"),
          true);
      if (f.subtree_wanted) {
        Recommend(StrategyId::kCompositeSortKey);
        return;
      }
    }
    if (f.reads_from_child > 0 || f.reads_by_value > 0) {
      Say(7,
          "Looked up from another side as well: the primary key serves one, a global index the "
          "other");
      Recommend(f.reads_from_child > f.reads_from_parent ? StrategyId::kSecondaryIndex
                                                         : StrategyId::kItemCollection);
      if (f.reads_from_child <= f.reads_from_parent) {
        Recommend(StrategyId::kSecondaryIndex);
      }
      return;
    }
    Recommend(StrategyId::kItemCollection);
  }

  // R7: children of one parent in another order.
  void OtherOrder() {
    const Relationship& relationship = relationship_;
    for (const Pattern& pattern : workload_.patterns) {
      for (const Section& section : pattern.sections) {
        if (!(section.entity == relationship.to) || section.order.empty()) {
          continue;
        }
        const auto bound = [&](const Name& name) {
          return std::ranges::any_of(section.conditions, [&](const Condition& condition) {
            return condition.attribute == name && condition.comparison == Comparison::kEqual;
          });
        };
        const Attribute* first = workload_.At(section.entity).Find(section.order[0].attribute.text);
        if (relationship.by.empty() || !std::ranges::all_of(relationship.by, bound) ||
            first == nullptr || first->is_key) {
          continue;
        }
        Say(7, "`" + pattern.name.text + "` reads them in the order of " + first->name.text +
                   " under the same key: put it into the sort key, or use a local index (same "
                   "partition, "
                   "strongly consistent, 10 GB for each key); a global one only for another "
                   "partition");
        return;
      }
    }
  }

  // R4, R5
  void Duplication() {
    const RelationshipFacts& f = facts_;
    if (f.parent_immutable) {
      Say(5, "Children are read with their parent's data, which never changes: duplicate it");
      Recommend(StrategyId::kDuplicateAttributes);
      return;
    }
    const double burden = f.parent_changes * f.children_each;
    Say(4, "The parent's data changes " + PerHour(f.parent_changes) + " and would have " +
               RoughText(f.children_each) + " copies: " + PerHour(burden) +
               " copy writes for each parent, " +
               (f.parent_changes <= 1.0 / 3600 || f.children_each <= 20
                    ? "low on one side, so copies are acceptable"
                    : "high on both sides, so no copies"));
    const bool acceptable = f.parent_changes <= 1.0 / 3600 || f.children_each <= 20;
    if (acceptable && f.reads_from_parent == 0 && !f.strong_needed) {
      Say(5, "Children are read without their parent: copies save the second request");
      Recommend(StrategyId::kDuplicateAttributes);
      return;
    }
    Say(5, acceptable ? "They are read with their parent: one collection (item-collection or secondary-index) gives both "
                        "without copies"
                      : "It can change: keep parent and children in one collection (item-collection or "
                        "secondary-index) and read both");
  }

  void Hierarchy() {
    const RelationshipFacts& f = facts_;
    const bool deep = f.levels > 2;
    Say(6,
        "More than two levels? " + std::string(deep ? "yes, " + std::to_string(f.levels) : "no") +
            ". Whole subtree wanted at each? " + (f.subtree_wanted ? "yes" : "no"),
        deep || f.subtree_wanted);
    if (deep && f.subtree_wanted) {
      Recommend(StrategyId::kCompositeSortKey);
      return;
    }
    // One level alone is an attribute like any other.
    Recommend(f.reads_by_value > f.reads_from_parent ? StrategyId::kSecondaryIndex
                                                     : StrategyId::kItemCollection);
  }

  // R8–R10: sizes and heat of the partitions.
  void Partitions() {
    const RelationshipFacts& f = facts_;
    const double alone = f.reads_alone;
    if (f.reads_from_parent <= 0) {
      Say(8, "Not read together: a partition key for each item is fine and costs nothing");
    } else if (alone >= f.reads_from_parent) {
      Say(8, "Read one by one " + RoughText(alone) + " times/s, together " +
                 RoughText(f.reads_from_parent) +
                 ": a partition key for each item is fine and costs nothing; an index has the "
                 "collection");
    } else {
      Say(8, "Read together " + RoughText(f.reads_from_parent) + " times/s, one by one " +
                 RoughText(alone) + ": one partition key for all of a parent");
    }
    const auto collection = [&](double each) {
      return RoughText(each * f.child_bytes / 1024) + " KB";
    };
    Say(9,
        "One collection has about " + collection(f.children_each) +
            (f.parents_each > 0 ? " on one side and " + collection(f.parents_each) + " on the other"
                                : "") +
            "; the limit with a local index is 10 GB");
    // Compares units, because a partition's limit is in units: an answer of 1 MB is 128 of them. Uses the hottest key, because the load of all
    // keys together falls on many partitions.
    const double write_units = f.HottestWriteUnits();
    const double read_units = f.HottestReadUnits();
    const bool hot = write_units > 1000 || read_units > 3000;
    Say(10, "The hottest value of " + f.hottest_key + " takes " + RoughText(write_units) +
                " write units/s of 1,000 and " + RoughText(read_units) + " read units/s of 3,000" +
                (hot ? "" : ": no shards"));
    if (hot) {
      Say(10,
          "Adaptive capacity isolates a hot key on its own partition, but cannot exceed that "
          "partition's limit");
    }
    if (write_units > 1000) {
      Recommend(StrategyId::kWriteSharding);
    }
  }

  const Model& workload_;
  const Relationship& relationship_;
  const RelationshipFacts& facts_;
  Decision decision_;
};

}  // namespace

Decision Decide(const Model& workload, const Relationship& relationship,
                const RelationshipFacts& facts) {
  return Decider(workload, relationship, facts).Run();
}

std::string RuleTitle(int number) {
  constexpr std::array kTitles = std::to_array<const char*>(
      {"the four questions", "many-to-many", "complex attribute", "duplication",
       "parent's data with its children", "hierarchy", "kind of index", "a partition for one item",
       "size of a partition", "one partition for all"});
  return "R" + std::to_string(number) + " (" + kTitles.at(static_cast<std::size_t>(number - 1)) +
         ") ";
}

}  // namespace prejoin::model
