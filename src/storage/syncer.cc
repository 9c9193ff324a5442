#include "storage/syncer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/call_batch.h"

namespace prejoin::storage {
namespace {

// The longest time that a commit that nobody waits for may stay in the log's buffer.
constexpr auto kLinger = std::chrono::milliseconds(20);
// The interval at which a failure that may pass is checked again.
constexpr auto kRecoveryInterval = std::chrono::milliseconds(250);
// The thread looks for itself now and then, though whoever has work for it wakes it.
constexpr auto kForever = std::chrono::hours(1);

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

Syncer::Line& Syncer::LineHere() {
  static constinit std::atomic<std::size_t> thread_count = 0;
  thread_local const std::size_t number = thread_count.fetch_add(1);
  return lines_[number % kLineCount];
}

bool Syncer::LineUp(Ticket ticket, std::function<void(Status)>& done) {
  Line& line = LineHere();
  const MutexLock lock(line.mutex);
  // What changes one of them then looks through the lines, so from here on it finds the callback.
  if (IsDurable(ticket) || has_failed()) {
    return false;
  }
  line.arrived.push_back({ticket, std::move(done)});
  callback_count_.fetch_add(1);
  return true;
}

void Syncer::WhenDurable(Ticket ticket, std::function<void(Status)> done) {
  while (!IsDurable(ticket)) {
    if (Status failure = Check(); !failure.has_value()) {
      done(std::move(failure));
      return;
    }
    if (LineUp(ticket, done)) {
      WakeThread();
      return;
    }
  }
  done({});
}

void Syncer::WakeThread() {
  if (asleep_.load() && asleep_.exchange(false)) {
    { const MutexLock lock(mutex_); }  // From here on it waits, or has seen the callback.
    work_.notify_one();                // Not under the mutex, which is the first thing it wants.
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
      if (HasCallbacks()) {
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
  due.reserve(callback_count_.load());
  for (Line& line : lines_) {
    {
      const MutexLock lock(line.mutex);
      spare_.swap(line.arrived);
    }
    std::ranges::move(spare_, std::back_inserter(line.waiting));
    spare_.clear();
    std::vector<Callback> later;
    for (Callback& callback : line.waiting) {
      const bool is_due = failure_.has_value() || IsDurable(callback.ticket);
      (is_due ? due : later).push_back(std::move(callback));
    }
    line.waiting = std::move(later);
  }
  callback_count_.fetch_sub(due.size());
  return due;
}

void Syncer::Answer(std::vector<Callback> due, const Status& status) const {
  const CallBatch batch;
  for (Callback& callback : due) {
    callback.done(IsDurable(callback.ticket) ? Status() : status);
  }
}

void Syncer::Arm() {
  if (!armed_.exchange(true)) {
    { const MutexLock lock(mutex_); }
    work_.notify_one();
  }
}

void Syncer::Run() {
  while (RunOnce()) {
  }
}

void Syncer::Sleep(MutexLock& lock, std::chrono::steady_clock::duration longest) {
  asleep_.store(true);
  if (!HasCallbacks()) {
    lock.WaitFor(work_, longest);
  }
  asleep_.store(false);
}

bool Syncer::WaitForWork() {
  MutexLock lock(mutex_);
  while (!HasCallbacks() && !armed_.load() && !stopping_ && !MayRecover()) {
    Sleep(lock, kForever);
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
    while (!HasCallbacks() && !stopping_ && std::chrono::steady_clock::now() < deadline) {
      Sleep(lock, deadline - std::chrono::steady_clock::now());
    }
    while (syncing_) {
      lock.Wait(synced_);
    }
    if (failure_ || (!HasCallbacks() && IsDurable(last))) {
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
