// Errors that several operations give, one place for each text.
#ifndef PREJOIN_ENGINE_ERRORS_H_
#define PREJOIN_ENGINE_ERRORS_H_

#include <string>
#include <utility>

#include "prejoin/result.h"

namespace prejoin::engine {

inline Error ResourceNotFound(std::string message) {
  return Error{ErrorCode::kResourceNotFound, std::move(message)};
}
inline Error TableNotFound(const std::string& table_name) {
  return ResourceNotFound("Requested resource not found: Table: " + table_name + " not found");
}
inline Error ResourceInUse(std::string message) {
  return Error{ErrorCode::kResourceInUse, std::move(message)};
}
inline Error LimitExceeded(std::string message) {
  return Error{ErrorCode::kLimitExceeded, std::move(message)};
}
// "One or more parameter values were invalid: …"
inline Error InvalidParameter(const std::string& what) {
  return ValidationError("One or more parameter values were invalid: " + what);
}

// The request's budget is used up. On a trial the server drops this error and runs the request
// again.
inline Error OverBudget() {
  return Error{ErrorCode::kOverBudget,
               "The request needs more work or memory than one request may have; ask for less at a "
               "time"};
}

inline Error SeveralOnOneItem() {
  return ValidationError("Transaction request cannot include multiple operations on one item");
}

// "1 validation error detected: …": how PutItem, UpdateItem and DeleteItem word what is wrong with
// the request itself, whatever the table. Errors of other kinds stay as they are.
inline Error InEnvelope(Error error) {
  if (error.code == ErrorCode::kValidation) {
    error.message.insert(0, "1 validation error detected: ");
  }
  return error;
}
inline Status InEnvelope(Status status) {
  return status ? status : Status(InEnvelope(std::move(status).error()));
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ERRORS_H_
