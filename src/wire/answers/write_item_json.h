// The answer that PutItem, UpdateItem and DeleteItem share.
#ifndef PREJOIN_WIRE_ANSWERS_WRITE_ITEM_JSON_H_
#define PREJOIN_WIRE_ANSWERS_WRITE_ITEM_JSON_H_

#include <string>

#include "prejoin/operations.h"

namespace prejoin::wire {

void AppendWriteItemOutput(const WriteItemOutput& output, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ANSWERS_WRITE_ITEM_JSON_H_
