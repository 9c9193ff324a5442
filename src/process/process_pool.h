// Tasks in children of this program.
//
// A quick task starts in one of a few places for quick ones. One that runs long moves, with its process, to a place for long work, so
// that the tasks after it do not wait; if no such place is free and others wait, it ends. So a task that takes milliseconds
// waits for fractions of a second at most for each one before it, whatever those do. Slow tasks have a place of their own. Every
// task ends by its limit: the pool kills the process, and starts another one when it is needed.
//
// A process serves one task at a time and then the next one. Processes start when there is a task, and end when there was none for
// a while.
#ifndef PREJOIN_PROCESS_PROCESS_POOL_H_
#define PREJOIN_PROCESS_PROCESS_POOL_H_

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "process/task_queue.h"
#include "process/task_runner.h"
#include "process/worker_process.h"

namespace prejoin::process {

struct PoolOptions {
  WorkerCommand command;
  std::size_t quick_places = 2;
  std::size_t long_places = 2;
  std::size_t slow_places = 1;
  QueueBounds quick_bounds;
  QueueBounds slow_bounds{.tasks_max = 8, .client_tasks_max = 4};
  std::chrono::milliseconds quick_wait_max{10'000};  // For a place.
  std::chrono::milliseconds slow_wait_max{30'000};
  // From then on a quick task is a long one.
  std::chrono::milliseconds quick_processor_time{200};
  std::chrono::milliseconds quick_time{1'000};
  std::chrono::seconds idle_max{60};  // Then a process ends.
  // Called on a thread of the pool when a task fails by a fault or a limit of its own; `reason` is for the log.
  std::function<void(const std::string& route, Ending ending, const std::string& reason)> failed;
};

// Thread-safe.
class ProcessPool : public TaskRunner {
 public:
  explicit ProcessPool(PoolOptions options);
  ~ProcessPool() override { Stop(); }
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  bool Add(Task task) override PJ_EXCLUDES(mutex_);
  // Ends all tasks and processes. Nothing is taken any more.
  void Stop() PJ_EXCLUDES(mutex_);

  // For metrics. `ended` counts tasks since the start.
  std::uint64_t ended(Ending ending) const {
    return ended_[static_cast<std::size_t>(ending)].load(std::memory_order_relaxed);
  }
  std::size_t processes() const { return processes_.load(std::memory_order_relaxed); }
  std::size_t waiting() const PJ_EXCLUDES(mutex_);

 private:
  using Clock = std::chrono::steady_clock;
  enum class Place { kQuick, kLong, kSlow };
  struct Running {
    Task task;
    Place place;
    Clock::time_point started;
    std::chrono::nanoseconds processor_before{};
    bool leaving = false;  // Counted in `leaving_`.
  };
  struct Idle {
    std::unique_ptr<WorkerProcess> process;
    Clock::time_point since;
  };
  struct Result {
    Ending ending = Ending::kAnswered;
    Answer answer;
    std::string reason;
    bool reusable = false;
  };

  void Run() PJ_EXCLUDES(mutex_);
  // The next task that has a place; nullopt: the pool stops. Ends what waited too long meanwhile.
  std::optional<Running> WaitForTask() PJ_EXCLUDES(mutex_);
  std::optional<Running> TakeDue() PJ_REQUIRES(mutex_);
  std::vector<Task> TakeOverdue(Clock::time_point now) PJ_REQUIRES(mutex_);
  void DropIdle(Clock::time_point now, std::vector<Idle>& dropped) PJ_REQUIRES(mutex_);
  void Serve(Running& running) PJ_EXCLUDES(mutex_);
  std::unique_ptr<WorkerProcess> TakeIdle() PJ_EXCLUDES(mutex_);
  void GiveBack(std::unique_ptr<WorkerProcess> process) PJ_EXCLUDES(mutex_);
  Result RunIn(WorkerProcess& process, Running& running) PJ_EXCLUDES(mutex_);
  // Nullopt: it continues.
  std::optional<Ending> Overdue(const WorkerProcess& process, Running& running) PJ_EXCLUDES(mutex_);
  // A quick task that runs long gets a place for long ones. False: it must end.
  bool MakeRoom(Running& running) PJ_EXCLUDES(mutex_);
  void Leave(Running& running) PJ_EXCLUDES(mutex_);
  void End(Task& task, Ending ending, Answer answer, const std::string& reason);
  std::size_t& CountOf(Place place) PJ_REQUIRES(mutex_);

  const PoolOptions options_;
  std::array<std::atomic<std::uint64_t>, 10> ended_{};
  std::atomic<std::size_t> processes_ = 0;
  std::atomic<bool> stopping_ = false;

  mutable Mutex mutex_;
  std::condition_variable changed_;
  TaskQueue quick_ PJ_GUARDED_BY(mutex_);
  TaskQueue slow_ PJ_GUARDED_BY(mutex_);
  std::array<std::size_t, 3> running_ PJ_GUARDED_BY(mutex_){};
  std::map<std::string, std::size_t> long_of_client_ PJ_GUARDED_BY(mutex_);
  std::size_t leaving_ PJ_GUARDED_BY(mutex_) = 0;  // Quick tasks that were told to end.
  std::size_t resting_ PJ_GUARDED_BY(mutex_) = 0;  // Threads that wait for a task.
  std::vector<Idle> idle_ PJ_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::process

#endif  // PREJOIN_PROCESS_PROCESS_POOL_H_
