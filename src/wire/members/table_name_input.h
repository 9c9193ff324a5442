// The request of operations that take nothing but a table's name.
#ifndef PREJOIN_WIRE_MEMBERS_TABLE_NAME_INPUT_H_
#define PREJOIN_WIRE_MEMBERS_TABLE_NAME_INPUT_H_

#include <string>

#include "prejoin/result.h"
#include "wire/members/request_body.h"

namespace prejoin::wire {

Result<std::string> ParseTableNameInput(const RequestBody& request);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_TABLE_NAME_INPUT_H_
