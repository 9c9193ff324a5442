// Drops the privileges that a child must not have before its first task.
#ifndef PREJOIN_PROCESS_CONFINE_H_
#define PREJOIN_PROCESS_CONFINE_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>

namespace prejoin::process {

// For good: the process ends with `parent`, leaves no core, yields the processor to others, is the first that the system
// ends when memory is short, and may no longer open files or sockets, start programs or touch other processes. False if the
// parent is gone already. Call it before threads start.
bool Confine(pid_t parent);

// Until the next call: `memory_bytes` above what the process had when it was confined, and so much processor time from now.
void LimitTask(std::size_t memory_bytes, std::chrono::seconds processor_time);

// Returns true if the process holds so much memory that a fresh one is cheaper.
bool IsWorn();

}  // namespace prejoin::process

#endif  // PREJOIN_PROCESS_CONFINE_H_
