// A thread for work that goes on beside the requests.
//
// A feature hands it jobs, which run one after the other, and sweeps, which run again and again. A
// job may have to wait for others to finish first, for example for the last writer that does not
// know a new index: it then gives way to the jobs after it and runs when its futures are ready.
#ifndef PREJOIN_BASE_WORKER_H_
#define PREJOIN_BASE_WORKER_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace prejoin {

// Thread-safe. The thread starts with the first job or sweep.
class Worker {
 public:
  using Job = std::function<void()>;
  using Futures = std::vector<std::shared_future<void>>;

  // The fate of jobs that have not begun when the worker stops.
  enum class AtStop { kDrop, kFinish };
  struct Options {
    AtStop at_stop = AtStop::kDrop;
    std::size_t waiting_max = std::numeric_limits<std::size_t>::max();
  };

  Worker() : options_() {}
  explicit Worker(const Options& options) : options_(options) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() { Stop(); }

  // Runs `job`, which must not throw, once all of `after` are ready. Jobs that need not wait run in
  // the order in which they were added. False, and the job never runs, if the worker has stopped or
  // `waiting_max` jobs wait already.
  bool Add(Job job, Futures after = {}) PJ_EXCLUDES(mutex_);

  // Runs `sweep` every `interval`, the first time after one interval.
  void AddSweep(std::chrono::steady_clock::duration interval, Job sweep) PJ_EXCLUDES(mutex_);

  // Runs `job` once, after `delay`; never, if the worker stops before.
  void AddLater(std::chrono::steady_clock::duration delay, Job job) PJ_EXCLUDES(mutex_);

  // Long jobs look at it between two steps and end early.
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  // Returns when the job at hand and, with kFinish, all others are done. Not from a job.
  void Stop() PJ_EXCLUDES(mutex_);

  // Blocks until every job added so far, and every job that those add, is done; but for those for
  // later.
  void DrainForTesting() PJ_EXCLUDES(mutex_);
  // Runs all sweeps, and jobs that were added for later, now, in the order in which they were added,
  // and waits for them: time has passed that this thread has not seen.
  void SweepNow() PJ_EXCLUDES(mutex_);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Waiting {
    Job job;
    Futures after;
  };
  struct Sweep {
    Job run;
    std::chrono::steady_clock::duration interval;
    Time next;
    bool once = false;
  };
  void AddTimed(Sweep sweep) PJ_EXCLUDES(mutex_);

  void StartThread() PJ_REQUIRES(mutex_);
  void Run() PJ_EXCLUDES(mutex_);
  // The next job or sweep to run; nothing: none is due.
  std::optional<Job> TakeDue() PJ_REQUIRES(mutex_);
  void WaitForWork(MutexLock& lock) PJ_REQUIRES(mutex_);

  const Options options_;
  std::atomic<bool> stopping_ = false;

  Mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> jobs_ PJ_GUARDED_BY(mutex_);
  std::vector<Sweep> sweeps_ PJ_GUARDED_BY(mutex_);
  bool busy_ PJ_GUARDED_BY(mutex_) = false;
  std::thread thread_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin

#endif  // PREJOIN_BASE_WORKER_H_
