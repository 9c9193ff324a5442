#include "engine/history/history_numbers.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/check.h"
#include "engine/item/keys.h"
#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

constexpr SequenceNumber kReservation = SequenceAt(1000);
// The clock stops this far below the bound, so that counting on from there never reaches it.
constexpr SequenceNumber kCountingRoom = SequenceAt(100);

std::string BoundKey() { return CatalogKey("history-numbers"); }

Result<SequenceNumber> DecodeBound(std::string_view text) {
  SequenceNumber number = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // Beyond this bound, which no clock reaches, there would be no room to count on.
  constexpr SequenceNumber kBoundMax = SequenceNumber{1} << 63;
  if (error != std::errc() || at != text.data() + text.size() || number > kBoundMax) {
    return Error{ErrorCode::kCorruption, "the bound of the history's numbers cannot be read"};
  }
  return number;
}

}  // namespace

Status HistoryNumbers::Load() {
  PJ_ASSIGN_OR_RETURN(const auto stored, store_.Get(BoundKey()));
  SequenceNumber bound = 1;
  if (stored) {
    PJ_ASSIGN_OR_RETURN(bound, DecodeBound(*stored));
  }
  first_ = bound;
  MutexLock lock(mutex_);
  next_ = bound;
  reserved_ = bound;
  return {};
}

Status HistoryNumbers::Save() {
  SequenceNumber bound = 0;
  {
    MutexLock lock(mutex_);
    if (reserved_ <= next_) {
      return {};  // Nothing was numbered since the start.
    }
    bound = std::max(next_, covered_ + 1);
  }
  const std::string keys[] = {BoundKey()};
  PJ_RETURN_IF_ERROR(store_.Transact(keys, [&](storage::Transaction& transaction) -> Status {
    transaction.Put(keys[0], std::to_string(bound));
    return {};
  }));
  return {};
}

// The bound goes into the log before the first transaction that relies on it, so no crash keeps
// that and loses the bound.
Status HistoryNumbers::Reserve(SequenceNumber wanted) {
  {
    MutexLock lock(mutex_);
    if (wanted + kReservation / 2 <= reserved_) {
      return {};
    }
  }
  SequenceNumber bound = 0;
  const std::string keys[] = {BoundKey()};
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                      store_.Transact(keys, [&](storage::Transaction& transaction) -> Status {
                        bound = wanted + kReservation;
                        if (const auto stored = transaction.Value(0)) {
                          PJ_ASSIGN_OR_RETURN(const SequenceNumber known, DecodeBound(*stored));
                          bound = std::max(bound, known);
                        }
                        transaction.Put(keys[0], std::to_string(bound));
                        return {};
                      }));
  MutexLock lock(mutex_);
  reserved_ = std::max(reserved_, bound);
  reserved_ticket_ = std::max(reserved_ticket_, ticket);
  return {};
}

Status HistoryNumbers::ReserveNow() {
  SequenceNumber wanted = SequenceAt(clock_.NowMs());
  {
    MutexLock lock(mutex_);
    wanted = std::max(next_, wanted);
  }
  return Reserve(wanted);
}

Result<storage::Ticket> HistoryNumbers::Cover(SequenceNumber number) {
  PJ_RETURN_IF_ERROR(Reserve(number));
  MutexLock lock(mutex_);
  covered_ = std::max(covered_, number);
  return reserved_ticket_;
}

Result<SequenceNumber> HistoryNumbers::Begin() {
  PJ_RETURN_IF_ERROR(ReserveNow());
  MutexLock lock(mutex_);
  Advance();
  in_flight_.insert(next_);
  return next_;
}

void HistoryNumbers::End(SequenceNumber begun) {
  {
    MutexLock lock(mutex_);
    const auto found = in_flight_.find(begun);
    PJ_CHECK(found != in_flight_.end());
    in_flight_.erase(found);
  }
  ended_.notify_all();
}

SequenceNumber HistoryNumbers::Take() {
  MutexLock lock(mutex_);
  Advance();
  PJ_CHECK(next_ < reserved_);
  return next_++;
}

Result<SequenceNumber> HistoryNumbers::Next() {
  PJ_RETURN_IF_ERROR(ReserveNow());
  MutexLock lock(mutex_);
  Advance();
  return next_;
}

void HistoryNumbers::AwaitFinished(SequenceNumber number) {
  MutexLock lock(mutex_);
  PJ_CHECK(number <= next_);
  while (!in_flight_.empty() && *in_flight_.begin() < number) {
    lock.Wait(ended_);
  }
}

// Never back, whatever the clock does, and never to the bound: a body that was held up for a second
// gets a number that is a little old.
void HistoryNumbers::Advance() {
  const SequenceNumber limit = reserved_ > kCountingRoom ? reserved_ - kCountingRoom : 0;
  next_ = std::max(next_, std::min(SequenceAt(clock_.NowMs()), limit));
}

}  // namespace prejoin::engine
