// Long work beside the requests, one job after the other.
#ifndef PREJOIN_TRANSFER_JOB_QUEUE_H_
#define PREJOIN_TRANSFER_JOB_QUEUE_H_

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace prejoin::transfer {

// Thread-safe. The thread starts with the first job.
class JobQueue {
 public:
  JobQueue() = default;
  JobQueue(const JobQueue&) = delete;
  ~JobQueue() { Stop(); }

  void Add(std::function<void()> job) PJ_EXCLUDES(mutex_);
  // Jobs look at it every now and then, and end early.
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }
  // Waits for the job at hand; those behind it never run.
  void Stop() PJ_EXCLUDES(mutex_);
  void DrainForTesting() PJ_EXCLUDES(mutex_);

 private:
  void Run() PJ_EXCLUDES(mutex_);

  std::atomic<bool> stopping_ = false;

  Mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_ PJ_GUARDED_BY(mutex_);
  bool busy_ PJ_GUARDED_BY(mutex_) = false;
  std::thread thread_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_JOB_QUEUE_H_
