// BatchWriteItem's RequestItems as DynamoDB repeats them in a message: like the toString of its Java classes, with every member.
#ifndef PREJOIN_WIRE_MEMBERS_WRITE_REQUEST_ECHO_H_
#define PREJOIN_WIRE_MEMBERS_WRITE_REQUEST_ECHO_H_

#include <string>

#include "json/reader.h"

namespace prejoin::wire {

// Cut off where it gets long. `tables` is a JSON object whose types need not be right.
std::string PrintWriteRequests(json::Value tables);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_WRITE_REQUEST_ECHO_H_
