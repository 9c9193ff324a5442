// The RocksDB store. A transaction latches its keys, reads them, runs its body once and writes one
// batch into RocksDB, whose log stays in a buffer; tickets.h and syncer.h say when that is durable.
// No latch is held over a sync.
#include "storage/rocks_store.h"

#include <absl/container/inlined_vector.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/experimental.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "storage/latches.h"
#include "storage/log_check.h"
#include "storage/log_file_system.h"
#include "storage/rocks_options.h"
#include "storage/store_directory.h"
#include "storage/store_folder.h"
#include "storage/syncer.h"
#include "storage/tickets.h"
#include "storage/unwatched.h"

namespace prejoin::storage {
namespace {

// A batch kept for the next transaction of its thread gives its memory back beyond this.
constexpr std::size_t kKeptBatchBytesMax = 64u << 10;

// From here on, RocksDB's reader of many keys is worth its preparation.
constexpr std::size_t kMultiGetKeysMin = 4;

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

Error ToError(const rocksdb::Status& status) {
  const ErrorCode code = status.IsCorruption() ? ErrorCode::kCorruption
                         : status.IsBusy() || status.IsTimedOut() || status.IsTryAgain() ||
                                 status.IsShutdownInProgress()
                             ? ErrorCode::kUnavailable
                             : ErrorCode::kIo;
  return {code, "storage: " + status.ToString()};
}

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

// First key behind the space. Nothing sorts behind the last space but its own keys: there, a key
// longer than any we write.
std::string SpaceEnd(std::uint32_t space) {
  constexpr std::size_t kLongerThanAnyKey = 8192;
  return space == UINT32_MAX ? std::string(kLongerThanAnyKey, '\xFF') : SpaceKey(space + 1);
}

class RocksTransaction final : public Transaction {
 public:
  explicit RocksTransaction(std::size_t key_count) : values(key_count) {}
  ~RocksTransaction() override {
    if (batch.GetDataSize() > kKeptBatchBytesMax) {
      batch = rocksdb::WriteBatch();
    } else {
      batch.Clear();
    }
  }

  std::optional<std::string_view> Value(std::size_t index) const override {
    PJ_CHECK(index < values.size());
    const Read& read = values[index];
    return read.found ? std::optional(ToView(read.value)) : std::nullopt;
  }
  // Adding to a batch fails only beyond 4 GB.
  void Put(std::string_view key, std::string_view value) override {
    PJ_CHECK(batch.Put(ToSlice(key), ToSlice(value)).ok());
    slots.push_back(Tickets::SlotOf(key));
  }
  void Delete(std::string_view key) override {
    PJ_CHECK(batch.Delete(ToSlice(key)).ok());
    slots.push_back(Tickets::SlotOf(key));
  }

  struct Read {
    rocksdb::PinnableSlice value;
    bool found = false;
  };
  absl::InlinedVector<Read, 1> values;
  // The thread's own, so that its memory serves one transaction after the other. Bodies do not
  // nest.
  rocksdb::WriteBatch& batch = ThreadBatch();
  absl::InlinedVector<Tickets::Slot, 8> slots;

 private:
  static rocksdb::WriteBatch& ThreadBatch() {
    thread_local rocksdb::WriteBatch batch;
    return batch;
  }
};

class RocksStore final : public Store {
 public:
  RocksStore(SyncMode mode, std::unique_ptr<StoreFolder> folder, std::unique_ptr<rocksdb::Env> env,
             std::unique_ptr<rocksdb::DB> db);
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
  Status Need(const std::string& feature) override { return AddFeature(*folder_, feature); }
  bool IsDurable(Ticket ticket) const override { return syncer_.IsDurable(ticket); }
  Status WaitDurable(Ticket ticket) override { return syncer_.WaitDurable(ticket); }
  void WhenDurable(Ticket ticket, std::function<void(Status)> done) override {
    syncer_.WhenDurable(ticket, std::move(done));
  }

 private:
  // Reads see the newest state, or, once writing has failed, the last one that is durable.
  rocksdb::ReadOptions Reading() const;
  Status ReadValues(std::span<const std::string> keys, RocksTransaction& transaction);
  Result<Ticket> Write(rocksdb::WriteBatch& batch, std::span<const Tickets::Slot> slots);
  Status SyncLog();
  // The error for a failed read. Damaged data also ends all writing.
  Error ReadError(const rocksdb::Status& status);

  const SyncMode mode_;
  const std::unique_ptr<StoreFolder> folder_;
  const std::unique_ptr<rocksdb::Env> env_;  // Before db_, which uses it.
  const std::unique_ptr<rocksdb::DB> db_;
  Latches latches_;
  Tickets tickets_;
  // The state that the last sync made durable. Changed by the syncer, no more once it has failed.
  std::atomic<const rocksdb::Snapshot*> durable_state_ = nullptr;
  std::vector<const rocksdb::Snapshot*> kept_states_;  // The syncer's; readers may still use them.
  Syncer syncer_;                                      // Last: its thread uses what stands above.
};

RocksStore::RocksStore(SyncMode mode, std::unique_ptr<StoreFolder> folder,
                       std::unique_ptr<rocksdb::Env> env, std::unique_ptr<rocksdb::DB> db)
    : mode_(mode),
      folder_(std::move(folder)),
      env_(std::move(env)),
      db_(std::move(db)),
      durable_state_(db_->GetSnapshot()),
      syncer_(mode_, {[this] { return SyncLog(); }, [this] { return tickets_.Last(); }}) {}

RocksStore::~RocksStore() {
  const bool healthy = syncer_.Check().has_value();
  syncer_.Stop();
  kept_states_.push_back(durable_state_.load());
  for (const rocksdb::Snapshot* state : kept_states_) {
    db_->ReleaseSnapshot(state);
  }
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
  const rocksdb::Status status = db_->FlushWAL(/*sync=*/true);
  if (status.ok()) {
    state = durable_state_.exchange(state);
  }
  // A failure elsewhere sends readers to the state that this one replaces.
  if (syncer_.has_failed()) {
    kept_states_.push_back(state);
  } else {
    db_->ReleaseSnapshot(state);
  }
  if (!status.ok()) {
    return ToError(status);
  }
  return {};
}

rocksdb::ReadOptions RocksStore::Reading() const {
  rocksdb::ReadOptions options;
  if (mode_ == SyncMode::kAlways && syncer_.has_failed()) {
    options.snapshot = durable_state_.load();
  }
  return options;
}

Error RocksStore::ReadError(const rocksdb::Status& status) {
  Error error = ToError(status);
  if (error.code == ErrorCode::kCorruption) {
    syncer_.Fail(error);
  }
  return error;
}

Result<Ticket> RocksStore::Transact(std::span<const std::string> keys, Body body) {
  PJ_RETURN_IF_ERROR(syncer_.Check());
  CountNothing();
  RocksTransaction transaction(keys.size());
  Result<Ticket> ticket = 0;
  {
    const Latches::Hold hold(latches_, keys);
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
  tickets_.Begin(slots);
  const rocksdb::Status status =
      Unwatched([&] { return db_->Write(rocksdb::WriteOptions(), &batch); });
  const Ticket ticket = tickets_.End(slots);
  if (!status.ok()) {
    // Nobody can tell how much of the batch reached the log, so nothing may follow it.
    Error error = ToError(status);
    syncer_.Fail(error);
    return error;
  }
  syncer_.NoteCommit();
  return ticket;
}

Result<std::optional<std::string>> RocksStore::Get(std::string_view key) {
  CountNothing();
  std::string value;
  const rocksdb::Status status =
      Unwatched([&] { return db_->Get(Reading(), ToSlice(key), &value); });
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
  Unwatched([&] {
    db_->MultiGet(Reading(), db_->DefaultColumnFamily(), keys.size(), slices.data(), found.data(),
                  statuses.data());
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

Status RocksStore::Visit(const Range& range, Visitor visitor) {
  CountNothing();
  const bool forward = range.direction == Direction::kForward;
  if (!range.end.empty() && range.begin >= range.end) {
    return {};
  }
  const rocksdb::Slice lower = range.begin;
  const rocksdb::Slice upper = range.end;
  rocksdb::ReadOptions read = Reading();
  read.iterate_lower_bound = &lower;
  read.fill_cache = !range.reads_once;
  if (!range.end.empty()) {
    read.iterate_upper_bound = &upper;
  }
  // Inside one route, files without that route are skipped by their filters.
  read.total_order_seek = range.begin.size() < kRouteBytes || range.end.size() < kRouteBytes ||
                          range.begin.compare(0, kRouteBytes, range.end, 0, kRouteBytes) != 0;
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(read));
  Unwatched([&] {
    if (forward) {
      at->Seek(lower);
    } else if (range.end.empty()) {
      at->SeekToLast();
    } else {
      at->SeekForPrev(upper);
      if (at->Valid() && at->key() == upper) {
        at->Prev();
      }
    }
  });
  while (at->Valid() &&
         visitor(ToView(at->key()), ToView(at->value())) == storage::Visit::kContinue) {
    Unwatched([&] { forward ? at->Next() : at->Prev(); });
  }
  if (!at->status().ok()) {
    return ReadError(at->status());
  }
  return {};
}

Status RocksStore::DeleteSpace(std::uint32_t space) {
  PJ_RETURN_IF_ERROR(syncer_.Check());
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
      rocksdb::DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(), &first, &last, false);
  if (status.ok()) {
    status = rocksdb::experimental::SuggestCompactRange(db_.get(), &first, &last);
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

Error OpenError(const std::string& path, const rocksdb::Status& status) {
  const std::string text = status.ToString();
  if (text.find("lock hold by current process") != std::string::npos) {
    return {ErrorCode::kUnavailable, path + " is already open in this process"};
  }
  if (text.find("While lock file") != std::string::npos) {
    return {ErrorCode::kUnavailable, path + " is in use by another process"};
  }
  Error error = ToError(status);
  if (status.IsInvalidArgument() && text.find("does not exist") != std::string::npos) {
    error.code = ErrorCode::kCorruption;
  }
  error.message = "cannot open " + path + ": " + text;
  return error;
}

// Runs `work` while no process has the directory open.
Status WhileLocked(const std::string& path, rocksdb::Env& env, FunctionRef<Status()> work) {
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::Status locked = env.LockFile(path + "/LOCK", &lock);
  if (!locked.ok()) {
    return OpenError(path, locked);
  }
  Status done = work();
  const rocksdb::Status unlocked = env.UnlockFile(lock);
  if (done && !unlocked.ok()) {
    return ToError(unlocked);
  }
  return done;
}

Result<std::unique_ptr<Store>> Open(const RocksStoreOptions& options, rocksdb::Options rocks,
                                    std::unique_ptr<StoreFolder> folder) {
  PJ_ASSIGN_OR_RETURN(const DirectoryState state,
                      ClaimStoreDirectory(*folder, options.known_features));
  PJ_RETURN_IF_ERROR(WhileLocked(options.path, *rocks.env, [&] { return PrepareLogs(*folder); }));
  rocks.create_if_missing = state == DirectoryState::kCreating;
  // Without syncs a commit has to learn of errors at once.
  std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(std::make_shared<LogFileSystem>(
      rocks.env->GetFileSystem(),
      options.sync == SyncMode::kAlways ? LogErrors::kAtSync : LogErrors::kAtOnce));
  rocks.env = env.get();
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(rocks, options.path, &opened);
  std::unique_ptr<rocksdb::DB> db(opened);
  if (!status.ok()) {
    return OpenError(options.path, status);
  }
  if (state == DirectoryState::kCreating) {
    PJ_RETURN_IF_ERROR(MarkStoreDirectoryReady(*folder));
  }
  return std::make_unique<RocksStore>(options.sync, std::move(folder), std::move(env),
                                      std::move(db));
}

}  // namespace

Result<std::unique_ptr<Store>> OpenRocksStore(const RocksStoreOptions& options) {
  return Open(options, MakeRocksOptions(options), DiskFolder(options.path));
}

Result<std::unique_ptr<Store>> OpenRocksStoreOn(const RocksStoreOptions& options,
                                                const std::shared_ptr<rocksdb::FileSystem>& files) {
  rocksdb::Options rocks = MakeSharedRocksOptions(options);
  const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
  rocks.env = env.get();
  return Open(options, std::move(rocks), FolderOf(files, options.path));
}

Result<std::optional<LogBreak>> RepairRocksStore(const std::string& path) {
  PJ_RETURN_IF_ERROR(CheckStoreDirectory(*DiskFolder(path)));
  std::optional<LogBreak> repaired;
  PJ_RETURN_IF_ERROR(WhileLocked(path, *rocksdb::Env::Default(), [&]() -> Status {
    PJ_ASSIGN_OR_RETURN(repaired, RepairLogs(path));
    return {};
  }));
  return repaired;
}

Result<std::unique_ptr<Store>> OpenRocksStoreForTesting(const RocksStoreOptions& options,
                                                        const RocksTestOptions& test_options) {
  rocksdb::Options rocks = MakeRocksOptions(options);
  rocks.env = test_options.env;
  rocks.write_buffer_size = test_options.write_buffer_bytes;
  return Open(options, std::move(rocks), DiskFolder(options.path));
}

}  // namespace prejoin::storage
