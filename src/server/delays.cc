#include "server/delays.h"

namespace prejoin::server {

void Delays::FinishAt(Time due, Completion completion, Status status) {
  {
    const MutexLock lock(mutex_);
    if (!stopped_ && due > std::chrono::steady_clock::now()) {
      waiting_.push({due, completion, std::move(status)});
      if (!thread_.joinable()) {
        thread_ = std::thread([this] { Run(); });
      }
      changed_.notify_one();
      return;
    }
  }
  completion.Finish(std::move(status));
}

std::optional<Delays::Waiting> Delays::TakeDue() {
  MutexLock lock(mutex_);
  while (!stopped_ || !waiting_.empty()) {
    if (waiting_.empty()) {
      lock.Wait(changed_);
      continue;
    }
    const Time now = std::chrono::steady_clock::now();
    if (!stopped_ && waiting_.top().due > now) {
      lock.WaitFor(changed_, waiting_.top().due - now);
      continue;
    }
    Waiting next = waiting_.top();
    waiting_.pop();
    return next;
  }
  return std::nullopt;
}

void Delays::Run() {
  while (const auto next = TakeDue()) {
    next->completion.Finish(next->status);
  }
}

void Delays::Stop() {
  std::thread thread;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    thread = std::move(thread_);
  }
  changed_.notify_one();
  if (thread.joinable()) {
    thread.join();
  }
}

}  // namespace prejoin::server
