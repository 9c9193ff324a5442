#include "draft/json_fields.h"

#include "prejoin/number.h"
#include "value/base64.h"

namespace prejoin::draft {
namespace {

constexpr int kValueDepthMax = 32;

AttributeValue NumberValue(std::string_view text) {
  const auto number = Number::Parse(text);
  return number ? AttributeValue(*number) : AttributeValue(text);
}

std::string ScalarText(json::Value value) {
  switch (value.type()) {
    case json::Type::kString:
      return std::string(value.string());
    case json::Type::kInteger:
    case json::Type::kDecimal:
      return value.number_text();
    case json::Type::kBool:
      return value.boolean() ? "true" : "false";
    default:
      return "";
  }
}

// Nullopt if the object does not have the form of a typed value.
std::optional<AttributeValue> ReadTyped(json::Value object, int depth) {
  if (object.size() != 1) {
    return std::nullopt;
  }
  const auto field = *object.fields().begin();
  const json::Value value = field.value;
  const bool is_array = value.type() == json::Type::kArray;
  if (field.name == "S" && value.type() == json::Type::kString) {
    return AttributeValue(value.string());
  }
  if (field.name == "N") {
    return NumberValue(ScalarText(value));
  }
  if (field.name == "B" && value.type() == json::Type::kString) {
    const auto bytes = DecodeBase64(value.string());
    return AttributeValue(AttributeValue::Binary{bytes ? *bytes : std::string(value.string())});
  }
  if (field.name == "BOOL") {
    return AttributeValue(ScalarText(value) == "true");
  }
  if (field.name == "NULL") {
    return AttributeValue();
  }
  if (field.name == "M" && value.type() == json::Type::kObject) {
    Item map;
    for (const auto member : value.fields()) {
      map.Set(std::string(member.name), ReadLooseValue(member.value, depth + 1));
    }
    return AttributeValue(std::move(map));
  }
  if (field.name == "L" && is_array) {
    AttributeValue::List list;
    for (const json::Value element : value.elements()) {
      list.push_back(ReadLooseValue(element, depth + 1));
    }
    return AttributeValue(std::move(list));
  }
  if (field.name == "SS" && is_array) {
    return AttributeValue(AttributeValue::StringSet{TextsOf(value)});
  }
  if (field.name == "NS" && is_array) {
    AttributeValue::NumberSet set;
    for (const json::Value element : value.elements()) {
      const auto number = Number::Parse(ScalarText(element));
      if (number) {
        set.members.push_back(*number);
      }
    }
    return AttributeValue(std::move(set));
  }
  return std::nullopt;
}

}  // namespace

std::optional<json::Value> Member(std::optional<json::Value> object, std::string_view name) {
  const auto found = object ? object->Find(name) : std::nullopt;
  return found && !found->is_null() ? found : std::nullopt;
}

std::optional<json::Value> Member(std::optional<json::Value> object,
                                  std::initializer_list<std::string_view> path) {
  for (const std::string_view name : path) {
    object = Member(object, name);
  }
  return object;
}

std::string TextOf(std::optional<json::Value> value) { return value ? ScalarText(*value) : ""; }

std::string TextOf(std::optional<json::Value> object, std::string_view name) {
  return TextOf(Member(object, name));
}

bool FlagOf(std::optional<json::Value> object, std::string_view name) {
  return TextOf(object, name) == "true";
}

std::vector<json::Value> ElementsOf(std::optional<json::Value> value) {
  std::vector<json::Value> all;
  if (!value) {
    return all;
  }
  if (value->type() == json::Type::kString) {
    return {*value};
  }
  if (value->type() != json::Type::kArray) {
    return all;
  }
  for (const json::Value element : value->elements()) {
    all.push_back(element);
  }
  return all;
}

std::vector<std::string> TextsOf(std::optional<json::Value> value) {
  std::vector<std::string> all;
  for (const json::Value element : ElementsOf(value)) {
    all.push_back(ScalarText(element));
  }
  return all;
}

std::vector<NamedValue> MembersOf(std::optional<json::Value> value) {
  std::vector<NamedValue> all;
  if (!value || value->type() != json::Type::kObject) {
    return all;
  }
  for (const auto field : value->fields()) {
    all.push_back({std::string(field.name), field.value});
  }
  return all;
}

AttributeValue ReadLooseValue(json::Value value, int depth) {
  if (depth > kValueDepthMax) {
    return AttributeValue();
  }
  switch (value.type()) {
    case json::Type::kObject: {
      if (auto typed = ReadTyped(value, depth)) {
        return *std::move(typed);
      }
      Item map;
      for (const auto field : value.fields()) {
        map.Set(std::string(field.name), ReadLooseValue(field.value, depth + 1));
      }
      return AttributeValue(std::move(map));
    }
    case json::Type::kArray: {
      AttributeValue::List list;
      for (const json::Value element : value.elements()) {
        list.push_back(ReadLooseValue(element, depth + 1));
      }
      return AttributeValue(std::move(list));
    }
    case json::Type::kInteger:
    case json::Type::kDecimal:
      return NumberValue(value.number_text());
    case json::Type::kBool:
      return AttributeValue(value.boolean());
    case json::Type::kString:
      return AttributeValue(value.string());
    case json::Type::kNull:
      break;
  }
  return AttributeValue();
}

Item ReadLooseItem(json::Value object) {
  Item item;
  for (const NamedValue& member : MembersOf(object)) {
    item.Set(member.name, ReadLooseValue(member.value));
  }
  return item;
}

}  // namespace prejoin::draft
