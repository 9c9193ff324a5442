// Work that may wait for shared objects without end, in a process that must stop when it is told to.
#ifndef PREJOIN_CLI_CLUSTER_STOPPABLE_H_
#define PREJOIN_CLI_CLUSTER_STOPPABLE_H_

#include <signal.h>

#include <chrono>
#include <functional>

#include "server/log.h"

namespace prejoin::cli {

// Runs `work` on a thread of its own and waits for it. A stop signal meanwhile ends the process, as
// if it had done nothing: whatever `work` has begun, a crash at that moment would leave too.
void RunUntilStopped(const sigset_t& stop_signals, server::Log& log,
                     const std::function<void()>& work);

// Runs `work` on a thread of its own and waits for it. If it takes longer than `time`, `give_up` is called,
// which must not come back.
void RunAtMost(std::chrono::milliseconds time, const std::function<void()>& work,
               const std::function<void()>& give_up);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_CLUSTER_STOPPABLE_H_
