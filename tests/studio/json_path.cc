#include "tests/studio/json_path.h"

#include <optional>

#include "wire/json_reader.h"

namespace prejoin::studio {
namespace {

using wire::JsonType;
using wire::JsonValue;

std::optional<JsonValue> Step(JsonValue value, std::string_view name) {
  if (value.type() == JsonType::kObject) {
    for (const auto& field : value.fields()) {
      if (field.name == name) return field.value;
    }
  }
  if (value.type() == JsonType::kArray) {
    std::size_t left = std::stoul(std::string(name));
    for (const JsonValue element : value.elements()) {
      if (left-- == 0) return element;
    }
  }
  return std::nullopt;
}

std::string TextOf(JsonValue value) {
  switch (value.type()) {
    case JsonType::kNull:
      return "null";
    case JsonType::kBool:
      return value.boolean() ? "true" : "false";
    case JsonType::kString:
      return std::string(value.string());
    case JsonType::kArray:
    case JsonType::kObject:
      return "#" + std::to_string(value.size());
    default:
      return value.number_text();
  }
}

}  // namespace

std::string At(const std::string& json, std::string_view path) {
  const auto document = wire::JsonDocument::Parse(json);
  if (!document) return "not JSON: " + json;
  JsonValue value = document->root();
  while (!path.empty()) {
    const auto dot = path.find('.');
    const auto next = Step(value, path.substr(0, dot));
    if (!next) return "absent";
    value = *next;
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return TextOf(value);
}

}  // namespace prejoin::studio
