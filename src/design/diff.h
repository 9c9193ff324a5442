// Two designs side by side: what each pattern and write costs in both, and what must be rewritten to get from one to the
// other.
#ifndef PREJOIN_DESIGN_DIFF_H_
#define PREJOIN_DESIGN_DIFF_H_

#include <string>
#include <vector>

#include "model/cost/prices.h"
#include "model/schema/model.h"

namespace prejoin::design {

// One side of a row; `there` is false when that model has no such pattern or write.
struct DiffSide {
  bool there = false;
  bool served = true;
  double units = 0;   // Per execution.
  double rounds = 0;  // Per pattern.
  double money = 0;   // Per month.
  std::vector<std::string> requests;
};

struct DiffRow {
  std::string name;
  bool is_write = false;
  DiffSide before;
  DiffSide after;
};

// The fate of the items of an entity, or of an index.
struct DiffChange {
  std::string what;
  double items = 0;
  double write_units = 0;  // Once.
  double money = 0;        // Once.
  std::string entity;      // Empty for an index.
};

struct DiffReport {
  std::vector<DiffRow> rows;
  std::vector<DiffChange> changes;
  double storage_before = 0;  // Money per month.
  double storage_after = 0;
  double money_before = 0;
  double money_after = 0;
  double rewrite_money = 0;  // Once: the migration, at the price that `prejoin migrate` plans it for.

  // Months until what is saved has paid for the change; negative when nothing is saved.
  double PaybackMonths() const;
};

DiffReport DiffDesigns(const model::Model& before, const model::Model& after,
                       const model::Prices& prices);
std::string RenderDiff(const DiffReport& report, const model::Prices& prices);
std::string DiffJson(const DiffReport& report);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_DIFF_H_
