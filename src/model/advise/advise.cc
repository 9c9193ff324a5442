#include "model/advise/advise.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "model/advise/decide.h"
#include "model/advise/scaled_model.h"
#include "model/advise/switch_strategy.h"
#include "model/schema/strategy_match.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

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
    Decision decision = Decide(workload_, *advice_.relationship, advice_.facts);
    advice_.recommended = std::move(decision.recommended);
    advice_.path = std::move(decision.path);
    PriceAll();
    AdviseOnlyWhatFits(advice_.relationship->kind == RelationshipKind::kManyToMany);
    LetMoneyDecide();
  }

  // The table's key of the children belongs to another relationship.
  void LeaveBaseKey(const Advice& other, const std::string& reason) {
    const std::string& child = advice_.relationship->to.text;
    std::erase_if(advice_.recommended, IsInBase);
    Say(7, "`" + child + "` has one table key, and " + other.relationship->name.text +
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
      advice_.flips.emplace_back("no strategy supports these patterns by itself");
    }
    return std::move(advice_);
  }

 private:
  const RelationshipFacts& facts() const { return advice_.facts; }
  void Say(int rule, std::string text) {
    advice_.path.push_back({rule, (rule > 0 ? RuleTitle(rule) : "") + std::move(text)});
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
      price.reason += (price.reason.empty() ? "" : "; ") + ("adds a key for " + added);
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
    Say(7,
        "No pattern needs strongly consistent data, or parent and children together, so cost "
        "decides: an index, " +
            MoneyText(prices_.currency, money(collection) - money(index)) + " a month less");
  }

  // A rule may ask for a layout that these attributes do not allow. Advice must be possible. Links alone
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
        Say(0, "Not possible here (" + std::string(price.strategy->name) + "): " + price.reason);
      }
    }
    if (!advice_.recommended.empty() || advice_.prices.empty() || !advice_.prices.front().legal) {
      return;
    }
    advice_.recommended.push_back(advice_.prices.front().strategy);
    Say(0, "Cheapest of those that are possible (" +
               std::string(advice_.prices.front().strategy->name) + ")");
  }

  // Returns the recommended strategy whose design is complete by itself. Links are complete with their index,
  // which is named last.
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
               ? "some patterns read parent and children together"
               : "";
  }
  if (a.facts.strong_needed != b.facts.strong_needed) {
    return a.facts.strong_needed ? "a pattern needs strongly consistent data" : "";
  }
  if (has_it(a) != has_it(b)) {
    return has_it(a) ? "its keys are so now" : "";
  }
  if (price(a) != price(b)) {
    return price(a) < price(b) ? "that costs less" : "";
  }
  return a.facts.reads_from_parent >= b.facts.reads_from_parent ? "it is read as often" : "";
}

// A row is under one key of its table, so of several parents one can have it in its collection.
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
