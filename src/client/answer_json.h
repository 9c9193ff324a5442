// Parts of an answer that every client of DynamoDB reads.
#ifndef PREJOIN_CLIENT_ANSWER_JSON_H_
#define PREJOIN_CLIENT_ANSWER_JSON_H_

#include <optional>
#include <vector>

#include "json/reader.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::client {

// All units that "ConsumedCapacity" names, as one object or as a list of them; 0 if there is nothing of the kind.
double ConsumedUnits(json::Value root);
// The items of a list; none if there is no list.
Result<std::vector<Item>> ReadItemList(std::optional<json::Value> list);

}  // namespace prejoin::client

#endif  // PREJOIN_CLIENT_ANSWER_JSON_H_
