#include "studio/plain_value.h"

#include "studio/refusal.h"
#include "wire/base64.h"

namespace prejoin::studio {
namespace {

using model::AttributeType;
using wire::JsonType;
using wire::JsonValue;

Error WrongType(std::string_view name, AttributeType type) {
  return Refuse(
      400, "`" + std::string(name) + "` must be " + std::string(model::AttributeTypeName(type)));
}

Result<Number> ReadNumber(JsonValue value, std::string_view name) {
  std::string text;
  if (value.type() == JsonType::kString) text = value.string();
  if (value.type() == JsonType::kInteger || value.type() == JsonType::kDecimal)
    text = value.number_text();
  const auto number = Number::Parse(text);
  if (!number) return WrongType(name, AttributeType::kNumber);
  return *number;
}

Result<AttributeValue> ReadBinary(JsonValue value, std::string_view name) {
  if (value.type() != JsonType::kString) return WrongType(name, AttributeType::kBinary);
  auto bytes = wire::DecodeBase64(value.string());
  if (!bytes) return Refuse(400, "`" + std::string(name) + "` must be binary, as base64");
  return AttributeValue(AttributeValue::Binary{*std::move(bytes)});
}

Result<AttributeValue> ReadTextSet(JsonValue value, std::string_view name) {
  if (value.type() != JsonType::kArray) return WrongType(name, AttributeType::kTextSet);
  AttributeValue::StringSet set;
  for (const JsonValue member : value.elements()) {
    if (member.type() != JsonType::kString) return WrongType(name, AttributeType::kTextSet);
    set.members.emplace_back(member.string());
  }
  return AttributeValue(std::move(set));
}

Result<AttributeValue> ReadNumberSet(JsonValue value, std::string_view name) {
  if (value.type() != JsonType::kArray) return WrongType(name, AttributeType::kNumberSet);
  AttributeValue::NumberSet set;
  for (const JsonValue member : value.elements()) {
    PJ_ASSIGN_OR_RETURN(const Number number, ReadNumber(member, name));
    set.members.push_back(number);
  }
  return AttributeValue(std::move(set));
}

// What the item of an entity may be given besides the entity's own attributes: copies, by the type
// of what is copied, and embedded rows.
Result<AttributeValue> ReadStored(JsonValue value, const model::Model& model,
                                  const model::StoredAttribute* stored, std::string_view name) {
  if (stored != nullptr && stored->kind == model::StoredKind::kCopy) {
    const model::Entity* entity = model.FindEntity(stored->copy.entity.text);
    const model::Attribute* attribute =
        entity != nullptr ? entity->Find(stored->copy.attribute.text) : nullptr;
    if (attribute != nullptr) return ReadPlainValue(value, attribute->type, name);
  }
  return ReadUntypedValue(value, name);
}

}  // namespace

// The depth is that of the JSON document, which its parser limits.
Result<AttributeValue> ReadUntypedValue(JsonValue value, std::string_view name) {
  switch (value.type()) {
    case JsonType::kNull:
      return AttributeValue();
    case JsonType::kBool:
      return AttributeValue(value.boolean());
    case JsonType::kInteger:
    case JsonType::kDecimal: {
      PJ_ASSIGN_OR_RETURN(const Number number, ReadNumber(value, name));
      return AttributeValue(number);
    }
    case JsonType::kString:
      return AttributeValue(value.string());
    case JsonType::kArray: {
      AttributeValue::List list;
      for (const JsonValue element : value.elements()) {
        PJ_ASSIGN_OR_RETURN(AttributeValue member, ReadUntypedValue(element, name));
        list.push_back(std::move(member));
      }
      return AttributeValue(std::move(list));
    }
    case JsonType::kObject:
      break;
  }
  Item map;
  for (const auto& field : value.fields()) {
    PJ_ASSIGN_OR_RETURN(AttributeValue member, ReadUntypedValue(field.value, name));
    map.Set(std::string(field.name), std::move(member));
  }
  return AttributeValue(std::move(map));
}

Result<AttributeValue> ReadPlainValue(JsonValue value, AttributeType type, std::string_view name) {
  switch (type) {
    case AttributeType::kText:
    case AttributeType::kDate:
    case AttributeType::kTime:
      if (value.type() != JsonType::kString) return WrongType(name, type);
      return AttributeValue(value.string());
    case AttributeType::kNumber: {
      PJ_ASSIGN_OR_RETURN(const Number number, ReadNumber(value, name));
      return AttributeValue(number);
    }
    case AttributeType::kBool:
      if (value.type() != JsonType::kBool) return WrongType(name, type);
      return AttributeValue(value.boolean());
    case AttributeType::kBinary:
      return ReadBinary(value, name);
    case AttributeType::kList:
      if (value.type() != JsonType::kArray) return WrongType(name, type);
      return ReadUntypedValue(value, name);
    case AttributeType::kMap:
      if (value.type() != JsonType::kObject) return WrongType(name, type);
      return ReadUntypedValue(value, name);
    case AttributeType::kTextSet:
      return ReadTextSet(value, name);
    case AttributeType::kNumberSet:
      return ReadNumberSet(value, name);
  }
  return WrongType(name, type);
}

Result<Item> ReadPlainItem(JsonValue object, const model::Model& model,
                           const model::Entity& entity) {
  if (object.type() != JsonType::kObject) return Refuse(400, "`attributes` must be an object");
  const model::Model::Placement placement = model.FindPlacement(entity.name.text);
  Item item;
  for (const auto& field : object.fields()) {
    if (field.value.is_null()) continue;
    const model::Attribute* attribute = entity.Find(field.name);
    const model::StoredAttribute* stored = placement ? placement.layout->Find(field.name) : nullptr;
    PJ_ASSIGN_OR_RETURN(AttributeValue value,
                        attribute != nullptr
                            ? ReadPlainValue(field.value, attribute->type, field.name)
                            : ReadStored(field.value, model, stored, field.name));
    item.Set(std::string(field.name), std::move(value));
  }
  return item;
}

}  // namespace prejoin::studio
