// Threads for requests that would hold up an event loop.
#ifndef PREJOIN_SERVER_WORKER_POOL_H_
#define PREJOIN_SERVER_WORKER_POOL_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/patience.h"

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

  // The task must not throw. Throws std::system_error, and the task is not kept, if not one thread can be started.
  void Post(std::function<void()> task) PJ_EXCLUDES(mutex_);

 private:
  void StartThreads() PJ_REQUIRES(mutex_);
  void Run() PJ_EXCLUDES(mutex_);

  const int thread_count_;

  Mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_ PJ_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ PJ_GUARDED_BY(mutex_);
  bool ending_ PJ_GUARDED_BY(mutex_) = false;
};

// Threads for requests that have to wait for others: for a latch, or for a disk that is behind. Those that met the same obstacle wait in one
// queue for one thread, so a crowd of transactions on the same keys takes that thread, and no worker and no loop has to wait for it. They come
// to their turn in order. Thread-safe.
class WaitingLanes {
 public:
  WaitingLanes();

  // As WorkerPool has it.
  void Post(Obstacle obstacle, std::function<void()> task) {
    lanes_[obstacle % lanes_.size()]->Post(std::move(task));
  }

 private:
  std::vector<std::unique_ptr<WorkerPool>>
      lanes_;  // Lanes of one thread each, which starts with its first task.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_WORKER_POOL_H_
