#include "engine/item/item_write.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "engine/errors.h"
#include "engine/history/history_writes.h"
#include "engine/index/index_outbox.h"
#include "engine/item/cancellation.h"
#include "engine/item/item_access.h"
#include "engine/item/key_accesses.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/item/replica_writes.h"
#include "engine/item/transaction_keys.h"
#include "engine/item/updated_item.h"
#include "engine/physics/replicas.h"
#include "engine/physics/write_admission.h"
#include "engine/regions.h"
#include "engine/stream/stream_writes.h"
#include "engine/table/table_stats.h"
#include "engine/ttl/expiry.h"
#include "engine/vector/vector_changes.h"
#include "expr/evaluate.h"
#include "expr/weight.h"
#include "value/encoding.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

Error ConditionFailed(const ItemWrite& write, const std::optional<Record>& current) {
  Error error{ErrorCode::kConditionalCheckFailed, "The conditional request failed"};
  if (write.on_failure == ReturnValuesOnFailure::kAllOld && current) {
    auto detail = std::make_shared<ConditionFailureDetail>();
    detail->item = StoredItem(std::string(current->body));
    error.detail = std::move(detail);
  }
  return error;
}

// The item after the write, or nothing. Fills `effect.new_item`.
Result<std::optional<Record>> NewItem(const ItemWrite& write, const std::optional<Record>& current,
                                      ItemEffect& effect) {
  switch (write.kind) {
    case WriteKind::kPut:
      effect.new_item = StoredItem(write.new_body);
      return std::optional(Record{write.new_size_bytes, write.new_body});
    case WriteKind::kDelete:
      return std::optional<Record>();
    case WriteKind::kCheck:
      PJ_CHECK(false);
      break;
    case WriteKind::kUpdate:
      break;
  }
  if (!current && !write.creates_item) {
    return std::optional<Record>();
  }
  PJ_ASSIGN_OR_RETURN(UpdatedItem updated, MakeUpdatedItem(write, current));
  effect.updated_old = std::move(updated.updated_old);
  effect.updated_new = std::move(updated.updated_new);
  effect.new_item = StoredItem(std::move(updated.body));
  return std::optional(Record{updated.size_bytes, effect.new_item->body()});
}

bool StillExpires(const ItemWrite& write, const std::optional<Record>& current) {
  return current && write.table->expiry &&
         ExpiresAt(*write.table->expiry, current->item()) == write.expired_at;
}

// The writes that ride along with those of the items.
struct Followers {
  StreamWrites streams;
  HistoryWrites history;
  VectorChanges vectors;
  IndexOutbox& outbox;
  std::vector<std::string> index_notes;
  StampClock& stamps;
  // The stamp of the current item, if its table has replicas.
  std::optional<std::string_view> stamp;

  void Restart() {
    streams.Restart();
    history.Restart();
    index_notes.clear();
  }
  void Committed() {
    streams.Committed();
    for (std::string& note : index_notes) {
      outbox.Committed(std::move(note));
    }
  }
};

// Stages the entries of the item, those of global indexes for later if they lag.
std::vector<IndexEffect> StageIndexes(const ItemWrite& write, const std::optional<Record>& current,
                                      const std::optional<Record>& next,
                                      storage::Transaction& transaction, Followers& followers) {
  if (!followers.outbox.lags()) {
    return StageIndexWrites(*write.table, current, next, transaction, transaction);
  }
  LaterEntries later;
  std::vector<IndexEffect> effects =
      StageIndexWrites(*write.table, current, next, transaction, later);
  for (IndexEffect& effect : effects) {
    if (effect.index->global) {
      effect.count_delta = effect.size_delta = 0;  // Counted when they are written.
    }
  }
  if (!later.bytes().empty()) {
    followers.index_notes.push_back(followers.outbox.Stage(write, later, transaction));
  }
  return effects;
}

// Stages everything that changes with the item. Most tables have none of it.
Status StageFollowers(const ItemWrite& write, std::optional<std::string_view> stored,
                      const std::optional<Record>& current, const std::optional<Record>& next,
                      storage::Transaction& transaction, Followers& followers, ItemEffect& effect) {
  const Table& table = *write.table;
  // Their keys are made from the item's.
  const bool has_entries = !table.indexes.empty() || !table.vector_indexes.empty();
  if ((has_entries || table.stream != nullptr) && current &&
      !HasKeys(table, nullptr, current->item())) {
    return DamagedRecord();
  }
  if (!table.indexes.empty()) {
    effect.indexes = StageIndexes(write, current, next, transaction, followers);
  }
  if (!table.vector_indexes.empty()) {
    effect.vectors = StageVectorWrites(table, current, next, transaction);
  }
  if (table.expiry) {
    StageExpiry(*table.expiry, write.stored_key, current, next, transaction);
  }
  if (table.stream != nullptr) {
    followers.streams.Stage(write, current, next, transaction);
  }
  if (table.history && (current || next)) {
    followers.history.Stage(*table.history, write.stored_key, stored, transaction);
  }
  if (table.replication) {
    return StageForReplicas(write, followers.stamp, current.has_value(), next.has_value(),
                            followers.stamps, transaction);
  }
  return {};
}

// Before the item is looked at: what the expressions of the write make of it. In memory it is there
// as it was stored, as the old item and as the new one.
Status ChargeWrite(const ItemWrite& write, const std::optional<Record>& current,
                   RequestBudget& budget) {
  if (!current) {
    return {};
  }
  std::size_t weight = 1;
  if (write.condition) {
    weight += Weight(*write.condition);
  }
  if (write.update) {
    weight += Weight(*write.update);
  }
  return budget.ChargeWork(current->size_bytes * weight) &&
                 budget.ChargeMemory(3 * current->size_bytes)
             ? Status()
             : Status(OverBudget());
}

// Returns true if a write that no caller asked for here is still to happen.
Result<bool> IsStillDue(const ItemWrite& write, const std::optional<Record>& current,
                        const Followers& followers) {
  if (write.replicated != nullptr) {
    return IsLatest(write, followers.stamp);
  }
  if (!StillExpires(write, current)) {
    return false;
  }
  if (!write.table->replication) {
    return true;
  }
  return ExpiresHere(*write.table->replication, followers.stamp);
}

// Evaluates the condition and stages all changes of one write but the collection size.
Status Apply(const ItemWrite& write, std::optional<std::string_view> stored,
             storage::Transaction& transaction, Followers& followers, RequestBudget& budget,
             ItemEffect& effect) {
  std::optional<Record> current;
  if (stored) {
    if (!IsRecord(*stored)) [[unlikely]] {
      return DamagedRecord();
    }
    current = KnownRecord(*stored);
  }
  PJ_RETURN_IF_ERROR(ChargeWrite(write, current, budget));
  const std::size_t old_size = current ? current->size_bytes : 0;
  if (write.condition && !Evaluate(*write.condition, current ? current->item() : ItemView())) {
    // It costs what it would have written, or what it has read.
    effect.table_units = WriteUnits(std::max(old_size, write.new_size_bytes));
    return ConditionFailed(write, current);
  }
  if (write.expired_at || write.replicated != nullptr) {
    PJ_ASSIGN_OR_RETURN(const bool is_due, IsStillDue(write, current, followers));
    if (!is_due) {
      return {};
    }
  }
  if (write.kind == WriteKind::kCheck) {
    effect.charged_bytes = old_size;
    effect.table_units = WriteUnits(old_size);
    return {};
  }
  if (current) {
    effect.old_item = StoredItem(std::string(current->body));
  }
  PJ_ASSIGN_OR_RETURN(const std::optional<Record> next, NewItem(write, current, effect));
  const std::size_t new_size = next ? next->size_bytes : 0;
  effect.charged_bytes = write.table->vector_indexes.empty()
                             ? std::max(old_size, new_size)
                             : WriteSizeBytes(*write.table, current, next);
  effect.table_units = WriteUnits(effect.charged_bytes);
  effect.count_delta = (next ? 1 : 0) - (current ? 1 : 0);
  effect.size_delta = static_cast<std::int64_t>(new_size) - static_cast<std::int64_t>(old_size);
  if (next) {
    transaction.Put(write.stored_key, EncodeRecord(new_size, next->body));
  } else if (current) {
    transaction.Delete(write.stored_key);
  }
  return StageFollowers(write, stored, current, next, transaction, followers, effect);
}

Result<std::int64_t> DecodeCollectionSize(std::optional<std::string_view> stored) {
  std::int64_t bytes = 0;
  if (stored) {
    if (stored->size() != sizeof(bytes)) {
      return Error{ErrorCode::kCorruption, "the size of an item collection cannot be read"};
    }
    std::memcpy(&bytes, stored->data(), sizeof(bytes));
  }
  return bytes;
}

std::string_view EncodeCollectionSize(const std::int64_t& bytes) {
  return {reinterpret_cast<const char*>(&bytes), sizeof(bytes)};
}

// Bytes that the write adds to its item collection: the item and its entries in local indexes.
std::int64_t CollectionDelta(const ItemEffect& effect) {
  std::int64_t delta = effect.size_delta;
  for (const IndexEffect& index : effect.indexes) {
    if (!index.index->global) {
      delta += index.size_delta;
    }
  }
  return delta;
}

// Keeps the collections' sizes while several writes of one transaction change them.
class CollectionSizes {
 public:
  CollectionSizes(const TransactionKeys& keys, storage::Transaction& transaction)
      : keys_(keys), transaction_(transaction) {}

  Status Add(std::size_t write, ItemEffect& effect) {
    const auto slot = keys_.collection_of[write];
    if (!slot) {
      return {};
    }
    const auto [entry, is_new] = sizes_.try_emplace(*slot, 0);
    if (is_new) {
      PJ_ASSIGN_OR_RETURN(entry->second, DecodeCollectionSize(transaction_.Value(*slot)));
    }
    const std::int64_t delta = CollectionDelta(effect);
    if (delta > 0 && entry->second + delta > kItemCollectionBytesMax) {
      return Error{ErrorCode::kItemCollectionSizeLimitExceeded,
                   "Item collection size limit of 10 GB exceeded"};
    }
    entry->second += delta;
    effect.collection_bytes = entry->second;
    return {};
  }

  void Stage() {
    for (const auto& [slot, bytes] : sizes_) {
      transaction_.Put(keys_.keys[slot], EncodeCollectionSize(bytes));
    }
  }

 private:
  const TransactionKeys& keys_;
  storage::Transaction& transaction_;
  std::map<std::size_t, std::int64_t> sizes_;
};

// Takes the capacity of a write that succeeded or whose condition failed. A throttled write is
// throttled whatever its condition says: the limits are looked at first.
Status Admitted(const ItemWrite& write, const ItemEffect& effect, WriteAdmission& admission,
                Status status) {
  if (!status && status.error().code != ErrorCode::kConditionalCheckFailed) {
    return status;
  }
  PJ_RETURN_IF_ERROR(admission.Admit({.write = write,
                                      .table_units = effect.table_units,
                                      .indexes = effect.indexes,
                                      .old_item = effect.old_item,
                                      .new_item = effect.new_item}));
  return status;
}

// True if the error ends the whole set, and not only the item's part in it.
bool EndsSet(const WriteSet& set, const Error& error) {
  return set.report == FailureReport::kFirst || error.code == ErrorCode::kOverBudget ||
         error.code == ErrorCode::kRequestLimitExceeded;
}

Status ApplyAll(const WriteSet& set, const TransactionKeys& keys, storage::Transaction& transaction,
                Followers& followers, RequestBudget& budget, WriteAdmission& admission,
                RunningTransactions* running, std::vector<ItemEffect>& effects) {
  const std::span<const ItemWrite> writes = set.writes;
  CollectionSizes collections(keys, transaction);
  Cancellation cancellation(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (!keys.stamp_of.empty()) [[unlikely]] {
      followers.stamp = keys.stamp_of[i] == 0 ? std::nullopt : transaction.Value(keys.stamp_of[i]);
    }
    Status status = running == nullptr ? Status() : running->Check(writes[i].stored_key);
    const bool conflicts = !status;
    if (!conflicts) {
      status = Apply(writes[i], transaction.Value(i), transaction, followers, budget, effects[i]);
    }
    if (status) {
      status = collections.Add(i, effects[i]);
    }
    if (admission.is_on() && !conflicts) {
      status = Admitted(writes[i], effects[i], admission, std::move(status));
    }
    if (!status && set.throttled != nullptr && (conflicts || IsThrottling(status.error()))) {
      set.throttled->emplace(i, status.error());
      continue;
    }
    if (!status && EndsSet(set, status.error())) {
      return status;
    }
    if (!status) {
      cancellation.Add(i, status.error());
      effects[i] = ItemEffect();  // A hundred large items would wait here for the end.
    }
  }
  PJ_RETURN_IF_ERROR(std::move(cancellation).Finish());
  if (set.throttled != nullptr && !set.throttled->empty()) {
    return set.throttled->begin()->second;
  }
  collections.Stage();
  return {};
}

// A write whose condition failed has cost what a write costs, and a cancelled transaction what it
// would have cost.
bool IsCharged(const Error& error) {
  if (const auto* detail = dynamic_cast<const CancellationDetail*>(error.detail.get())) {
    return std::ranges::none_of(detail->reasons, [](const CancellationReason& reason) {
      return reason.code == "ProvisionedThroughputExceeded" || reason.code == "ThrottlingError" ||
             reason.code == "TransactionConflict";
    });
  }
  return error.code == ErrorCode::kConditionalCheckFailed;
}

bool HasIndexKeys(const Index& index, ItemView item) {
  return std::ranges::all_of(index.keys, [&](const expr::KeyAttribute& key) {
    const ValueView value = item.Find(key.name);
    return value && HasType(value, key.type);
  });
}

// ConsumedThroughputUnits of a write unit.
constexpr double kWriteThroughput = 3;

// Entries that the writes changed, where somebody wants to know.
void CountIndexWrites(const std::vector<ItemEffect>& effects, const Clock& clock) {
  for (const ItemEffect& effect : effects) {
    for (const IndexEffect& index : effect.indexes) {
      if (index.index->accesses == nullptr || index.write_units == 0) {
        continue;
      }
      for (const auto* item : {&effect.new_item, &effect.old_item}) {
        if (item->has_value() && HasIndexKeys(*index.index, ItemView((*item)->body()))) {
          index.index->accesses->Count(ItemView((*item)->body()),
                                       kWriteThroughput * index.write_units, clock.NowMs());
          break;
        }
      }
    }
  }
}

// Keys of the writes, where somebody wants to know. Of a batch that leaves out writes, the others are counted when they run.
void CountWrites(const WriteSet& set, const WriteOutcome& outcome, const Status& status,
                 bool is_charged, const Clock& clock) {
  const double factor = kWriteThroughput * (set.report == FailureReport::kReasons ? 2 : 1);
  const bool leaves_out = set.throttled != nullptr && !set.throttled->empty();
  for (std::size_t i = 0; i < set.writes.size(); ++i) {
    KeyAccesses* const accesses = set.writes[i].table->accesses.get();
    if (accesses == nullptr || (leaves_out && !set.throttled->contains(i))) {
      continue;
    }
    const Error* const error = leaves_out ? &set.throttled->at(i) : status ? nullptr : &status.error();
    if (error == nullptr || !accesses->CountIfThrottled(set.writes[i].key, *error, clock.NowMs())) {
      const bool charged = is_charged && i < outcome.effects.size();
      accesses->Count(set.writes[i].key, charged ? factor * outcome.effects[i].table_units : 0, clock.NowMs());
    }
  }
}

// False on a thread that would have to wait.
bool AddGates(std::span<const ItemWrite> writes, StatsGates& gates) {
  bool added = true;
  for (const ItemWrite& write : writes) {
    added &= gates.Add(*write.table->stats);
    for (const Index& index : write.table->indexes) {
      added &= gates.Add(*index.stats);
    }
    for (const VectorIndex& index : write.table->vector_indexes) {
      added &= gates.Add(*index.stats);
    }
  }
  return added;
}

void CountStats(std::span<const ItemWrite> writes, const std::vector<ItemEffect>& effects) {
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Stats& stats = *writes[i].table->stats;
    stats.item_count += effects[i].count_delta;
    stats.size_bytes += effects[i].size_delta;
    for (const IndexEffect& index : effects[i].indexes) {
      index.index->stats->item_count += index.count_delta;
      index.index->stats->size_bytes += index.size_delta;
    }
    for (const VectorEffect& vector : effects[i].vectors) {
      vector.index->stats->item_count += vector.count_delta;
      vector.index->stats->size_bytes += vector.size_delta;
    }
  }
}

Status CheckAccesses(RequestContext& context, std::span<const ItemWrite> writes) {
  if (context.access != nullptr) {
    for (const ItemWrite& write : writes) {
      PJ_RETURN_IF_ERROR(CheckAccess(context, write));
    }
  }
  return {};
}

// Others find the items of a transaction in use for a while.
void NoteRunning(RunningTransactions* running, const WriteSet& set) {
  const bool is_noted = running != nullptr && set.report == FailureReport::kReasons;
  for (const ItemWrite& write : is_noted ? set.writes : std::span<const ItemWrite>()) {
    running->Began(write.stored_key);
  }
}

// Replicas that are behind still have what the writes replaced.
void NoteReplaced(Replicas* replicas, std::span<const ItemWrite> writes,
                  const std::vector<ItemEffect>& effects) {
  for (std::size_t i = 0; replicas != nullptr && i < writes.size(); ++i) {
    const auto& old_item = effects[i].old_item;
    if (old_item || effects[i].new_item) {
      replicas->Wrote(writes[i].stored_key,
                     old_item ? OlderRecord(EncodeRecord(ItemSizeBytes(ItemView(old_item->body())),
                                                         old_item->body()))
                              : std::nullopt);
    }
  }
}

}  // namespace

Result<WriteOutcome> RunWrites(Engine& engine, RequestContext& context, const WriteSet& set) {
  storage::Store& store = engine.store();
  PJ_RETURN_IF_ERROR(CheckAccesses(context, set.writes));
  const TransactionKeys keys = GatherKeys(set.writes, set.guard);
  Followers followers{.streams = StreamWrites(engine.clock(), set.writes),
                      .history = HistoryWrites(engine.history_numbers()),
                      .vectors = {},
                      .outbox = engine.index_outbox(),
                      .index_notes = {},
                      .stamps = engine.stamps(),
                      .stamp = {}};
  followers.vectors.Begin(set.writes);
  PJ_RETURN_IF_ERROR(followers.history.Begin(set.writes));
  WriteOutcome outcome;
  WriteAdmission admission(set.unmetered ? nullptr : engine.physics(),
                           set.report == FailureReport::kReasons ? 2 : 1);
  RunningTransactions* const running =
      admission.is_on() ? engine.physics()->running_transactions() : nullptr;
  StatsGates gates;
  if (!AddGates(set.writes, gates)) {
    return OverBudget();
  }
  const auto ticket = store.Transact(keys.keys, [&](storage::Transaction& transaction) -> Status {
    outcome.effects.assign(set.writes.size(), ItemEffect());
    outcome.charged_bytes.clear();
    followers.Restart();
    admission.GiveBack();
    if (set.throttled != nullptr) {
      set.throttled->clear();
    }
    if (set.guard != nullptr) {
      PJ_ASSIGN_OR_RETURN(outcome.done_before,
                          set.guard->Claim(transaction.Value(*keys.guard), outcome.charged_bytes));
    }
    if (outcome.done_before) {
      return {};
    }
    PJ_RETURN_IF_ERROR(ApplyAll(set, keys, transaction, followers, context.budget, admission, running,
                                outcome.effects));
    if (set.guard != nullptr) {
      for (const ItemEffect& effect : outcome.effects) {
        outcome.charged_bytes.push_back(effect.charged_bytes);
      }
      set.guard->Stage(outcome.charged_bytes, transaction);
    }
    return {};
  });
  const bool is_charged = ticket || IsCharged(ticket.error());
  CountWrites(set, outcome, ticket ? Status() : Status(ticket.error()), is_charged, engine.clock());
  if (is_charged) {
    admission.Keep();
  }
  if (!ticket) {
    context.Saw(NewestTicket(store, keys));  // The failure depends on what they have now.
    return ticket.error();
  }
  NoteRunning(running, set);
  context.Saw(*ticket);
  followers.Committed();
  for (const ItemEffect& effect : outcome.effects) {
    followers.vectors.Apply(effect.vectors, *ticket);
  }
  CountStats(set.writes, outcome.effects);
  CountIndexWrites(outcome.effects, engine.clock());
  if (!keys.stamp_of.empty() && engine.regions() != nullptr) [[unlikely]] {
    engine.regions()->Wrote(engine);
  }
  NoteReplaced(set.unmetered ? nullptr : engine.replicas(), set.writes, outcome.effects);
  return outcome;
}

Result<ItemEffect> RunWrite(Engine& engine, RequestContext& context, const ItemWrite& write) {
  PJ_ASSIGN_OR_RETURN(WriteOutcome outcome, RunWrites(engine, context, {.writes = {&write, 1}}));
  return std::move(outcome.effects.front());
}

void MeterReplay(std::span<const ItemWrite> writes, const WriteOutcome& outcome,
                 TableMeters& meters) {
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const std::size_t bytes = i < outcome.charged_bytes.size() ? outcome.charged_bytes[i] : 0;
    meters.Of(writes[i].table).AddTable(ReadUnits(bytes, Consistency::kTransactional));
  }
}

std::optional<StoredItem> IfAny(const Item& item) {
  return item.empty() ? std::nullopt : std::optional(StoredItem(EncodeItem(item)));
}

void AddUnits(const ItemEffect& effect, double factor, CapacityMeter& meter) {
  meter.AddTable(effect.table_units * factor);
  for (const IndexEffect& index : effect.indexes) {
    if (index.write_units > 0) {
      meter.AddIndex(*index.index, index.write_units);
    }
  }
  for (const VectorEffect& vector : effect.vectors) {
    meter.AddVectorIndex(vector.index->name(), vector.write_bytes);
  }
}

std::optional<ItemCollectionMetrics> CollectionMetrics(const ItemWrite& write,
                                                       const ItemEffect& effect) {
  if (!write.table->HasLocalIndexes()) {
    return std::nullopt;
  }
  constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;
  const std::string& name = write.table->keys[0].name;
  const double low = static_cast<double>(effect.collection_bytes / kGigabyte);
  return ItemCollectionMetrics{.partition_key_name = name,
                               .partition_key = *write.key.Find(name),
                               .size_estimate_gb_low = low,
                               .size_estimate_gb_high = low + 1};
}

}  // namespace prejoin::engine
