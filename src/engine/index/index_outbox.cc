#include "engine/index/index_outbox.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "engine/item/record.h"
#include "engine/table/catalog.h"
#include "engine/table/catalog_codec.h"
#include "engine/table/space.h"
#include "engine/table/table_stats.h"

namespace prejoin::engine {
namespace {

constexpr char kPutMark = 'P';
constexpr char kDeleteMark = 'D';
// A lane is visited in steps, so that what is in memory stays small.
constexpr std::size_t kNotesPerStep = 64;
// After an error of the store, for example a full disk.
constexpr std::chrono::seconds kRetryAfter(1);
constexpr std::chrono::milliseconds kClockCheckInterval(5);

void AppendSized(std::string_view text, std::string& out) {
  AppendUint32(static_cast<std::uint32_t>(text.size()), out);
  out.append(text);
}

// The bytes of a note, from the front.
class NoteReader {
 public:
  explicit NoteReader(std::string_view bytes) : bytes_(bytes) {}

  bool AtEnd() const { return bytes_.empty(); }
  std::optional<char> Mark() {
    if (bytes_.empty()) {
      return std::nullopt;
    }
    const char mark = bytes_.front();
    bytes_.remove_prefix(1);
    return mark;
  }
  std::optional<std::string_view> Text() {
    if (bytes_.size() < sizeof(std::uint32_t)) {
      return std::nullopt;
    }
    const std::uint64_t size = ReadBigEndian(bytes_.substr(0, sizeof(std::uint32_t)));
    bytes_.remove_prefix(sizeof(std::uint32_t));
    if (bytes_.size() < size) {
      return std::nullopt;
    }
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view bytes_;
};

struct EntryChange {
  std::string key;
  std::optional<std::string_view> value;  // Nullopt: the entry goes.
};

struct Note {
  std::string_view table_name;
  std::string_view item_key;
  std::vector<EntryChange> changes;
};

Result<Note> DecodeNote(std::string_view bytes) {
  const Error corrupt{ErrorCode::kCorruption, "a note of index entries cannot be read"};
  NoteReader reader(bytes);
  const auto table_name = reader.Text();
  const auto item_key = reader.Text();
  if (!table_name || !item_key) {
    return corrupt;
  }
  Note note{.table_name = *table_name, .item_key = *item_key, .changes = {}};
  while (!reader.AtEnd()) {
    const auto mark = reader.Mark();
    const auto key = reader.Text();
    const bool is_put = mark == kPutMark;
    const auto value = is_put ? reader.Text() : std::nullopt;
    if (!key || key->size() < storage::kRouteBytes || (is_put ? !value : mark != kDeleteMark) ||
        (value && !IsRecord(*value))) {
      return corrupt;
    }
    note.changes.push_back({std::string(*key), value});
  }
  return note;
}

const Index* IndexOfEntry(const Table& table, std::string_view entry_key) {
  const auto found = std::ranges::find(table.indexes, SpaceOf(entry_key), &Index::space);
  return found == table.indexes.end() ? nullptr : &*found;
}

Result<std::int64_t> SizeOf(std::optional<std::string_view> stored) {
  if (!stored) {
    return 0;
  }
  PJ_ASSIGN_OR_RETURN(const Record record, DecodeRecord(*stored));
  return static_cast<std::int64_t>(record.size_bytes);
}

// The change that a note makes to the figures of one index.
struct StatsChange {
  Stats* stats;
  std::int64_t count = 0;
  std::int64_t bytes = 0;
};

// The note's number is the end of its key.
std::uint64_t NumberOf(std::string_view note_key) {
  if (note_key.size() < sizeof(std::uint64_t)) {
    return 0;  // Not the key of a note. Applying it reports that.
  }
  return ReadBigEndian(note_key.substr(note_key.size() - sizeof(std::uint64_t)));
}

}  // namespace

Status CheckIndexNote(std::string_view bytes) {
  PJ_RETURN_IF_ERROR(DecodeNote(bytes));
  return {};
}

void LaterEntries::Put(std::string_view key, std::string_view value) {
  bytes_.push_back(kPutMark);
  AppendSized(key, bytes_);
  AppendSized(value, bytes_);
}

void LaterEntries::Delete(std::string_view key) {
  bytes_.push_back(kDeleteMark);
  AppendSized(key, bytes_);
}

IndexOutbox::IndexOutbox(Engine& engine, IndexLag lag)
    : engine_(engine), lag_(lag), has_own_clock_(engine.options().clock != nullptr) {}

IndexOutbox::~IndexOutbox() { Stop(); }

Status IndexOutbox::Start() {
  std::vector<std::string> left;
  // One for each partition is enough: applying a note applies those before it. Ranges are in order
  // of partitions, then numbers.
  PJ_RETURN_IF_ERROR(
      engine_.store().Visit(SpaceRange(kOutboxSpace), [&](std::string_view key, std::string_view) {
        const std::string_view route = key.substr(0, storage::kRouteBytes);
        if (!left.empty() && left.back().starts_with(route)) {
          left.back() = key;
        } else {
          left.emplace_back(key);
        }
        return storage::Visit::kContinue;
      }));
  if (lags()) {
    PJ_RETURN_IF_ERROR(engine_.store().Need(std::string(kOutboxFeature)));
  } else if (left.empty()) {
    return {};
  }
  const MutexLock lock(mutex_);
  const Time now = Now();
  for (std::string& key : left) {
    last_number_ = std::max(last_number_, NumberOf(key));
    waiting_.push({now, std::move(key)});
  }
  thread_ = std::thread([this] { Run(); });
  return {};
}

void IndexOutbox::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

std::string IndexOutbox::Stage(const ItemWrite& write, const LaterEntries& entries,
                               storage::Transaction& transaction) {
  std::uint64_t number = 0;
  {
    const MutexLock lock(mutex_);
    // The clock lets numbers grow over a start too, when the outbox was empty at the end.
    number = last_number_ =
        std::max(last_number_ + 1, static_cast<std::uint64_t>(engine_.clock().NowMs()) << 20);
  }
  std::string key;
  AppendUint32(kOutboxSpace, key);
  key.append(std::string_view(write.stored_key)
                 .substr(storage::kSpaceBytes, storage::kRouteBytes - storage::kSpaceBytes));
  AppendUint64(number, key);
  std::string note;
  AppendSized(write.table->name(), note);
  AppendSized(write.stored_key, note);
  note += entries.bytes();
  transaction.Put(key, note);
  return key;
}

IndexOutbox::Time IndexOutbox::Now() const {
  return has_own_clock_ ? Time(engine_.clock().NowMs())
                        : std::chrono::duration_cast<Time>(
                              std::chrono::steady_clock::now().time_since_epoch());
}

std::chrono::milliseconds IndexOutbox::NextLag() {
  return std::chrono::milliseconds(
      std::uniform_int_distribution<unsigned>(lag_.min_ms, lag_.max_ms)(random_));
}

void IndexOutbox::Committed(std::string note_key) {
  {
    const MutexLock lock(mutex_);
    waiting_.push({Now() + NextLag(), std::move(note_key)});
  }
  changed_.notify_all();
}

std::size_t IndexOutbox::waiting() const {
  const MutexLock lock(mutex_);
  return waiting_.size();
}

void IndexOutbox::DrainForTesting() {
  MutexLock lock(mutex_);
  hurry_ = true;
  changed_.notify_all();
  while ((!waiting_.empty() || busy_) && thread_.joinable() && !stopping_) {
    lock.Wait(changed_);
  }
  hurry_ = false;
}

void IndexOutbox::Run() {
  while (std::optional<Waiting> next = TakeDue()) {
    const Status applied = ApplyUpTo(next->note_key);
    const MutexLock lock(mutex_);
    busy_ = false;
    if (!applied) {
      next->due = Now() + kRetryAfter;
      waiting_.push(*std::move(next));
      hurry_ = false;
    }
    changed_.notify_all();
  }
}

std::optional<IndexOutbox::Waiting> IndexOutbox::TakeDue() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (waiting_.empty()) {
      lock.Wait(changed_);
      continue;
    }
    // Too many to keep in memory: the first ones come early.
    const bool early = hurry_ || waiting_.size() > kOutboxNotesMax;
    const Time now = Now();
    if (!early && waiting_.top().due > now) {
      // A clock that somebody moves does not wake this thread.
      const Time left = waiting_.top().due - now;
      lock.WaitFor(changed_, has_own_clock_ ? std::min(left, kClockCheckInterval) : left);
      continue;
    }
    Waiting next = waiting_.top();
    waiting_.pop();
    busy_ = true;
    return next;
  }
  return std::nullopt;
}

Status IndexOutbox::ApplyUpTo(const std::string& note_key) {
  const storage::Range range{.begin = note_key.substr(0, storage::kRouteBytes),
                             .end = note_key + '\0'};
  while (true) {
    std::vector<std::pair<std::string, std::string>> notes;
    PJ_RETURN_IF_ERROR(
        engine_.store().Visit(range, [&](std::string_view key, std::string_view value) {
          notes.emplace_back(key, value);
          return notes.size() < kNotesPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
        }));
    for (const auto& [key, note] : notes) {
      PJ_RETURN_IF_ERROR(ApplyNote(key, note));
    }
    if (notes.size() < kNotesPerStep) {
      return {};
    }
  }
}

Status IndexOutbox::ApplyNote(const std::string& note_key, std::string_view bytes) {
  PJ_ASSIGN_OR_RETURN(const Note note, DecodeNote(bytes));
  // Held until the entries are written: an index is not deleted while somebody has its table.
  const TablePtr table = engine_.catalog().FindOrNull(note.table_name);
  // The item's own key comes first, so that nobody builds an entry of it meanwhile.
  std::vector<std::string> keys = {std::string(note.item_key)};
  for (const EntryChange& change : note.changes) {
    keys.push_back(change.key);
  }
  StatsGates gates;
  for (const EntryChange& change : note.changes) {
    if (const Index* index = table ? IndexOfEntry(*table, change.key) : nullptr) {
      PJ_CHECK(gates.Add(*index->stats));  // This thread may wait.
    }
  }
  std::vector<StatsChange> stats;
  const auto ticket =
      engine_.store().Transact(keys, [&](storage::Transaction& transaction) -> Status {
        stats.clear();
        for (std::size_t i = 0; i < note.changes.size(); ++i) {
          const EntryChange& change = note.changes[i];
          const Index* index = table ? IndexOfEntry(*table, change.key) : nullptr;
          if (index == nullptr) {
            continue;  // It was deleted meanwhile, or the whole table was.
          }
          const auto before = transaction.Value(i + 1);
          PJ_ASSIGN_OR_RETURN(const std::int64_t size_after, SizeOf(change.value));
          PJ_ASSIGN_OR_RETURN(const std::int64_t size_before, SizeOf(before));
          stats.push_back({.stats = index->stats.get(),
                           .count = (change.value ? 1 : 0) - (before ? 1 : 0),
                           .bytes = size_after - size_before});
          if (change.value) {
            transaction.Put(change.key, *change.value);
          } else {
            transaction.Delete(change.key);
          }
        }
        transaction.Delete(note_key);
        return Status();
      });
  PJ_RETURN_IF_ERROR(ticket);
  for (const StatsChange& change : stats) {
    change.stats->item_count += change.count;
    change.stats->size_bytes += change.bytes;
  }
  return {};
}

}  // namespace prejoin::engine
