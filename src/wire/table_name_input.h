// The request of operations that take nothing but a table's name.
#ifndef PREJOIN_WIRE_TABLE_NAME_INPUT_H_
#define PREJOIN_WIRE_TABLE_NAME_INPUT_H_

#include <string>

#include "prejoin/result.h"
#include "wire/json_reader.h"

namespace prejoin::wire {

Result<std::string> ParseTableNameInput(JsonValue root);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_TABLE_NAME_INPUT_H_
