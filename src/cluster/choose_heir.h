// Which gateway should lead, by the word of all about themselves.
#ifndef PREJOIN_CLUSTER_CHOOSE_HEIR_H_
#define PREJOIN_CLUSTER_CHOOSE_HEIR_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "prejoin/result.h"

namespace prejoin::cluster {

struct Candidate {
  std::string gateway;
  std::int64_t silent_ms = 0;  // Since it was last heard of.
  std::optional<double> load;  // The machine's load per core.
};

// A gateway that nobody has heard of for this long is gone.
inline constexpr std::int64_t kGoneAfterMs = 60'000;
// The leader takes its work along when it moves, so a machine that is only a little less busy is no better place.
inline constexpr double kLoadGainMin = 0.5;

// The gateway to which `leader` should hand over: `wanted`, or, if that is empty, the one on the machine
// with the least load, if that is kLoadGainMin less than the leader's. Nullopt: the lead is in the
// right place. An error if nobody has heard of `wanted`.
Result<std::optional<std::string>> ChooseHeir(std::span<const Candidate> candidates,
                                              const std::string& leader, const std::string& wanted);

}  // namespace prejoin::cluster

#endif  // PREJOIN_CLUSTER_CHOOSE_HEIR_H_
