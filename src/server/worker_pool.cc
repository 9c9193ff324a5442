#include "server/worker_pool.h"

#include <utility>

namespace prejoin::server {

WorkerPool::~WorkerPool() {
  std::vector<std::thread> threads;
  {
    const MutexLock lock(mutex_);
    ending_ = true;
    threads.swap(threads_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void WorkerPool::Post(std::function<void()> task) {
  {
    const MutexLock lock(mutex_);
    waiting_.push_back(std::move(task));
    while (threads_.size() < static_cast<std::size_t>(thread_count_)) {
      threads_.emplace_back([this] { Run(); });
    }
  }
  changed_.notify_one();
}

void WorkerPool::Run() {
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

}  // namespace prejoin::server
