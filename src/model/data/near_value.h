// Values near another one, for arguments that find some rows and not all. What is made of a valid text is valid UTF-8.
#ifndef PREJOIN_MODEL_DATA_NEAR_VALUE_H_
#define PREJOIN_MODEL_DATA_NEAR_VALUE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "prejoin/item.h"

namespace prejoin::model {

// A value a little less, or a little more, than this one: the next number, or a text that sorts before or behind it.
AttributeValue ValueBeside(const AttributeValue& value, bool less);

// At most the first `bytes` of the text, in whole characters, but at least one character.
std::string Beginning(std::string_view text, std::size_t bytes);
// About half of it.
inline std::string FirstHalf(std::string_view text) { return Beginning(text, (text.size() + 1) / 2); }

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_NEAR_VALUE_H_
