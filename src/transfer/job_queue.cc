#include "transfer/job_queue.h"

#include <utility>

namespace prejoin::transfer {

void JobQueue::Add(std::function<void()> job) {
  MutexLock lock(mutex_);
  jobs_.push_back(std::move(job));
  if (!thread_.joinable() && !stopping()) {
    thread_ = std::thread([this] { Run(); });
  }
  changed_.notify_all();
}

void JobQueue::Stop() {
  std::thread thread;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    thread = std::move(thread_);
  }
  changed_.notify_all();
  if (thread.joinable()) {
    thread.join();
  }
  // What they hold may be gone later.
  std::deque<std::function<void()>> never_run;
  MutexLock lock(mutex_);
  never_run.swap(jobs_);
}

void JobQueue::DrainForTesting() {
  MutexLock lock(mutex_);
  while (busy_ || !jobs_.empty()) {
    lock.Wait(changed_);
  }
}

void JobQueue::Run() {
  while (true) {
    std::function<void()> job;
    {
      MutexLock lock(mutex_);
      busy_ = false;
      changed_.notify_all();
      while (jobs_.empty() && !stopping()) {
        lock.Wait(changed_);
      }
      if (stopping()) {
        return;
      }
      job = std::move(jobs_.front());
      jobs_.pop_front();
      busy_ = true;
    }
    job();
  }
}

}  // namespace prejoin::transfer
