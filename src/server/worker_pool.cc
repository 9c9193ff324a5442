#include "server/worker_pool.h"

#include <system_error>
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
  for (std::thread& thread : threads) {
    thread.join();
  }
}

void WorkerPool::Post(std::function<void()> task) {
  {
    const MutexLock lock(mutex_);
    StartThreads();
    waiting_.push_back(std::move(task));
  }
  changed_.notify_one();
}

// Fewer threads than wanted are enough to continue; the next task tries again.
void WorkerPool::StartThreads() {
  try {
    while (threads_.size() < static_cast<std::size_t>(thread_count_)) {
      threads_.emplace_back([this] { Run(); });
    }
  } catch (const std::system_error&) {
    if (threads_.empty()) {
      throw;
    }
  }
}

void WorkerPool::Run() {
  while (true) {
    std::function<void()> task;
    {
      MutexLock lock(mutex_);
      while (waiting_.empty() && !ending_) {
        lock.Wait(changed_);
      }
      if (waiting_.empty()) {
        return;
      }
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
    task();
  }
}

WaitingLanes::WaitingLanes() {
  constexpr int kLanes = 4;
  for (int i = 0; i < kLanes; ++i) {
    lanes_.push_back(std::make_unique<WorkerPool>(1));
  }
}

}  // namespace prejoin::server
