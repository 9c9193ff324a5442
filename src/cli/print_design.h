// The report of a design on a terminal: `design` and `new`.
#ifndef PREJOIN_CLI_PRINT_DESIGN_H_
#define PREJOIN_CLI_PRINT_DESIGN_H_

#include <cstdio>

#include "design/design.h"

namespace prejoin::cli {

// Model text is printed as it is, to be copied; the rest is folded.
void PrintDesign(const design::DesignReport& report, const model::Prices& prices, std::FILE* file);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_PRINT_DESIGN_H_
