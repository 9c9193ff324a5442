// How far an assumed figure may be off before another design is the cheapest.
#ifndef PREJOIN_DESIGN_STABILITY_H_
#define PREJOIN_DESIGN_STABILITY_H_

#include <string>
#include <vector>

#include "design/designer.h"

namespace prejoin::design {

// Each figure that the file does not state; with `options.intervals` also the interval in which the answer of the search
// stays the same, found by searching again with other values. `effects` are those of the cheapest design of `task`, whose choice is `choice`.
// Figures that hardly move the bill are left out; those for which there is no time say so.
std::vector<std::string> DescribeAssumptions(const DesignTask& task, const DesignOptions& options,
                                             const DesignChoice& choice,
                                             const std::vector<model::AssumptionEffect>& effects,
                                             double money);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_STABILITY_H_
