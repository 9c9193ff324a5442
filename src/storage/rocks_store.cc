// The RocksDB store. A transaction latches its keys, reads them, runs its body once and writes one
// batch into RocksDB, whose log stays in a buffer; tickets.h and syncer.h say when that is durable.
// No latch is held over a sync.
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/experimental.h>
#include <rocksdb/perf_level.h>

#include <algorithm>
#include <chrono>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/patience.h"
#include "storage/damage_report.h"
#include "storage/kept_ranges.h"
#include "storage/latches.h"
#include "storage/opened_rocks.h"
#include "storage/rocks_transaction.h"
#include "storage/store_directory.h"
#include "storage/syncer.h"
#include "storage/tickets.h"
#include "storage/unwatched.h"

namespace prejoin::storage {
namespace {

// As an obstacle (base/patience.h), beside the latches, which have their numbers.
constexpr Obstacle kBehindFiles = UINT32_MAX;

// From here on, RocksDB's reader of many keys is worth its preparation.
constexpr std::size_t kMultiGetKeysMin = 4;

// RocksDB counts what a thread does, each comparison of keys among it, unless the thread says that it does not want to know. Nobody here
// does, and it was a twentieth of the instructions of a PutItem.
void CountNothing() { rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable); }

std::string SpaceKey(std::uint32_t space) {
  std::string key(kSpaceBytes, '\0');
  for (std::size_t i = 0; i < kSpaceBytes; ++i) {
    key[i] = static_cast<char>(space >> (8 * (kSpaceBytes - 1 - i)) & 0xFF);
  }
  return key;
}

// First key after the space. Nothing sorts after the last space but its own keys: there, a key
// longer than any we write.
std::string SpaceEnd(std::uint32_t space) {
  constexpr std::size_t kLongerThanAnyKey = 8192;
  return space == UINT32_MAX ? std::string(kLongerThanAnyKey, '\xFF') : SpaceKey(space + 1);
}

// Inside one route, files without that route are skipped by their filters.
bool IsInOneRoute(const Range& range) {
  return range.begin.size() >= kRouteBytes && range.end.size() >= kRouteBytes &&
         range.begin.compare(0, kRouteBytes, range.end, 0, kRouteBytes) == 0;
}

class RocksStore final : public Store {
 public:
  RocksStore(const RocksStoreOptions& options, OpenedRocks rocks);
  ~RocksStore() override;

  Result<Ticket> Transact(std::span<const std::string> keys, Body body) override;
  Result<std::optional<std::string>> Get(std::string_view key) override;
  Result<Values> GetTogether(std::span<const std::string> keys) override;
  Status Visit(const Range& range, Visitor visitor) override;
  bool VisitSeesOneState() const override { return true; }
  Status DeleteSpace(std::uint32_t space) override;
  std::uint64_t ApproximateBytes(std::uint32_t space) const override;

  Ticket NewestTicket(std::string_view route) const override {
    return tickets_.Newest(Tickets::SlotOf(route));
  }
  Ticket NewestTicket() const override { return tickets_.Newest(); }
  Status Health() const override { return syncer_.Check(); }
  std::uint64_t Outage() const override { return syncer_.outage(); }
  FaultCounts Faults() const override {
    return {syncer_.outage_count(), damage_.read_count(), damage_.file_count()};
  }
  Status Need(const std::string& feature) override { return AddFeature(*rocks_.folder, feature); }
  bool IsDurable(Ticket ticket) const override { return syncer_.IsDurable(ticket); }
  Status WaitDurable(Ticket ticket) override { return syncer_.WaitDurable(ticket); }
  void WhenDurable(Ticket ticket, std::function<void(Status)> done) override {
    syncer_.WhenDurable(ticket, std::move(done));
  }

  // Ends all writing before it has begun.
  void OnlyRead() { syncer_.Fail({ErrorCode::kValidation, "the store is open for reading only"}); }

 private:
  // Reads see the newest state, or, while writing fails, the last one that is durable; `kept` keeps
  // that one alive.
  struct ReadState {
    rocksdb::ReadOptions options;
    std::shared_lock<std::shared_mutex> kept;
  };
  ReadState Reading() const;
  Status ReadValues(std::span<const std::string> keys, RocksTransaction& transaction);
  Status Walk(rocksdb::Iterator& at, const Range& range, Visitor visitor);
  // Shows the newest state of a range within one route.
  Status VisitRoute(const Range& range, Visitor visitor);
  // The error for a commit that is refused while writing fails.
  Status CheckWritable() const;
  Result<Ticket> Write(rocksdb::WriteBatch& batch, std::span<const Tickets::Slot> slots);
  Status SyncLog();
  // See Syncer::Log::recover.
  Status Recover();
  Status CheckRoom() const;
  rocksdb::Status BeginNewLog();
  void SetDurableState(const rocksdb::Snapshot* state);
  // The error for a failed read. Damage is reported, and ends nothing but this read.
  Error ReadError(const rocksdb::Status& status);
  // The same for a failed write or sync.
  Error WriteError(const rocksdb::Status& status);
  void ReportChange(const Status& health) const;

  const SyncMode mode_;
  const std::string path_;
  const std::function<void(const StoreFault&)> on_fault_;
  const OpenedRocks rocks_;
  rocksdb::DB* const db_;
  DamageReport damage_;
  Latches latches_;
  Tickets tickets_;
  KeptRanges ranges_;
  // The state that the last sync made durable. Readers hold the mutex while they use it.
  mutable std::shared_mutex durable_state_mutex_;
  const rocksdb::Snapshot* durable_state_;
  // Used by Recover, which one thread calls.
  std::chrono::steady_clock::time_point next_attempt_;
  std::chrono::milliseconds attempt_pause_{0};
  Syncer syncer_;  // Last: its thread uses what is above.
};

RocksStore::RocksStore(const RocksStoreOptions& options, OpenedRocks rocks)
    : mode_(options.sync),
      path_(options.path),
      on_fault_(options.on_fault),
      rocks_(std::move(rocks)),
      db_(rocks_.db.get()),
      damage_(on_fault_),
      durable_state_(db_->GetSnapshot()),
      syncer_(mode_, {.sync = [this] { return SyncLog(); },
                      .last = [this] { return tickets_.Last(); },
                      .recover = [this] { return Recover(); },
                      .changed = [this](const Status& health) { ReportChange(health); }}) {}

RocksStore::~RocksStore() {
  const bool healthy = syncer_.Check().has_value();
  syncer_.Stop();
  rocks_.iterators->DropIdle();
  db_->ReleaseSnapshot(durable_state_);
  // A start after this one then has no log to replay. If it fails, the log still has everything.
  std::uint64_t unflushed_count = 0;
  db_->GetIntProperty(rocksdb::DB::Properties::kNumEntriesActiveMemTable, &unflushed_count);
  if (healthy && unflushed_count > 0) {
    (void)db_->FlushWAL(true);
    (void)db_->Flush(rocksdb::FlushOptions());
  }
  (void)db_->Close();
}

Status RocksStore::SyncLog() {
  // All that it shows has reached the log's buffer.
  const rocksdb::Snapshot* state = db_->GetSnapshot();
  rocksdb::Status status = db_->FlushWAL(/*sync=*/true);
  if (status.ok()) {
    status = rocks_.files->FirstError();
  }
  if (!status.ok()) {
    db_->ReleaseSnapshot(state);
    return WriteError(status);
  }
  SetDurableState(state);
  return {};
}

void RocksStore::SetDurableState(const rocksdb::Snapshot* state) {
  {
    const std::unique_lock lock(durable_state_mutex_);
    std::swap(state, durable_state_);
  }
  db_->ReleaseSnapshot(state);
}

// Nobody writes: writing has failed, and no commit that began before is left. The content of the memtables,
// logged or not, goes to table files, and the logs, whose end may be torn, become
// obsolete. Only then a new log gets its first byte. A crash before that leaves a torn end in the
// newest log, where nothing was acknowledged.
Status RocksStore::Recover() {
  constexpr std::chrono::milliseconds kPauseMin(500);
  constexpr std::chrono::milliseconds kPauseMax(16'000);
  if (tickets_.HasInFlight()) {
    return syncer_.Check();
  }
  PJ_RETURN_IF_ERROR(CheckRoom());
  const auto now = std::chrono::steady_clock::now();
  if (now < next_attempt_) {
    return syncer_.Check();
  }
  const rocksdb::Snapshot* state = db_->GetSnapshot();
  if (const rocksdb::Status status = BeginNewLog(); !status.ok()) {
    db_->ReleaseSnapshot(state);
    // There was room, and still it failed: each attempt writes much, so they become rare.
    attempt_pause_ = std::clamp(2 * attempt_pause_, kPauseMin, kPauseMax);
    next_attempt_ = now + attempt_pause_;
    return WriteError(status);
  }
  attempt_pause_ = {};
  SetDurableState(state);
  return {};
}

rocksdb::Status RocksStore::BeginNewLog() {
  rocksdb::Status status;
  if (rocks_.background->found_damage()) {
    // Each further compaction of the damaged file would end writing again.
    status = db_->SetOptions({{"disable_auto_compactions", "true"}});
  }
  if (status.ok()) {
    status = db_->Resume();
  }
  if (status.ok()) {
    rocksdb::FlushOptions flush;
    flush.allow_write_stall = true;
    status = db_->Flush(flush);
  }
  return status.ok() ? rocks_.files->BeginNewLogs() : status;
}

// Resuming begins with a flush of all memtables. To try it without the room for that would only use
// up what little there is.
Status RocksStore::CheckRoom() const {
  constexpr std::uint64_t kSpareBytes = 2u << 20;
  std::uint64_t unflushed_bytes = 0;
  db_->GetIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &unflushed_bytes);
  std::uint64_t free_bytes = 0;
  const rocksdb::IOStatus status =
      rocks_.files->GetFreeSpace(path_, rocksdb::IOOptions(), &free_bytes, nullptr);
  const std::uint64_t needed_bytes = unflushed_bytes + kSpareBytes;
  if (!status.ok() || free_bytes >= needed_bytes) {
    return {};
  }
  return Error{ErrorCode::kUnavailable,
               "storage: the disk of " + path_ + " is full: " + std::to_string(free_bytes >> 20) +
                   " MB are free and " + std::to_string(needed_bytes >> 20) +
                   " MB are needed. Writing resumes as soon as there is room."};
}

void RocksStore::ReportChange(const Status& health) const {
  if (!on_fault_) {
    return;
  }
  using Kind = StoreFault::Kind;
  StoreFault fault{
      .kind = Kind::kWritable, .message = "writing works again", .first_key = {}, .last_key = {}};
  if (!health) {
    fault.kind = health.error().code == ErrorCode::kUnavailable ? Kind::kFull : Kind::kStopped;
    fault.message = health.error().message;
  } else if (rocks_.background->found_damage()) {
    fault.message += ", without compactions: one of them found a damaged file";
  }
  on_fault_(fault);
}

RocksStore::ReadState RocksStore::Reading() const {
  ReadState reading;
  if (mode_ == SyncMode::kAlways && syncer_.has_failed()) [[unlikely]] {
    reading.kept = std::shared_lock(durable_state_mutex_);
    reading.options.snapshot = durable_state_;
  }
  return reading;
}

Error RocksStore::ReadError(const rocksdb::Status& status) {
  if (status.IsCorruption()) {
    damage_.Note(*db_, status);
  }
  return ToError(status);
}

Error RocksStore::WriteError(const rocksdb::Status& status) {
  Error error = ToError(status);
  if (status.IsCorruption() && rocks_.background->found_damage()) {
    damage_.Note(*db_, status);
    error.code = ErrorCode::kUnavailable;  // Recover knows what to do.
  }
  return error;
}

Status RocksStore::CheckWritable() const {
  if (!syncer_.has_failed()) [[likely]] {
    return {};
  }
  const Status health = syncer_.Check();
  if (health || health.error().code != ErrorCode::kUnavailable) {
    return health;
  }
  // This one a client may see.
  return Error{ErrorCode::kUnavailable,
               "The database cannot write at the moment, because its disk is full. Reads work, and "
               "writes will as soon as there is room."};
}

Result<Ticket> RocksStore::Transact(std::span<const std::string> keys, Body body) {
  PJ_RETURN_IF_ERROR(CheckWritable());
  CountNothing();
  RocksTransaction transaction(keys.size());
  Result<Ticket> ticket = 0;
  {
    const Latches::Hold hold(latches_, keys);
    if (!hold.holds()) {
      return WouldWait();
    }
    PJ_RETURN_IF_ERROR(ReadValues(keys, transaction));
    PJ_RETURN_IF_ERROR(body(transaction));
    if (!transaction.slots.empty()) {
      ticket = Write(transaction.batch, transaction.slots);
    }
  }
  if (transaction.slots.empty()) {
    for (const std::string& key : keys) {
      *ticket = std::max(*ticket, NewestTicket(key));
    }
  }
  return ticket;
}

Status RocksStore::ReadValues(std::span<const std::string> keys, RocksTransaction& transaction) {
  if (keys.size() < kMultiGetKeysMin) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      RocksTransaction::Read& read = transaction.values[i];
      const rocksdb::Status status = Unwatched([&] {
        return db_->Get(rocksdb::ReadOptions(), db_->DefaultColumnFamily(), keys[i], &read.value);
      });
      if (!status.ok() && !status.IsNotFound()) {
        return ReadError(status);
      }
      read.found = status.ok();
    }
    return {};
  }
  const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
  std::vector<rocksdb::PinnableSlice> values(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  Unwatched([&] {
    db_->MultiGet(rocksdb::ReadOptions(), db_->DefaultColumnFamily(), keys.size(), slices.data(),
                  values.data(), statuses.data());
  });
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!statuses[i].ok() && !statuses[i].IsNotFound()) {
      return ReadError(statuses[i]);
    }
    transaction.values[i].found = statuses[i].ok();
    transaction.values[i].value = std::move(values[i]);
  }
  return {};
}

Result<Ticket> RocksStore::Write(rocksdb::WriteBatch& batch, std::span<const Tickets::Slot> slots) {
  rocksdb::WriteOptions options;
  // RocksDB holds writers up, for seconds if need be, while its files are behind. It says so before it has written anything.
  options.no_slowdown = !MayWait();
  tickets_.Begin(slots);
  // Recover waits until nobody is between Begin and End, so nobody may begin once writing has
  // failed.
  if (syncer_.has_failed()) [[unlikely]] {
    (void)tickets_.End(slots);
    PJ_RETURN_IF_ERROR(CheckWritable());
    return Error{ErrorCode::kUnavailable, "The database could not write for a moment."};
  }
  const rocksdb::Status status = Unwatched([&] { return db_->Write(options, &batch); });
  const Ticket ticket = tickets_.End(slots);
  if (options.no_slowdown && status.IsIncomplete()) {
    NoteObstacle(kBehindFiles);
    return WouldWait();
  }
  if (!status.ok()) {
    // The number of bytes of the batch that reached the log is unknown, so nothing may follow it.
    syncer_.Fail(WriteError(status));
    PJ_RETURN_IF_ERROR(CheckWritable());
    return ToError(status);
  }
  if (mode_ == SyncMode::kNone) {
    // The commit is made; that it is not in the log, its caller hears when it asks whether it is
    // durable, as with syncs.
    if (const rocksdb::IOStatus logged = rocks_.files->FirstError(); !logged.ok()) {
      syncer_.Fail(WriteError(logged));
    }
  }
  syncer_.NoteCommit();
  return ticket;
}

Result<std::optional<std::string>> RocksStore::Get(std::string_view key) {
  CountNothing();
  const ReadState reading = Reading();
  std::string value;
  const rocksdb::Status status =
      Unwatched([&] { return db_->Get(reading.options, ToSlice(key), &value); });
  if (status.IsNotFound()) {
    return std::nullopt;
  }
  if (!status.ok()) {
    return ReadError(status);
  }
  return value;
}

// A transaction is one batch and becomes visible in one step, so one MultiGet, which reads as of
// one step, needs no latches.
Result<Store::Values> RocksStore::GetTogether(std::span<const std::string> keys) {
  CountNothing();
  const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
  std::vector<rocksdb::PinnableSlice> found(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  const ReadState reading = Reading();
  Unwatched([&] {
    db_->MultiGet(reading.options, db_->DefaultColumnFamily(), keys.size(), slices.data(),
                  found.data(), statuses.data());
  });
  Values values(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (statuses[i].ok()) {
      values[i].emplace(found[i].data(), found[i].size());
    } else if (!statuses[i].IsNotFound()) {
      return ReadError(statuses[i]);
    }
  }
  return values;
}

Status RocksStore::Walk(rocksdb::Iterator& at, const Range& range, Visitor visitor) {
  const bool forward = range.direction == Direction::kForward;
  Unwatched([&] {
    if (forward) {
      at.Seek(range.begin);
    } else if (range.end.empty()) {
      at.SeekToLast();
    } else {
      at.SeekForPrev(range.end);
      if (at.Valid() && at.key() == range.end) {
        at.Prev();
      }
    }
  });
  while (at.Valid() &&
         visitor(ToView(at.key()), ToView(at.value())) == storage::Visit::kContinue) {
    Unwatched([&] { forward ? at.Next() : at.Prev(); });
  }
  return at.status().ok() ? Status() : Status(ReadError(at.status()));
}

Status RocksStore::VisitRoute(const Range& range, Visitor visitor) {
  const Ticket newest = NewestTicket(range.begin);
  const KeptRanges::Found kept = ranges_.Find(range, newest);
  if (kept.copy != nullptr) {
    kept.copy->Show(visitor);
    return {};
  }
  const KeptIterators::Borrowed at =
      Unwatched([&] { return rocks_.iterators->Borrow(*db_, range.begin, range.end); });
  if (!kept.is_wanted) {
    return Walk(*at, range, visitor);
  }
  const auto copy = std::make_shared<RangeCopy>();
  bool is_whole = true;
  PJ_RETURN_IF_ERROR(Walk(*at, range, [&](std::string_view key, std::string_view value) {
    is_whole = is_whole && copy->Add(key, value);
    const storage::Visit next = visitor(key, value);
    is_whole = is_whole && next == storage::Visit::kContinue;
    return next;
  }));
  if (is_whole) {
    ranges_.Keep(range, newest, copy);
  }
  return {};
}

Status RocksStore::Visit(const Range& range, Visitor visitor) {
  CountNothing();
  if (!range.end.empty() && range.begin >= range.end) {
    return {};
  }
  const bool reads_newest = mode_ != SyncMode::kAlways || !syncer_.has_failed();
  if (IsInOneRoute(range) && reads_newest && !range.reads_once) [[likely]] {
    return VisitRoute(range, visitor);
  }
  const rocksdb::Slice lower = range.begin;
  const rocksdb::Slice upper = range.end;
  ReadState reading = Reading();
  rocksdb::ReadOptions& read = reading.options;
  read.iterate_lower_bound = &lower;
  read.fill_cache = !range.reads_once;
  if (!range.end.empty()) {
    read.iterate_upper_bound = &upper;
  }
  read.total_order_seek = !IsInOneRoute(range);
  const std::unique_ptr<rocksdb::Iterator> at(Unwatched([&] { return db_->NewIterator(read); }));
  return Walk(*at, range, visitor);
}

Status RocksStore::DeleteSpace(std::uint32_t space) {
  PJ_RETURN_IF_ERROR(CheckWritable());
  const std::string begin = SpaceKey(space);
  const std::string end = SpaceEnd(space);
  rocksdb::WriteBatch batch;
  PJ_CHECK(batch.DeleteRange(begin, end).ok());
  // Readers of this space are gone by the caller's word, so no route needs a mark.
  PJ_ASSIGN_OR_RETURN(const Ticket ticket, Write(batch, {}));
  // Files go at once and for good, so all that led to this deletion has to be durable before.
  PJ_RETURN_IF_ERROR(syncer_.WaitDurable(ticket));
  if (mode_ == SyncMode::kNone) {
    if (const Status synced = SyncLog(); !synced.has_value()) {
      syncer_.Fail(synced.error());
      return synced;
    }
  }
  const rocksdb::Slice first = begin;
  const rocksdb::Slice last = end;
  rocksdb::Status status =
      rocksdb::DeleteFilesInRange(db_, db_->DefaultColumnFamily(), &first, &last, false);
  rocks_.iterators->DropIdle();
  ranges_.Clear();
  if (status.ok()) {
    status = rocksdb::experimental::SuggestCompactRange(db_, &first, &last);
  }
  if (!status.ok()) {
    return ToError(status);
  }
  return {};
}

std::uint64_t RocksStore::ApproximateBytes(std::uint32_t space) const {
  const std::string begin = SpaceKey(space);
  const std::string end = SpaceEnd(space);
  const rocksdb::Range range(begin, end);
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  options.include_files = true;
  std::uint64_t bytes = 0;
  const rocksdb::Status status =
      db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &range, 1, &bytes);
  return status.ok() ? bytes : 0;
}

}  // namespace

std::unique_ptr<Store> NewRocksStore(const RocksStoreOptions& options, OpenedRocks rocks,
                                     bool only_read) {
  auto store = std::make_unique<RocksStore>(options, std::move(rocks));
  if (only_read) {
    store->OnlyRead();
  }
  return store;
}

Error ToError(const rocksdb::Status& status) {
  const bool passes = status.IsNoSpace() || status.IsBusy() || status.IsTimedOut() ||
                      status.IsTryAgain() || status.IsShutdownInProgress();
  const ErrorCode code = status.IsCorruption() ? ErrorCode::kCorruption
                         : passes              ? ErrorCode::kUnavailable
                                               : ErrorCode::kIo;
  return {code, "storage: " + status.ToString()};
}

}  // namespace prejoin::storage
