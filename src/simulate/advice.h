// Suggests changes so that less is throttled.
#ifndef PREJOIN_SIMULATE_ADVICE_H_
#define PREJOIN_SIMULATE_ADVICE_H_

#include <optional>
#include <string>

#include "model/cost/prices.h"
#include "simulate/change_keys.h"
#include "simulate/outcome.h"
#include "simulate/scenario.h"

namespace prejoin::simulate {

struct Advice {
  std::string why;     // The resource that throttled most, and why: a sentence.
  std::string change;  // The suggestion: a sentence.
  std::optional<Scenario> changed = std::nullopt;  // The scenario with the change, if it is one of capacity.
  std::optional<KeyChange> keys = std::nullopt;    // The change, if it is one of keys.
};

// Nullopt: nothing was throttled.
std::optional<Advice> AdviceFor(const Outcome& outcome, const Scenario& scenario,
                                const model::Prices& prices);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_ADVICE_H_
