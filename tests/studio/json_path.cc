#include "tests/studio/json_path.h"

#include <optional>

#include "json/reader.h"

namespace prejoin::studio {
namespace {

std::optional<json::Value> Step(json::Value value, std::string_view name) {
  if (value.type() == json::Type::kObject) {
    for (const auto& field : value.fields()) {
      if (field.name == name) {
        return field.value;
      }
    }
  }
  if (value.type() == json::Type::kArray) {
    std::size_t left = std::stoul(std::string(name));
    for (const json::Value element : value.elements()) {
      if (left-- == 0) {
        return element;
      }
    }
  }
  return std::nullopt;
}

std::string TextOf(json::Value value) {
  switch (value.type()) {
    case json::Type::kNull:
      return "null";
    case json::Type::kBool:
      return value.boolean() ? "true" : "false";
    case json::Type::kString:
      return std::string(value.string());
    case json::Type::kArray:
    case json::Type::kObject:
      return "#" + std::to_string(value.size());
    default:
      return value.number_text();
  }
}

}  // namespace

std::string At(const std::string& json, std::string_view path) {
  const auto document = json::Document::Parse(json);
  if (!document) {
    return "not JSON: " + json;
  }
  json::Value value = document->root();
  while (!path.empty()) {
    const auto dot = path.find('.');
    const auto next = Step(value, path.substr(0, dot));
    if (!next) {
      return "absent";
    }
    value = *next;
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return TextOf(value);
}

}  // namespace prejoin::studio
