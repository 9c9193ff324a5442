// Result<T> and Error: how every call that can fail says so. Nothing in this library throws.
#ifndef PREJOIN_RESULT_H_
#define PREJOIN_RESULT_H_

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace prejoin {

// The names follow DynamoDB's exceptions; wire/answers/error_json.cc maps them to `__type` and HTTP status.
enum class ErrorCode {
  kValidation,
  kSerialization,
  kResourceNotFound,
  kResourceInUse,
  kTableNotFound,
  kTableInUse,
  kConditionalCheckFailed,
  kTransactionCanceled,
  kTransactionConflict,
  kTransactionInProgress,
  kIdempotentParameterMismatch,
  kItemCollectionSizeLimitExceeded,
  kLimitExceeded,
  kProvisionedThroughputExceeded,
  kThrottling,
  kRequestLimitExceeded,
  kExpiredIterator,
  kTrimmedDataAccess,
  kPolicyNotFound,
  kGlobalTableNotFound,
  kBackupNotFound,
  kBackupInUse,
  kTableAlreadyExists,
  kContinuousBackupsUnavailable,
  kPointInTimeRecoveryUnavailable,
  kInvalidRestoreTime,
  kImportNotFound,
  kImportConflict,
  kExportNotFound,
  kExportConflict,
  kInvalidExportTime,
  kAccessDenied,
  kUnknownOperation,
  kRequestTooLarge,
  kOverBudget,
  // The world's fault, or ours. DynamoDB calls them all InternalServerError.
  kUnavailable,
  kIo,
  kCorruption,
  kInternal,
};

// Extras that only a few errors carry: the item that failed a condition, the reasons of a cancelled
// transaction. Subclasses are in prejoin/operations.h.
struct ErrorDetail {
  virtual ~ErrorDetail() = default;
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // For people. Tests match it only where DynamoDB fixes the text.
  std::shared_ptr<const ErrorDetail> detail = nullptr;
};

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using Base = tl::expected<T, Error>;
  using Base::Base;
  Result(Base base) : Base(std::move(base)) {}  // Both implicit on purpose:
  Result(Error error)
      : Base(tl::unexpect, std::move(error)) {}  // `return ValidationError(…);` just works.
};

using Status = Result<void>;

inline Error ValidationError(std::string message) {
  return Error{ErrorCode::kValidation, std::move(message)};
}

}  // namespace prejoin

#define PJ_CONCAT_INNER(a, b) a##b
#define PJ_CONCAT(a, b) PJ_CONCAT_INNER(a, b)

// Returns the error of `expr`, a Status or Result, to the caller; goes on if there is none.
#define PJ_RETURN_IF_ERROR(expr)                             \
  do {                                                       \
    if (auto pj_status = (expr); !pj_status.has_value()) {   \
      return ::prejoin::Error(std::move(pj_status).error()); \
    }                                                        \
  } while (false)

// `PJ_ASSIGN_OR_RETURN(const auto table, catalog.Find(name));`
#define PJ_ASSIGN_OR_RETURN(lhs, expr) \
  PJ_ASSIGN_OR_RETURN_INNER(PJ_CONCAT(pj_result_, __LINE__), lhs, expr)
#define PJ_ASSIGN_OR_RETURN_INNER(result, lhs, expr)    \
  auto result = (expr);                                 \
  if (!result.has_value()) {                            \
    return ::prejoin::Error(std::move(result).error()); \
  }                                                     \
  lhs = *std::move(result)

#endif  // PREJOIN_RESULT_H_
