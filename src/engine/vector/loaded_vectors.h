// The rows of a vector index in memory, and how they follow the table.
#ifndef PREJOIN_ENGINE_VECTOR_LOADED_VECTORS_H_
#define PREJOIN_ENGINE_VECTOR_LOADED_VECTORS_H_

#include <atomic>
#include <cstdint>
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
  // Whether entries may have been stored before this object was there.
  enum class Stored { kNothing, kSomething };
  LoadedVectors(std::size_t dimensions, vector::DistanceFunction distance, Stored stored)
      : rows_(dimensions, distance), loaded_(stored == Stored::kNothing) {}

  // Reads the stored entries that have not been read yet. Several callers share the work.
  Status Load(storage::Store& store, const VectorIndex& index) PJ_EXCLUDES(load_mutex_);

  // Some of them.
  enum class Progress { kMore, kDone };
  Result<Progress> LoadSome(storage::Store& store, const VectorIndex& index)
      PJ_EXCLUDES(load_mutex_);

  vector::VectorRows& rows() { return rows_; }

 private:
  vector::VectorRows rows_;
  std::atomic<bool> loaded_;
  Mutex load_mutex_;
  std::string next_key_ PJ_GUARDED_BY(load_mutex_);  // The first that has not been read.
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VECTOR_LOADED_VECTORS_H_
