// Which strategy for a relationship: the decision rules R1–R10 executed, the path through them in
// words, what each alternative would cost on this workload, and where the decision flips.
#ifndef PREJOIN_MODEL_ADVISE_ADVISE_H_
#define PREJOIN_MODEL_ADVISE_ADVISE_H_

#include <functional>
#include <string>
#include <vector>

#include "model/advise/alternatives.h"
#include "model/advise/decide.h"
#include "model/advise/facts.h"
#include "model/cost/cost.h"
#include "model/schema/model.h"
#include "model/schema/strategy.h"

namespace prejoin::model {

struct StrategyPrice {
  const Strategy* strategy = nullptr;
  bool legal = true;
  bool switchable = false;  // SwitchStrategy gives the design that costs this.
  std::string reason;       // Why not, or what it gives up.
  double read_units_per_second = 0;
  double write_units_per_second = 0;
  double money_per_month = 0;
  double round_trips = 1;
};

struct Advice {
  const Relationship* relationship = nullptr;
  RelationshipFacts facts;
  std::vector<const Strategy*> recommended;
  std::vector<const Strategy*> in_use;
  std::vector<DecisionStep> path;
  std::vector<StrategyPrice> prices;
  std::vector<std::string> flips;  // "stays cheaper until …"
  bool rates_assumed = false;      // The model states none: one per second each.
  // The tables of the file store it, and prices are the bill of all of them with this strategy. Else there are no tables to
  // switch, and prices are of the relationship alone, in a table of its own.
  bool stored = false;
  bool deferred =
      false;  // Stored, but the model is so large that the bill is made for one relationship only, if it is asked.
};

struct AdviseOptions {
  double scale = 1;  // Multiplies row counts and request rates.
  std::string only;  // One relationship; empty: all.
};

std::vector<Advice> Advise(const Model& model, const Prices& prices,
                           const AdviseOptions& options = {});
// One screen for each relationship; the steps of the rules only if they are asked for.
enum class AdviceDetail { kScreen, kRules };
// `width`: of the terminal, in columns.
std::string RenderAdvice(const std::vector<Advice>& advice, const Prices& prices,
                         std::size_t width = 80, AdviceDetail detail = AdviceDetail::kScreen);
std::string AdviceJson(const std::vector<Advice>& advice);

// Cost of one strategy for a relationship: its design, planned and priced. `workload` is from
// WorkloadOf, and `relationship` belongs to it.
StrategyPrice PriceOf(const Strategy& strategy, const Model& workload,
                      const Relationship& relationship, const RelationshipFacts& facts,
                      const Prices& prices);

// The bill of tables that store the relationship with this strategy, as `cost` has it; rates and counts of `workload` replace
// those that `tables` has.
StrategyPrice PriceTables(const Strategy& strategy, const Model& tables, const Model& workload,
                          const Prices& prices);

// Refuses a price that the rules forbid, or adds what the strategy gives up. `design` is the one that was priced.
void ApplyRules(const RelationshipFacts& facts, const Model& design,
                const Relationship& relationship, StrategyPrice& price);

// The price of a strategy on a workload that has been changed.
using StrategyPricer =
    std::function<StrategyPrice(const Strategy& strategy, const Model& workload)>;

// Computes how far each number of the workload must move until another legal strategy of `priced` is cheaper
// than `chosen`. Never empty.
std::vector<std::string> FindFlips(const Model& workload, const Relationship& relationship,
                                   const Prices& prices, const std::vector<StrategyPrice>& priced,
                                   const Strategy& chosen, const StrategyPricer& price);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_ADVISE_ADVISE_H_
