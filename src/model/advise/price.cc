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
void CheckLists(const RelationshipFacts& facts, const AlternativeDesign& design,
                const Entity& holder, StrategyPrice& price) {
  const Model::Placement placement = design.model.FindPlacement(holder.name.text);
  const double most = LargestItemBytes(design.model, holder.name.text);
  if (facts.children_bound == 0) {
    Reject(price, "their number has no bound (R3)");
  } else if (facts.children_bound > kFewPerParent &&
             price.strategy->id == StrategyId::kComplexAttribute) {
    Reject(price, "up to " + std::to_string(static_cast<int>(facts.children_bound)) +
                      " of them: more than a few (R3)");
  } else if (placement && (most < 0 || most > static_cast<double>(kItemBytesMax))) {
    Reject(price, "the item can pass 400 KB");
  } else if (price.strategy->id == StrategyId::kShallowDuplication) {
    price.reason = "both lists must be kept right, and two writers race";
  }
}

// Applies the rules that the planner does not know.
void CheckRules(const RelationshipFacts& facts, const AlternativeDesign& design,
                const Entity& holder, StrategyPrice& price) {
  switch (price.strategy->id) {
    case StrategyId::kComplexAttribute:
    case StrategyId::kShallowDuplication:
    case StrategyId::kReferences:
      CheckLists(facts, design, holder, price);
      break;
    case StrategyId::kDuplicateAttributes:
      if (facts.parent_changes > kOncePerHour && facts.children_each > kFewPerParent) {
        Reject(price, "the copied data changes often and has many copies (R4)");
      } else if (facts.strong_needed) {
        Reject(price, "copies lag behind, and a pattern needs fresh data");
      } else if (!facts.parent_immutable) {
        price.reason = "the copies must be kept right";
      }
      break;
    case StrategyId::kWriteSharding:
      if (facts.writes <= kPartitionWriteUnitsMax &&
          facts.reads_from_parent <= kPartitionReadUnitsMax)
        Reject(price, "only for keys past 1,000 writes or 3,000 reads per second (R10)");
      break;
    case StrategyId::kSecondaryIndex:
    case StrategyId::kInvertedIndex:
    case StrategyId::kInvertedBaseKeys:
      price.reason = "the index is eventually consistent, and every write goes to it too";
      break;
    default:
      break;
  }
}

// Units, money and rounds of the design; false when it leaves a pattern out.
bool PriceDesign(const AlternativeDesign& design, const Prices& prices, StrategyPrice& price) {
  const std::vector<Plan> plans = PlanAll(design.model);
  for (const Plan& plan : plans) {
    const std::string name = "`" + plan.pattern->name.text + "`";
    if (!plan.served) {
      Reject(price, name + " is not served: " + plan.refusal);
      return false;
    }
    if (plan.pattern->freshness != Freshness::kEventual && !plan.strong) {
      Reject(price, name + " needs fresh data, and a global index lags behind");
      return false;
    }
    price.round_trips = std::max(price.round_trips, plan.estimate.rounds);
  }
  const CostReport report = EstimateCost(design.model, plans, prices);
  for (const PatternCost& cost : report.patterns)
    price.read_units_per_second += cost.units_per_second;
  for (const WriteCost& cost : report.writes) price.write_units_per_second += cost.units_per_second;
  price.money_per_month = report.money_per_month;
  return true;
}

}  // namespace

StrategyPrice PriceInUse(const Strategy& strategy, const Model& model, const Model& workload,
                         const Relationship& relationship, const Prices& prices) {
  StrategyPrice price;
  price.strategy = &strategy;
  AlternativeDesign design;
  design.model = workload;
  design.model.tables = model.tables;
  // Only what the alternatives hold as well, so that storage compares.
  std::set<std::string> held = {relationship.from.text, relationship.to.text,
                                relationship.through.text};
  for (const Pattern& pattern : workload.patterns) {
    for (const Section& section : pattern.sections) {
      for (const Path& path : section.get) held.insert(path.entity.text);
    }
  }
  for (Table& table : design.model.tables) {
    std::erase_if(table.items, [&](const ItemLayout& layout) {
      return !held.contains(model.RowsOf(layout.entity.text));
    });
  }
  PriceDesign(design, prices, price);
  if (price.legal) price.reason = "as the keys are now";
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
  if (!PriceDesign(*design, prices, price)) return price;
  CheckRules(facts, *design, *workload.FindEntity(relationship.from.text), price);
  if (!price.legal || design->added.empty()) return price;
  std::string added;
  for (const std::string& name : design->added) added += (added.empty() ? "" : ", ") + name;
  price.reason += (price.reason.empty() ? "" : "; ") + ("with an index of its own for " + added);
  return price;
}

}  // namespace prejoin::model
