// Prices of units, bytes and features. One price list is read at the start of a verb or of the server and handed to all
// that mention money; docs/model/prices.md has the names of the file.
#ifndef PREJOIN_MODEL_COST_PRICES_H_
#define PREJOIN_MODEL_COST_PRICES_H_

#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::model {

enum class CapacityMode { kOnDemand, kProvisioned };

// Defaults: us-east-1, standard tables, on demand, January 2026.
struct Prices {
  std::string currency = "$";
  CapacityMode mode = CapacityMode::kOnDemand;
  double read_million = 0.125;  // Request units, on demand.
  double write_million = 0.625;
  double read_hour = 0.00013;  // One unit per second for an hour, provisioned.
  double write_hour = 0.00065;
  double utilisation = 0.7;      // The target of auto-scaling; 0: capacity is fixed at the peak.
  double reserved_share = 0;     // Share of the provisioned capacity …
  double reserved_discount = 0;  // … that is so much cheaper.
  double storage_gb_month = 0.25;
  double backup_gb_month = 0;  // 0: no backups. Continuous ones are 0.20 in us-east-1.
  double stream_100k =
      0;  // Reads of the stream; 0: nobody reads it, or a function that reads for nothing.

  // Money for a month of so many units per second on average and at the peak.
  double ReadMoney(double units_per_second, double peak_units_per_second) const;
  double WriteMoney(double units_per_second, double peak_units_per_second) const;
  double StorageMoney(double bytes) const;
};

// Lines of `name = value`; `[region]` starts the lines of one region, which count only if it is asked for. An error
// names the line.
Result<Prices> ParsePrices(std::string_view text, std::string_view region = "");

// The lines that ParsePrices reads as these.
std::string PrintPrices(const Prices& prices);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_COST_PRICES_H_
