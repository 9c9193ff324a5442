// The child's side: tasks in, answers out, until the parent goes away.
#ifndef PREJOIN_PROCESS_SERVE_TASKS_H_
#define PREJOIN_PROCESS_SERVE_TASKS_H_

#include <sys/types.h>

#include <functional>
#include <string>

#include "process/task_runner.h"

namespace prejoin::process {

// The descriptor of the parent's socket in a child.
inline constexpr int kParentSocket = 3;

// Makes an answer. `call` asks the parent.
using Handle =
    std::function<Answer(const std::string& route, const std::string& body, const Call& call)>;
// Takes the settings that the pool was given, once, and gives what handles tasks from then on.
using Prepare = std::function<Handle(const std::string& settings)>;

// Confines this process, which `parent` has started with its socket as kParentSocket, and serves tasks one by one. Any
// exception ends the task and the process, not the parent. The exit code.
int ServeTasks(pid_t parent, const Prepare& prepare);

}  // namespace prejoin::process

#endif  // PREJOIN_PROCESS_SERVE_TASKS_H_
