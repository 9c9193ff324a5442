#include "wire/scaling/scaling_api.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/fingerprint.h"
#include "engine/engine.h"
#include "engine/engine_of.h"
#include "engine/tracking/resource_name.h"
#include "engine/tracking/scaling_records.h"
#include "engine/table/catalog.h"
#include "json/writer.h"

namespace prejoin::wire {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kMinutesToEndMax = 24 * 60;  // After a longer jump of the clock only the last day is looked at.

std::int64_t MinuteOf(const Clock& clock) {
  const std::int64_t now_ms = clock.NowMs();
  return now_ms - now_ms % kMinuteMs;
}

std::vector<std::string> TextsOf(const json::Value& request, std::string_view name) {
  std::vector<std::string> texts;
  const auto list = request.Find(name);
  if (list && list->type() == json::Type::kArray) {
    for (const json::Value text : list->elements()) {
      if (text.type() == json::Type::kString) {
        texts.emplace_back(text.string());
      }
    }
  }
  return texts;
}

// A member that is given must be the same.
bool MatchesIfGiven(const std::string& given, std::string_view value) { return given.empty() || given == value; }

// Lower-case hexadecimal digits of a fingerprint: names that stay the same from run to run.
std::string HexOf(const ScalableId& id) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char byte : Fingerprint(id.first + "\n" + id.second)) {
    hex += kDigits[static_cast<unsigned char>(byte) / 16];
    hex += kDigits[static_cast<unsigned char>(byte) % 16];
  }
  return hex;
}

std::string TargetArn(const ScalableId& id) {
  return "arn:aws:application-autoscaling:us-east-1:123456789012:scalable-target/" + HexOf(id);
}

std::string PolicyArn(const ScalableId& id, const std::string& name) {
  return "arn:aws:autoscaling:us-east-1:123456789012:scalingPolicy:" + HexOf(id) + ":resource/dynamodb/" + id.first +
         ":policyName/" + name;
}

// The ARN of the table or index; nullopt: there is none.
std::optional<std::string> ResourceArn(Database& database, const std::string& resource_id) {
  const engine::ResourceName name = engine::ResourceNameOf(resource_id);
  const engine::TablePtr table = engine::EngineOf(database).catalog().FindOrNull(name.table);
  if (table == nullptr) {
    return std::nullopt;
  }
  if (name.index.empty()) {
    return table->description.arn;
  }
  const engine::Index* index = table->FindIndex(name.index);
  return index != nullptr && index->global ? std::optional(index->description.arn) : std::nullopt;
}

void AppendTarget(const ScalableId& id, const ScalableTarget& target, std::string& out) {
  json::ObjectWriter object(out);
  AppendTargetMembers(id, target, object);
  object.Time("CreationTime", target.created_ms);
  {
    json::ObjectWriter suspended(object.Name("SuspendedState"));
    for (const char* name : {"DynamicScalingInSuspended", "DynamicScalingOutSuspended", "ScheduledScalingSuspended"}) {
      suspended.Bool(name, false);
    }
  }
  object.String("ScalableTargetARN", TargetArn(id));
}

void AppendPolicy(const ScalableId& id, const ScalingPolicy& policy, std::string& out) {
  json::ObjectWriter object(out);
  object.String("PolicyARN", PolicyArn(id, policy.name));
  object.String("ServiceNamespace", kScalingNamespace);
  object.String("ResourceId", id.first);
  object.String("ScalableDimension", id.second);
  AppendPolicyMembers(id, policy, object);
  object.Name("Alarms").append("[]");
  object.Time("CreationTime", policy.created_ms);
}

// One entry for the reads, and one for the writes, of a step.
void AppendActivity(const engine::ScalingStep& step, std::size_t side, std::string& out) {
  const engine::ResourceName name = engine::ResourceNameOf(step.arn);
  const bool of_index = !name.index.empty();
  const std::string id = "table/" + name.table + (of_index ? "/index/" + name.index : "");
  const std::string dimension(DimensionName(of_index, side));
  const std::string capacity = std::to_string(step.after[side]);
  json::ObjectWriter object(out);
  object.String("ActivityId", HexOf({id + std::to_string(step.at_ms), dimension}));
  object.String("ServiceNamespace", kScalingNamespace);
  object.String("ResourceId", id);
  object.String("ScalableDimension", dimension);
  object.String("Description", std::string("Setting ") + (side == 0 ? "read" : "write") + " capacity units to " + capacity + ".");
  object.String("Cause", "target tracking, " + std::to_string(step.before[side]) + " units before");
  object.Time("StartTime", step.at_ms);
  object.Time("EndTime", step.at_ms);
  object.String("StatusCode", "Successful");
  object.String("StatusMessage", "Successfully set capacity units to " + capacity + ".");
}

ScalingAnswer Refuse(int status, std::string_view type, std::string_view message) {
  ScalingAnswer answer{.status = status, .body = ""};
  json::ObjectWriter object(answer.body);
  object.String("__type", type);
  object.String("message", message);
  object.String("Message", message);
  return answer;
}

Error NotFound(const std::string& message) { return Error{ErrorCode::kResourceNotFound, message}; }

ScalingAnswer Refuse(const Error& error) {
  switch (error.code) {
    case ErrorCode::kResourceNotFound:
      return Refuse(400, "ObjectNotFoundException", error.message);
    case ErrorCode::kValidation:
      return Refuse(400, "ValidationException", error.message);
    default:
      return Refuse(500, "InternalServiceException", error.message);
  }
}

std::string StoredName(const ScalableId& id) { return id.second + "/" + id.first; }

}  // namespace

const ScalingApi::Operation ScalingApi::kOperations[] = {
    {"RegisterScalableTarget", &ScalingApi::Register},
    {"DeregisterScalableTarget", &ScalingApi::Deregister},
    {"DescribeScalableTargets", &ScalingApi::DescribeTargets},
    {"PutScalingPolicy", &ScalingApi::PutPolicy},
    {"DeleteScalingPolicy", &ScalingApi::DeletePolicy},
    {"DescribeScalingPolicies", &ScalingApi::DescribePolicies},
    {"DescribeScalingActivities", &ScalingApi::DescribeActivities},
    {"TagResource", &ScalingApi::Tag},
    {"UntagResource", &ScalingApi::Untag},
    {"ListTagsForResource", &ScalingApi::ListTags},
};

ScalingApi::ScalingApi(Database& database, const Clock& clock)
    : database_(database), clock_(clock), scaler_(database), last_minute_ms_(MinuteOf(clock)) {}

Status ScalingApi::Load() {
  PJ_ASSIGN_OR_RETURN(const std::vector<std::string> records, engine::ReadScalingRecords(engine::EngineOf(database_)));
  const MutexLock lock(mutex_);
  for (const std::string& record : records) {
    PJ_ASSIGN_OR_RETURN(auto read, ParseTarget(record));
    Use(read.first, &(targets_[read.first] = std::move(read.second)));
  }
  return {};
}

ScalingAnswer ScalingApi::Answer(std::string_view operation, std::string_view body, const AllowAction& allow) {
  const auto* known = std::ranges::find(kOperations, operation, &Operation::name);
  const bool is_known = known != std::end(kOperations);
  if (allow) {
    const Status allowed = allow("application-autoscaling:" + std::string(is_known ? operation : "Unknown"));
    if (!allowed) {
      return Refuse(403, "AccessDeniedException", allowed.error().message);
    }
  }
  if (!is_known) {
    return Refuse(400, "UnknownOperationException", "Of Application Auto Scaling, only targets, policies, activities and tags are served here.");
  }
  const auto document = body.size() <= kScalingBytesMax ? json::Document::Parse(body) : Result<json::Document>(ValidationError(""));
  if (!document || document->root().type() != json::Type::kObject) {
    return Refuse(400, "SerializationException", "The request cannot be read, or is too large.");
  }
  const MutexLock lock(mutex_);
  auto answered = (this->*known->run)(document->root());
  return answered ? ScalingAnswer{.status = 200, .body = *std::move(answered)} : Refuse(answered.error());
}

void ScalingApi::CatchUp() {
  const std::int64_t minute_ms = MinuteOf(clock_);
  const MutexLock lock(mutex_);
  if (last_minute_ms_ < minute_ms) {
    for (const auto& [id, target] : targets_) {
      Use(id, &target);  // Its table may be a new one.
    }
  }
  std::int64_t next_ms = std::max(last_minute_ms_, minute_ms - kMinutesToEndMax * kMinuteMs);
  while (next_ms < minute_ms && !targets_.empty()) {
    next_ms += kMinuteMs;
    scaler_.EndMinute(next_ms);
  }
  last_minute_ms_ = minute_ms;
}

Result<const ScalableTarget*> ScalingApi::FindTarget(const Id& id) const {
  const auto found = targets_.find(id);
  if (found == targets_.end()) {
    return NotFound("No scalable target found for service namespace: dynamodb, resource ID: " + id.first + ", scalable dimension: " + id.second);
  }
  return &found->second;
}

void ScalingApi::Use(const Id& id, const Target* target) {
  const auto arn = ResourceArn(database_, id.first);
  const engine::Direction direction = DimensionOf(id).direction;
  if (!arn) {
    return;  // The table was deleted.
  }
  if (target == nullptr) {
    scaler_.Remove(*arn, direction);
    return;
  }
  scaler_.Set(*arn, direction, target->ForScaler());
}

Status ScalingApi::Keep(const Id& id, Target target) {
  PJ_RETURN_IF_ERROR(engine::StoreScalingRecord(engine::EngineOf(database_), StoredName(id), PrintTarget(id, target)));
  Use(id, &(targets_[id] = std::move(target)));
  return {};
}

Result<std::string> ScalingApi::Register(const json::Value& request) {
  PJ_ASSIGN_OR_RETURN(const Id id, ReadScalableId(request));
  const auto known = targets_.find(id);
  Target target = known != targets_.end() ? known->second : Target{.created_ms = clock_.NowMs()};
  if (known == targets_.end() && (!request.Find("MinCapacity") || !request.Find("MaxCapacity"))) {
    return ValidationError("MinCapacity and MaxCapacity are required when a scalable target is registered.");
  }
  PJ_ASSIGN_OR_RETURN(target.least, WholeOf(request, "MinCapacity", target.least));
  PJ_ASSIGN_OR_RETURN(target.most, WholeOf(request, "MaxCapacity", target.most));
  if (target.least < 1 || target.most < target.least) {
    return ValidationError("MinCapacity must be at least 1, and MaxCapacity at least MinCapacity.");
  }
  if (!ResourceArn(database_, id.first)) {
    return ValidationError("DynamoDB table or index does not exist: " + id.first);
  }
  if (known == targets_.end() && targets_.size() >= kScalableTargetsMax) {
    return ValidationError("At most 5000 scalable targets can be registered.");
  }
  PJ_ASSIGN_OR_RETURN(auto tags, ReadTags(request));
  target.tags.merge(tags);
  if (target.tags.size() > kScalingTagsMax) {
    return ValidationError("A scalable target has at most 50 tags.");
  }
  const std::string role = TextOf(request, "RoleARN");
  if (!role.empty() || target.role.empty()) {
    target.role = role.empty() ? "arn:aws:iam::123456789012:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/"
                                 "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"
                               : role;
  }
  PJ_RETURN_IF_ERROR(Keep(id, std::move(target)));
  std::string out;
  json::ObjectWriter(out).String("ScalableTargetARN", TargetArn(id));
  return out;
}

Result<std::string> ScalingApi::Deregister(const json::Value& request) {
  PJ_ASSIGN_OR_RETURN(const Id id, ReadScalableId(request));
  PJ_RETURN_IF_ERROR(FindTarget(id));
  PJ_RETURN_IF_ERROR(engine::StoreScalingRecord(engine::EngineOf(database_), StoredName(id), std::nullopt));
  Use(id, nullptr);
  targets_.erase(id);
  return std::string("{}");
}

Result<std::string> ScalingApi::DescribeTargets(const json::Value& request) {
  const std::vector<std::string> ids = TextsOf(request, "ResourceIds");
  std::vector<const std::pair<const Id, Target>*> found;
  for (const auto& entry : targets_) {
    if (MatchesIfGiven(TextOf(request, "ScalableDimension"), entry.first.second) &&
        (ids.empty() || std::ranges::find(ids, entry.first.first) != ids.end())) {
      found.push_back(&entry);
    }
  }
  std::string out;
  {
    json::ObjectWriter object(out);
    json::AppendArray(found, object.Name("ScalableTargets"), [&](const auto* entry) { AppendTarget(entry->first, entry->second, out); });
  }
  return out;
}

Result<std::string> ScalingApi::PutPolicy(const json::Value& request) {
  PJ_ASSIGN_OR_RETURN(const Id id, ReadScalableId(request));
  PJ_ASSIGN_OR_RETURN(const Target* const known, FindTarget(id));
  PJ_ASSIGN_OR_RETURN(ScalingPolicy policy, ReadPolicy(request, id));
  if (known->policy && known->policy->name != policy.name) {
    return ValidationError("Only one TargetTrackingScaling policy for a given metric specification is allowed.");
  }
  policy.created_ms = known->policy ? known->policy->created_ms : clock_.NowMs();
  const std::string arn = PolicyArn(id, policy.name);
  Target target = *known;
  target.policy = std::move(policy);
  PJ_RETURN_IF_ERROR(Keep(id, std::move(target)));
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String("PolicyARN", arn);
    object.Name("Alarms").append("[]");
  }
  return out;
}

Result<std::string> ScalingApi::DeletePolicy(const json::Value& request) {
  PJ_ASSIGN_OR_RETURN(const Id id, ReadScalableId(request));
  const auto found = targets_.find(id);
  const std::string name = TextOf(request, "PolicyName");
  if (found == targets_.end() || !found->second.policy || found->second.policy->name != name) {
    return NotFound("No scaling policy found for service namespace: dynamodb, resource ID: " + id.first +
                    ", scalable dimension: " + id.second + ", policy name: " + name);
  }
  Target target = found->second;
  target.policy.reset();
  PJ_RETURN_IF_ERROR(Keep(id, std::move(target)));
  return std::string("{}");
}

Result<std::string> ScalingApi::DescribePolicies(const json::Value& request) {
  const std::vector<std::string> names = TextsOf(request, "PolicyNames");
  std::vector<const std::pair<const Id, Target>*> found;
  for (const auto& entry : targets_) {
    const auto& [id, target] = entry;
    if (target.policy && MatchesIfGiven(TextOf(request, "ResourceId"), id.first) &&
        MatchesIfGiven(TextOf(request, "ScalableDimension"), id.second) &&
        (names.empty() || std::ranges::find(names, target.policy->name) != names.end())) {
      found.push_back(&entry);
    }
  }
  std::string out;
  {
    json::ObjectWriter object(out);
    json::AppendArray(found, object.Name("ScalingPolicies"), [&](const auto* entry) { AppendPolicy(entry->first, *entry->second.policy, out); });
  }
  return out;
}

// The newest first.
Result<std::string> ScalingApi::DescribeActivities(const json::Value& request) {
  std::string out;
  {
    json::ObjectWriter object(out);
    std::vector<std::pair<const engine::ScalingStep*, std::size_t>> found;
    for (auto step = scaler_.steps().rbegin(); step != scaler_.steps().rend(); ++step) {
      const engine::ResourceName name = engine::ResourceNameOf(step->arn);
      const std::string id = "table/" + name.table + (name.index.empty() ? "" : "/index/" + name.index);
      for (std::size_t side = 0; side < engine::kDirections; ++side) {
        const std::string_view dimension = DimensionName(!name.index.empty(), side);
        if (step->before[side] != step->after[side] && MatchesIfGiven(TextOf(request, "ResourceId"), id) &&
            MatchesIfGiven(TextOf(request, "ScalableDimension"), dimension)) {
          found.emplace_back(&*step, side);
        }
      }
    }
    json::AppendArray(found, object.Name("ScalingActivities"), [&](const auto& one) { AppendActivity(*one.first, one.second, out); });
  }
  return out;
}

Result<const std::pair<const ScalableId, ScalableTarget>*> ScalingApi::FindByArn(const json::Value& request) const {
  const std::string arn = TextOf(request, "ResourceARN");
  for (const auto& entry : targets_) {
    if (TargetArn(entry.first) == arn) {
      return &entry;
    }
  }
  return NotFound("The resource " + arn + " was not found.");
}

Result<std::string> ScalingApi::Tag(const json::Value& request) {
  PJ_ASSIGN_OR_RETURN(const auto* const known, FindByArn(request));
  PJ_ASSIGN_OR_RETURN(auto tags, ReadTags(request));
  Target target = known->second;
  tags.merge(target.tags);
  if (tags.size() > kScalingTagsMax) {
    return ValidationError("A scalable target has at most 50 tags.");
  }
  target.tags = std::move(tags);
  PJ_RETURN_IF_ERROR(Keep(Id(known->first), std::move(target)));
  return std::string("{}");
}

Result<std::string> ScalingApi::Untag(const json::Value& request) {
  PJ_ASSIGN_OR_RETURN(const auto* const known, FindByArn(request));
  Target target = known->second;
  for (const std::string& key : TextsOf(request, "TagKeys")) {
    target.tags.erase(key);
  }
  PJ_RETURN_IF_ERROR(Keep(Id(known->first), std::move(target)));
  return std::string("{}");
}

Result<std::string> ScalingApi::ListTags(const json::Value& request) {
  PJ_ASSIGN_OR_RETURN(const auto* const known, FindByArn(request));
  std::string out;
  {
    json::ObjectWriter object(out);
    json::ObjectWriter tags(object.Name("Tags"));
    for (const auto& [key, value] : known->second.tags) {
      json::AppendString(value, tags.Key(key));
    }
  }
  return out;
}

}  // namespace prejoin::wire
