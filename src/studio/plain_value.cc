#include "studio/plain_value.h"

#include "studio/refusal.h"
#include "value/base64.h"

namespace prejoin::studio {
namespace {

Error WrongType(std::string_view name, std::string_view type) {
  return Refuse(400, "`" + std::string(name) + "` must be " + std::string(type));
}

Result<Number> ReadNumber(json::Value value, std::string_view name) {
  std::string text;
  if (value.type() == json::Type::kString) {
    text = value.string();
  }
  if (value.type() == json::Type::kInteger || value.type() == json::Type::kDecimal) {
    text = value.number_text();
  }
  const auto number = Number::Parse(text);
  if (!number) {
    return WrongType(name, "number");
  }
  return *number;
}

Result<AttributeValue> ReadBinary(json::Value value, std::string_view name) {
  if (value.type() != json::Type::kString) {
    return WrongType(name, "binary");
  }
  auto bytes = DecodeBase64(value.string());
  if (!bytes) {
    return Refuse(400, "`" + std::string(name) + "` must be binary, as base64");
  }
  return AttributeValue(AttributeValue::Binary{*std::move(bytes)});
}

Result<AttributeValue> ReadTextSet(json::Value value, std::string_view name) {
  if (value.type() != json::Type::kArray) {
    return WrongType(name, "text-set");
  }
  AttributeValue::StringSet set;
  for (const json::Value member : value.elements()) {
    if (member.type() != json::Type::kString) {
      return WrongType(name, "text-set");
    }
    set.members.emplace_back(member.string());
  }
  return AttributeValue(std::move(set));
}

Result<AttributeValue> ReadNumberSet(json::Value value, std::string_view name) {
  if (value.type() != json::Type::kArray) {
    return WrongType(name, "number-set");
  }
  AttributeValue::NumberSet set;
  for (const json::Value member : value.elements()) {
    PJ_ASSIGN_OR_RETURN(const Number number, ReadNumber(member, name));
    set.members.push_back(number);
  }
  return AttributeValue(std::move(set));
}

// Reads what the item of an entity may be given besides the entity's own attributes: copies, by the type
// of what is copied, and embedded rows.
Result<AttributeValue> ReadStored(json::Value value, const model::Model& model,
                                  const model::StoredAttribute* stored, std::string_view name) {
  if (stored != nullptr && stored->kind == model::StoredKind::kCopy) {
    const model::Entity& entity = model.At(stored->copy.entity);
    const model::Attribute* attribute =
        entity.Find(stored->copy.attribute.text);
    if (attribute != nullptr) {
      return ReadPlainValue(value, attribute->type, name);
    }
  }
  return ReadUntypedValue(value, name);
}

}  // namespace

// The depth is that of the JSON document, which its parser limits.
Result<AttributeValue> ReadUntypedValue(json::Value value, std::string_view name) {
  switch (value.type()) {
    case json::Type::kNull:
      return AttributeValue();
    case json::Type::kBool:
      return AttributeValue(value.boolean());
    case json::Type::kInteger:
    case json::Type::kDecimal: {
      PJ_ASSIGN_OR_RETURN(const Number number, ReadNumber(value, name));
      return AttributeValue(number);
    }
    case json::Type::kString:
      return AttributeValue(value.string());
    case json::Type::kArray: {
      AttributeValue::List list;
      for (const json::Value element : value.elements()) {
        PJ_ASSIGN_OR_RETURN(AttributeValue member, ReadUntypedValue(element, name));
        list.push_back(std::move(member));
      }
      return AttributeValue(std::move(list));
    }
    case json::Type::kObject:
      break;
  }
  Item map;
  for (const auto& field : value.fields()) {
    PJ_ASSIGN_OR_RETURN(AttributeValue member, ReadUntypedValue(field.value, name));
    map.Set(std::string(field.name), std::move(member));
  }
  return AttributeValue(std::move(map));
}

Result<AttributeValue> ReadPlainValue(json::Value value, model::AttributeType type,
                                      std::string_view name) {
  const model::AttributeTypeTraits& traits = model::TraitsOf(type);
  switch (traits.stored) {
    case ValueType::kString:
      if (value.type() != json::Type::kString) {
        return WrongType(name, traits.word);
      }
      return AttributeValue(value.string());
    case ValueType::kNumber: {
      PJ_ASSIGN_OR_RETURN(const Number number, ReadNumber(value, name));
      return AttributeValue(number);
    }
    case ValueType::kBool:
      if (value.type() != json::Type::kBool) {
        return WrongType(name, traits.word);
      }
      return AttributeValue(value.boolean());
    case ValueType::kBinary:
      return ReadBinary(value, name);
    case ValueType::kList:
      if (value.type() != json::Type::kArray) {
        return WrongType(name, traits.word);
      }
      return ReadUntypedValue(value, name);
    case ValueType::kMap:
      if (value.type() != json::Type::kObject) {
        return WrongType(name, traits.word);
      }
      return ReadUntypedValue(value, name);
    case ValueType::kStringSet:
      return ReadTextSet(value, name);
    case ValueType::kNumberSet:
      return ReadNumberSet(value, name);
    default:
      return WrongType(name, traits.word);
  }
}

Result<Item> ReadPlainItem(json::Value object, const model::Model& model,
                           const model::Entity& entity) {
  if (object.type() != json::Type::kObject) {
    return Refuse(400, "`attributes` must be an object");
  }
  const model::Model::Placement placement = model.FindPlacement(entity.name.text);
  Item item;
  for (const auto& field : object.fields()) {
    if (field.value.is_null()) {
      continue;
    }
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
