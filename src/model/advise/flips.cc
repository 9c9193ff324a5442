// Computes the point at which the decision flips: how far a number of the workload must move until another strategy is
// cheaper. Rates make costs linear, so two prices give the whole line; the number of children
// changes sizes in steps, so it is searched.
#include <algorithm>
#include <cmath>
#include <functional>

#include "model/advise/advise.h"
#include "model/schema/join.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr double kRateMin = 0.001;  // Per second.
constexpr double kSameMoney = 1e-9;
constexpr int kDoublingsMax = 20;
constexpr int kBisectionsMax = 12;

// A number of the workload that can be multiplied.
struct Knob {
  std::string name;  // "writes", with its unit in `unit`.
  std::string unit;
  double now = 0;
  std::function<void(Model&, double factor)> turn;
};

// The pattern finds children by the key of `owner`.
bool ReadsFrom(const Model& model, const Relationship& relationship, const Pattern& pattern) {
  const Entity& child = model.At(relationship.child());
  const std::vector<JoinColumn> columns = JoinColumns(child, model.At(relationship.from));
  if (columns.empty()) {
    return true;
  }
  return std::any_of(pattern.sections.begin(), pattern.sections.end(), [&](const Section& section) {
    return std::all_of(columns.begin(), columns.end(), [&](const JoinColumn& column) {
      return std::any_of(
          section.conditions.begin(), section.conditions.end(), [&](const Condition& one) {
            return one.attribute.text == column.from && one.comparison == Comparison::kEqual;
          });
    });
  });
}

Knob ReadKnob(const Model& workload, const Relationship& relationship, bool first_side) {
  Knob knob;
  knob.name = first_side ? "reads from " + relationship.from.text : "reads the other way";
  knob.unit = "/s";
  for (const Pattern& pattern : workload.patterns) {
    if (ReadsFrom(workload, relationship, pattern) == first_side) {
      knob.now += pattern.rate_per_second;
    }
  }
  knob.turn = [&relationship, first_side](Model& model, double factor) {
    for (Pattern& pattern : model.patterns) {
      if (ReadsFrom(model, relationship, pattern) == first_side) {
        pattern.rate_per_second *= factor;
      }
    }
  };
  return knob;
}

Knob WriteKnob(const Model& workload) {
  Knob knob;
  knob.name = "writes";
  knob.unit = "/s";
  for (const Write& write : workload.writes) {
    knob.now += write.rate_per_second;
  }
  knob.turn = [](Model& model, double factor) {
    for (Write& write : model.writes) {
      write.rate_per_second *= factor;
    }
  };
  return knob;
}

Knob ChildrenKnob(const Relationship& relationship) {
  Knob knob;
  knob.name = relationship.child().text + " rows of one " + relationship.from.text;
  if (const Cardinality* one = relationship.CardinalityOf(relationship.from.text)) {
    knob.now = one->average;
  }
  knob.turn = [name = relationship.name.text, child = relationship.child()](Model& model,
                                                                             double factor) {
    for (Relationship& one : model.relationships) {
      if (one.name.text != name) {
        continue;
      }
      for (Cardinality& cardinality : one.cardinalities) {
        cardinality.average *= factor;
        if (cardinality.bound > 0) {
          cardinality.bound = std::max(cardinality.bound, cardinality.average);
        }
      }
    }
    for (Entity& entity : model.entities) {
      if (entity.name == child) {
        entity.count *= factor;
      }
    }
  };
  return knob;
}

class FlipFinder {
 public:
  FlipFinder(const Model& workload, const Relationship& relationship, const Prices& prices,
             const std::vector<StrategyPrice>& priced, const Strategy& chosen,
             const StrategyPricer& price)
      : workload_(workload),
        relationship_(relationship),
        prices_(prices),
        priced_(priced),
        chosen_(chosen),
        price_(price) {}

  std::vector<std::string> Run() {
    const double money = Money(chosen_, workload_);
    std::vector<std::string> lines;
    for (const StrategyPrice& price : priced_) {
      if (price.strategy == &chosen_ || !price.legal ||
          price.money_per_month >= money - kSameMoney) {
        continue;
      }
      lines.push_back(std::string(price.strategy->name) + " would be " +
                      MoneyText(prices_.currency, money - price.money_per_month) +
                      " a month cheaper already; the rules prefer " + std::string(chosen_.name) +
                      ": " + Unpriced(price.strategy->id));
      for (const Knob& knob : Rates()) {
        const std::string line = ReverseFlip(knob, price);
        if (!line.empty()) {
          lines.push_back(line);
        }
      }
      break;
    }
    for (const Knob& knob : Rates()) {
      const std::string line = RateFlip(knob);
      if (!line.empty()) {
        lines.push_back(line);
      }
    }
    const Knob children = ChildrenKnob(relationship_);
    const std::string line = children.now > 0 ? SizeFlip(children) : "";
    if (!line.empty()) {
      lines.push_back(line);
    }
    if (lines.empty()) {
      lines.push_back("On price, " + std::string(chosen_.name) +
                      " stays the choice: no change of the writes, the reads or the children alone "
                      "makes another strategy cheaper");
    }
    lines.push_back(RuleFlip());
    return lines;
  }

 private:
  std::vector<Knob> Rates() const {
    std::vector<Knob> knobs = {WriteKnob(workload_), ReadKnob(workload_, relationship_, true),
                               ReadKnob(workload_, relationship_, false)};
    std::erase_if(knobs, [](const Knob& knob) { return knob.now <= 0; });
    return knobs;
  }

  // The arguments for the chosen strategy although it costs more than `cheaper`.
  std::string Unpriced(StrategyId cheaper) const {
    const RelationshipFacts facts = FactsOf(workload_, relationship_);
    if (cheaper == StrategyId::kInvertedBaseKeys) {
      return "an index with keys of its own holds the links only and can change without the table; "
             "inverted base keys bring every item into it";
    }
    switch (chosen_.id) {
      case StrategyId::kItemCollection:
      case StrategyId::kCompositeSortKey:
        if (facts.strong_needed) {
          return "it can be read fresh, and an index cannot";
        }
        if (facts.reads_with_parent > 0) {
          return "parent and children come in one request";
        }
        return "the rows are together in the table, and no index lags behind them";
      case StrategyId::kComplexAttribute:
        return "parent and children are one item, read and written together";
      case StrategyId::kDuplicateAttributes:
        return "one request instead of two";
      case StrategyId::kAdjacencyList:
      case StrategyId::kInvertedIndex:
      case StrategyId::kInvertedBaseKeys:
        return "a link is one item, so there are no copies to keep right and no writers that race";
      case StrategyId::kSecondaryIndex:
        return "rows keep their own key, so a write finds them by it";
      case StrategyId::kWriteSharding:
        return "one partition cannot take so much";
      case StrategyId::kShallowDuplication:
      case StrategyId::kReferences:
        return "one item has them all, in one request";
    }
    return "";
  }

  // Flips where the rules choose another strategy, whatever it costs.
  std::string RuleFlip() const {
    const RelationshipFacts facts = FactsOf(workload_, relationship_);
    std::string out =
        "R10 advises write-sharding once one key takes 1,000 write units or 3,000 read units " +
        std::string("a second; the hottest key now takes ") +
        RoughText(facts.HottestWriteUnits()) + " and " + RoughText(facts.HottestReadUnits());
    if (relationship_.kind == RelationshipKind::kOneToMany ||
        relationship_.kind == RelationshipKind::kOneToOne) {
      out += ". R3 advises complex-attribute for at most 20 children that nothing looks up by "
             "themselves; the model allows " +
             (facts.children_bound > 0 ? "at most " + FigureText(facts.children_bound)
                                       : std::string("any number"));
    }
    return out;
  }

  // Flips where the chosen one becomes cheaper than one that is cheaper today.
  std::string ReverseFlip(const Knob& knob, const StrategyPrice& cheaper) const {
    const Model twice = Turned(knob, 2);
    const double now = Money(chosen_, workload_);
    const double slope = Money(chosen_, twice) - now;
    const double other_slope = Money(*cheaper.strategy, twice) - cheaper.money_per_month;
    if (std::abs(slope - other_slope) < kSameMoney) {
      return "";
    }
    const double factor = 1 + (cheaper.money_per_month - now) / (slope - other_slope);
    // Lines that cross where nobody asks any more do not cross.
    if (knob.now * factor < kRateMin) {
      return "";
    }
    return std::string(chosen_.name) + " becomes the cheaper of the two when " + knob.name +
           (factor > 1 ? " pass " : " fall below ") + RoughText(knob.now * factor) + knob.unit +
           " (now " + RoughText(knob.now) + knob.unit + ")";
  }

  double Money(const Strategy& strategy, const Model& workload) const {
    return Priced(strategy, workload).money_per_month;
  }

  StrategyPrice Priced(const Strategy& strategy, const Model& workload) const {
    return price_(strategy, workload);
  }

  Model Turned(const Knob& knob, double factor) const {
    Model model = workload_;
    knob.turn(model, factor);
    return model;
  }

  std::string Say(const Knob& knob, double factor, const Strategy& better) const {
    return std::string(chosen_.name) + (factor > 1 ? " stays cheaper than " : " is cheaper than ") +
           std::string(better.name) + (factor > 1 ? " until " : " as long as ") + knob.name +
           (factor > 1 ? " pass " : " stay above ") + RoughText(knob.now * factor) + knob.unit +
           " (now " + RoughText(knob.now) + knob.unit + ")";
  }

  // Both costs are lines over the rate: they cross at most once.
  std::string RateFlip(const Knob& knob) const {
    const Model twice = Turned(knob, 2);
    const double now = Money(chosen_, workload_);
    const double slope = Money(chosen_, twice) - now;
    double nearest = 0;
    const Strategy* better = nullptr;
    for (const StrategyPrice& price : priced_) {
      if (price.strategy == &chosen_ || !price.legal) {
        continue;
      }
      const double other_slope = Money(*price.strategy, twice) - price.money_per_month;
      const double apart = price.money_per_month - now;
      if (std::abs(slope - other_slope) < kSameMoney) {
        continue;
      }
      const double factor = 1 + apart / (slope - other_slope);
      // Above the rate of today another becomes cheaper, or below it, at a rate that can be.
      const bool above = apart > 0 && slope > other_slope;
      const bool below = apart > 0 && slope < other_slope && factor > 0;
      if (!above && !below) {
        continue;
      }
      // Lines that cross where nobody asks any more do not cross.
      if (knob.now * factor < kRateMin) {
        continue;
      }
      const double distance = std::abs(std::log(factor));
      if (better != nullptr && distance >= std::abs(std::log(nearest))) {
        continue;
      }
      nearest = factor;
      better = price.strategy;
    }
    return better != nullptr ? Say(knob, nearest, *better) : "";
  }

  // Another strategy that the rules allow is cheaper with so many children.
  const Strategy* CheaperAt(const Knob& knob, double factor) const {
    const Model turned = Turned(knob, factor);
    const StrategyPrice own = Priced(chosen_, turned);
    const Strategy* best = nullptr;
    double money = own.legal ? own.money_per_month - kSameMoney : 0;
    for (const StrategyPrice& price : priced_) {
      if (price.strategy == &chosen_ || !price.legal) {
        continue;
      }
      const StrategyPrice other = Priced(*price.strategy, turned);
      if (!other.legal || (own.legal && other.money_per_month >= money)) {
        continue;
      }
      if (best != nullptr && other.money_per_month >= money) {
        continue;
      }
      best = price.strategy;
      money = other.money_per_month;
    }
    return best;
  }

  std::string SizeFlip(const Knob& knob) const {
    if (CheaperAt(knob, 1) != nullptr) {
      return "";
    }
    double low = 1;
    for (int i = 0; i < kDoublingsMax; ++i) {
      double high = low * 2;
      const Strategy* better = CheaperAt(knob, high);
      if (better == nullptr) {
        low = high;
        continue;
      }
      for (int step = 0; step < kBisectionsMax; ++step) {
        const double middle = (low + high) / 2;
        (CheaperAt(knob, middle) != nullptr ? high : low) = middle;
      }
      return Say(knob, high, *CheaperAt(knob, high));
    }
    return "";
  }

  const Model& workload_;
  const Relationship& relationship_;
  const Prices& prices_;
  const std::vector<StrategyPrice>& priced_;
  const Strategy& chosen_;
  const StrategyPricer& price_;
};

}  // namespace

std::vector<std::string> FindFlips(const Model& workload, const Relationship& relationship,
                                   const Prices& prices, const std::vector<StrategyPrice>& priced,
                                   const Strategy& chosen, const StrategyPricer& price) {
  return FlipFinder(workload, relationship, prices, priced, chosen, price).Run();
}

}  // namespace prejoin::model
