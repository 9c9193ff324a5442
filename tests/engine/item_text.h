// Items as text, so that a failed comparison can be read.
#ifndef PREJOIN_TESTS_ENGINE_ITEM_TEXT_H_
#define PREJOIN_TESTS_ENGINE_ITEM_TEXT_H_

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/item.h"

namespace prejoin {

std::string Text(const Item& item);

// `"a"`, `12`, `b"\x01"`, `true`, `null`, `[1, 2]`, `{k: 1}`; sets sorted: `SS("a", "b")`.
inline std::string Text(const AttributeValue& value) {
  const auto quoted = [](const std::string& bytes) {
    std::string text = "\"";
    for (const char c : bytes) {
      if (c >= ' ' && c <= '~') {
        text.push_back(c);
      } else {
        constexpr char kHex[] = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        text += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
      }
    }
    return text + '"';
  };
  const auto joined = [](std::string open, std::vector<std::string> parts, const char* close) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      open += (i > 0 ? ", " : "") + parts[i];
    }
    return open + close;
  };
  std::vector<std::string> parts;
  switch (value.type()) {
    case ValueType::kString:
      return quoted(*value.string());
    case ValueType::kNumber:
      return value.number()->ToString();
    case ValueType::kBinary:
      return "b" + quoted(*value.binary());
    case ValueType::kBool:
      return *value.boolean() ? "true" : "false";
    case ValueType::kNull:
      return "null";
    case ValueType::kList:
      for (const AttributeValue& element : *value.list()) {
        parts.push_back(Text(element));
      }
      return joined("[", parts, "]");
    case ValueType::kMap:
      return Text(*value.map());
    case ValueType::kStringSet:
      std::ranges::transform(*value.string_set(), std::back_inserter(parts), quoted);
      break;
    case ValueType::kNumberSet:
      std::ranges::transform(*value.number_set(), std::back_inserter(parts),
                             [](const Number& number) { return number.ToString(); });
      break;
    case ValueType::kBinarySet:
      std::ranges::transform(*value.binary_set(), std::back_inserter(parts), quoted);
      break;
  }
  std::ranges::sort(parts);
  return joined(std::string(TypeName(value.type())) + "(", parts, ")");
}

inline std::string Text(const Item& item) {
  std::string text = "{";
  for (const auto& [name, value] : item) {
    text += (text.size() > 1 ? ", " : "") + name + ": " + Text(value);
  }
  return text + "}";
}

inline std::string Text(const StoredItem& item) { return Text(item.Decode()); }

template <class T>
std::string Text(const std::optional<T>& value) {
  return value ? Text(*value) : "none";
}

template <class T>
std::string Text(const std::vector<T>& items) {
  std::string text;
  for (const T& item : items) {
    text += (text.empty() ? "" : "\n") + Text(item);
  }
  return text;
}

}  // namespace prejoin

#endif  // PREJOIN_TESTS_ENGINE_ITEM_TEXT_H_
