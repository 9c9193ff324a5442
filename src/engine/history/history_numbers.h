// The order of all changes in tables whose history is kept.
//
// Each transaction takes one number, inside its body, while the latches of its items are held. So
// numbers follow the order of one item's changes, a transaction that saw another's effect has the
// greater number, and the state of all items at a number is the state between two transactions,
// never inside one. Commits become visible in any order, so a reader of the state at a number waits
// first until no write below it is in flight (AwaitFinished).
//
// Numbers never come again, whatever the clock does over a restart: a bound above those in use is
// stored ahead, about once a second while there is something to number.
#ifndef PREJOIN_ENGINE_HISTORY_HISTORY_NUMBERS_H_
#define PREJOIN_ENGINE_HISTORY_HISTORY_NUMBERS_H_

#include <condition_variable>
#include <set>

#include "base/mutex.h"
#include "engine/stream/sequence_number.h"
#include "prejoin/clock.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

// Thread-safe.
class HistoryNumbers {
 public:
  HistoryNumbers(storage::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  // Once, before anything else.
  Status Load() PJ_EXCLUDES(mutex_);
  // At close, after the last write: the next start goes on exactly here. Without it, numbers may
  // run up to a second ahead of the clock.
  Status Save() PJ_EXCLUDES(mutex_);

  // Begin before the transaction, End after it, with what Begin returned.
  Result<SequenceNumber> Begin() PJ_EXCLUDES(mutex_);
  void End(SequenceNumber begun) PJ_EXCLUDES(mutex_);
  // Inside the transaction.
  SequenceNumber Take() PJ_EXCLUDES(mutex_);

  // Above every number taken so far and not above any that is taken later: the state at it is that
  // of this moment. Not inside a transaction.
  Result<SequenceNumber> Next() PJ_EXCLUDES(mutex_);
  // Makes sure that nothing gets a number up to this one after the next start, whatever the clock
  // says then: a consumer is about to be told that it has seen all below. The ticket to wait for.
  Result<storage::Ticket> Cover(SequenceNumber number) PJ_EXCLUDES(mutex_);
  // After Load: no number below was in use before.
  SequenceNumber first() const { return first_; }

  // Blocks until every write that may have a number below is committed or never will be. `number`
  // is not above one that Next returned.
  void AwaitFinished(SequenceNumber number) PJ_EXCLUDES(mutex_);

 private:
  // Stores a bound well above `wanted`, if there is none.
  Status Reserve(SequenceNumber wanted) PJ_EXCLUDES(mutex_);
  Status ReserveNow() PJ_EXCLUDES(mutex_);
  void Advance() PJ_REQUIRES(mutex_);

  storage::Store& store_;
  const Clock& clock_;

  SequenceNumber first_ = 1;  // Set by Load.

  Mutex mutex_;
  std::condition_variable ended_;
  SequenceNumber next_ PJ_GUARDED_BY(mutex_) = 1;
  SequenceNumber reserved_ PJ_GUARDED_BY(mutex_) = 0;  // All numbers below may be used.
  storage::Ticket reserved_ticket_ PJ_GUARDED_BY(mutex_) = 0;
  SequenceNumber covered_ PJ_GUARDED_BY(mutex_) = 0;
  std::multiset<SequenceNumber> in_flight_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_HISTORY_NUMBERS_H_
