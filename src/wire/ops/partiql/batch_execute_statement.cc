#include "json/item_json.h"
#include "json/writer.h"
#include "partiql/limits.h"
#include "wire/answers/capacity_json.h"
#include "wire/members/item_members.h"
#include "wire/members/statement_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<BatchExecuteStatementInput> kBatchExecuteStatementMembers[] = {
    {"Statements",
     [](InputReader& reader, json::Value value, const Path& path, BatchExecuteStatementInput& out) {
       return ReadStatements(reader, value, path, partiql::kBatchStatementsMax, out.statements);
     },
     Presence::kRequired},
    ReturnConsumedCapacityMember<BatchExecuteStatementInput>(),
};

// The errors of single statements have names of their own.
std::string_view CodeOf(const Error& error) {
  if (dynamic_cast<const DuplicateItemDetail*>(error.detail.get()) != nullptr) {
    return "DuplicateItem";
  }
  switch (error.code) {
    case ErrorCode::kValidation:
    case ErrorCode::kSerialization:
      return "ValidationError";
    case ErrorCode::kResourceNotFound:
    case ErrorCode::kTableNotFound:
      return "ResourceNotFound";
    case ErrorCode::kConditionalCheckFailed:
      return "ConditionalCheckFailed";
    case ErrorCode::kItemCollectionSizeLimitExceeded:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::kTransactionConflict:
    case ErrorCode::kTransactionInProgress:
      return "TransactionConflict";
    case ErrorCode::kLimitExceeded:
    case ErrorCode::kRequestLimitExceeded:
      return "RequestLimitExceeded";
    case ErrorCode::kProvisionedThroughputExceeded:
      return "ProvisionedThroughputExceeded";
    case ErrorCode::kOverBudget:
    case ErrorCode::kThrottling:
      return "ThrottlingError";
    case ErrorCode::kAccessDenied:
      return "AccessDenied";
    default:
      return "InternalServerError";
  }
}

void AppendStatementError(const Error& error, std::string& out) {
  json::ObjectWriter object(out);
  const std::string_view code = CodeOf(error);
  object.String("Code", code);
  // Faults inside are for the log, not for the client.
  object.String("Message", code == "InternalServerError" ? "Internal server error"
                                                         : std::string_view(error.message));
  if (const auto* failure = dynamic_cast<const ConditionFailureDetail*>(error.detail.get());
      failure != nullptr && failure->item.has_value()) {
    json::AppendItem(*failure->item, object.Name("Item"));
  }
}

}  // namespace

Result<BatchExecuteStatementInput> ParseBatchExecuteStatementInput(const RequestBody& request) {
  return ParseInput(request, kBatchExecuteStatementMembers);
}

void PrintBatchExecuteStatementOutput(const BatchExecuteStatementOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.responses, answer.Name("Responses"),
                    [&](const BatchStatementResponse& response) {
                      json::ObjectWriter object(out);
                      if (response.error) {
                        AppendStatementError(*response.error, object.Name("Error"));
                      }
                      if (!response.table_name.empty()) {
                        object.String("TableName", response.table_name);
                      }
                      if (response.item) {
                        json::AppendItem(*response.item, object.Name("Item"));
                      }
                    });
  WriteCapacities(output.consumed_capacity, UnitDetail::kSum, answer);
}

}  // namespace prejoin::wire
