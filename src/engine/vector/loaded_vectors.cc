#include "engine/vector/loaded_vectors.h"

#include "engine/table/space.h"
#include "engine/vector/vector_entry.h"
#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kEntriesPerStep = 4096;

std::string PartitionOf(const VectorIndex& index, ItemView entry) {
  std::string partition;
  if (index.hash) {
    AppendKeyValue(entry.Find(index.hash->name), partition);
  }
  return partition;
}

}  // namespace

Status LoadedVectors::Load(storage::Store& store, const VectorIndex& index) {
  for (Progress progress = Progress::kMore; progress == Progress::kMore;) {
    PJ_ASSIGN_OR_RETURN(progress, LoadSome(store, index));
  }
  return {};
}

Result<LoadedVectors::Progress> LoadedVectors::LoadSome(storage::Store& store,
                                                        const VectorIndex& index) {
  if (loaded_) {
    return Progress::kDone;
  }
  const MutexLock lock(load_mutex_);
  storage::Range range = SpaceRange(index.space);
  if (!next_key_.empty()) {
    range.begin = next_key_;
  }
  // From before the entries are read until they are rows.
  const vector::VectorRows::Change change(rows_);
  std::size_t count = 0;
  std::string last;
  Status status;
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view value) {
    const auto entry = DecodeVectorEntry(value, index.dimensions());
    if (!entry) {
      status = Error{ErrorCode::kCorruption, "an entry of the vector index " + index.name() +
                                                 " is not one of its dimensions"};
      return storage::Visit::kStop;
    }
    const std::string partition = PartitionOf(index, entry->record.item());
    const std::string filter = FilterBody(index, entry->record.item());
    rows_.Load({.partition = partition, .key = key, .vector = entry->vector, .filter = filter});
    last = key;
    return ++count < kEntriesPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
  }));
  PJ_RETURN_IF_ERROR(status);
  if (count > 0) {
    next_key_ = last + '\0';
  }
  loaded_ = loaded_ || count < kEntriesPerStep;
  return loaded_ ? Progress::kDone : Progress::kMore;
}

}  // namespace prejoin::engine
