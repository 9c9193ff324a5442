#include "model/data/near_value.h"

#include <algorithm>

#include "base/utf8.h"

namespace prejoin::model {

AttributeValue ValueBeside(const AttributeValue& value, bool less) {
  if (const Number* number = value.number()) {
    return AttributeValue(*Number::Add(*number, Number(less ? -1 : 1)));
  }
  if (value.string() == nullptr || value.string()->empty()) {
    return value;
  }
  std::string text = *value.string();
  if (!less) {
    return AttributeValue(text + "~");
  }
  const auto last = static_cast<unsigned char>(text.back());
  if (last < 0x80 && last > 0) {
    text.back() = static_cast<char>(last - 1);
    return AttributeValue(text);
  }
  // A beginning of a text sorts before it. One character has no shorter beginning that a key may be, because DynamoDB has no empty keys.
  const std::string shorter = Beginning(text, text.size() - 1);
  return AttributeValue(shorter.size() < text.size() ? shorter : std::string(" "));
}

std::string Beginning(std::string_view text, std::size_t bytes) {
  if (text.empty()) {
    return "";
  }
  const std::size_t whole = Utf8PrefixBytes(text.substr(0, bytes));
  const std::size_t first = Utf8CharacterBytes(static_cast<unsigned char>(text.front()));
  return std::string(text.substr(0, std::max(whole, first)));
}

}  // namespace prejoin::model
