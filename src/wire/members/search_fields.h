// SearchVectors reads its request with another library than the operations before it: what is null
// or missing is told with its place in the text.
#ifndef PREJOIN_WIRE_MEMBERS_SEARCH_FIELDS_H_
#define PREJOIN_WIRE_MEMBERS_SEARCH_FIELDS_H_

#include <string_view>

#include "json/reader.h"
#include "prejoin/result.h"

namespace prejoin::wire {

// `root` is the document that `body` was parsed to.
Status CheckSearchFields(json::Value root, std::string_view body);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_SEARCH_FIELDS_H_
