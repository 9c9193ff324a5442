// What Application Auto Scaling knows of a table's or index's reads or writes: bounds, policy and tags.
#ifndef PREJOIN_WIRE_SCALING_SCALABLE_TARGET_H_
#define PREJOIN_WIRE_SCALING_SCALABLE_TARGET_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/physics/limits_reached.h"
#include "engine/tracking/auto_scaler.h"
#include "json/reader.h"
#include "json/writer.h"
#include "prejoin/result.h"

namespace prejoin::wire {

inline constexpr std::string_view kScalingNamespace = "dynamodb";
inline constexpr std::size_t kScalingTagsMax = 50;

struct ScalingDimension {
  std::string_view name;
  bool of_index;
  engine::Direction direction;
  std::string_view metric;
};

// "table/Orders/index/ByStatus" and "dynamodb:index:ReadCapacityUnits".
using ScalableId = std::pair<std::string, std::string>;
// `id` is one that ReadScalableId made.
const ScalingDimension& DimensionOf(const ScalableId& id);
std::string_view DimensionName(bool of_index, std::size_t direction);

struct ScalingPolicy {
  std::string name;
  double target_value = 70;
  std::int64_t scale_in_cooldown = 0;  // Seconds. 0 is AWS's default for DynamoDB.
  std::int64_t scale_out_cooldown = 0;
  bool disable_scale_in = false;
  std::int64_t created_ms = 0;
};

struct ScalableTarget {
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::string role;
  std::int64_t created_ms = 0;
  std::map<std::string, std::string> tags;
  std::optional<ScalingPolicy> policy;

  engine::ScalingTarget ForScaler() const;
};

// Empty if there is no such text.
std::string TextOf(const json::Value& request, std::string_view name);
// A whole number from 0 to a billion; `otherwise` if there is none.
Result<std::int64_t> WholeOf(const json::Value& request, std::string_view name, std::int64_t otherwise);

// The members of a request. Errors are those of the API.
Result<ScalableId> ReadScalableId(const json::Value& request);
Result<ScalingPolicy> ReadPolicy(const json::Value& request, const ScalableId& id);
Result<std::map<std::string, std::string>> ReadTags(const json::Value& request);

// What it is of, its bounds and its role.
void AppendTargetMembers(const ScalableId& id, const ScalableTarget& target, json::ObjectWriter& object);
// The members of a policy that ReadPolicy reads.
void AppendPolicyMembers(const ScalableId& id, const ScalingPolicy& policy, json::ObjectWriter& object);

// The stored form (docs/formats/catalog.md). kCorruption for anything that PrintTarget did not make.
std::string PrintTarget(const ScalableId& id, const ScalableTarget& target);
Result<std::pair<ScalableId, ScalableTarget>> ParseTarget(std::string_view text);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_SCALING_SCALABLE_TARGET_H_
