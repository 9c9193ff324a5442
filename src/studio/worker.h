// A thread for work that would hold up an event loop.
#ifndef PREJOIN_STUDIO_WORKER_H_
#define PREJOIN_STUDIO_WORKER_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace prejoin::studio {

// Runs tasks one after the other. Thread-safe.
class Worker {
 public:
  explicit Worker(std::size_t waiting_max);
  // Finishes every task that was taken.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // False, and nothing happens, if `waiting_max` tasks wait already. The task must not throw.
  bool Post(std::function<void()> task) PJ_EXCLUDES(mutex_);

 private:
  void Run() PJ_EXCLUDES(mutex_);

  const std::size_t waiting_max_;

  Mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_ PJ_GUARDED_BY(mutex_);
  bool ending_ PJ_GUARDED_BY(mutex_) = false;

  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_WORKER_H_
