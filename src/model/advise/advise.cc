#include "model/advise/advise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "model/advise/scaled_model.h"
#include "model/advise/switch_strategy.h"
#include "model/schema/strategy_match.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr double kSparseLinks = 5;
constexpr double kOftenPerSecond = 1.0 / 60;
constexpr double kFewChildren = 20;

// The title of a rule, by its number.
std::string RuleTitle(int number) {
  constexpr std::array kTitles = std::to_array<const char*>(
      {"the four questions", "many-to-many", "complex attribute", "duplication",
       "parent's data with its children", "hierarchy", "kind of index", "a partition for one item",
       "size of a partition", "one partition for all"});
  return "R" + std::to_string(number) + " (" + kTitles.at(static_cast<std::size_t>(number - 1)) +
         ") ";
}

std::string PerHour(double per_second) { return RoughText(per_second * 3600) + " per hour"; }

class Adviser {
 public:
  Adviser(const Model& model, const Relationship& relationship, const Prices& prices,
          StrategySwitches& switches)
      : model_(model),
        prices_(prices),
        switches_(switches),
        workload_(WorkloadOf(model, relationship)) {
    AssumeRates();
    advice_.relationship = &relationship;
    advice_.facts = FactsOf(model, relationship);
    advice_.in_use = StrategiesInUse(model, relationship);
    advice_.stored = IsStored(model, relationship);
  }

  // Prices the relationship alone, although tables store it.
  void Defer() {
    advice_.deferred = advice_.stored;
    advice_.stored = false;
  }

  const Advice& advice() const { return advice_; }

  // The strategy that the rules ask for, and what each costs.
  void Choose() {
    Framework();
    const RelationshipKind kind = advice_.relationship->kind;
    if (kind == RelationshipKind::kManyToMany) {
      ManyToMany();
    } else if (kind == RelationshipKind::kHierarchy) {
      Hierarchy();
    } else {
      OneToMany();
    }
    Partitions();
    PriceAll();
    AdviseOnlyWhatFits(kind == RelationshipKind::kManyToMany);
    LetMoneyDecide();
  }

  // The table's key of the children belongs to another relationship.
  void LeaveBaseKey(const Advice& other, const std::string& reason) {
    const std::string& child = advice_.relationship->to.text;
    std::erase_if(advice_.recommended, IsInBase);
    Say(RuleTitle(7) + "`" + child + "` has one table key, and " + other.relationship->name.text +
        " has it: " + reason + ". Here it is an index");
    const Strategy* index = &GetStrategy(StrategyId::kSecondaryIndex);
    const bool named = std::ranges::find(advice_.recommended, index) != advice_.recommended.end();
    if (!named && IsLegal(index)) {
      advice_.recommended.push_back(index);
    }
    AdviseOnlyWhatFits(false);
  }

  static bool IsInBase(const Strategy* strategy) {
    return strategy->id == StrategyId::kItemCollection ||
           strategy->id == StrategyId::kCompositeSortKey;
  }

  // Where the choice flips, when it is final.
  Advice Finish() {
    const Relationship& relationship = *workload_.FindRelationship(advice_.relationship->name.text);
    if (const Strategy* chosen = Chosen(relationship.kind == RelationshipKind::kManyToMany)) {
      advice_.flips = FindFlips(workload_, relationship, prices_, advice_.prices, *chosen,
                                [this](const Strategy& strategy, const Model& workload) {
                                  return PriceOn(workload, strategy);
                                });
    }
    if (advice_.flips.empty()) {
      advice_.flips.emplace_back("none of the strategies serves these patterns by itself");
    }
    return std::move(advice_);
  }

 private:
  const RelationshipFacts& facts() const { return advice_.facts; }
  void Say(std::string step) { advice_.path.push_back(std::move(step)); }
  void Recommend(StrategyId id) { advice_.recommended.push_back(&GetStrategy(id)); }

  // R1: the four questions.
  void Framework() {
    const RelationshipFacts& f = facts();
    Say(RuleTitle(1) + "How many? about " + RoughText(f.children_each) +
        (f.children_bound > 0 ? ", at most " + FigureText(f.children_bound) : ", unbounded"));
    Say(RuleTitle(1) + "Both directions? " + RoughText(f.reads_from_parent) + " reads/s from " +
        advice_.relationship->from.text + ", " + RoughText(f.reads_from_child) + " the other way");
    Say(RuleTitle(1) + "Change rate? " + PerHour(f.writes) + "; reads to writes " +
        (f.writes > 0 ? RoughText((f.reads_from_parent + f.reads_from_child) / f.writes) + " to 1"
                      : "without writes"));
  }

  void ManyToMany() {
    const RelationshipFacts& f = facts();
    const bool sparse = advice_.relationship->sparse.value_or(f.children_each <= kSparseLinks);
    const bool both = f.reads_from_child > kOftenPerSecond && f.reads_from_parent > kOftenPerSecond;
    Say(RuleTitle(2) + std::string("Sparse (few links each)? ") +
        (sparse ? "yes: adjacency list" : "no: go on"));
    Say(RuleTitle(2) + std::string("Both directions often? ") +
        (both ? "yes: adjacency list with an inverted index" : "no: go on"));
    if (sparse || both) {
      Recommend(StrategyId::kAdjacencyList);
      if (f.reads_from_child > 0) {
        Recommend(StrategyId::kInvertedIndex);
        Say(RuleTitle(7) + "The other side is another partition: a global index, not a local one");
      }
      return;
    }
    Say(RuleTitle(2) + std::string("Data on the edge? ") +
        (f.edge_data ? "yes: adjacency list" : "no: go on"));
    if (f.edge_data) {
      Recommend(StrategyId::kAdjacencyList);
      if (f.reads_from_child > 0) {
        Recommend(StrategyId::kInvertedIndex);
      }
      return;
    }
    const bool acceptable = f.children_bound > 0 && f.writes <= kOftenPerSecond && !f.strong_needed;
    Say(RuleTitle(2) + std::string("Denormalisation acceptable (bounded, stable, not strong)? ") +
        (acceptable ? "yes: shallow duplication" : "no: normalise (references)"));
    Recommend(acceptable ? StrategyId::kShallowDuplication : StrategyId::kReferences);
  }

  void OneToMany() {
    const RelationshipFacts& f = facts();
    const bool queried = f.reads_by_value > 0 || f.reads_from_child > 0;
    const bool few = f.children_bound > 0 && f.children_bound <= kFewChildren;
    Say(RuleTitle(3) + std::string("Any pattern on the nested values? ") +
        (queried ? "yes: not a complex attribute" : "no"));
    Say(RuleTitle(3) + std::string("Unbounded, or more than a few? ") +
        (few ? "no: at most " + FigureText(f.children_bound) : "yes: not a complex attribute"));
    if (few && !queried) {
      Recommend(StrategyId::kComplexAttribute);
      return;
    }
    if (f.reads_with_parent > 0) {
      Duplication();
    }
    // Read by themselves, with copies of what they need: no collection is wanted.
    if (!advice_.recommended.empty() && f.reads_from_parent == 0) {
      return;
    }
    OtherOrder();
    if (f.levels > 2) {
      Say(RuleTitle(6) + std::string("More than two levels, whole subtree wanted at each? ") +
          (f.subtree_wanted ? "yes: one sort key for all levels"
                            : "no: keep the levels in collections of their own"));
      if (f.subtree_wanted) {
        Recommend(StrategyId::kCompositeSortKey);
        return;
      }
    }
    if (f.reads_from_child > 0 || f.reads_by_value > 0) {
      Say(RuleTitle(7) +
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
    const Relationship& relationship = *advice_.relationship;
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
        const Attribute* first =
            workload_.FindEntity(section.entity.text)->Find(section.order[0].attribute.text);
        if (relationship.by.empty() || !std::ranges::all_of(relationship.by, bound) ||
            first == nullptr || first->is_key) {
          continue;
        }
        Say(RuleTitle(7) + "`" + pattern.name.text + "` wants them in the order of " +
            first->name.text +
            " under the same key: put it into the sort key, or use a local index (same partition, "
            "strongly consistent, 10 GB for each key); a global one only for another partition");
        return;
      }
    }
  }

  // R4, R5
  void Duplication() {
    const RelationshipFacts& f = facts();
    if (f.parent_immutable) {
      Say(RuleTitle(5) +
          "Children are read with their parent's data, which never changes: duplicate it");
      Recommend(StrategyId::kDuplicateAttributes);
      return;
    }
    const double burden = f.parent_changes * f.children_each;
    Say(RuleTitle(4) + "The parent's data changes " + PerHour(f.parent_changes) +
        " and would have " + RoughText(f.children_each) + " copies: " + PerHour(burden) +
        " copy writes for each parent, " +
        (f.parent_changes <= 1.0 / 3600 || f.children_each <= 20
             ? "low on one side, so copies are acceptable"
             : "high on both sides, so no copies"));
    const bool acceptable = f.parent_changes <= 1.0 / 3600 || f.children_each <= 20;
    if (acceptable && f.reads_from_parent == 0 && !f.strong_needed) {
      Say(RuleTitle(5) + "Children are read without their parent: copies save the second request");
      Recommend(StrategyId::kDuplicateAttributes);
      return;
    }
    Say(RuleTitle(5) +
        "It can change: keep parent and children in one collection (item-collection or "
        "secondary-index) and read both");
  }

  void Hierarchy() {
    const RelationshipFacts& f = facts();
    const bool deep = f.levels > 2;
    Say(RuleTitle(6) + "More than two levels? " +
        std::string(deep ? "yes, " + std::to_string(f.levels) : "no") +
        ". Whole subtree wanted at each? " + (f.subtree_wanted ? "yes" : "no"));
    Recommend(deep ? StrategyId::kCompositeSortKey : StrategyId::kItemCollection);
  }

  // R8–R10: sizes and heat of the partitions.
  void Partitions() {
    const RelationshipFacts& f = facts();
    Say(RuleTitle(8) +
        (f.reads_from_parent > 0
             ? "They are read together: one partition key for parent and children"
             : "Not read together: a partition key for each item is fine and costs nothing"));
    const auto collection = [&](double each) {
      return RoughText(each * f.child_bytes / 1024) + " KB";
    };
    Say(RuleTitle(9) + "One collection has about " + collection(f.children_each) +
        (f.parents_each > 0 ? " on one side and " + collection(f.parents_each) + " on the other"
                            : "") +
        "; 10 GB is where to worry");
    // Units, because a partition gives units: an answer of 1 MB is 128 of them.
    const double write_units = f.writes * std::max(1.0, std::ceil(f.child_bytes / 1024));
    const double answer = std::max(1.0, std::ceil(f.children_each * f.child_bytes / 4096)) / 2;
    const double other =
        std::max(1.0, std::ceil(std::max(1.0, f.parents_each) * f.child_bytes / 4096)) / 2;
    const double read_units = f.reads_from_parent * answer + f.reads_from_child * other;
    Say(RuleTitle(10) + "All in one partition would be " + RoughText(write_units) +
        " write units/s of 1,000 and " + RoughText(read_units) + " read units/s of 3,000");
    if (write_units > 1000 || read_units > 3000) {
      Say(RuleTitle(10) +
          "Adaptive capacity gives a hot key a partition of its own, and never more than that");
    }
    if (write_units > 1000) {
      Recommend(StrategyId::kWriteSharding);
    }
  }

  // Without any rate every price would be nothing.
  void AssumeRates() {
    for (const Pattern& pattern : workload_.patterns) {
      if (pattern.rate_per_second > 0) {
        return;
      }
    }
    for (const Write& write : workload_.writes) {
      if (write.rate_per_second > 0) {
        return;
      }
    }
    for (Pattern& pattern : workload_.patterns) {
      pattern.rate_per_second = 1;
    }
    for (Write& write : workload_.writes) {
      write.rate_per_second = 1;
    }
    advice_.rates_assumed = true;
  }

  bool IsInUse(const Strategy& strategy) const {
    return std::ranges::find(advice_.in_use, &strategy) != advice_.in_use.end();
  }

  bool IsLegal(const Strategy* strategy) const {
    return std::ranges::any_of(advice_.prices, [&](const StrategyPrice& price) {
      return price.strategy == strategy && price.legal;
    });
  }

  // The price is that of a design that can be had: the tables of the file, with this relationship switched. A strategy that
  // they have costs what they cost. Without tables each is laid out by itself.
  StrategyPrice PriceOn(const Model& workload, const Strategy& strategy) {
    const Relationship& relationship = *workload.FindRelationship(advice_.relationship->name.text);
    const RelationshipFacts& known =
        &workload == &workload_ ? facts() : FactsOf(workload, relationship);
    if (!advice_.stored) {
      return PriceOf(strategy, workload, relationship, known, prices_);
    }
    const Switchable& switched = Switch(strategy);
    StrategyPrice price;
    price.strategy = &strategy;
    price.legal = false;
    price.reason = switched.why_not;
    if (!switched.design) {
      return price;
    }
    price = PriceTables(strategy, switched.design->model, workload, prices_);
    price.money_per_month += switched.others.money_per_month;
    price.read_units_per_second += switched.others.read_units_per_second;
    price.write_units_per_second += switched.others.write_units_per_second;
    if (IsInUse(strategy)) {
      price.reason = "as the keys are now";
      return price;
    }
    price.switchable = true;
    ApplyRules(known, switched.design->model, relationship, price);
    price.switchable = price.legal;
    std::string added;
    for (const std::string& name : switched.design->added) {
      added += (added.empty() ? "" : ", ") + name;
    }
    if (price.legal && !added.empty()) {
      price.reason += (price.reason.empty() ? "" : "; ") + ("with a key of its own for " + added);
    }
    return price;
  }

  struct Switchable {
    std::optional<SwitchedDesign> design;  // With the workload's patterns and writes only, …
    StrategyPrice others;                  // … and what all others cost, whatever the workload.
    std::string why_not;
  };

  // Each is made once: rates and counts of a workload do not change it.
  const Switchable& Switch(const Strategy& strategy) {
    const auto known = switched_.find(strategy.id);
    if (known != switched_.end()) {
      return known->second;
    }
    Switchable made;
    if (IsInUse(strategy)) {
      made.design = SwitchedDesign{model_, {}};
    } else {
      made.design = switches_.Make(*advice_.relationship, strategy, made.why_not);
    }
    if (made.design) {
      SetOthersApart(strategy, made);
    }
    return switched_.emplace(strategy.id, std::move(made)).first->second;
  }

  void SetOthersApart(const Strategy& strategy, Switchable& made) const {
    Model& model = made.design->model;
    made.others = PriceTables(strategy, model, workload_, prices_);
    std::erase_if(model.patterns, [&](const Pattern& one) {
      return workload_.FindPattern(one.name.text) == nullptr;
    });
    std::erase_if(model.writes,
                  [&](const Write& one) { return workload_.FindWrite(one.name.text) == nullptr; });
    const StrategyPrice own = PriceTables(strategy, model, workload_, prices_);
    made.others.money_per_month -= own.money_per_month;
    made.others.read_units_per_second -= own.read_units_per_second;
    made.others.write_units_per_second -= own.write_units_per_second;
  }

  void PriceAll() {
    const bool many = advice_.relationship->kind == RelationshipKind::kManyToMany;
    for (const Strategy& strategy : AllStrategies()) {
      const bool fits = many ? strategy.for_many_to_many : strategy.for_one_to_many;
      if (fits) {
        advice_.prices.push_back(PriceOn(workload_, strategy));
      }
    }
    std::stable_sort(advice_.prices.begin(), advice_.prices.end(),
                     [](const StrategyPrice& a, const StrategyPrice& b) {
                       if (a.legal != b.legal) {
                         return a.legal;
                       }
                       return a.money_per_month < b.money_per_month;
                     });
  }

  // A collection in the table rather than in an index pays for fresh reads, and for reading parent and children at once.
  // Where nobody asks for either, the cheaper one of the two is advised.
  void LetMoneyDecide() {
    constexpr double kSameCent = 0.005;
    const RelationshipFacts& f = facts();
    const Strategy* collection = &GetStrategy(StrategyId::kItemCollection);
    const Strategy* index = &GetStrategy(StrategyId::kSecondaryIndex);
    if (f.strong_needed || f.reads_with_parent > 0 || !advice_.stored || !IsLegal(index) ||
        std::ranges::find(advice_.recommended, collection) == advice_.recommended.end()) {
      return;
    }
    const auto money = [&](const Strategy* strategy) {
      return std::ranges::find(advice_.prices, strategy, &StrategyPrice::strategy)->money_per_month;
    };
    if (money(index) >= money(collection) - kSameCent) {
      return;
    }
    std::erase(advice_.recommended, collection);
    if (std::ranges::find(advice_.recommended, index) == advice_.recommended.end()) {
      advice_.recommended.push_back(index);
    }
    Say(RuleTitle(7) +
        "Nothing asks for fresh data, or for parent and children at once, so money decides: "
        "an index, " +
        MoneyText(prices_.currency, money(collection) - money(index)) + " a month less");
  }

  // A rule may ask for a layout that these attributes do not allow. What is advised must be possible. Links alone
  // may leave a pattern out that they serve with their index.
  void AdviseOnlyWhatFits(bool many) {
    const auto fits = [&](const Strategy* strategy) {
      const auto price = std::ranges::find(advice_.prices, strategy, &StrategyPrice::strategy);
      return price == advice_.prices.end() || price->legal;
    };
    if (many && std::ranges::any_of(advice_.recommended, fits)) {
      return;
    }
    for (const StrategyPrice& price : advice_.prices) {
      if (!price.legal && std::erase(advice_.recommended, price.strategy) > 0) {
        Say("Not possible here (" + std::string(price.strategy->name) + "): " + price.reason);
      }
    }
    if (!advice_.recommended.empty() || advice_.prices.empty() || !advice_.prices.front().legal) {
      return;
    }
    advice_.recommended.push_back(advice_.prices.front().strategy);
    Say("Cheapest of those that are possible (" +
        std::string(advice_.prices.front().strategy->name) + ")");
  }

  // Of the recommended ones, the one whose design is whole by itself. Links are whole with their
  // index, which is named last.
  const Strategy* Chosen(bool many) const {
    std::vector<const Strategy*> wanted = advice_.recommended;
    if (many) {
      std::reverse(wanted.begin(), wanted.end());
    }
    for (const StrategyPrice& price : advice_.prices) {
      wanted.push_back(price.strategy);
    }
    for (const Strategy* strategy : wanted) {
      for (const StrategyPrice& price : advice_.prices) {
        if (price.strategy == strategy && price.legal) {
          return strategy;
        }
      }
    }
    return nullptr;
  }

  const Model& model_;
  const Prices& prices_;
  StrategySwitches& switches_;
  Model workload_;
  Advice advice_;
  std::map<StrategyId, Switchable> switched_;
};

// Why the first of two relationships to one child should have the child's table key; empty: the second should.
std::string WhyFirst(const Advice& a, const Advice& b) {
  const auto has_it = [](const Advice& one) {
    return std::ranges::any_of(one.in_use, Adviser::IsInBase);
  };
  const auto price = [](const Advice& one) {
    double least = -1;
    for (const StrategyPrice& other : one.prices) {
      if (other.legal && Adviser::IsInBase(other.strategy) &&
          (least < 0 || other.money_per_month < least)) {
        least = other.money_per_month;
      }
    }
    return least;
  };
  if (a.facts.reads_with_parent != b.facts.reads_with_parent) {
    return a.facts.reads_with_parent > b.facts.reads_with_parent
               ? "there parent and children are read at once"
               : "";
  }
  if (a.facts.strong_needed != b.facts.strong_needed) {
    return a.facts.strong_needed ? "there a pattern needs fresh data" : "";
  }
  if (has_it(a) != has_it(b)) {
    return has_it(a) ? "its keys are so now" : "";
  }
  if (price(a) != price(b)) {
    return price(a) < price(b) ? "that costs less" : "";
  }
  return a.facts.reads_from_parent >= b.facts.reads_from_parent ? "it is read as often" : "";
}

// A row stands under one key of its table, so of several parents one can have it in its collection.
void ShareBaseKeys(std::deque<Adviser>& advisers) {
  for (Adviser& one : advisers) {
    for (Adviser& other : advisers) {
      const Advice& a = one.advice();
      const Advice& b = other.advice();
      const auto wants = [](const Advice& advice) {
        return advice.relationship->kind == RelationshipKind::kOneToMany &&
               std::ranges::any_of(advice.recommended, Adviser::IsInBase);
      };
      if (&one == &other || !(a.relationship->to == b.relationship->to) || !wants(a) || !wants(b) ||
          a.relationship->from == b.relationship->from) {
        continue;
      }
      const std::string reason = WhyFirst(a, b);
      if (!reason.empty()) {
        other.LeaveBaseKey(a, reason);
      }
    }
  }
}

}  // namespace

std::vector<Advice> Advise(const Model& model, const Prices& prices, const AdviseOptions& options) {
  // Each switch plans and checks the whole model.
  constexpr std::size_t kPlansMax = 1000;
  const bool large =
      options.only.empty() && model.relationships.size() * model.patterns.size() > kPlansMax;
  const Model scaled = Scaled(model, options.scale);
  StrategySwitches switches(scaled);
  std::deque<Adviser> advisers;
  const Relationship* only = scaled.FindRelationship(options.only);
  for (const Relationship& relationship : scaled.relationships) {
    // Others of the same child decide with it who has the table's key.
    if (only != nullptr && only != &relationship && !(relationship.to == only->to)) {
      continue;
    }
    if (only == nullptr && !options.only.empty()) {
      continue;
    }
    advisers.emplace_back(scaled, relationship, prices, switches);
    if (large) {
      advisers.back().Defer();
    }
    advisers.back().Choose();
  }
  ShareBaseKeys(advisers);
  std::vector<Advice> all;
  for (Adviser& adviser : advisers) {
    if (only != nullptr && !(adviser.advice().relationship->name == only->name)) {
      continue;
    }
    all.push_back(adviser.Finish());
    all.back().relationship = model.FindRelationship(all.back().relationship->name.text);
  }
  return all;
}

}  // namespace prejoin::model
