// The limits of a real account, for every table and global index of an engine. An engine without
// physics has no such object, and its requests ask once whether there is one.
#ifndef PREJOIN_ENGINE_PHYSICS_PHYSICS_H_
#define PREJOIN_ENGINE_PHYSICS_PHYSICS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "engine/engine.h"
#include "engine/item/capacity.h"
#include "engine/physics/change_quota.h"
#include "engine/physics/limits_reached.h"
#include "engine/physics/running_transactions.h"
#include "engine/physics/stream_limits.h"
#include "engine/physics/throughput.h"
#include "engine/table/table.h"
#include "prejoin/clock.h"
#include "prejoin/physics.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Units that a request takes from a table or one of its global indexes. Borrows.
struct Demand {
  const Table& table;
  const Index* index = nullptr;  // Global; null: the table, also for its local indexes.
  Direction direction = Direction::kRead;
  std::string_view
      stored_key;  // With its space: an item's or entry's, or the beginning of a range.
  MilliUnits units = 0;
  bool eventual = false;
};

MilliUnits MilliUnitsOf(double units);

// Thread-safe.
class Physics {
 public:
  // `clock` outlives this object.
  Physics(const PhysicsOptions& options, const Clock& clock);

  // Takes the units, or says which limit is reached.
  std::optional<LimitReached> Take(const Demand& demand) PJ_EXCLUDES(mutex_);
  void GiveBack(const Demand& demand) PJ_EXCLUDES(mutex_);

  // True if UpdateTable may make `next` of `current` today. Counts the change if it may.
  Status AllowChange(const Table& current, const Table& next) PJ_EXCLUDES(mutex_);
  // UpdateTable has published this version.
  void Changed(const Table& table) PJ_EXCLUDES(mutex_);
  // Tables or indexes with these spaces were deleted.
  void Forget(std::span<const std::uint32_t> spaces) PJ_EXCLUDES(mutex_);

  // Once, before the first request: transactions run for so long.
  void RunTransactionsFor(std::chrono::milliseconds length) {
    running_ = std::make_unique<RunningTransactions>(length);
  }
  // Null: transactions take no time, and nothing conflicts.
  RunningTransactions* running_transactions() { return running_.get(); }
  StreamLimits& streams() { return streams_; }

  const PhysicsOptions& options() const { return options_; }

  // Takes the limit that was reached last, also of a batch that hides it: for a simulation, which sends one request at a time.
  std::optional<LimitReached> TakeLastReached() PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return std::exchange(last_reached_, std::nullopt);
  }

  // Reads take so many times their units from now on: a simulation has fewer rows under a key than the tables it stands for.
  void SetReadFactor(double factor) { read_factor_ = factor; }
  double read_factor() const { return read_factor_; }

  // Calls `look` with every table and index that was used, in the order of their ARNs.
  template <class Look>
  void ForEach(Look look) const PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    std::map<std::string_view, const Throughput*> ordered;
    for (const auto& [space, throughput] : by_space_) {
      ordered.emplace(throughput->settings().arn, throughput.get());
    }
    for (const auto& [arn, throughput] : ordered) {
      look(*throughput);
    }
  }

 private:
  Throughput& Of(const Table& table, const Index* index, std::int64_t now_ms) PJ_REQUIRES(mutex_);

  const PhysicsOptions options_;
  const Clock& clock_;
  std::atomic<double> read_factor_ = 1;
  std::unique_ptr<RunningTransactions> running_;
  StreamLimits streams_;

  mutable Mutex mutex_;
  std::optional<LimitReached> last_reached_ PJ_GUARDED_BY(mutex_);
  std::unordered_map<std::uint32_t, std::unique_ptr<Throughput>> by_space_ PJ_GUARDED_BY(mutex_);
  std::unordered_map<std::uint32_t, DecreaseQuota> decreases_ PJ_GUARDED_BY(mutex_);
  std::unordered_map<std::uint32_t, SwitchQuota> switches_ PJ_GUARDED_BY(mutex_);
};

// A read that was answered: an item, or a page of which `stored_key` is the beginning. Throttles it.
struct ReadCost {
  const TablePtr& table;
  const Index* index = nullptr;  // Local or global; null: the table.
  std::string_view stored_key;
  double units = 0;
  Consistency consistency = Consistency::kEventual;
};
Status TakeRead(Physics& physics, RequestContext& context, const ReadCost& cost);
// The request was abandoned, and runs again.
void GiveBackReads(Engine& engine, RequestContext& context);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_PHYSICS_H_
