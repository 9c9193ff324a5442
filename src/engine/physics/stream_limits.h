// How often streams are read. AWS documents ten DescribeStream a second, and two readers of a shard, but no number of
// GetRecords: ten a second for each shard is our estimate, which leaves two readers their four a second each, as Lambda has.
#ifndef PREJOIN_ENGINE_PHYSICS_STREAM_LIMITS_H_
#define PREJOIN_ENGINE_PHYSICS_STREAM_LIMITS_H_

#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/mutex.h"
#include "engine/physics/token_bucket.h"
#include "prejoin/result.h"

namespace prejoin::engine {

inline constexpr std::int64_t kShardReadsPerSecond = 10;
inline constexpr std::int64_t kDescribeStreamsPerSecond = 10;

// Thread-safe.
class StreamLimits {
 public:
  // An error if the call comes too soon after others. `shard` names it within its server.
  Status TakeRead(const std::string& shard, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  Status TakeDescribe(std::int64_t now_ms) PJ_EXCLUDES(mutex_);

 private:
  static Status Take(TokenBucket& bucket, std::int64_t now_ms, ErrorCode code);

  Mutex mutex_;
  std::unordered_map<std::string, TokenBucket> shards_ PJ_GUARDED_BY(mutex_);
  TokenBucket describe_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_STREAM_LIMITS_H_
