// Units and money: each pattern, each write index by index, storage, and the heat of the hottest
// key, by the published rules on the declared counts, sizes and rates.
#ifndef PREJOIN_MODEL_COST_COST_H_
#define PREJOIN_MODEL_COST_COST_H_

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/cost/copies.h"
#include "model/cost/heat.h"
#include "model/cost/prices.h"
#include "model/cost/write_cost.h"
#include "model/plan/expectation.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"
#include "prejoin/result.h"

namespace prejoin::model {

struct PatternCost {
  std::string name;
  bool served = false;
  PlanEstimate each;
  double units_per_second = 0;
  double money_per_month = 0;
};

struct StorageCost {
  std::string view;
  double items = 0;
  double bytes = 0;  // With 100 bytes for each item and index entry.
  double money_per_month = 0;
};

// The scales at which a report shows the sizes of collections, times its own.
inline constexpr std::array<double, 4> kSizeScales = {1, 10, 100, 1000};

// Items of one entity under one partition key of a view, on average.
struct CollectionSize {
  std::string view;
  std::string entity;
  std::string key;  // The template.
  double items = 0;
  double item_bytes = 0;
  double items_most = 0;  // By `at most`; 0: unbounded. 1: a single item.
  double items_largest =
      0;  // Under the most used key, where the file states skew; 0: all are alike.
  std::array<double, kSizeScales.size()> bytes = {};  // At each of the scales.
};

// An assumed figure, and what the estimate would be if it were wrong by ten.
struct AssumptionEffect {
  Assumption assumption;
  std::vector<std::string> users;  // Patterns, writes and views that rest on it.
  double money_if_less = 0;        // Per month in all, if it were a tenth …
  double money_if_more = 0;        // … or ten times as much.
  double heat_if_more = 0;         // The utilisation of the hottest key then.
};

struct CostReport {
  std::vector<AssumptionEffect> assumptions;  // The most important ones first.
  std::vector<PatternCost> patterns;
  std::vector<WriteCost> writes;
  std::vector<StorageCost> storage;
  std::vector<Heat> heat;
  std::vector<CollectionSize> sizes;
  std::vector<CopyPlan> copies;
  double scale = 1;
  double money_per_month = 0;
};

// Everything about one model: plans, costs, heat, sizes, copies, at the scale of the figures, with which the plans must have
// been made too. This is the cost model that every verb, the model API and the advice use.
CostReport EstimateCost(Expectations& figures, const std::vector<Plan>& plans,
                        const Prices& prices);
// The same at the scale of today, with figures of its own.
CostReport EstimateCost(const Model& model, const std::vector<Plan>& plans, const Prices& prices);

// The parts of that bill, one by one. Data that is not stored where the plan or write needs it costs nothing.
PatternCost PricePattern(Expectations& figures, const Plan& plan, const Prices& prices);
WriteCost PriceWrite(Expectations& figures, const Write& write, const Prices& prices);
StorageCost PriceStorage(Expectations& figures, const View& view, const Prices& prices);

// The changes of a copied attribute that the file states and no write makes: finding the copies and writing them.
void PriceCopies(const Prices& prices, CopyPlan& plan);

// One for each entity in each view; `bytes` only at the scale of the figures.
std::vector<CollectionSize> EstimateSizes(Expectations& figures);

// The assumptions of an estimate, each with its effect if it is wrong.
std::vector<AssumptionEffect> AssumptionEffects(const Model& model, const Prices& prices);

// Which assumptions a list names one by one; those that hardly move the bill are counted otherwise.
enum class AssumptionList { kThatMatter, kAll };

// `width`: of the terminal, in columns.
std::string RenderCost(const CostReport& report, const Prices& prices,
                       AssumptionList list = AssumptionList::kThatMatter, std::size_t width = 80);
std::string CostJson(const CostReport& report);

// One paragraph for each default, with the line of the model that replaces it.
std::string RenderAssumptions(const std::vector<AssumptionEffect>& effects, const Prices& prices,
                              AssumptionList list = AssumptionList::kThatMatter);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_COST_COST_H_
