// A task: work for a client that runs apart from the database.
#ifndef PREJOIN_PROCESS_TASK_RUNNER_H_
#define PREJOIN_PROCESS_TASK_RUNNER_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace prejoin::process {

// An answer as HTTP has them: to a task, or to a call that the task makes while it runs.
struct Answer {
  int status = 200;
  std::string body;
};

// The services that a running task may ask of its starter. Called on a thread of the runner.
using Call = std::function<Answer(const std::string& operation, const std::string& body)>;

enum class Lane {
  kQuick,  // Ends within a fraction of a second, as a rule.
  kSlow,   // Takes seconds: it never is in the way of a quick one.
};

struct TaskLimits {
  std::chrono::milliseconds time{5'000};  // Of a processor. By the clock it may take three times that: a busy machine is not its fault.
  std::size_t memory_bytes = std::size_t{256} << 20;
};

// The outcome of a task.
enum class Ending {
  kAnswered,
  kOutOfTime,      // It ran longer than its limit.
  kOutOfMemory,    // It needed more than its limit.
  kCrashed,        // Its process ended: a signal, a failed check.
  kTooLarge,       // Its answer is larger than the runner passes on.
  kOvertaken,      // It ran long while others waited, and no place for long work was free.
  kWaitedTooLong,  // It never started.
  kClientGone,     // No caller waits for the answer.
  kStopping,       // The runner ends.
  kNotStarted,     // No process could be started.
};

struct Task {
  std::string route;
  std::string body;
  Lane lane = Lane::kQuick;
  TaskLimits limits;
  std::string client;          // Clients share the runner fairly; empty is one of them.
  std::function<bool()> gone;  // Returns true if nobody waits for the answer. May be empty.
  Call call;                   // May be empty: then every call is refused.
  // Called exactly once, on a thread of the runner. The answer counts with kAnswered only.
  std::function<void(Ending ending, Answer answer)> done;
};

// Thread-safe.
class TaskRunner {
 public:
  virtual ~TaskRunner() = default;
  // False, and the task is dropped without a call of `done`, if too much waits already.
  virtual bool Add(Task task) = 0;
};

}  // namespace prejoin::process

#endif  // PREJOIN_PROCESS_TASK_RUNNER_H_
