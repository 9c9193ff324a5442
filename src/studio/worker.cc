#include "studio/worker.h"

#include <utility>

namespace prejoin::studio {

Worker::Worker(std::size_t waiting_max) : waiting_max_(waiting_max), thread_([this] { Run(); }) {}

Worker::~Worker() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool Worker::Post(std::function<void()> task) {
  {
    const MutexLock lock(mutex_);
    if (waiting_.size() >= waiting_max_) return false;
    waiting_.push_back(std::move(task));
  }
  changed_.notify_one();
  return true;
}

void Worker::Run() {
  while (true) {
    std::function<void()> task;
    {
      MutexLock lock(mutex_);
      while (waiting_.empty() && !ending_) lock.Wait(changed_);
      if (waiting_.empty()) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
    task();
  }
}

}  // namespace prejoin::studio
