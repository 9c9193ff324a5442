#include "engine/physics/stream_limits.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kShardsKept = 10'000;  // The limit for a server; our own.

}  // namespace

Status StreamLimits::Take(TokenBucket& bucket, std::int64_t now_ms, ErrorCode code) {
  bucket.Refill(now_ms);
  if (!bucket.HasRoom()) {
    return Error{code, "Rate of requests exceeds the allowed throughput."};
  }
  bucket.Take(kMilliUnitsOfUnit);
  return {};
}

Status StreamLimits::TakeRead(const std::string& shard, std::int64_t now_ms) {
  const MutexLock lock(mutex_);
  if (shards_.size() >= kShardsKept && !shards_.contains(shard)) {
    shards_.clear();  // All begin again with what a second allows.
  }
  const auto bucket = shards_.try_emplace(shard, TokenBucket::Size{kShardReadsPerSecond}, true, now_ms);
  return Take(bucket.first->second, now_ms, ErrorCode::kLimitExceeded);
}

Status StreamLimits::TakeDescribe(std::int64_t now_ms) {
  const MutexLock lock(mutex_);
  if (describe_.units_per_second() == 0) {
    describe_ = TokenBucket({kDescribeStreamsPerSecond}, true, now_ms);
  }
  return Take(describe_, now_ms, ErrorCode::kThrottling);
}

}  // namespace prejoin::engine
