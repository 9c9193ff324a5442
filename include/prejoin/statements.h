// Typed inputs and outputs of the PartiQL operations, named as in the DynamoDB API Reference.
#ifndef PREJOIN_STATEMENTS_H_
#define PREJOIN_STATEMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/item.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin {

// A failed INSERT: the code is kConditionalCheckFailed, since the absence of the item is the
// condition of every INSERT, and this detail tells it from others. On the wire it is
// DuplicateItemException.
struct DuplicateItemDetail : ErrorDetail {};

// A statement and the values of its `?`, from left to right.
struct PartiqlStatement {
  std::string statement;
  std::optional<std::vector<AttributeValue>> parameters;
  std::optional<bool> consistent_read;  // BatchExecuteStatement only.
  ReturnValuesOnFailure return_values_on_condition_check_failure = ReturnValuesOnFailure::kNone;
  // Parameters that cannot be values, as read from a request: the statement fails with this.
  std::optional<Error> refusal;
};

struct ExecuteStatementInput {
  std::string statement;
  std::optional<std::vector<AttributeValue>> parameters;
  std::optional<bool> consistent_read;
  std::optional<std::string> next_token;
  std::optional<std::int32_t> limit;
  ReturnValuesOnFailure return_values_on_condition_check_failure = ReturnValuesOnFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct ExecuteStatementOutput {
  std::vector<StoredItem> items;  // The result of a SELECT, or the items that RETURNING asks for.
  std::optional<std::string> next_token;
  std::optional<Item> last_evaluated_key;
  std::optional<ConsumedCapacity> consumed_capacity;
};

struct BatchExecuteStatementInput {
  std::vector<PartiqlStatement> statements;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchStatementResponse {
  std::optional<Error> error;
  std::string table_name;  // Empty if the statement could not be read.
  std::optional<StoredItem> item;
};

struct BatchExecuteStatementOutput {
  std::vector<BatchStatementResponse> responses;  // In the order of the request.
  std::vector<ConsumedCapacity> consumed_capacity;
};

struct ExecuteTransactionInput {
  std::vector<PartiqlStatement> statements;
  std::optional<std::string> client_request_token;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct ExecuteTransactionOutput {
  std::vector<std::optional<StoredItem>> items;  // The items of reads, in the order of the request.
  std::vector<ConsumedCapacity> consumed_capacity;
};

}  // namespace prejoin

#endif  // PREJOIN_STATEMENTS_H_
