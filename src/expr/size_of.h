#ifndef PREJOIN_EXPR_SIZE_OF_H_
#define PREJOIN_EXPR_SIZE_OF_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "value/encoding.h"

namespace prejoin::expr {

// UTF-16 code units, although everything else in DynamoDB counts the bytes of UTF-8: size("é𝄞")
// is 3. `text` is valid UTF-8.
inline std::size_t CountUtf16Units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += ((byte & 0xC0) != 0x80) + (byte >= 0xF0);  // One for each character, two past U+FFFF.
  }
  return units;
}

// The function size: UTF-16 units of an S, bytes of a B, members of a set, elements of a list,
// entries of a map. Other types have none.
inline std::optional<std::size_t> SizeOfValue(ValueView value) {
  switch (value.type()) {
    case ValueType::kString:
      return CountUtf16Units(value.string());
    case ValueType::kBinary:
      return value.binary().size();
    case ValueType::kList:
      return value.list().size();
    case ValueType::kMap:
      return value.map().size();
    case ValueType::kStringSet:
    case ValueType::kNumberSet:
    case ValueType::kBinarySet:
      return value.set().size();
    case ValueType::kNumber:
    case ValueType::kBool:
    case ValueType::kNull:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_SIZE_OF_H_
