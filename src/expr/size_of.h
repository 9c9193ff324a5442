#ifndef PREJOIN_EXPR_SIZE_OF_H_
#define PREJOIN_EXPR_SIZE_OF_H_

#include <cstddef>
#include <optional>

#include "value/encoding.h"

namespace prejoin::expr {

// The function size: bytes of an S or B, members of a set, elements of a list, entries of a map.
// Other types have none.
inline std::optional<std::size_t> SizeOfValue(ValueView value) {
  switch (value.type()) {
    case ValueType::kString:
    case ValueType::kBinary:
      return value.string().size();
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
