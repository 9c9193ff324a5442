// Items as lines of DynamoDB JSON: how exports and imports write them.
#ifndef PREJOIN_WIRE_ITEM_LINES_H_
#define PREJOIN_WIRE_ITEM_LINES_H_

#include "transfer/item_text.h"

namespace prejoin::wire {

transfer::ItemText JsonItemText();

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ITEM_LINES_H_
