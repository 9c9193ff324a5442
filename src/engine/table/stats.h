// Figures of a table or an index that DescribeTable shows.
#ifndef PREJOIN_ENGINE_TABLE_STATS_H_
#define PREJOIN_ENGINE_TABLE_STATS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/mutex.h"

namespace prejoin::engine {

// Item count and bytes of a table or index, kept in step with commits but not written with them:
// DynamoDB's own figures are six hours old, and each write would pay (docs/adr/0025). Thread-safe.
struct Stats {
  std::atomic<std::int64_t> item_count = 0;
  std::atomic<std::int64_t> size_bytes = 0;
  // For the outside: figures that are not settled may be off, but below zero they would look it.
  std::int64_t ShownCount() const { return std::max<std::int64_t>(item_count, 0); }
  std::int64_t ShownBytes() const { return std::max<std::int64_t>(size_bytes, 0); }
  // False until the items that existed before have been counted (table_stats.h). Set back by
  // nobody: writers that see it false hold `gate` shared from before their commit until it is in
  // the figures.
  std::atomic<bool> settled = true;
  SharedMutex gate;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_STATS_H_
