#include "storage/syncer.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace prejoin::storage {
namespace {

// How long a commit that nobody waits for may stay in the log's buffer.
constexpr auto kLinger = std::chrono::milliseconds(20);

}  // namespace

Syncer::Syncer(SyncMode mode, Log log) : mode_(mode), log_(std::move(log)) {
  if (mode_ == SyncMode::kAlways) {
    thread_ = std::thread([this] { Run(); });
  }
}

void Syncer::Stop() {
  if (!thread_.joinable()) {
    return;
  }
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    work_.notify_one();
  }
  thread_.join();
}

bool Syncer::IsDurable(Ticket ticket) const {
  return mode_ == SyncMode::kNone || durable_.load(std::memory_order_acquire) >= ticket;
}

Status Syncer::Check() const {
  if (!failed_.load(std::memory_order_acquire)) [[likely]] {
    return {};
  }
  const MutexLock lock(mutex_);
  return *failure_;
}

Status Syncer::WaitDurable(Ticket ticket) {
  while (!IsDurable(ticket)) {
    {
      MutexLock lock(mutex_);
      while (syncing_ && !failure_ && !IsDurable(ticket)) {
        lock.Wait(synced_);
      }
      if (IsDurable(ticket)) {
        return {};
      }
      if (failure_) {
        return *failure_;
      }
      syncing_ = true;
    }
    SyncAsLeader();
  }
  return {};
}

void Syncer::WhenDurable(Ticket ticket, std::function<void(Status)> done) {
  if (IsDurable(ticket)) {
    done({});
    return;
  }
  std::optional<Status> answer;
  {
    const MutexLock lock(mutex_);
    if (IsDurable(ticket)) {
      answer = Status();
    } else if (failure_) {
      answer = Status(*failure_);
    } else {
      callbacks_.push_back({ticket, std::move(done)});
      if (callbacks_.size() == 1) {
        work_.notify_one();
      }
    }
  }
  if (answer) {
    done(*answer);
  }
}

void Syncer::Fail(Error error) {
  std::vector<Callback> due;
  {
    const MutexLock lock(mutex_);
    due = FailLocked(error);
  }
  Answer(std::move(due), error);
}

std::vector<Syncer::Callback> Syncer::FailLocked(const Error& error) {
  if (!failure_) {
    failure_ = error;
    failed_.store(true, std::memory_order_release);
  }
  synced_.notify_all();
  work_.notify_one();
  return TakeDue();
}

void Syncer::SyncAsLeader() {
  // In this order: what was committed before the sync starts is covered by it.
  const Ticket last = log_.last();
  const Status status = log_.sync();
  std::vector<Callback> due;
  {
    const MutexLock lock(mutex_);
    // Together with the failure, so that nobody starts another sync in between.
    syncing_ = false;
    if (!status.has_value()) {
      due = FailLocked(status.error());
    } else {
      durable_.store(last, std::memory_order_release);
      due = TakeDue();
      if (!callbacks_.empty()) {
        work_.notify_one();
      }
    }
  }
  // Not under the mutex, which is the first thing the woken threads want.
  synced_.notify_all();
  Answer(std::move(due), status);
}

std::vector<Syncer::Callback> Syncer::TakeDue() {
  std::vector<Callback> due;
  if (failure_) {
    due.swap(callbacks_);
    return due;
  }
  std::vector<Callback> later;
  for (Callback& callback : callbacks_) {
    (IsDurable(callback.ticket) ? due : later).push_back(std::move(callback));
  }
  callbacks_ = std::move(later);
  return due;
}

void Syncer::Answer(std::vector<Callback> due, const Status& status) {
  for (Callback& callback : due) {
    callback.done(status);
  }
}

void Syncer::Arm() {
  if (!armed_.exchange(true)) {
    const MutexLock lock(mutex_);
    work_.notify_one();
  }
}

void Syncer::Run() {
  while (RunOnce()) {
  }
}

bool Syncer::RunOnce() {
  {
    MutexLock lock(mutex_);
    while (callbacks_.empty() && !armed_.load() && !stopping_) {
      lock.Wait(work_);
    }
    // Somebody who waits for these commits leads a sync sooner; this is for commits that nobody
    // waits for.
    const Ticket last = log_.last();
    const auto deadline = std::chrono::steady_clock::now() + kLinger;
    while (callbacks_.empty() && !stopping_ && std::chrono::steady_clock::now() < deadline) {
      lock.WaitFor(work_, deadline - std::chrono::steady_clock::now());
    }
    while (syncing_) {
      lock.Wait(synced_);
    }
    if (failure_ || (callbacks_.empty() && IsDurable(last))) {
      // Disarmed first, then looked again: a commit in between either arms again or is seen here.
      armed_.store(false);
      if (!failure_ && !IsDurable(log_.last())) {
        armed_.store(true);
      }
      return !stopping_ || (armed_.load() && !failure_);
    }
    syncing_ = true;
  }
  SyncAsLeader();
  return true;
}

}  // namespace prejoin::storage
