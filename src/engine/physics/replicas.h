// Eventually consistent reads: three replicas of every item, of which each write reaches one later than
// the others. A read goes to one of them, so it is stale with a probability of one third while the write
// is young. Writes that a replica has not seen yet are kept here; the store has the newest state only.
#ifndef PREJOIN_ENGINE_PHYSICS_REPLICAS_H_
#define PREJOIN_ENGINE_PHYSICS_REPLICAS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "base/mutex.h"
#include "base/random_source.h"
#include "prejoin/clock.h"
#include "prejoin/physics.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

// The version that a replica has in the place of a stored record; nullopt: nothing.
using OlderRecord = std::optional<std::string>;

// Thread-safe.
class Replicas {
 public:
  // `clock` outlives this object.
  Replicas(const StaleReadOptions& options, const Clock& clock)
      : options_(options), clock_(clock), random_(static_cast<std::uint64_t>(options.seed)) {}

  // A write has replaced this record.
  void Wrote(std::string_view stored_key, OlderRecord old_record) PJ_EXCLUDES(mutex_);

  // The record that a replica, drawn for this read, still has; nullopt: it has the newest one.
  std::optional<OlderRecord> Read(std::string_view stored_key) PJ_EXCLUDES(mutex_);

  // Visits the range of the store as a replica, drawn for this page, has it.
  using Visitor = FunctionRef<storage::Visit(std::string_view key, std::string_view value)>;
  Status Visit(storage::Store& store, const storage::Range& range, Visitor visitor)
      PJ_EXCLUDES(mutex_);

 private:
  struct Version {
    std::int64_t arrives_ms = 0;  // At the replica that is behind.
    std::size_t replica = 0;
    OlderRecord old_record;
  };
  using Versions = std::deque<Version>;  // The versions of one key, oldest first.
  struct Noted {
    std::int64_t until_ms = 0;
    std::string stored_key;
  };
  using Older = std::pair<std::string, OlderRecord>;

  void ForgetOld(std::int64_t now_ms) PJ_REQUIRES(mutex_);
  void ForgetFirst() PJ_REQUIRES(mutex_);
  static const Version* FirstMissing(const Versions& versions, std::size_t replica,
                                     std::int64_t now_ms);
  // In the direction of the range.
  std::vector<Older> OlderIn(const storage::Range& range) PJ_EXCLUDES(mutex_);

  const StaleReadOptions options_;
  const Clock& clock_;

  Mutex mutex_;
  RandomSource random_ PJ_GUARDED_BY(mutex_);
  std::map<std::string, Versions, std::less<>> by_key_ PJ_GUARDED_BY(mutex_);
  std::deque<Noted> noted_ PJ_GUARDED_BY(mutex_);  // In the order of the writes.
  std::size_t bytes_ PJ_GUARDED_BY(mutex_) = 0;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_REPLICAS_H_
