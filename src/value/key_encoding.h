// Key values as bytes whose bytewise order is DynamoDB's order (docs/formats/keys.md).
//
// Each encoded value ends itself, so values can stand one behind the other and still sort part by
// part: S and B: the bytes with 0x00 written as 0x00 0xFF, then 0x00 0x00. N: a sign byte, an
// exponent byte, base-100 digits, an end byte; negative numbers inverted.
#ifndef PREJOIN_VALUE_KEY_ENCODING_H_
#define PREJOIN_VALUE_KEY_ENCODING_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "prejoin/item.h"
#include "value/encoding.h"

namespace prejoin {

// `value` is S, N or B. Order is defined between values of one type; which type a key has is the
// table's knowledge.
void AppendKeyValue(const AttributeValue& value, std::string& out);
void AppendKeyValue(ValueView value, std::string& out);

// All S or B keys that begin with `prefix` have encodings that begin with this: the escaped bytes
// without the end mark.
void AppendKeyPrefix(std::string_view prefix, std::string& out);

// The smallest string that is greater than every string with this prefix; empty if there is none.
std::string PrefixEnd(std::string_view prefix);

// Hash of an encoded partition key: decides the bucket, and the order of a Scan. Stable for ever:
// it is on disk.
std::uint32_t PartitionHash(std::string_view encoded_partition_key);

}  // namespace prejoin

#endif  // PREJOIN_VALUE_KEY_ENCODING_H_
