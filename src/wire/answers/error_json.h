// Errors as DynamoDB's clients know them.
#ifndef PREJOIN_WIRE_ANSWERS_ERROR_JSON_H_
#define PREJOIN_WIRE_ANSWERS_ERROR_JSON_H_

#include <string>

#include "prejoin/result.h"

namespace prejoin::wire {

// HTTP status of an error: 400 for the caller's fault, 500 for ours.
int StatusOf(ErrorCode code);

// {"__type":"…#ValidationException","message":"…"}, with the error's details.
void AppendError(const Error& error, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ANSWERS_ERROR_JSON_H_
