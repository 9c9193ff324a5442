// Tags, checked as DynamoDB does.
#ifndef PREJOIN_ENGINE_TABLE_TAG_CHECKS_H_
#define PREJOIN_ENGINE_TABLE_TAG_CHECKS_H_

#include <cstddef>
#include <vector>

#include "prejoin/result.h"
#include "prejoin/table.h"

namespace prejoin::engine {

// Keys and values of one request: their characters, their lengths, no key twice.
Status CheckTags(const std::vector<Tag>& tags);
// All tags that a resource would have.
Status CheckTagCount(std::size_t count);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_TAG_CHECKS_H_
