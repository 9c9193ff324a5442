// The cost of each strategy: the relationship is laid out that way, planned and priced like any
// other model, so that joins, indexes and copies are all in the figure.
#include <algorithm>
#include <set>

#include "base/limits.h"
#include "model/advise/advise.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"

namespace prejoin::model {
namespace {

constexpr double kFewPerParent = 20;
constexpr double kOncePerHour = 1.0 / 3600;
constexpr double kPartitionWriteUnitsMax = 1000;
constexpr double kPartitionReadUnitsMax = 3000;

void Reject(StrategyPrice& price, std::string reason) {
  price.legal = false;
  price.reason = std::move(reason);
}

// R3, and what an item can hold.
void CheckLists(const RelationshipFacts& facts, const Model& design, const Reference<Entity>& holder,
                StrategyPrice& price) {
  const Model::Placement placement = design.FindPlacement(holder);
  const double most = LargestItemBytes(design, holder);
  if (facts.children_bound == 0) {
    Reject(price, "their number has no bound (R3)");
  } else if (facts.children_bound > kFewPerParent &&
             price.strategy->id == StrategyId::kComplexAttribute) {
    Reject(price, "up to " + std::to_string(static_cast<int>(facts.children_bound)) +
                      " of them: more than a few (R3)");
  } else if (placement && (most < 0 || most > static_cast<double>(kItemBytesMax))) {
    Reject(price, "the item can pass 400 KB");
  } else if (price.strategy->id == StrategyId::kShallowDuplication) {
    price.reason = "both lists must be kept consistent, and two writers race";
  }
}

void AddUnits(const CostReport& report, StrategyPrice& price) {
  for (const PatternCost& cost : report.patterns) {
    price.read_units_per_second += cost.units_per_second;
  }
  for (const WriteCost& cost : report.writes) {
    price.write_units_per_second += cost.units_per_second;
  }
  price.money_per_month = report.money_per_month;
}

// Units, money and rounds of the design; false when it leaves a pattern out.
bool PriceDesign(const AlternativeDesign& design, const Prices& prices, StrategyPrice& price) {
  const std::vector<Plan> plans = PlanAll(design.model);
  for (const Plan& plan : plans) {
    const std::string name = "`" + plan.pattern->name.text + "`";
    if (!plan.served) {
      Reject(price, name + " is not supported by any key: " + plan.refusal);
      return false;
    }
    if (plan.pattern->freshness != Freshness::kEventual && !plan.strong) {
      Reject(price, name + " needs strongly consistent data, and a global index is eventually consistent");
      return false;
    }
    price.round_trips = std::max(price.round_trips, plan.estimate.rounds);
  }
  AddUnits(EstimateCost(design.model, plans, prices), price);
  return true;
}

}  // namespace

// Applies the rules that the planner does not know.
void ApplyRules(const RelationshipFacts& facts, const Model& design,
                const Relationship& relationship, StrategyPrice& price) {
  switch (price.strategy->id) {
    case StrategyId::kComplexAttribute:
    case StrategyId::kShallowDuplication:
    case StrategyId::kReferences:
      CheckLists(facts, design, relationship.from, price);
      break;
    case StrategyId::kDuplicateAttributes:
      if (facts.parent_changes > kOncePerHour && facts.children_each > kFewPerParent) {
        Reject(price, "the copied data changes often and has many copies (R4)");
      } else if (facts.strong_needed) {
        Reject(price, "copies are eventually consistent, and a pattern needs strongly consistent data");
      } else if (!facts.parent_immutable) {
        price.reason = "the copies must be kept consistent";
      }
      break;
    case StrategyId::kWriteSharding:
      // For tables that exist, the hottest key has decided.
      if (!price.switchable && facts.HottestWriteUnits() <= kPartitionWriteUnitsMax &&
          facts.HottestReadUnits() <= kPartitionReadUnitsMax) {
        Reject(price, "only for keys past 1,000 writes or 3,000 reads per second (R10)");
      }
      break;
    case StrategyId::kSecondaryIndex:
    case StrategyId::kInvertedIndex:
    case StrategyId::kInvertedBaseKeys:
      price.reason = "the index is eventually consistent, and every write is repeated in it";
      break;
    default:
      break;
  }
}

StrategyPrice PriceTables(const Strategy& strategy, const Model& tables, const Model& workload,
                          const Prices& prices) {
  StrategyPrice price;
  price.strategy = &strategy;
  Model priced = tables;
  std::set<std::string> asked;
  for (const Pattern& pattern : workload.patterns) {
    asked.insert(pattern.name.text);
  }
  for (Pattern& pattern : priced.patterns) {
    if (const Pattern* own = workload.FindPattern(pattern.name.text)) {
      pattern.rate_per_second = own->rate_per_second;
    }
  }
  for (Write& write : priced.writes) {
    if (const Write* own = workload.FindWrite(write.name.text)) {
      write.rate_per_second = own->rate_per_second;
    }
  }
  priced.relationships = workload.relationships;
  for (Entity& entity : priced.entities) {
    entity.count = workload.Counterpart(entity)->count;
  }
  Expectations figures(priced);
  const std::vector<Plan> plans = PlanAll(figures);
  for (const Plan& plan : plans) {
    if (asked.contains(plan.pattern->name.text)) {
      price.round_trips = std::max(price.round_trips, plan.estimate.rounds);
    }
  }
  AddUnits(EstimateCost(figures, plans, prices), price);
  return price;
}

StrategyPrice PriceOf(const Strategy& strategy, const Model& workload,
                      const Relationship& relationship, const RelationshipFacts& facts,
                      const Prices& prices) {
  StrategyPrice price;
  price.strategy = &strategy;
  std::string why_not;
  const auto design = DesignWith(workload, relationship, strategy, why_not);
  if (!design) {
    Reject(price, std::move(why_not));
    return price;
  }
  if (!PriceDesign(*design, prices, price)) {
    return price;
  }
  ApplyRules(facts, design->model, relationship, price);
  if (!price.legal || design->added.empty()) {
    return price;
  }
  std::string added;
  for (const std::string& name : design->added) {
    added += (added.empty() ? "" : ", ") + name;
  }
  price.reason += (price.reason.empty() ? "" : "; ") + ("with an index of its own for " + added);
  return price;
}

}  // namespace prejoin::model
