// Units and money: each pattern, each write index by index, storage, and the heat of the hottest
// key, by the published rules on the declared counts, sizes and rates.
#ifndef PREJOIN_MODEL_COST_COST_H_
#define PREJOIN_MODEL_COST_COST_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/cost/copies.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"
#include "prejoin/result.h"

namespace prejoin::model {

// Editable: a file of `name = number` lines, see docs/model/prices.md. Defaults: us-east-1, on
// demand, January 2026.
struct Prices {
  double read_million = 0.125;
  double write_million = 0.625;
  double storage_gb_month = 0.25;
  std::string currency = "$";
};
Result<Prices> ParsePrices(std::string_view text);

struct PatternCost {
  std::string name;
  bool served = false;
  PlanEstimate each;
  double units_per_second = 0;
  double money_per_month = 0;
};

struct WriteCost {
  std::string name;
  std::map<std::string, double>
      units;          // "" is the table; indexes by name; "copies" for items that hold copies.
  double copies = 0;  // Items that must be changed besides the row itself.
  double total_units = 0;
  double units_per_second = 0;
  double money_per_month = 0;
};

struct StorageCost {
  std::string view;
  double items = 0;
  double bytes = 0;  // With 100 bytes for each item and index entry.
  double money_per_month = 0;
};

// The most used value of one partition key.
struct Heat {
  std::string view;
  std::string key;  // The template.
  SourceSpan at;
  double read_units_per_second = 0;
  double write_units_per_second = 0;
  double share = 0;        // Of all requests, that go to the hottest key.
  double utilisation = 0;  // Of what a partition can give; above 1 it throttles.
};

// Items of one entity under one partition key of a view, as the data under it grows.
struct CollectionSize {
  std::string view;
  std::string entity;
  std::string key;  // The template.
  double items = 0;
  double item_bytes = 0;
  double items_most = 0;  // By `at most`; 0: unbounded. 1: a single item, which does not grow.

  // Bytes when every collection has `factor` times as many items, as far as the bound allows.
  double Bytes(double factor) const;
};

struct CostReport {
  std::vector<PatternCost> patterns;
  std::vector<WriteCost> writes;
  std::vector<StorageCost> storage;
  std::vector<Heat> heat;
  std::vector<CollectionSize> sizes;
  std::vector<CopyPlan> copies;
  double scale = 1;
  double money_per_month = 0;
};

// `scale` multiplies counts and rates; keys and collections are shown as if all growth went to the
// same ones.
CostReport EstimateCost(const Model& model, const std::vector<Plan>& plans, const Prices& prices,
                        double scale = 1);

std::vector<CollectionSize> EstimateSizes(const Model& model);

std::vector<Heat> EstimateHeat(const Model& model, const std::vector<Plan>& plans,
                               double scale = 1);

// Write units of one step on averages.
WriteCost EstimateStep(const Model& model, const WriteStep& step, bool together);

std::string RenderCost(const Model& model, const CostReport& report, const Prices& prices);
std::string CostJson(const CostReport& report);

double WriteUnits(double bytes);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_COST_COST_H_
