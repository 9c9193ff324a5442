// How a process adapts to the limits that it was started under (ulimit, cgroups).
#ifndef PREJOIN_CLI_SERVE_PROCESS_LIMITS_H_
#define PREJOIN_CLI_SERVE_PROCESS_LIMITS_H_

#include "base/function_ref.h"

namespace prejoin::cli {

// Runs the program. A file that may not grow any more gives an error to its writer instead of a
// signal that ends the process. Memory or threads that are refused end the process with one line on
// standard error and the exit code 2, on whatever thread it happens, unless somebody catches it:
// requests do.
int RunWithinLimits(FunctionRef<int()> program);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_PROCESS_LIMITS_H_
