// Syncer: makes tickets durable with as few syncs as possible.
//
// At most one sync runs at a time; everything committed before it starts becomes durable with it,
// and what comes later waits for the next. A thread that must wait anyway leads the sync itself
// instead of handing it to another thread; a thread of the syncer's own serves callbacks, and
// commits that nobody waits for.
#ifndef PREJOIN_STORAGE_SYNCER_H_
#define PREJOIN_STORAGE_SYNCER_H_

#include <atomic>
#include <condition_variable>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::storage {

// Thread-safe. The first failure is final: a failed sync may have dropped the bytes from the
// operating system's cache, so trying again could report success for bytes that are nowhere.
class Syncer {
 public:
  struct Log {
    // Makes durable all that was committed up to now. Never called by two threads at once.
    std::function<Status()> sync;
    // The last ticket handed out. All commits with tickets up to it have reached the log.
    std::function<Ticket()> last;
  };

  // With kNone every ticket counts as durable, `log` is not used and there is no thread.
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

  // Ends all writing, as a failed sync does. The first error stays.
  void Fail(Error error) PJ_EXCLUDES(mutex_);
  bool has_failed() const { return failed_.load(std::memory_order_acquire); }
  // The failure, if there is one. Costs one load if there is none.
  Status Check() const PJ_EXCLUDES(mutex_);

 private:
  struct Callback {
    Ticket ticket;
    std::function<void(Status)> done;
  };

  void Arm() PJ_EXCLUDES(mutex_);
  void Run() PJ_EXCLUDES(mutex_);
  // One round of the thread's work; false when it shall end.
  bool RunOnce() PJ_EXCLUDES(mutex_);
  // The caller has set syncing_.
  void SyncAsLeader() PJ_EXCLUDES(mutex_);
  // Gives back the callbacks to answer.
  std::vector<Callback> FailLocked(const Error& error) PJ_REQUIRES(mutex_);
  // Takes out the callbacks that can be answered now.
  std::vector<Callback> TakeDue() PJ_REQUIRES(mutex_);
  static void Answer(std::vector<Callback> due, const Status& status);

  // Set in the constructor, never changed.
  const SyncMode mode_;
  const Log log_;

  std::atomic<Ticket> durable_ = 0;
  std::atomic<bool> failed_ = false;
  // The thread knows that there are commits to look after.
  std::atomic<bool> armed_ = false;

  mutable Mutex mutex_;
  std::condition_variable synced_;  // For waiters.
  std::condition_variable work_;    // For the thread.
  bool syncing_ PJ_GUARDED_BY(mutex_) = false;
  bool stopping_ PJ_GUARDED_BY(mutex_) = false;
  std::optional<Error> failure_ PJ_GUARDED_BY(mutex_);
  std::vector<Callback> callbacks_ PJ_GUARDED_BY(mutex_);

  std::thread thread_;  // Last: it uses everything above.
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_SYNCER_H_
