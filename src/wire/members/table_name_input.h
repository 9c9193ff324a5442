// The request of operations that take nothing but a table's name.
#ifndef PREJOIN_WIRE_MEMBERS_TABLE_NAME_INPUT_H_
#define PREJOIN_WIRE_MEMBERS_TABLE_NAME_INPUT_H_

#include <string>

#include "json/reader.h"
#include "prejoin/result.h"

namespace prejoin::wire {

Result<std::string> ParseTableNameInput(json::Value root);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_TABLE_NAME_INPUT_H_
