#include "engine/vector/loaded_vectors.h"

#include <utility>
#include <vector>

#include "engine/table/space.h"
#include "engine/vector/vector_entry.h"
#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

// The memory of one caller for a load, beside the rows.
constexpr std::size_t kBytesPerStep = 256 << 10;

std::string PartitionOf(const VectorIndex& index, ItemView entry) {
  std::string partition;
  if (index.hash) {
    AppendKeyValue(entry.Find(index.hash->name), partition);
  }
  return partition;
}

}  // namespace

// Keys and values as they were read, one behind the other.
class LoadedVectors::Entries {
 public:
  void Add(std::string_view key, std::string_view value) {
    sizes_.emplace_back(key.size(), value.size());
    bytes_.append(key).append(value);
  }
  std::size_t bytes() const { return bytes_.size(); }
  bool empty() const { return sizes_.empty(); }
  std::string_view last_key() const {
    const auto [key_size, value_size] = sizes_.back();
    return std::string_view(bytes_).substr(bytes_.size() - value_size - key_size, key_size);
  }

  template <class Visitor>
  Status ForEach(const Visitor& visit) const {
    std::string_view rest = bytes_;
    for (const auto& [key_size, value_size] : sizes_) {
      PJ_RETURN_IF_ERROR(visit(rest.substr(0, key_size), rest.substr(key_size, value_size)));
      rest.remove_prefix(key_size + value_size);
    }
    return {};
  }

 private:
  std::string bytes_;
  std::vector<std::pair<std::size_t, std::size_t>> sizes_;
};

Status LoadedVectors::Load(storage::Store& store, const VectorIndex& index) {
  for (Progress progress = Progress::kMore; progress == Progress::kMore;) {
    PJ_ASSIGN_OR_RETURN(progress, LoadSome(store, index));
  }
  return {};
}

Status LoadedVectors::Read(storage::Store& store, const VectorIndex& index, Entries& entries) {
  storage::Range range = SpaceRange(index.space);
  if (!next_key_.empty()) {
    range.begin = next_key_;
  }
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view value) {
    entries.Add(key, value);
    return entries.bytes() < kBytesPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
  }));
  read_all_ = entries.bytes() < kBytesPerStep;
  if (!entries.empty()) {
    next_key_ = std::string(entries.last_key()) + '\0';
  }
  return {};
}

Status LoadedVectors::MakeRows(const VectorIndex& index, const Entries& entries) {
  return entries.ForEach([&](std::string_view key, std::string_view value) -> Status {
    const auto entry = DecodeVectorEntry(value, index.dimensions());
    if (!entry) {
      return Error{ErrorCode::kCorruption, "an entry of the vector index " + index.name() +
                                               " is not one of its dimensions"};
    }
    const std::string partition = PartitionOf(index, entry->record.item());
    const std::string filter = FilterBody(index, entry->record.item());
    rows_.Load({.partition = partition, .key = key, .vector = entry->vector, .filter = filter});
    return {};
  });
}

Result<LoadedVectors::Progress> LoadedVectors::LoadSome(storage::Store& store,
                                                        const VectorIndex& index) {
  if (loaded_) {
    return Progress::kDone;
  }
  // From before the entries are read until they are rows.
  const vector::VectorRows::Change change(rows_);
  Entries entries;
  {
    MutexLock lock(mutex_);
    while (read_all_ && making_rows_ > 0) {
      lock.Wait(made_rows_);
    }
    if (fault_) {
      return *fault_;
    }
    if (loaded_) {
      return Progress::kDone;
    }
    PJ_RETURN_IF_ERROR(Read(store, index, entries));
    ++making_rows_;
  }
  const Status made = MakeRows(index, entries);
  const MutexLock lock(mutex_);
  --making_rows_;
  made_rows_.notify_all();
  if (!made) {
    fault_ = made.error();
  }
  if (fault_) {
    return *fault_;
  }
  loaded_ = read_all_ && making_rows_ == 0;
  return loaded_ ? Progress::kDone : Progress::kMore;
}

}  // namespace prejoin::engine
