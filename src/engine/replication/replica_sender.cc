#include "engine/replication/replica_sender.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/item/item_write.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/ops/replicas.h"
#include "engine/table/catalog.h"
#include "engine/table/space.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

// One transaction there, so that a writer of the same items never waits long.
constexpr std::size_t kItemsPerStep = 25;
constexpr std::size_t kNotesPerStep = 100;
constexpr std::chrono::milliseconds kRetryAfter(100);
constexpr std::chrono::milliseconds kClockCheckInterval(5);
// The stamp of an item that was written before its table had replicas: any write is later.
constexpr std::uint64_t kOldestStamp = 1;

std::string_view TailOf(std::string_view stored_key) {
  return stored_key.substr(storage::kSpaceBytes);
}

// An item as it is sent.
struct Sent {
  WriteStamp stamp;
  ItemWrite write;
};

// The write that brings an item of one table to its replica. `stored`: the item, if it is there. Nullopt: a writer who did not
// know of stamps, in the moment when the table got its first replica, deleted it again.
Result<std::optional<Sent>> MakeSent(const TablePtr& replica, std::string_view item_tail,
                                     const std::optional<std::string>& stored,
                                     const std::string& stored_stamp) {
  Sent sent;
  PJ_ASSIGN_OR_RETURN(sent.stamp, DecodeStamp(stored_stamp));
  if (!stored && !sent.stamp.deleted()) {
    return std::optional<Sent>();
  }
  if (stored && sent.stamp.deleted()) {
    return Error{ErrorCode::kCorruption, "an item is there, and its stamp says that it is not"};
  }
  ItemWrite& write = sent.write;
  write.table = replica;
  write.stored_key = SpaceKey(replica->space, item_tail);
  std::string_view keys = sent.stamp.deleted_key;
  write.kind = WriteKind::kDelete;
  if (stored) {
    PJ_ASSIGN_OR_RETURN(const Record record, DecodeWithKeys(*replica, nullptr, *stored));
    write.kind = WriteKind::kPut;
    write.new_body = record.body;
    write.new_size_bytes = record.size_bytes;
    keys = write.new_body;
  }
  if (!HasKeys(*replica, nullptr, ItemView(keys))) {
    return DamagedRecord();
  }
  write.key = KeyOf(*replica, ItemView(keys));
  return std::optional(std::move(sent));
}

// Applies the writes that are later than what is there.
Status Apply(Engine& engine, std::vector<Sent>& sent) {
  std::vector<ItemWrite> writes;
  for (Sent& one : sent) {
    one.write.replicated = &one.stamp;
    writes.push_back(std::move(one.write));
  }
  RequestContext context = BeginRequest(engine);
  PJ_RETURN_IF_ERROR(RunWrites(engine, context, {.writes = writes, .unmetered = true}));
  return engine.store().WaitDurable(context.ticket);
}

// Stamps an item that is there, unless its stamp says so already: it was last written before the table had replicas, or by a
// writer of that time.
Status StampUnknown(const Replication& replication, const std::string& stamp_key,
                    std::optional<std::string_view> stored_stamp,
                    storage::Transaction& transaction) {
  WriteStamp stamp;
  if (stored_stamp) {
    PJ_ASSIGN_OR_RETURN(stamp, DecodeStamp(*stored_stamp));
    if (!stamp.deleted()) {
      return {};
    }
  }
  transaction.Put(stamp_key, EncodeStamp({.number = std::max(stamp.number + 1, kOldestStamp),
                                          .region = replication.region}));
  return {};
}

std::optional<std::chrono::milliseconds> Sooner(std::optional<std::chrono::milliseconds> a,
                                                std::optional<std::chrono::milliseconds> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

}  // namespace

ReplicaSender::ReplicaSender(Engine& engine, Regions& regions, const Links& links, IndexLag lag)
    : engine_(engine),
      regions_(regions),
      links_(links),
      lag_(lag),
      has_own_clock_(engine.options().clock != nullptr) {}

void ReplicaSender::Start() {
  thread_ = std::thread([this] { Run(); });
}

void ReplicaSender::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void ReplicaSender::Wake() {
  {
    const MutexLock lock(mutex_);
    if (woken_) {
      return;
    }
    woken_ = true;
  }
  changed_.notify_all();
}

void ReplicaSender::FillAfter(const std::string& table_name,
                              std::vector<std::shared_future<void>> older_writers) {
  {
    const MutexLock lock(mutex_);
    auto& all = older_writers_[table_name];
    all.insert(all.end(), older_writers.begin(), older_writers.end());
  }
  Wake();
}

bool ReplicaSender::stopping() {
  const MutexLock lock(mutex_);
  return stopping_;
}

void ReplicaSender::Run() {
  while (true) {
    {
      const MutexLock lock(mutex_);
      if (stopping_) {
        return;
      }
      woken_ = false;
    }
    const std::optional<Wait> wait = Round();
    const auto until = std::chrono::steady_clock::now() + wait.value_or(Wait());
    MutexLock lock(mutex_);
    while (!woken_ && !stopping_ && (!wait || std::chrono::steady_clock::now() < until)) {
      if (wait) {
        lock.WaitFor(changed_, until - std::chrono::steady_clock::now());
      } else {
        lock.Wait(changed_);
      }
    }
  }
}

std::optional<ReplicaSender::Wait> ReplicaSender::Round() {
  std::vector<std::string> names;
  for (const TablePtr& table : engine_.catalog().All()) {
    if (table->replication) {
      names.push_back(table->name());
    }
  }
  std::optional<Wait> wait;
  for (const std::string& name : names) {
    if (stopping()) {
      return std::nullopt;
    }
    wait = Sooner(wait, LookAtTable(name));
  }
  return wait;
}

std::optional<ReplicaSender::Wait> ReplicaSender::LookAtTable(const std::string& table_name) {
  std::optional<Wait> wait;
  TablePtr table = engine_.catalog().FindOrNull(table_name);
  if (table != nullptr && NeedsSettling(engine_, *table)) {
    table.reset();
    const MutexLock lock(regions_.changes());
    if (!SettleReplicas(engine_, table_name)) {
      wait = kRetryAfter;
    }
    table = engine_.catalog().FindOrNull(table_name);
  }
  if (table == nullptr || !table->replication) {
    return wait;
  }
  const std::vector<ReplicaTarget> targets = table->replication->targets;
  const std::string own_region = table->replication->region;
  table.reset();
  for (const ReplicaTarget& target : targets) {
    // A cut link says when it is whole again.
    if (target.joined && !links_.IsCut(own_region, target.region)) {
      wait = Sooner(wait, LookAtTarget(table_name, target));
    }
  }
  return wait;
}

std::optional<ReplicaSender::Wait> ReplicaSender::LookAtTarget(const std::string& table_name,
                                                               const ReplicaTarget& target) {
  if (!target.filled && (!IsReadyToFill(table_name) || !Fill(table_name, target))) {
    return kRetryAfter;
  }
  std::optional<Wait> wait;
  while (!stopping()) {
    const TablePtr table = FindWith(table_name, target);
    if (table == nullptr) {
      return std::nullopt;
    }
    if (links_.IsCut(table->replication->region, target.region)) {
      return std::nullopt;
    }
    auto notes = NextNotes(*table, target, wait);
    if (!notes) {
      return kRetryAfter;
    }
    if (notes->empty()) {
      return wait;
    }
    if (!SendNotes(table_name, target, *std::move(notes))) {
      return kRetryAfter;
    }
  }
  return std::nullopt;
}

TablePtr ReplicaSender::FindWith(const std::string& table_name, const ReplicaTarget& target) {
  TablePtr table = engine_.catalog().FindOrNull(table_name);
  if (table == nullptr || !table->replication) {
    return nullptr;
  }
  const ReplicaTarget* const known = table->replication->Find(target.region);
  return known != nullptr && known->number == target.number ? table : nullptr;
}

bool ReplicaSender::IsReadyToFill(const std::string& table_name) {
  const MutexLock lock(mutex_);
  const auto found = older_writers_.find(table_name);
  if (found == older_writers_.end()) {
    return true;  // They were gone when this program began.
  }
  std::erase_if(found->second, [](const std::shared_future<void>& gone) {
    return gone.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  return found->second.empty();
}

Status ReplicaSender::Fill(const std::string& table_name, const ReplicaTarget& target) {
  PJ_RETURN_IF_ERROR(FillFrom(table_name, target, false));
  PJ_RETURN_IF_ERROR(FillFrom(table_name, target, true));
  const auto change = engine_.catalog().Change(
      table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        if (current == nullptr || !current->replication) {
          return Error{ErrorCode::kResourceNotFound, "the table is gone"};
        }
        auto next = CopyOf(*current);
        ReplicaTarget* const known = next->replication->Find(target.region);
        if (known != nullptr && known->number == target.number) {
          known->filled = true;
        }
        return next;
      });
  PJ_RETURN_IF_ERROR(change);
  PJ_RETURN_IF_ERROR(engine_.store().WaitDurable(change->ticket));
  regions_.Changed();  // The replica may be ACTIVE now.
  return {};
}

Status ReplicaSender::FillFrom(const std::string& table_name, const ReplicaTarget& target,
                               bool deletions) {
  const Error interrupted{ErrorCode::kUnavailable, "the filling was interrupted"};
  storage::Range range;
  while (true) {
    const TablePtr table = FindWith(table_name, target);
    if (stopping() || table == nullptr || links_.IsCut(table->replication->region, target.region)) {
      return interrupted;
    }
    if (range.begin.empty()) {
      range = SpaceRange(deletions ? table->replication->stamp_space : table->space);
    }
    std::vector<std::string> keys;
    std::vector<std::string> tails;
    Status readable;
    PJ_RETURN_IF_ERROR(
        engine_.store().Visit(range, [&](std::string_view key, std::string_view value) {
          keys.emplace_back(key);
          const auto stamp = deletions ? DecodeStamp(value) : Result<WriteStamp>(WriteStamp());
          if (!stamp) {
            readable = stamp.error();
          } else if (!deletions || stamp->deleted()) {
            tails.emplace_back(TailOf(key));
          }
          return keys.size() < kItemsPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
        }));
    PJ_RETURN_IF_ERROR(readable);
    if (keys.empty()) {
      return {};
    }
    if (!deletions) {
      PJ_RETURN_IF_ERROR(StampItems(*table, keys));
    }
    PJ_RETURN_IF_ERROR(Send(table_name, target, tails));
    range.begin = keys.back() + '\0';
  }
}

Status ReplicaSender::StampItems(const Table& table, const std::vector<std::string>& keys) {
  std::vector<std::string> all = keys;
  for (const std::string& key : keys) {
    all.push_back(StampKey(*table.replication, TailOf(key)));
  }
  return engine_.store()
      .Transact(
          all,
          [&](storage::Transaction& transaction) -> Status {
            for (std::size_t i = 0; i < keys.size(); ++i) {
              if (transaction.Value(i)) {
                PJ_RETURN_IF_ERROR(StampUnknown(*table.replication, all[keys.size() + i],
                                                transaction.Value(keys.size() + i), transaction));
              }
            }
            return {};
          })
      .transform([](storage::Ticket) {});
}

Status ReplicaSender::Send(const std::string& table_name, const ReplicaTarget& target,
                           const std::vector<std::string>& item_tails) {
  const TablePtr table = FindWith(table_name, target);
  Engine* const peer = regions_.FindOpen(engine_, target.region);
  const TablePtr replica = peer == nullptr ? nullptr : peer->catalog().FindOrNull(table_name);
  if (table == nullptr || replica == nullptr || !replica->replication ||
      replica->replication->group != table->replication->group) {
    return Error{ErrorCode::kUnavailable, "the replica is not there"};
  }
  std::vector<std::string> keys;
  for (const std::string& tail : item_tails) {
    keys.push_back(SpaceKey(table->space, tail));
    keys.push_back(StampKey(*table->replication, tail));
  }
  PJ_ASSIGN_OR_RETURN(const storage::Store::Values values, engine_.store().GetTogether(keys));
  // The other database must not have what a power failure takes from this one.
  PJ_RETURN_IF_ERROR(engine_.store().WaitDurable(engine_.store().NewestTicket()));
  std::vector<Sent> sent;
  for (std::size_t i = 0; i < item_tails.size(); ++i) {
    if (values[2 * i + 1]) {
      PJ_ASSIGN_OR_RETURN(auto one,
                          MakeSent(replica, item_tails[i], values[2 * i], *values[2 * i + 1]));
      if (one) {
        sent.push_back(*std::move(one));
      }
    }
  }
  return sent.empty() ? Status() : Apply(*peer, sent);
}

ReplicaSender::Wait ReplicaSender::TimeUntilDue(std::uint64_t number) const {
  if (lag_.max_ms == 0) {
    return Wait();
  }
  const std::uint64_t spread = lag_.max_ms - lag_.min_ms + 1;
  const auto lag =
      static_cast<std::int64_t>(lag_.min_ms + number * 0x9E37'79B9'7F4A'7C15u % spread);
  const auto written_ms = static_cast<std::int64_t>(number >> kStampCounterBits);
  const std::int64_t left = written_ms + lag - engine_.clock().NowMs();
  // A clock that was set back does not hold writes up.
  return Wait(left > lag ? 0 : std::max<std::int64_t>(left, 0));
}

Result<std::vector<std::string>> ReplicaSender::NextNotes(const Table& table,
                                                          const ReplicaTarget& target,
                                                          std::optional<Wait>& wait) {
  wait.reset();
  std::vector<std::string> keys;
  Status readable;
  PJ_RETURN_IF_ERROR(engine_.store().Visit(
      NotesFor(*table.replication, target.number), [&](std::string_view key, std::string_view) {
        const auto note = DecodeNoteKey(key);
        if (!note) {
          readable = note.error();
          return storage::Visit::kStop;
        }
        if (const Wait left = TimeUntilDue(note->number); left > Wait()) {
          wait = has_own_clock_ ? std::min(left, Wait(kClockCheckInterval)) : left;
          return storage::Visit::kStop;
        }
        keys.emplace_back(key);
        return keys.size() < kNotesPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
      }));
  PJ_RETURN_IF_ERROR(readable);
  return keys;
}

Status ReplicaSender::SendNotes(const std::string& table_name, const ReplicaTarget& target,
                                std::vector<std::string> note_keys) {
  // An item is sent once, however often it was written.
  std::vector<std::string> tails;
  std::set<std::string> seen;
  for (const std::string& key : note_keys) {
    PJ_ASSIGN_OR_RETURN(ReplicaNote note, DecodeNoteKey(key));
    if (seen.insert(note.item_tail).second) {
      tails.push_back(std::move(note.item_tail));
    }
  }
  for (std::size_t begin = 0; begin < tails.size(); begin += kItemsPerStep) {
    const auto first = tails.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last =
        tails.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kItemsPerStep, tails.size()));
    PJ_RETURN_IF_ERROR(Send(table_name, target, {first, last}));
  }
  return engine_.store()
      .Transact(note_keys,
                [&](storage::Transaction& transaction) -> Status {
                  for (const std::string& key : note_keys) {
                    transaction.Delete(key);
                  }
                  return {};
                })
      .transform([](storage::Ticket) {});
}

std::size_t ReplicaSender::CountNotes() {
  std::size_t count = 0;
  for (const TablePtr& table : engine_.catalog().All()) {
    if (!table->replication) {
      continue;
    }
    for (const ReplicaTarget& target : table->replication->targets) {
      // A store that cannot be read has other troubles than this figure.
      (void)engine_.store().Visit(NotesFor(*table->replication, target.number),
                                  [&](std::string_view, std::string_view) {
                                    ++count;
                                    return storage::Visit::kContinue;
                                  });
    }
  }
  return count;
}

}  // namespace prejoin::engine
