#include "engine/physics/limits_reached.h"

#include <memory>
#include <string_view>
#include <utility>

namespace prejoin::engine {
namespace {

constexpr std::string_view kTableProvisioned =
    "The level of configured provisioned throughput for the table was exceeded. Consider "
    "increasing your provisioning level with the UpdateTable API.";
// It ends without a full stop.
constexpr std::string_view kIndexProvisioned =
    "The level of configured provisioned throughput for one or more global secondary indexes of "
    "the table was exceeded. Consider increasing your provisioning level for the "
    "under-provisioned global secondary indexes with the UpdateTable API";
constexpr std::string_view kTableOnDemand =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically "
    "scaling your table or index so please try again shortly. If exceptions persist, check if you "
    "have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
constexpr std::string_view kIndexOnDemand =
    "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is "
    "automatically scaling your index so please try again shortly.";
constexpr std::string_view kMaxOnDemand =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
constexpr std::string_view kAccount =
    "Throughput exceeds the current throughput limit for your account. To request a limit "
    "increase, contact AWS Support at https://aws.amazon.com/support";

std::string_view Ending(Limit limit) {
  switch (limit) {
    case Limit::kAccount:
      return "AccountLimitExceeded";
    case Limit::kMaxOnDemand:
      return "MaxOnDemandThroughputExceeded";
    case Limit::kProvisioned:
      return "ProvisionedThroughputExceeded";
    case Limit::kKeyRange:
      break;
  }
  return "KeyRangeThroughputExceeded";
}

// AWS's pages disagree about an account limit: RequestLimitExceeded for the table is the older word,
// ThrottlingException for an index the only one.
ErrorCode CodeOf(const LimitReached& reached) {
  if (reached.limit == Limit::kAccount) {
    return reached.is_index ? ErrorCode::kThrottling : ErrorCode::kRequestLimitExceeded;
  }
  return reached.on_demand ? ErrorCode::kThrottling : ErrorCode::kProvisionedThroughputExceeded;
}

std::string_view TextOf(const LimitReached& reached) {
  if (reached.limit == Limit::kAccount) {
    return kAccount;
  }
  if (reached.limit == Limit::kMaxOnDemand) {
    return kMaxOnDemand;
  }
  if (reached.on_demand) {
    return reached.is_index ? kIndexOnDemand : kTableOnDemand;
  }
  return reached.is_index ? kIndexProvisioned : kTableProvisioned;
}

}  // namespace

std::string ReasonName(const LimitReached& reached) {
  std::string name = reached.is_index ? "Index" : "Table";
  name += reached.direction == Direction::kRead ? "Read" : "Write";
  return name.append(Ending(reached.limit));
}

Error ThrottlingError(const std::vector<LimitReached>& reached) {
  auto detail = std::make_shared<LimitsDetail>();
  detail->limits = reached;
  for (const LimitReached& one : reached) {
    detail->reasons.push_back({ReasonName(one), one.arn});
  }
  return Error{CodeOf(reached.front()), std::string(TextOf(reached.front())), std::move(detail)};
}

bool IsThrottling(const Error& error) {
  return dynamic_cast<const LimitsDetail*>(error.detail.get()) != nullptr;
}

std::vector<LimitReached> LimitsOf(const Error& error) {
  const auto* detail = dynamic_cast<const LimitsDetail*>(error.detail.get());
  return detail != nullptr ? detail->limits : std::vector<LimitReached>();
}

}  // namespace prejoin::engine
