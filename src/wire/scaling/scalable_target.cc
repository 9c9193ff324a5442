#include "wire/scaling/scalable_target.h"

#include <algorithm>
#include <cmath>

#include "engine/tracking/resource_name.h"

namespace prejoin::wire {
namespace {

constexpr std::int64_t kCapacityMax = 1'000'000'000;
constexpr std::size_t kNameBytesMax = 256;
constexpr std::string_view kPolicyType = "TargetTrackingScaling";

constexpr ScalingDimension kDimensions[] = {
    {"dynamodb:table:ReadCapacityUnits", false, engine::Direction::kRead, "DynamoDBReadCapacityUtilization"},
    {"dynamodb:table:WriteCapacityUnits", false, engine::Direction::kWrite, "DynamoDBWriteCapacityUtilization"},
    {"dynamodb:index:ReadCapacityUnits", true, engine::Direction::kRead, "DynamoDBReadCapacityUtilization"},
    {"dynamodb:index:WriteCapacityUnits", true, engine::Direction::kWrite, "DynamoDBWriteCapacityUtilization"},
};

std::optional<double> NumberOf(const json::Value& request, std::string_view name) {
  const auto value = request.Find(name);
  const bool is_number = value && (value->type() == json::Type::kInteger || value->type() == json::Type::kDecimal);
  return is_number ? std::optional(value->number()) : std::nullopt;
}

bool FlagOf(const json::Value& request, std::string_view name) {
  const auto value = request.Find(name);
  return value && value->type() == json::Type::kBool && value->boolean();
}

std::int64_t MillisecondsOf(const json::Value& record, std::string_view name) {
  return std::llround(std::clamp(NumberOf(record, name).value_or(0), 0.0, 1e15));
}

Result<std::pair<ScalableId, ScalableTarget>> ReadRecord(const json::Value& record) {
  ScalableTarget target{.role = TextOf(record, "RoleARN"), .created_ms = MillisecondsOf(record, "CreatedMs")};
  PJ_ASSIGN_OR_RETURN(const ScalableId id, ReadScalableId(record));
  PJ_ASSIGN_OR_RETURN(target.least, WholeOf(record, "MinCapacity", 0));
  PJ_ASSIGN_OR_RETURN(target.most, WholeOf(record, "MaxCapacity", 0));
  PJ_ASSIGN_OR_RETURN(target.tags, ReadTags(record));
  if (record.Find("PolicyName")) {
    PJ_ASSIGN_OR_RETURN(target.policy, ReadPolicy(record, id));
    target.policy->created_ms = MillisecondsOf(record, "PolicyCreatedMs");
  }
  return std::pair(id, std::move(target));
}

}  // namespace

const ScalingDimension& DimensionOf(const ScalableId& id) {
  return *std::ranges::find(kDimensions, id.second, &ScalingDimension::name);
}

std::string_view DimensionName(bool of_index, std::size_t direction) {
  return kDimensions[(of_index ? 2 : 0) + direction].name;
}

engine::ScalingTarget ScalableTarget::ForScaler() const {
  constexpr std::int64_t kMsOfSecond = 1'000;
  engine::ScalingTarget bounds{.least = least, .most = most};
  if (policy) {
    bounds.used_share = policy->target_value / 100;
    bounds.scales_in = !policy->disable_scale_in;
    bounds.out_cooldown_ms = policy->scale_out_cooldown * kMsOfSecond;
    bounds.in_cooldown_ms = policy->scale_in_cooldown * kMsOfSecond;
  }
  return bounds;
}

std::string TextOf(const json::Value& request, std::string_view name) {
  const auto value = request.Find(name);
  return value && value->type() == json::Type::kString ? std::string(value->string()) : std::string();
}

Result<std::int64_t> WholeOf(const json::Value& request, std::string_view name, std::int64_t otherwise) {
  if (!request.Find(name)) {
    return otherwise;
  }
  const auto number = NumberOf(request, name);
  if (!number || !(*number >= 0) || *number > static_cast<double>(kCapacityMax) || std::floor(*number) != *number) {
    return ValidationError("The member " + std::string(name) + " must be a whole number from 0 to 1000000000.");
  }
  return static_cast<std::int64_t>(*number);
}

Result<ScalableId> ReadScalableId(const json::Value& request) {
  ScalableId id{TextOf(request, "ResourceId"), TextOf(request, "ScalableDimension")};
  if (TextOf(request, "ServiceNamespace") != kScalingNamespace) {
    return ValidationError("The service namespace must be dynamodb: others are not served here.");
  }
  const auto* dimension = std::ranges::find(kDimensions, id.second, &ScalingDimension::name);
  if (dimension == std::end(kDimensions)) {
    return ValidationError("Unsupported service namespace, resource type or scalable dimension");
  }
  const engine::ResourceName name = engine::ResourceNameOf(id.first);
  if (!id.first.starts_with("table/") || name.table.empty() || name.index.empty() == dimension->of_index) {
    return ValidationError("ResourceId must be table/NAME, or table/NAME/index/NAME for a dimension of an index.");
  }
  return id;
}

Result<ScalingPolicy> ReadPolicy(const json::Value& request, const ScalableId& id) {
  ScalingPolicy policy{.name = TextOf(request, "PolicyName")};
  if (policy.name.empty() || policy.name.size() > kNameBytesMax) {
    return ValidationError("PolicyName must have from 1 to 256 characters.");
  }
  const auto tracking = request.Find("TargetTrackingScalingPolicyConfiguration");
  if (TextOf(request, "PolicyType") != kPolicyType || !tracking || tracking->type() != json::Type::kObject) {
    return ValidationError("Tables and indexes of DynamoDB have policies of the type TargetTrackingScaling only.");
  }
  const auto metric = tracking->Find("PredefinedMetricSpecification");
  const std::string wanted(DimensionOf(id).metric);
  if (!metric || metric->type() != json::Type::kObject || TextOf(*metric, "PredefinedMetricType") != wanted) {
    return ValidationError("PredefinedMetricType must be " + wanted + ".");
  }
  const auto value = NumberOf(*tracking, "TargetValue");
  if (!value || !(*value >= 20) || *value > 90) {
    return ValidationError("TargetValue must be from 20 to 90.");
  }
  policy.target_value = *value;
  PJ_ASSIGN_OR_RETURN(policy.scale_in_cooldown, WholeOf(*tracking, "ScaleInCooldown", 0));
  PJ_ASSIGN_OR_RETURN(policy.scale_out_cooldown, WholeOf(*tracking, "ScaleOutCooldown", 0));
  policy.disable_scale_in = FlagOf(*tracking, "DisableScaleIn");
  return policy;
}

Result<std::map<std::string, std::string>> ReadTags(const json::Value& request) {
  std::map<std::string, std::string> tags;
  const auto given = request.Find("Tags");
  if (given && given->type() == json::Type::kObject) {
    for (const json::Field field : given->fields()) {
      if (field.value.type() == json::Type::kString) {
        tags.insert_or_assign(std::string(field.name), std::string(field.value.string()));
      }
    }
  }
  if (tags.size() > kScalingTagsMax) {
    return ValidationError("A scalable target has at most 50 tags.");
  }
  return tags;
}

void AppendPolicyMembers(const ScalableId& id, const ScalingPolicy& policy, json::ObjectWriter& object) {
  object.String("PolicyName", policy.name);
  object.String("PolicyType", kPolicyType);
  json::ObjectWriter tracking(object.Name("TargetTrackingScalingPolicyConfiguration"));
  tracking.Double("TargetValue", policy.target_value);
  json::ObjectWriter(tracking.Name("PredefinedMetricSpecification"))
      .String("PredefinedMetricType", DimensionOf(id).metric);
  tracking.Integer("ScaleOutCooldown", policy.scale_out_cooldown);
  tracking.Integer("ScaleInCooldown", policy.scale_in_cooldown);
  tracking.Bool("DisableScaleIn", policy.disable_scale_in);
}

void AppendTargetMembers(const ScalableId& id, const ScalableTarget& target, json::ObjectWriter& object) {
  object.String("ServiceNamespace", kScalingNamespace);
  object.String("ResourceId", id.first);
  object.String("ScalableDimension", id.second);
  object.Integer("MinCapacity", target.least);
  object.Integer("MaxCapacity", target.most);
  object.String("RoleARN", target.role);
}

std::string PrintTarget(const ScalableId& id, const ScalableTarget& target) {
  std::string out;
  {
    json::ObjectWriter object(out);
    AppendTargetMembers(id, target, object);
    object.Integer("CreatedMs", target.created_ms);
    if (target.policy) {
      AppendPolicyMembers(id, *target.policy, object);
      object.Integer("PolicyCreatedMs", target.policy->created_ms);
    }
    json::ObjectWriter tags(object.Name("Tags"));
    for (const auto& [key, value] : target.tags) {
      json::AppendString(value, tags.Key(key));
    }
  }
  return out;
}

Result<std::pair<ScalableId, ScalableTarget>> ParseTarget(std::string_view text) {
  const auto document = json::Document::Parse(text);
  if (document && document->root().type() == json::Type::kObject) {
    if (auto read = ReadRecord(document->root())) {
      return read;
    }
  }
  return Error{ErrorCode::kCorruption, "a stored target of auto scaling cannot be read"};
}

}  // namespace prejoin::wire
