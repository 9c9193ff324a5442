#include "wire/attribute_value.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "json/base64.h"

namespace prejoin::wire {
namespace {

constexpr std::string_view kInvalidParameter = "One or more parameter values were invalid: ";
constexpr std::string_view kEmptyValue =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
constexpr std::string_view kSeveralTypes =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
    "supported datatypes";
constexpr std::string_view kTooDeep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
    "beyond supported limit";

void Note(ValueFault& fault, std::string_view message) {
  if (fault.empty()) {
    fault = message;
  }
}

void NoteInvalid(ValueFault& fault, std::string_view message) {
  if (fault.empty()) {
    fault = std::string(kInvalidParameter).append(message);
  }
}

// Sorts a copy: sets come from outside and may be large.
template <class T>
bool HasDuplicates(std::vector<T> members) {
  std::sort(members.begin(), members.end());
  return std::adjacent_find(members.begin(), members.end()) != members.end();
}

std::string PrintMembers(const std::vector<std::string_view>& members) {
  std::string text = "[";
  const char* separator = "";
  for (const std::string_view member : members) {
    text.append(std::exchange(separator, ", ")).append(member);
  }
  return text.append("]");
}

Result<std::string> ReadBlob(json::Value value) {
  switch (value.type()) {
    case json::Type::kString:
      return json::DecodeBase64(value.string());
    case json::Type::kArray:
      return SerializationError("Unrecognized collection type class java.nio.ByteBuffer");
    case json::Type::kObject:
      return SerializationError("Start of structure or map found where not expected");
    default:
      return SerializationError("only base-64-encoded strings are convertible to bytes");
  }
}

// One nesting of readers for one top-level value. Depth is limited, so it may recurse.
class ValueReader {
 public:
  ValueReader(const InputReader& reader, ValueFault& fault) : reader_(reader), fault_(fault) {}

  Status Read(json::Value value, Shape::Kind kind, int depth, AttributeValue& out) {
    if (value.is_null()) {
      Note(fault_, kEmptyValue);
      return {};
    }
    PJ_RETURN_IF_ERROR(reader_.CheckObject(value, {kind, "AttributeValue"}));
    std::optional<ValueType> found;
    for (const auto& [name, member] : value.fields()) {
      const std::optional<ValueType> type = member.is_null() ? std::nullopt : TypeNamed(name);
      if (!type.has_value()) {
        continue;
      }
      PJ_RETURN_IF_ERROR(ReadTyped(*type, member, depth, out));
      if (found.has_value() && *found != *type) {
        Note(fault_, kSeveralTypes);
      }
      found = type;
    }
    if (!found.has_value()) {
      Note(fault_, kEmptyValue);
    }
    return {};
  }

  Status ReadMap(json::Value value, Shape::Kind kind, int depth, Item& out) {
    PJ_RETURN_IF_ERROR(reader_.CheckObject(value, {kind, "AttributeValue"}));
    // Item::Set is cheap only in order of name, and handles are cheaper to sort than values.
    // Stable, so that of two equal names the last one wins.
    std::vector<json::Fields::Field> fields;
    fields.reserve(value.size());
    for (const auto& field : value.fields()) {
      fields.push_back(field);
    }
    std::stable_sort(fields.begin(), fields.end(),
                     [](const auto& a, const auto& b) { return a.name < b.name; });
    out.Reserve(fields.size());
    for (const auto& [name, member] : fields) {
      AttributeValue attribute;
      PJ_RETURN_IF_ERROR(Read(member, Shape::Kind::kStructureElement, depth, attribute));
      out.Set(std::string(name), std::move(attribute));
    }
    return {};
  }

 private:
  static std::optional<ValueType> TypeNamed(std::string_view name) {
    if (name.size() == 1) {
      switch (name[0]) {
        case 'S':
          return ValueType::kString;
        case 'N':
          return ValueType::kNumber;
        case 'B':
          return ValueType::kBinary;
        case 'M':
          return ValueType::kMap;
        case 'L':
          return ValueType::kList;
        default:
          return std::nullopt;
      }
    }
    for (const ValueType type : {ValueType::kBool, ValueType::kNull, ValueType::kStringSet,
                                 ValueType::kNumberSet, ValueType::kBinarySet}) {
      if (name == TypeName(type)) {
        return type;
      }
    }
    return std::nullopt;
  }

  Status ReadTyped(ValueType type, json::Value value, int depth, AttributeValue& out) {
    switch (type) {
      case ValueType::kString: {
        PJ_ASSIGN_OR_RETURN(const std::string_view text, reader_.String(value));
        out = AttributeValue(text);
        return {};
      }
      case ValueType::kNumber: {
        PJ_ASSIGN_OR_RETURN(const std::string_view text, reader_.String(value));
        out = AttributeValue(ParseNumber(text));
        return {};
      }
      case ValueType::kBinary: {
        PJ_ASSIGN_OR_RETURN(std::string bytes, ReadBlob(value));
        out = AttributeValue(AttributeValue::Binary{std::move(bytes)});
        return {};
      }
      case ValueType::kBool: {
        PJ_ASSIGN_OR_RETURN(const bool yes, reader_.Bool(value));
        out = AttributeValue(yes);
        return {};
      }
      case ValueType::kNull: {
        PJ_ASSIGN_OR_RETURN(const bool yes, reader_.Bool(value));
        if (!yes) {
          NoteInvalid(fault_, "Null attribute value types must have the value of true");
        }
        out = AttributeValue();
        return {};
      }
      case ValueType::kList:
      case ValueType::kMap:
        return ReadNested(type, value, depth, out);
      case ValueType::kStringSet:
        return ReadStringSet(value, out);
      case ValueType::kNumberSet:
        return ReadNumberSet(value, out);
      case ValueType::kBinarySet:
        return ReadBinarySet(value, out);
    }
    return {};
  }

  Number ParseNumber(std::string_view text) {
    const Result<Number> number = Number::Parse(text);
    if (!number.has_value()) {
      Note(fault_, number.error().message);
      return Number();
    }
    return *number;
  }

  Status ReadNested(ValueType type, json::Value value, int depth, AttributeValue& out) {
    if (type == ValueType::kList) {
      PJ_RETURN_IF_ERROR(reader_.CheckArray(value));
    } else {
      PJ_RETURN_IF_ERROR(reader_.CheckObject(value, {Shape::Kind::kMap, "AttributeValue"}));
    }
    // What is inside stands one level deeper, whether there is anything or not.
    if (depth + 1 > kNestingDepthMax) {
      Note(fault_, kTooDeep);
      return {};
    }
    if (type == ValueType::kMap) {
      Item map;
      PJ_RETURN_IF_ERROR(ReadMap(value, Shape::Kind::kMap, depth + 1, map));
      out = AttributeValue(std::move(map));
      return {};
    }
    AttributeValue::List list;
    list.reserve(value.size());
    for (const json::Value element : value.elements()) {
      PJ_RETURN_IF_ERROR(
          Read(element, Shape::Kind::kStructureElement, depth + 1, list.emplace_back()));
    }
    out = AttributeValue(std::move(list));
    return {};
  }

  // The texts of a set's members; a null member is a fault.
  Status ReadTexts(json::Value value, std::string_view null_fault,
                   std::vector<std::string_view>& texts) {
    PJ_RETURN_IF_ERROR(reader_.CheckArray(value));
    texts.reserve(value.size());
    for (const json::Value element : value.elements()) {
      if (element.is_null()) {
        NoteInvalid(fault_, null_fault);
        continue;
      }
      PJ_ASSIGN_OR_RETURN(texts.emplace_back(), reader_.String(element));
    }
    return {};
  }

  Status ReadStringSet(json::Value value, AttributeValue& out) {
    std::vector<std::string_view> texts;
    PJ_RETURN_IF_ERROR(
        ReadTexts(value, "An string set  may not have a null string as a member", texts));
    if (texts.empty()) {
      NoteInvalid(fault_, "An string set  may not be empty");
    } else if (HasDuplicates(texts)) {
      NoteInvalid(fault_, "Input collection " + PrintMembers(texts) + " contains duplicates.");
    }
    out = AttributeValue(AttributeValue::StringSet{{texts.begin(), texts.end()}});
    return {};
  }

  Status ReadNumberSet(json::Value value, AttributeValue& out) {
    std::vector<std::string_view> texts;
    PJ_RETURN_IF_ERROR(
        ReadTexts(value, "An number set  may not have a null string as a member", texts));
    if (texts.empty()) {
      NoteInvalid(fault_, "An number set  may not be empty");
    }
    AttributeValue::NumberSet set;
    set.members.reserve(texts.size());
    for (const std::string_view text : texts) {
      set.members.push_back(ParseNumber(text));
    }
    if (fault_.empty() && HasDuplicates(set.members)) {
      Note(fault_, "Input collection contains duplicates");
    }
    out = AttributeValue(std::move(set));
    return {};
  }

  Status ReadBinarySet(json::Value value, AttributeValue& out) {
    PJ_RETURN_IF_ERROR(reader_.CheckArray(value));
    AttributeValue::BinarySet set;
    std::vector<std::string_view> texts;
    for (const json::Value element : value.elements()) {
      if (element.is_null()) {
        NoteInvalid(fault_, "Binary sets may not contain null values");
        continue;
      }
      PJ_ASSIGN_OR_RETURN(set.members.emplace_back(), ReadBlob(element));
      texts.push_back(element.string());
    }
    if (set.members.empty()) {
      NoteInvalid(fault_, "Binary sets should not be empty");
    } else if (HasDuplicates(texts)) {
      NoteInvalid(fault_,
                  "Input collection " + PrintMembers(texts) + "of type BS contains duplicates.");
    }
    out = AttributeValue(std::move(set));
    return {};
  }

  const InputReader& reader_;
  ValueFault& fault_;
};

Status ReadItemShaped(InputReader& reader, json::Value value, Shape::Kind kind, Order order,
                      Item& out) {
  ValueFault fault;
  out = Item();
  PJ_RETURN_IF_ERROR(ValueReader(reader, fault).ReadMap(value, kind, 1, out));
  if (!fault.empty()) {
    reader.Refuse(order, std::move(fault));
  }
  return {};
}

}  // namespace

Status ReadAttributeValue(const InputReader& reader, json::Value value, Shape::Kind kind,
                          AttributeValue& out, ValueFault& fault) {
  return ValueReader(reader, fault).Read(value, kind, 1, out);
}

Status ReadItem(InputReader& reader, json::Value value, Order order, Item& out) {
  return ReadItemShaped(reader, value, Shape::Kind::kMap, order, out);
}

Status ReadItemElement(InputReader& reader, json::Value value, Order order, Item& out) {
  return ReadItemShaped(reader, value, Shape::Kind::kMapElement, order, out);
}

Status ReadAttributeValues(InputReader& reader, json::Value array, const Path& path, Order order,
                           std::vector<AttributeValue>& out) {
  ValueFault fault;
  out.clear();
  PJ_RETURN_IF_ERROR(reader.ReadElements(array, path, [&](json::Value element, const Path&) {
    return ReadAttributeValue(reader, element, Shape::Kind::kStructureElement, out.emplace_back(),
                              fault);
  }));
  if (!fault.empty()) {
    reader.Refuse(order, std::move(fault));
  }
  return {};
}

Status ReadStartKey(InputReader& reader, json::Value value, std::optional<Item>& out) {
  ValueFault fault;
  PJ_RETURN_IF_ERROR(
      ValueReader(reader, fault).ReadMap(value, Shape::Kind::kMap, 1, out.emplace()));
  if (fault.empty()) {
    return {};
  }
  // DynamoDB speaks of the starting key only with the faults that it finds after those of numbers
  // and sets.
  constexpr std::array<std::string_view, 5> kPlain = {"contains duplicates", "number set",
                                                      "numeric value", "significant digits",
                                                      "number with magnitude"};
  const bool plain = std::any_of(kPlain.begin(), kPlain.end(), [&](std::string_view words) {
    return fault.find(words) != std::string::npos;
  });
  reader.Refuse(Order::kStartKey,
                plain ? std::move(fault) : "The provided starting key is invalid: " + fault);
  return {};
}

Status ReadExpressionNames(InputReader& reader, json::Value value,
                           std::optional<AttributeNames>& out) {
  PJ_RETURN_IF_ERROR(reader.CheckObject(value, {Shape::Kind::kMap, "java.lang.String"}));
  AttributeNames& names = out.emplace();
  for (const auto& [name, member] : value.fields()) {
    if (member.is_null()) {
      reader.Refuse(
          Order::kExpressionValues,
          "ExpressionAttributeNames contains invalid value: Empty attribute name; key: \"" +
              std::string(name) + "\"");
      continue;
    }
    PJ_RETURN_IF_ERROR(reader.ReadString(member, names[std::string(name)]));
  }
  return {};
}

Status ReadExpressionValues(InputReader& reader, json::Value value,
                            std::optional<AttributeValues>& out) {
  PJ_RETURN_IF_ERROR(reader.CheckObject(value, {Shape::Kind::kMap, "AttributeValue"}));
  AttributeValues& values = out.emplace();
  for (const auto& [name, member] : value.fields()) {
    ValueFault fault;
    PJ_RETURN_IF_ERROR(ReadAttributeValue(reader, member, Shape::Kind::kStructureElement,
                                          values[std::string(name)], fault));
    if (!fault.empty()) {
      reader.Refuse(Order::kExpressionValues, "ExpressionAttributeValues contains invalid value: " +
                                                  fault + " for key " + std::string(name));
    }
  }
  return {};
}

}  // namespace prejoin::wire
