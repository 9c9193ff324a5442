#include "wire/answers/error_json.h"

#include "json/item_json.h"
#include "json/writer.h"
#include "prejoin/physics.h"
#include "prejoin/statements.h"

namespace prejoin::wire {
namespace {

constexpr std::string_view kInternalMessage =
    "The request processing has failed because of an unknown error, exception or failure.";

struct WireError {
  std::string_view type;
  int status = 400;
};

// Long: one row for each error.
WireError WireErrorOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidation:
      return {"com.amazon.coral.validate#ValidationException"};
    case ErrorCode::kSerialization:
      return {"com.amazon.coral.service#SerializationException"};
    case ErrorCode::kUnknownOperation:
      return {"com.amazon.coral.service#UnknownOperationException"};
    case ErrorCode::kAccessDenied:
      return {"com.amazon.coral.service#AccessDeniedException"};
    case ErrorCode::kResourceNotFound:
      return {"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"};
    case ErrorCode::kResourceInUse:
      return {"com.amazonaws.dynamodb.v20120810#ResourceInUseException"};
    case ErrorCode::kTableNotFound:
      return {"com.amazonaws.dynamodb.v20120810#TableNotFoundException"};
    case ErrorCode::kTableInUse:
      return {"com.amazonaws.dynamodb.v20120810#TableInUseException"};
    case ErrorCode::kConditionalCheckFailed:
      return {"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"};
    case ErrorCode::kTransactionCanceled:
      return {"com.amazonaws.dynamodb.v20120810#TransactionCanceledException"};
    case ErrorCode::kTransactionConflict:
      return {"com.amazonaws.dynamodb.v20120810#TransactionConflictException"};
    case ErrorCode::kTransactionInProgress:
      return {"com.amazonaws.dynamodb.v20120810#TransactionInProgressException"};
    case ErrorCode::kIdempotentParameterMismatch:
      return {"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"};
    case ErrorCode::kItemCollectionSizeLimitExceeded:
      return {"com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"};
    case ErrorCode::kLimitExceeded:
      return {"com.amazonaws.dynamodb.v20120810#LimitExceededException"};
    case ErrorCode::kProvisionedThroughputExceeded:
      return {"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"};
    // As seen on AWS for an on-demand table.
    case ErrorCode::kThrottling:
      return {"com.amazon.coral.availability#ThrottlingException"};
    case ErrorCode::kRequestLimitExceeded:
      return {"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded"};
    case ErrorCode::kExpiredIterator:
      return {"com.amazonaws.dynamodb.v20120810#ExpiredIteratorException"};
    case ErrorCode::kTrimmedDataAccess:
      return {"com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException"};
    case ErrorCode::kPolicyNotFound:
      return {"com.amazonaws.dynamodb.v20120810#PolicyNotFoundException"};
    case ErrorCode::kGlobalTableNotFound:
      return {"com.amazonaws.dynamodb.v20120810#GlobalTableNotFoundException"};
    case ErrorCode::kBackupNotFound:
      return {"com.amazonaws.dynamodb.v20120810#BackupNotFoundException"};
    case ErrorCode::kBackupInUse:
      return {"com.amazonaws.dynamodb.v20120810#BackupInUseException"};
    case ErrorCode::kTableAlreadyExists:
      return {"com.amazonaws.dynamodb.v20120810#TableAlreadyExistsException"};
    case ErrorCode::kContinuousBackupsUnavailable:
      return {"com.amazonaws.dynamodb.v20120810#ContinuousBackupsUnavailableException"};
    case ErrorCode::kPointInTimeRecoveryUnavailable:
      return {"com.amazonaws.dynamodb.v20120810#PointInTimeRecoveryUnavailableException"};
    case ErrorCode::kInvalidRestoreTime:
      return {"com.amazonaws.dynamodb.v20120810#InvalidRestoreTimeException"};
    case ErrorCode::kImportNotFound:
      return {"com.amazonaws.dynamodb.v20120810#ImportNotFoundException"};
    case ErrorCode::kImportConflict:
      return {"com.amazonaws.dynamodb.v20120810#ImportConflictException"};
    case ErrorCode::kExportNotFound:
      return {"com.amazonaws.dynamodb.v20120810#ExportNotFoundException"};
    case ErrorCode::kExportConflict:
      return {"com.amazonaws.dynamodb.v20120810#ExportConflictException"};
    case ErrorCode::kInvalidExportTime:
      return {"com.amazonaws.dynamodb.v20120810#InvalidExportTimeException"};
    case ErrorCode::kOverBudget:
      return {"com.amazon.coral.validate#ValidationException"};
    case ErrorCode::kRequestTooLarge:
      return {"com.amazon.coral.service#RequestEntityTooLargeException", 413};
    case ErrorCode::kUnavailable:
      return {"com.amazon.coral.service#ServiceUnavailableException", 503};
    case ErrorCode::kIo:
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      break;
  }
  return {"com.amazonaws.dynamodb.v20120810#InternalServerError", 500};
}

// Faults inside are for the log, not for the client.
std::string_view MessageOf(const Error& error) {
  return StatusOf(error.code) == 500 ? kInternalMessage : std::string_view(error.message);
}

// Coral's own exceptions, and the transaction's, spell the member with a capital letter.
bool HasCapitalMessage(ErrorCode code) {
  return code == ErrorCode::kSerialization || code == ErrorCode::kAccessDenied ||
         code == ErrorCode::kTransactionCanceled || code == ErrorCode::kIdempotentParameterMismatch;
}

bool IsDuplicateItem(const Error& error) {
  return dynamic_cast<const DuplicateItemDetail*>(error.detail.get()) != nullptr;
}

void AppendReason(const CancellationReason& reason, std::string& out) {
  json::ObjectWriter object(out);
  object.String("Code", reason.code);
  if (reason.item.has_value()) {
    json::AppendItem(*reason.item, object.Name("Item"));
  }
  if (!reason.message.empty()) {
    object.String("Message", reason.message);
  }
}

}  // namespace

int StatusOf(ErrorCode code) { return WireErrorOf(code).status; }

void AppendError(const Error& error, std::string& out) {
  json::ObjectWriter object(out);
  object.String("__type", IsDuplicateItem(error)
                              ? "com.amazonaws.dynamodb.v20120810#DuplicateItemException"
                              : WireErrorOf(error.code).type);
  if (const auto* failure = dynamic_cast<const ConditionFailureDetail*>(error.detail.get());
      failure != nullptr && failure->item.has_value()) {
    json::AppendItem(*failure->item, object.Name("Item"));
  }
  if (const auto* cancellation = dynamic_cast<const CancellationDetail*>(error.detail.get())) {
    json::AppendArray(cancellation->reasons, object.Name("CancellationReasons"),
                      [&](const CancellationReason& reason) { AppendReason(reason, out); });
  }
  if (const auto* throttling = dynamic_cast<const ThrottlingDetail*>(error.detail.get())) {
    // The service model spells this one member with a small letter.
    json::AppendArray(throttling->reasons,
                      object.Name(error.code == ErrorCode::kThrottling ? "throttlingReasons"
                                                                       : "ThrottlingReasons"),
                      [&](const ThrottlingReason& reason) {
                        json::ObjectWriter entry(out);
                        entry.String("reason", reason.reason);
                        entry.String("resource", reason.resource);
                      });
  }
  // An unreadable body and an unknown operation are answered without any words.
  if (const std::string_view message = MessageOf(error); !message.empty()) {
    object.String(HasCapitalMessage(error.code) ? "Message" : "message", message);
  }
}

}  // namespace prejoin::wire
