// Application Auto Scaling with target tracking, as AWS documents it for DynamoDB.
#ifndef PREJOIN_ENGINE_TRACKING_AUTO_SCALER_H_
#define PREJOIN_ENGINE_TRACKING_AUTO_SCALER_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/physics/limits_reached.h"
#include "prejoin/database.h"

namespace prejoin::engine {

// The reads, or the writes, of a table or index.
struct ScalingTarget {
  std::int64_t least = 1;
  std::int64_t most = 40'000;
  std::optional<double> used_share;  // Of the capacity; nullopt: no policy, only the two bounds hold.
  bool scales_in = true;
  std::int64_t out_cooldown_ms = 0;
  std::int64_t in_cooldown_ms = 0;
};

// A change that was made.
struct ScalingStep {
  std::int64_t at_ms = 0;
  std::string arn;
  std::array<std::int64_t, kDirections> before = {};
  std::array<std::int64_t, kDirections> after = {};
};

// Needs physics. Single thread.
class AutoScaler {
 public:
  // `database` outlives this object.
  explicit AutoScaler(Database& database) : database_(database) {}

  void Set(const std::string& arn, Direction direction, const ScalingTarget& target);
  void Remove(const std::string& arn, Direction direction);
  // Every table and index that has no target of its own.
  void SetAll(const std::array<ScalingTarget, kDirections>& targets) { all_ = targets; }

  // A minute has ended.
  void EndMinute(std::int64_t now_ms);

  // The last ones, oldest first.
  const std::vector<ScalingStep>& steps() const { return steps_; }
  // Units that are provisioned now, over all tables and indexes with targets.
  std::array<std::int64_t, kDirections> Total() const;

 private:
  struct Side {
    std::int64_t provisioned = 0;
    int above = 0;
    int below = 0;
    std::int64_t wanted = 0;  // 0: no change is under way.
    std::int64_t added = 0;   // By the last rise.
    std::optional<std::int64_t> rose_ms;
    std::optional<std::int64_t> fell_ms;  // Since the last rise.
  };
  struct Resource {
    std::array<std::optional<ScalingTarget>, kDirections> targets;
    std::array<Side, kDirections> sides;
    std::int64_t due_ms = 0;
  };
  using Used = std::array<double, kDirections>;  // Units a second.

  std::map<std::string, Used> Observe(std::int64_t minute_ms);
  static void Look(Resource& resource, const Used& used, std::int64_t now_ms);
  static void NoteChange(std::int64_t before, std::int64_t after, std::int64_t now_ms, Side& side);
  void Apply(const std::string& arn, Resource& resource, std::int64_t now_ms);

  Database& database_;
  std::optional<std::array<ScalingTarget, kDirections>> all_;
  std::map<std::string, Resource> resources_;  // By ARN.
  std::vector<ScalingStep> steps_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TRACKING_AUTO_SCALER_H_
