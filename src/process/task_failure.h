// The error that a client gets for a task that did not finish.
#ifndef PREJOIN_PROCESS_TASK_FAILURE_H_
#define PREJOIN_PROCESS_TASK_FAILURE_H_

#include <string>
#include <string_view>

#include "process/task_runner.h"

namespace prejoin::process {

struct TaskFailure {
  int status = 500;
  std::string message;
};
// Not for kAnswered.
TaskFailure FailureOf(Ending ending, const TaskLimits& limits);

// For the log: "out of time".
std::string_view NameOf(Ending ending);

// Too much waits already.
inline constexpr std::string_view kTooManyWait =
    "the server is busy: too many modelling requests are waiting; try again";

}  // namespace prejoin::process

#endif  // PREJOIN_PROCESS_TASK_FAILURE_H_
