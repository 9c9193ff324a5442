#include "storage/syncer.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace prejoin::storage {
namespace {

// The longest time that a commit that nobody waits for may stay in the log's buffer.
constexpr auto kLinger = std::chrono::milliseconds(20);
// The interval at which a failure that may pass is checked again.
constexpr auto kRecoveryInterval = std::chrono::milliseconds(250);

bool MayPass(const Error& error) { return error.code == ErrorCode::kUnavailable; }

}  // namespace

Syncer::Syncer(SyncMode mode, Log log) : mode_(mode), log_(std::move(log)) {
  if (mode_ == SyncMode::kAlways || log_.recover) {
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
  return (mode_ == SyncMode::kNone && !has_failed()) ||
         durable_.load(std::memory_order_acquire) >= ticket;
}

Status Syncer::Check() const {
  if (!has_failed()) [[likely]] {
    return {};
  }
  const MutexLock lock(mutex_);
  return failure_ ? Status(*failure_) : Status();
}

std::uint64_t Syncer::outage_count() const {
  const MutexLock lock(mutex_);
  return outage_count_;
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
  bool changed = false;
  {
    const MutexLock lock(mutex_);
    due = FailLocked(error, changed);
  }
  if (changed) {
    ReportChange(error);
  }
  Answer(std::move(due), error);
}

void Syncer::ReportChange(const Status& status) const {
  if (log_.changed) {
    log_.changed(status);
  }
}

bool Syncer::MayRecover() const {
  return failure_ && MayPass(*failure_) && log_.recover != nullptr;
}

std::vector<Syncer::Callback> Syncer::FailLocked(const Error& error, bool& changed) {
  changed = !failure_ || (MayPass(*failure_) && !MayPass(error));
  if (changed) {
    if (!failure_) {
      outage_.store(++outage_count_);
    }
    failure_ = error;
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
  bool changed = false;
  {
    const MutexLock lock(mutex_);
    // Together with the failure, so that nobody starts another sync in between.
    syncing_ = false;
    if (!status.has_value()) {
      due = FailLocked(status.error(), changed);
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
  if (changed) {
    ReportChange(status);
  }
  Answer(std::move(due), status);
}

void Syncer::Recover() {
  // In this order, as for a sync.
  const Ticket last = log_.last();
  const Status status = log_.recover();
  std::vector<Callback> due;
  bool changed = status.has_value();
  {
    const MutexLock lock(mutex_);
    syncing_ = false;
    if (!status.has_value()) {
      due = FailLocked(status.error(), changed);
      if (MayPass(status.error()) && MayPass(*failure_)) {
        failure_ = status.error();  // It knows better what is missing.
      }
    } else if (failure_ && MayPass(*failure_)) {
      durable_.store(last, std::memory_order_release);
      failure_.reset();
      outage_.store(0);
    } else {
      changed = false;  // A final failure happened meanwhile.
    }
  }
  synced_.notify_all();
  if (changed) {
    ReportChange(status);
  }
  if (!status.has_value()) {
    Answer(std::move(due), status);
  }
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

bool Syncer::WaitForWork() {
  MutexLock lock(mutex_);
  while (callbacks_.empty() && !armed_.load() && !stopping_ && !MayRecover()) {
    lock.Wait(work_);
  }
  if (!MayRecover() || stopping_) {
    return false;
  }
  lock.WaitFor(work_, kRecoveryInterval);
  while (syncing_) {
    lock.Wait(synced_);
  }
  if (!MayRecover() || stopping_) {
    return false;
  }
  syncing_ = true;
  return true;
}

bool Syncer::RunOnce() {
  if (WaitForWork()) {
    Recover();
    return true;
  }
  {
    MutexLock lock(mutex_);
    if (mode_ == SyncMode::kNone) {
      return !stopping_;
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
