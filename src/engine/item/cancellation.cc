#include "engine/item/cancellation.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace prejoin::engine {
namespace {

CancellationReason ReasonOf(const Error& error) {
  CancellationReason reason{.code = "ValidationError", .message = error.message};
  if (error.code == ErrorCode::kConditionalCheckFailed) {
    reason.code = "ConditionalCheckFailed";
    if (const auto* detail = dynamic_cast<const ConditionFailureDetail*>(error.detail.get())) {
      reason.item = detail->item;
    }
  } else if (error.code == ErrorCode::kItemCollectionSizeLimitExceeded) {
    reason.code = "ItemCollectionSizeLimitExceeded";
  } else if (error.code == ErrorCode::kProvisionedThroughputExceeded) {
    reason.code = "ProvisionedThroughputExceeded";
  } else if (error.code == ErrorCode::kThrottling) {
    reason.code = "ThrottlingError";
  } else if (error.code == ErrorCode::kTransactionConflict) {
    reason.code = "TransactionConflict";
  }
  return reason;
}

}  // namespace

Cancellation::Cancellation(std::size_t item_count)
    : reasons_(item_count, CancellationReason{.code = "None"}), limits_(item_count) {}

void Cancellation::Add(std::size_t item, const Error& error) {
  reasons_[item] = ReasonOf(error);
  limits_[item] = LimitsOf(error);
  cancelled_ = true;
}

Status Cancellation::Throttle(std::size_t item, const Error& error) {
  if (error.code == ErrorCode::kRequestLimitExceeded) {
    return error;
  }
  Add(item, error);
  return {};
}

Status Cancellation::Finish() && {
  if (!cancelled_) {
    return {};
  }
  // One error of validation is all that DynamoDB tells: the first, and of nothing else.
  const auto invalid =
      std::ranges::find(reasons_, std::string("ValidationError"), &CancellationReason::code);
  if (invalid != reasons_.end()) {
    for (auto reason = reasons_.begin(); reason != reasons_.end(); ++reason) {
      if (reason != invalid) {
        *reason = CancellationReason{.code = "None"};
      }
    }
  }
  std::string codes;
  for (const CancellationReason& reason : reasons_) {
    codes += (codes.empty() ? "" : ", ") + reason.code;
  }
  auto detail = std::make_shared<LimitedCancellation>();
  detail->reasons = std::move(reasons_);
  detail->limits = std::move(limits_);
  return Error{ErrorCode::kTransactionCanceled,
               "Transaction cancelled, please refer cancellation reasons for specific reasons [" +
                   codes + "]",
               std::move(detail)};
}

}  // namespace prejoin::engine
