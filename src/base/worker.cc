#include "base/worker.h"

#include <algorithm>
#include <utility>

namespace prejoin {
namespace {

// A future cannot wake the thread, so it looks this often while a job waits for one.
constexpr auto kFutureCheckInterval = std::chrono::milliseconds(10);

bool IsReady(const std::shared_future<void>& future) {
  return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

bool Worker::Add(Job job, Futures after) {
  {
    MutexLock lock(mutex_);
    if (stopping() || jobs_.size() >= options_.waiting_max) {
      return false;
    }
    jobs_.push_back({std::move(job), std::move(after)});
    StartThread();
  }
  changed_.notify_all();
  return true;
}

void Worker::AddSweep(std::chrono::steady_clock::duration interval, Job sweep) {
  AddTimed({.run = std::move(sweep), .interval = interval});
}

void Worker::AddLater(std::chrono::steady_clock::duration delay, Job job) {
  AddTimed({.run = std::move(job), .interval = delay, .once = true});
}

void Worker::AddTimed(Sweep sweep) {
  sweep.next = std::chrono::steady_clock::now() + sweep.interval;
  {
    MutexLock lock(mutex_);
    sweeps_.push_back(std::move(sweep));
    StartThread();
  }
  changed_.notify_all();
}

void Worker::Stop() {
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
  // Destroyed without the lock: what a job holds may call the worker when it ends.
  std::deque<Waiting> never_run;
  std::vector<Sweep> sweeps;
  MutexLock lock(mutex_);
  never_run.swap(jobs_);
  sweeps.swap(sweeps_);
}

void Worker::DrainForTesting() {
  MutexLock lock(mutex_);
  while (!stopping() && (busy_ || !jobs_.empty())) {
    lock.Wait(changed_);
  }
}

void Worker::SweepNow() {
  {
    MutexLock lock(mutex_);
    for (const Sweep& sweep : sweeps_) {
      jobs_.push_back({sweep.run, {}});
    }
    std::erase_if(sweeps_, [](const Sweep& sweep) { return sweep.once; });
  }
  changed_.notify_all();
  DrainForTesting();
}

void Worker::StartThread() {
  if (!thread_.joinable() && !stopping()) {
    thread_ = std::thread([this] { Run(); });
  }
}

std::optional<Worker::Job> Worker::TakeDue() {
  const auto due = std::ranges::find_if(
      jobs_, [](const Waiting& waiting) { return std::ranges::all_of(waiting.after, IsReady); });
  if (due != jobs_.end()) {
    Job job = std::move(due->job);
    jobs_.erase(due);
    return job;
  }
  const auto next = std::ranges::min_element(sweeps_, {}, &Sweep::next);
  const Time now = std::chrono::steady_clock::now();
  if (next == sweeps_.end() || next->next > now || stopping()) {
    return std::nullopt;
  }
  next->next = now + next->interval;
  Job job = next->run;
  if (next->once) {
    sweeps_.erase(next);
  }
  return job;
}

void Worker::WaitForWork(MutexLock& lock) {
  if (!jobs_.empty()) {
    lock.WaitFor(changed_, kFutureCheckInterval);
  } else if (sweeps_.empty()) {
    lock.Wait(changed_);
  } else {
    const Time next = std::ranges::min(sweeps_, {}, &Sweep::next).next;
    lock.WaitFor(changed_, next - std::chrono::steady_clock::now());
  }
}

void Worker::Run() {
  while (true) {
    std::optional<Job> job;
    {
      MutexLock lock(mutex_);
      busy_ = false;
      changed_.notify_all();
      while (true) {
        if (stopping() && (options_.at_stop == AtStop::kDrop || jobs_.empty())) {
          return;
        }
        if ((job = TakeDue())) {
          break;
        }
        WaitForWork(lock);
      }
      busy_ = true;
    }
    (*job)();
  }
}

}  // namespace prejoin
