// What CreateTable and UpdateTable accept as warm throughput: never less than a table or index has. Texts were captured in October 2026.
#ifndef PREJOIN_ENGINE_TABLE_WARM_THROUGHPUT_H_
#define PREJOIN_ENGINE_TABLE_WARM_THROUGHPUT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "prejoin/physics.h"
#include "prejoin/result.h"
#include "prejoin/table.h"

namespace prejoin::engine {

// "table" or "index NAME"; `faults` says what is wrong with a smaller value, for reads and for writes.
struct WarmFloor {
  std::string what;
  std::int64_t read = 0;
  std::int64_t write = 0;
  std::array<std::string, 2> faults;
};

inline Status CheckWarm(const WarmThroughput& asked, const WarmFloor& floor) {
  const auto check = [&](const std::optional<std::int64_t>& units, std::int64_t least,
                         const std::string& name, const std::string& fault) -> Status {
    return units && *units < least
               ? Status(ValidationError("One or more parameter values were invalid: Requested " + name +
                                        " for WarmThroughput for " + floor.what + " is lower than " + fault))
               : Status();
  };
  PJ_RETURN_IF_ERROR(
      check(asked.read_units_per_second, floor.read, "ReadUnitsPerSecond", floor.faults[0]));
  return check(asked.write_units_per_second, floor.write, "WriteUnitsPerSecond", floor.faults[1]);
}

// `initial` has the throughput of a new on-demand table or index. `Description`: of a table or an index.
template <class Description>
WarmFloor InitialWarm(const PhysicsOptions& initial, BillingMode mode, const Description& description,
                      std::string what) {
  const ProvisionedThroughput& units = description.provisioned_throughput;
  if (mode == BillingMode::kProvisioned) {
    return {std::move(what), units.read_capacity_units, units.write_capacity_units,
            {"ReadCapacityUnits of ProvisionedThroughput", "WriteCapacityUnits of ProvisionedThroughput"}};
  }
  const std::string fault =
      "initial throughput for OnDemand. See: "
      "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
      "on-demand-capacity-mode.html#on-demand-capacity-mode-initial";
  return {std::move(what), initial.on_demand_read_units, initial.on_demand_write_units, {fault, fault}};
}

// A request only raises warm throughput; a member that it leaves out stays as it is.
template <class Description>
Status RaiseWarm(const std::optional<WarmThroughput>& asked, const PhysicsOptions& initial,
                 BillingMode mode, std::string what, Description& description) {
  if (!asked) {
    return {};
  }
  WarmThroughput warm = description.warm_throughput.value_or(WarmThroughput());
  WarmFloor floor = InitialWarm(initial, mode, description, std::move(what));
  floor.read = warm.read_units_per_second.value_or(floor.read);
  floor.write = warm.write_units_per_second.value_or(floor.write);
  floor.faults.fill("current WarmThroughput, decreasing WarmThroughput is not supported");
  PJ_RETURN_IF_ERROR(CheckWarm(*asked, floor));
  if (asked->read_units_per_second) {
    warm.read_units_per_second = asked->read_units_per_second;
  }
  if (asked->write_units_per_second) {
    warm.write_units_per_second = asked->write_units_per_second;
  }
  description.warm_throughput = warm;
  return {};
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_WARM_THROUGHPUT_H_
