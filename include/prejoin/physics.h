// The limits of a real account: how tables, indexes and partitions throttle (docs/physics.md).
#ifndef PREJOIN_PHYSICS_H_
#define PREJOIN_PHYSICS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/result.h"

namespace prejoin {

// The defaults are what AWS documents in 2026, and our own estimates where AWS documents nothing:
// PhysicsParameters says which is which.
struct PhysicsOptions {
  std::int64_t partition_read_units = 3'000;
  std::int64_t partition_write_units = 1'000;
  std::int64_t partition_gb = 10;
  std::int64_t partition_burst_seconds = 1;
  std::int64_t burst_seconds = 300;
  std::int64_t starts_full = 1;  // 1 if a new table starts with all its burst capacity, else 0.
  std::int64_t on_demand_read_units = 12'000;  // The capacity of a new table.
  std::int64_t on_demand_write_units = 4'000;
  std::int64_t peak_minutes = 30;  // The minutes from a new peak to twice its capacity.
  std::int64_t table_read_quota = 40'000;
  std::int64_t table_write_quota = 40'000;
  std::int64_t split_percent = 90;  // The load that counts as hot, as a share of a partition's limit.
  std::int64_t split_minutes = 10;  // The minutes that a partition must be hot before it splits.
  std::int64_t index_queue_seconds =
      0;  // The seconds of writes that may wait for an index before its table throttles.
  std::int64_t eventual_read_percent =
      100;  // The share of the documented limit that eventually consistent reads get.
};

// The number of seconds that the states of tables, indexes, backups and streams last. AWS documents none of them.
struct StateOptions {
  std::int64_t creating = 5;  // A table.
  std::int64_t updating = 10;
  std::int64_t deleting = 5;
  std::int64_t allocating = 20;   // A new index, before its backfill.
  std::int64_t backfilling = 40;  // A new index, at least.
  std::int64_t enabling_ttl = 60;
  std::int64_t enabling_stream = 5;
  std::int64_t creating_backup = 5;
};

// Eventually consistent reads go to one of three replicas. Each write reaches one of them later, after a
// time that is drawn with this mean. AWS does not publish how late.
struct StaleReadOptions {
  std::int64_t mean_ms = 10;
  std::int64_t max_ms = 1'000;
  std::int64_t seed = 1;
};

struct PhysicsParameter {
  std::string_view name;  // The settings as `serve --physics aws,NAME=VALUE` takes them.
  std::int64_t PhysicsOptions::*member;
  std::int64_t min;
  std::int64_t max;
  bool documented;  // Documented by AWS. Otherwise the default is our estimate.
};
std::span<const PhysicsParameter> PhysicsParameters();

// "aws" or "aws,split-minutes=5,burst-seconds=60".
Result<PhysicsOptions> ParsePhysics(std::string_view text);

// "aws", or "aws,creating=10,backfilling=300"; the names are those of the members, with hyphens.
Result<StateOptions> ParseStates(std::string_view text);
// "aws", or "aws,mean-ms=20,max-ms=500,seed=7".
Result<StaleReadOptions> ParseStaleReads(std::string_view text);

// One limit that a throttled request exceeded.
struct ThrottlingReason {
  std::string reason;    // "TableWriteKeyRangeThroughputExceeded"
  std::string resource;  // The ARN of the table or index.
};

// kProvisionedThroughputExceeded, kThrottling and kRequestLimitExceeded.
struct ThrottlingDetail : ErrorDetail {
  std::vector<ThrottlingReason> reasons;
};

}  // namespace prejoin

#endif  // PREJOIN_PHYSICS_H_
