// Threads for requests that would hold up an event loop.
#ifndef PREJOIN_SERVER_WORKER_POOL_H_
#define PREJOIN_SERVER_WORKER_POOL_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace prejoin::server {

// First come, first served. The queue needs no bound of its own: a connection has at most one
// request in it, whose bytes are paid for out of the memory budget. Thread-safe.
class WorkerPool {
 public:
  // `threads` of them start with the first task.
  explicit WorkerPool(int threads) : thread_count_(threads) {}
  // Finishes every task that was posted.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // The task must not throw.
  void Post(std::function<void()> task) PJ_EXCLUDES(mutex_);

 private:
  void Run() PJ_EXCLUDES(mutex_);

  const int thread_count_;

  Mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_ PJ_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ PJ_GUARDED_BY(mutex_);
  bool ending_ PJ_GUARDED_BY(mutex_) = false;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_WORKER_POOL_H_
