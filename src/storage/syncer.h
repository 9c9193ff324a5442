// Syncer: makes tickets durable with as few syncs as possible.
//
// At most one sync runs at a time; everything committed before it starts becomes durable with it,
// and what comes later waits for the next. A thread that must wait anyway leads the sync itself
// instead of handing it to another thread; a thread of the syncer's own serves callbacks, and
// commits that nobody waits for.
//
// Callbacks come from event loops, many for each sync. Each thread adds its callbacks to a line of
// its own, so that it shares no lock with other loops, and the thread is woken only while it sleeps.
// After a sync those of one line are called behind each other, in one batch (base/call_batch.h), so
// that a loop gets all its answers with one message.
#ifndef PREJOIN_STORAGE_SYNCER_H_
#define PREJOIN_STORAGE_SYNCER_H_

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::storage {

// Thread-safe. A failure ends all writing. It is final, because a failed sync may have dropped the
// bytes from the operating system's cache, so trying again could report success for bytes that are
// nowhere; unless its code is kUnavailable, which says that only room was missing: then the
// syncer's thread calls `recover` from time to time, and writing goes on once it succeeds. Nothing
// is acknowledged in between.
class Syncer {
 public:
  struct Log {
    // Makes durable all that was committed up to now. Never called by two threads at once.
    std::function<Status()> sync;
    // The last ticket handed out. All commits with tickets up to it have reached the log.
    std::function<Ticket()> last;
    // After a failure of the code kUnavailable: makes durable all that was committed up to now, in
    // another way than `sync`, and prepares the log for more. Never beside `sync`. May be empty.
    std::function<Status()> recover = {};
    // Called when writing ends, with the reason, when a final failure replaces one that might have
    // passed, and when writing continues. May be empty. Must not block.
    std::function<void(const Status&)> changed = {};
  };

  // With kNone every ticket counts as durable as long as nothing has failed, and `sync` is not used.
  Syncer(SyncMode mode, Log log);
  ~Syncer() { Stop(); }
  Syncer(const Syncer&) = delete;
  Syncer& operator=(const Syncer&) = delete;

  // Syncs what is left, and ends the thread. Nobody waits any more; a second call does nothing.
  void Stop() PJ_EXCLUDES(mutex_);

  // Called after each commit: it becomes durable soon even if nobody waits for it.
  void NoteCommit() {
    if (mode_ == SyncMode::kAlways && !armed_.load(std::memory_order_relaxed)) {
      Arm();
    }
  }

  bool IsDurable(Ticket ticket) const;
  Status WaitDurable(Ticket ticket) PJ_EXCLUDES(mutex_);
  void WhenDurable(Ticket ticket, std::function<void(Status)> done) PJ_EXCLUDES(mutex_);

  // Ends all writing, as a failed sync does. The first error stays, but for one that might have
  // passed, which gives way to a final one.
  void Fail(Error error) PJ_EXCLUDES(mutex_);
  // 0 while writing works, otherwise the number of this outage.
  std::uint64_t outage() const { return outage_.load(); }
  bool has_failed() const { return outage() != 0; }
  // The number of times that writing ended.
  std::uint64_t outage_count() const PJ_EXCLUDES(mutex_);
  // The failure, if there is one. Costs one load if there is none.
  Status Check() const PJ_EXCLUDES(mutex_);

 private:
  struct Callback {
    Ticket ticket;
    std::function<void(Status)> done;
  };
  // A cache line each: neighbours belong to unrelated threads.
  struct alignas(64) Line {
    Mutex mutex;  // Taken last, and held for a few instructions.
    std::vector<Callback> arrived PJ_GUARDED_BY(mutex);
    // Those that the last sync did not cover. Guarded by mutex_ of the syncer.
    std::vector<Callback> waiting;
  };
  static constexpr std::size_t kLineCount = 16;

  // Of the thread that asks.
  Line& LineHere();
  // Adds the callback to a line; false if it is not to wait.
  bool LineUp(Ticket ticket, std::function<void(Status)>& done) PJ_EXCLUDES(mutex_);
  void WakeThread() PJ_EXCLUDES(mutex_);
  // Waits until woken, but not if there are callbacks.
  void Sleep(MutexLock& lock, std::chrono::steady_clock::duration longest) PJ_REQUIRES(mutex_);
  bool HasCallbacks() const { return callback_count_.load() > 0; }
  void Arm() PJ_EXCLUDES(mutex_);
  void Run() PJ_EXCLUDES(mutex_);
  // True, and syncing_ is set, if it is time to recover.
  bool WaitForWork() PJ_EXCLUDES(mutex_);
  // One round of the thread's work; false when it shall end.
  bool RunOnce() PJ_EXCLUDES(mutex_);
  // The caller has set syncing_.
  void SyncAsLeader() PJ_EXCLUDES(mutex_);
  void Recover() PJ_EXCLUDES(mutex_);
  bool MayRecover() const PJ_REQUIRES(mutex_);
  // Gives back the callbacks to answer. True in `changed` if the failure is news.
  std::vector<Callback> FailLocked(const Error& error, bool& changed) PJ_REQUIRES(mutex_);
  void ReportChange(const Status& status) const;
  // Takes out the callbacks that can be answered now.
  std::vector<Callback> TakeDue() PJ_REQUIRES(mutex_);
  // With success those whose ticket is durable, with `status` the others.
  void Answer(std::vector<Callback> due, const Status& status) const;

  // Set in the constructor, never changed.
  const SyncMode mode_;
  const Log log_;

  std::atomic<Ticket> durable_ = 0;
  std::atomic<std::uint64_t> outage_ = 0;
  // The thread knows that there are commits to look after.
  std::atomic<bool> armed_ = false;

  mutable Mutex mutex_;
  std::condition_variable synced_;  // For waiters.
  std::condition_variable work_;    // For the thread.
  bool syncing_ PJ_GUARDED_BY(mutex_) = false;
  bool stopping_ PJ_GUARDED_BY(mutex_) = false;
  std::optional<Error> failure_ PJ_GUARDED_BY(mutex_);
  std::uint64_t outage_count_ PJ_GUARDED_BY(mutex_) = 0;

  // In lines. Who adds one increments the count and then looks at asleep_; the thread sets asleep_ and then looks at the count.
  std::array<Line, kLineCount> lines_;
  std::atomic<std::size_t> callback_count_ = 0;
  std::atomic<bool> asleep_ = false;
  std::vector<Callback> spare_
      PJ_GUARDED_BY(mutex_);  // Empty: swapped with lines, so that all keep their memory.

  std::thread thread_;  // Last: it uses everything above.
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_SYNCER_H_
