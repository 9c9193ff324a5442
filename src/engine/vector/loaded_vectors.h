// The rows of a vector index in memory, and how they follow the table.
#ifndef PREJOIN_ENGINE_VECTOR_LOADED_VECTORS_H_
#define PREJOIN_ENGINE_VECTOR_LOADED_VECTORS_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "engine/vector/vector_index.h"
#include "prejoin/result.h"
#include "storage/store.h"
#include "vector/vector_rows.h"

namespace prejoin::engine {

// Thread-safe. Empty at the start; changes that are committed before it is filled are kept in step
// all the same.
class LoadedVectors {
 public:
  // States if entries may have been stored before this object existed.
  enum class Stored { kNothing, kSomething };
  LoadedVectors(std::size_t dimensions, vector::DistanceFunction distance, Stored stored)
      : rows_(dimensions, distance), loaded_(stored == Stored::kNothing) {}

  // Reads the stored entries that have not been read yet. Several callers share the work: one reads
  // from the store while the others make rows of what they have read.
  Status Load(storage::Store& store, const VectorIndex& index) PJ_EXCLUDES(mutex_);

  // Some of them.
  enum class Progress { kMore, kDone };
  Result<Progress> LoadSome(storage::Store& store, const VectorIndex& index) PJ_EXCLUDES(mutex_);

  vector::VectorRows& rows() { return rows_; }

 private:
  class Entries;

  Status Read(storage::Store& store, const VectorIndex& index, Entries& entries)
      PJ_REQUIRES(mutex_);
  Status MakeRows(const VectorIndex& index, const Entries& entries);

  vector::VectorRows rows_;
  std::atomic<bool> loaded_;
  Mutex mutex_;
  std::condition_variable made_rows_;
  std::string next_key_ PJ_GUARDED_BY(mutex_);  // The first that has not been read.
  bool read_all_ PJ_GUARDED_BY(mutex_) = false;
  int making_rows_ PJ_GUARDED_BY(mutex_) = 0;  // Callers that do.
  std::optional<Error> fault_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VECTOR_LOADED_VECTORS_H_
