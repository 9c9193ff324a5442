// The options of a database.
#ifndef PREJOIN_OPTIONS_H_
#define PREJOIN_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "prejoin/clock.h"
#include "prejoin/physics.h"

namespace prejoin {

enum class Sync {
  kAlways,  // A write returns after its log is on disk. Writers that run together share one sync.
  kNone,  // A write returns at once. A crash of the machine, not of the process, may lose the last
          // moments.
};

// The rule by which a table's stream is cut into shards.
struct StreamOptions {
  unsigned shards = 4;  // That the stream of an on-demand table begins with; others begin with one.
  // A shard this old or with this many records is closed and gets a child; one with this many
  // records gets two.
  unsigned shard_seconds = 4 * 60 * 60;
  std::uint64_t shard_records = 1'000'000;
};

// The delay until a table's global indexes show a write: a time between the two, drawn for each write. Zero: at
// once, in the same commit.
struct IndexLag {
  unsigned min_ms = 0;
  unsigned max_ms = 0;
};

// The error texts that a database uses where AWS's regions differ.
enum class Texts {
  k2026October,  // The texts of most regions in October 2026.
  kNewest,       // The texts that the first regions have changed to since.
};

struct Options {
  // The directory; created when missing. Empty: everything in memory, gone when the database
  // closes.
  std::string path;
  Sync sync = Sync::kAlways;
  // Stores that share the data, each with a log of its own: 1, 2, 4, 8 or 16 (docs/scale-out.md). The number is fixed
  // when the database is made. 0: as many as it has; a new one gets one.
  unsigned cells = 0;
  std::size_t block_cache_bytes = 256u << 20;
  // Used in ARNs.
  std::string region = "us-east-1";
  std::string account_id = "123456789012";
  StreamOptions streams;
  IndexLag index_lag;
  Texts texts = Texts::k2026October;
  // The limits of a real account: tables, indexes and partitions throttle. Nullopt: nothing does.
  std::optional<PhysicsOptions> physics;
  // States such as CREATING last. Nullopt: they end at once.
  std::optional<StateOptions> states;
  // Eventually consistent reads of tables may be stale. Nullopt: they never are.
  std::optional<StaleReadOptions> stale_reads;
  // Decides what is due: expiry, stream records, tokens, backups, index lag, capacity. Null: the
  // machine's clock. Outlives the database.
  const Clock* clock = nullptr;
  // The interval between searches for expired items.
  unsigned ttl_sweep_seconds = 30;
};

}  // namespace prejoin

#endif  // PREJOIN_OPTIONS_H_
