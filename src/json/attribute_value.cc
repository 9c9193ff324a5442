// Reading typed values. Two kinds of fault are told apart: a wrong JSON type ends the reading, as it
// does in the service; everything else about a value is noted, and the first such fault counts,
// because the service reads the whole request before it complains about one.
#include "json/attribute_value.h"

#include <absl/container/inlined_vector.h>
#include <absl/strings/str_join.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "value/base64.h"
#include "value/encoding.h"

namespace prejoin::json {
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

void Note(ValueFault& fault, std::string_view message, FaultKind kind = FaultKind::kOther) {
  if (fault.empty()) {
    fault = {std::string(message), kind};
  }
}

void NoteInvalid(ValueFault& fault, std::string_view message, FaultKind kind = FaultKind::kOther) {
  if (fault.empty()) {
    fault = {std::string(kInvalidParameter).append(message), kind};
  }
}

// Sorts a copy: sets come from outside and may be large.
template <class T>
bool HasDuplicates(std::vector<T> members) {
  std::sort(members.begin(), members.end());
  return std::adjacent_find(members.begin(), members.end()) != members.end();
}

std::string PrintMembers(const std::vector<std::string_view>& members) {
  const auto append = [](std::string* out, std::string_view member) { out->append(member); };
  return "[" + absl::StrJoin(members, ", ", append) + "]";
}

Result<std::string> ReadBlob(Value value) {
  switch (value.type()) {
    case Type::kString:
      return DecodeBase64(value.string());
    case Type::kArray:
      return SerializationError("Unrecognized collection type class java.nio.ByteBuffer");
    case Type::kObject:
      return SerializationError("Start of structure or map found where not expected");
    default:
      return SerializationError("only base-64-encoded strings are convertible to bytes");
  }
}

// The exponent is the largest of 32 bits: where AWS still has its old reader, one more wraps it
// around, and the number counts as too small.
bool WrapsAround(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  if (mark == std::string_view::npos) {
    return false;
  }
  std::string_view exponent = text.substr(mark + 1);
  if (exponent.starts_with('+')) {
    exponent.remove_prefix(1);
  }
  return exponent == "2147483647";
}

// The members of a set as the new texts show them: in order up to the first that existed before,
// then that one, then the rest as they came. `sort_key(i)` is what orders member i, `show(i)` what
// is in the message.
template <class SortKey, class Show>
std::string PrintSorted(std::size_t count, std::string_view separator, SortKey sort_key,
                        Show show) {
  std::map<std::string_view, std::size_t> seen;
  std::size_t repeat = 0;
  while (repeat < count && seen.emplace(sort_key(repeat), repeat).second) {
    ++repeat;
  }
  std::vector<std::string> parts;
  for (const auto& [key, which] : seen) {
    parts.push_back(show(which));
  }
  for (std::size_t i = repeat; i < count; ++i) {
    parts.push_back(show(i));
  }
  return "[" + absl::StrJoin(parts, std::string(separator)) + "]";
}

// Most maps have no more.
constexpr std::size_t kFewFields = 16;

// Stable, so that of two equal names the last one wins. std::stable_sort asks for memory even to sort three fields.
void SortByName(std::span<Field> fields) {
  const auto before = [](const Field& a, const Field& b) {
    return CompareNames(a.name, b.name) < 0;
  };
  if (fields.size() > kFewFields) {
    std::stable_sort(fields.begin(), fields.end(), before);
    return;
  }
  for (std::size_t sorted = 1; sorted < fields.size(); ++sorted) {
    const Field field = fields[sorted];
    std::size_t at = sorted;
    for (; at > 0 && before(field, fields[at - 1]); --at) {
      fields[at] = fields[at - 1];
    }
    fields[at] = field;
  }
}

// One nesting of readers for one top-level value. Depth is limited, so it may recurse.
class ValueReader {
 public:
  ValueReader(ValueTexts texts, ValueFault& fault, int levels_max = kNestingDepthMax)
      : texts_(texts), levels_max_(levels_max), fault_(fault) {}

  Status Read(Value value, Shape::Kind kind, int depth, AttributeValue& out) {
    if (value.is_null()) {
      Note(fault_, kEmptyValue);
      return {};
    }
    PJ_RETURN_IF_ERROR(CheckObject(value, {kind, "AttributeValue"}));
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

  Status ReadMap(Value value, Shape::Kind kind, int depth, Item& out) {
    PJ_RETURN_IF_ERROR(CheckObject(value, {kind, "AttributeValue"}));
    if (!HasRoomFor(value.size())) {
      return {};
    }
    // Item::Set is cheap only in order of name, and handles are cheaper to sort than values.
    absl::InlinedVector<Field, kFewFields> fields;
    fields.reserve(value.size());
    for (const auto& field : value.fields()) {
      fields.push_back(field);
    }
    SortByName(fields);
    out.Reserve(fields.size());
    for (const auto& [name, member] : fields) {
      NoteName(name, depth == 1 ? fault_ : late_fault_);
      AttributeValue attribute;
      PJ_RETURN_IF_ERROR(Read(member, Shape::Kind::kStructureElement, depth, attribute));
      out.Set(std::string(name), std::move(attribute));
    }
    return {};
  }

  // After everything is read.
  void Finish() { Note(fault_, late_fault_.text, late_fault_.kind); }

 private:
  static void NoteName(std::string_view name, ValueFault& fault) {
    if (name.empty()) {
      Note(fault, "Empty attribute name", FaultKind::kName);
    } else if (name.size() > kItemAttributeNameBytesMax) {
      NoteInvalid(fault, "Attribute name is too large, must be less than 65536 bytes",
                  FaultKind::kName);
    }
  }

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

  Status ReadTyped(ValueType type, Value value, int depth, AttributeValue& out) {
    switch (type) {
      case ValueType::kString: {
        PJ_ASSIGN_OR_RETURN(const std::string_view text, ReadString(value));
        out = AttributeValue(text);
        return {};
      }
      case ValueType::kNumber: {
        PJ_ASSIGN_OR_RETURN(const std::string_view text, ReadString(value));
        out = AttributeValue(ParseNumber(text));
        return {};
      }
      case ValueType::kBinary: {
        PJ_ASSIGN_OR_RETURN(std::string bytes, ReadBlob(value));
        out = AttributeValue(AttributeValue::Binary{std::move(bytes)});
        return {};
      }
      case ValueType::kBool: {
        PJ_ASSIGN_OR_RETURN(const bool yes, ReadBool(value));
        out = AttributeValue(yes);
        return {};
      }
      case ValueType::kNull: {
        PJ_ASSIGN_OR_RETURN(const bool yes, ReadBool(value));
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
    if (number.has_value()) {
      return *number;
    }
    if (texts_ == ValueTexts::kNew && text.empty()) {
      Note(fault_, number.error().message + ": ", FaultKind::kNumber);
    } else if (texts_ == ValueTexts::kOld && WrapsAround(text)) {
      Note(fault_, Number::Parse("1e-131").error().message, FaultKind::kNumber);
    } else {
      Note(fault_, number.error().message, FaultKind::kNumber);
    }
    return Number();
  }

  // Each member of a list, map or set takes at least a byte of its item, so an item with more of
  // them than it may have bytes is refused before memory is given to it.
  bool HasRoomFor(std::size_t members) {
    members_ += members;
    if (members_ > kItemBytesMax) {
      Note(fault_, "Item size has exceeded the maximum allowed size");
    }
    return members_ <= kItemBytesMax;
  }

  Status ReadNested(ValueType type, Value value, int depth, AttributeValue& out) {
    if (type == ValueType::kList) {
      PJ_RETURN_IF_ERROR(CheckArray(value));
    } else {
      PJ_RETURN_IF_ERROR(CheckObject(value, {Shape::Kind::kMap, "AttributeValue"}));
    }
    // The inside stands one level deeper, even if it is empty.
    if (depth + 1 > levels_max_) {
      Note(fault_, kTooDeep, FaultKind::kNesting);
      return {};
    }
    if (type == ValueType::kMap) {
      Item map;
      PJ_RETURN_IF_ERROR(ReadMap(value, Shape::Kind::kMap, depth + 1, map));
      out = AttributeValue(std::move(map));
      return {};
    }
    if (!HasRoomFor(value.size())) {
      return {};
    }
    AttributeValue::List list;
    list.reserve(value.size());
    for (const Value element : value.elements()) {
      PJ_RETURN_IF_ERROR(
          Read(element, Shape::Kind::kStructureElement, depth + 1, list.emplace_back()));
    }
    out = AttributeValue(std::move(list));
    return {};
  }

  // The texts of a set's members; a null member is a fault.
  Status ReadTexts(Value value, std::string_view null_fault, FaultKind null_kind,
                   std::vector<std::string_view>& texts) {
    PJ_RETURN_IF_ERROR(CheckArray(value));
    if (!HasRoomFor(value.size())) {
      return {};
    }
    texts.reserve(value.size());
    for (const Value element : value.elements()) {
      if (element.is_null()) {
        NoteInvalid(fault_, null_fault, null_kind);
        continue;
      }
      PJ_ASSIGN_OR_RETURN(texts.emplace_back(), ReadString(element));
    }
    return {};
  }

  Status ReadStringSet(Value value, AttributeValue& out) {
    std::vector<std::string_view> texts;
    PJ_RETURN_IF_ERROR(ReadTexts(value, "An string set  may not have a null string as a member",
                                 FaultKind::kOther, texts));
    if (texts.empty()) {
      NoteInvalid(fault_, "An string set  may not be empty");
    } else if (HasDuplicates(texts)) {
      const auto quoted = [&](std::size_t i) { return "\"" + std::string(texts[i]) + "\""; };
      const std::string shown =
          texts_ == ValueTexts::kOld
              ? PrintMembers(texts)
              : PrintSorted(
                    texts.size(), ", ", [&](std::size_t i) { return texts[i]; }, quoted);
      NoteInvalid(fault_, "Input collection " + shown + " contains duplicates.",
                  FaultKind::kNumber);
    }
    out = AttributeValue(AttributeValue::StringSet{{texts.begin(), texts.end()}});
    return {};
  }

  Status ReadNumberSet(Value value, AttributeValue& out) {
    std::vector<std::string_view> texts;
    PJ_RETURN_IF_ERROR(ReadTexts(value, "An number set  may not have a null string as a member",
                                 FaultKind::kNumber, texts));
    if (texts.empty()) {
      NoteInvalid(fault_, "An number set  may not be empty", FaultKind::kNumber);
    }
    AttributeValue::NumberSet set;
    set.members.reserve(texts.size());
    for (const std::string_view text : texts) {
      set.members.push_back(ParseNumber(text));
    }
    if (fault_.empty() && HasDuplicates(set.members)) {
      if (texts_ == ValueTexts::kOld) {
        Note(fault_, "Input collection contains duplicates", FaultKind::kNumber);
      } else {
        NoteInvalid(fault_, "Input collection contains duplicates.", FaultKind::kNumber);
      }
    }
    out = AttributeValue(std::move(set));
    return {};
  }

  Status ReadBinarySet(Value value, AttributeValue& out) {
    PJ_RETURN_IF_ERROR(CheckArray(value));
    AttributeValue::BinarySet set;
    std::vector<std::string_view> texts;
    for (const Value element : value.elements()) {
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
      const auto quoted = [&](std::size_t i) { return "\"" + std::string(texts[i]) + "\""; };
      const auto bytes = [&](std::size_t i) { return std::string_view(set.members[i]); };
      const std::string shown = texts_ == ValueTexts::kOld
                                    ? PrintMembers(texts)
                                    : PrintSorted(texts.size(), ",", bytes, quoted);
      NoteInvalid(fault_, "Input collection " + shown + "of type BS contains duplicates.",
                  FaultKind::kNumber);
    }
    out = AttributeValue(std::move(set));
    return {};
  }

  const ValueTexts texts_;
  const int levels_max_;
  ValueFault& fault_;
  ValueFault late_fault_;
  std::size_t members_ = 0;
};

}  // namespace

Status ReadAttributeValue(Value value, Shape::Kind kind, ValueTexts texts, AttributeValue& out,
                          ValueFault& fault, int levels_max) {
  ValueReader reader(texts, fault, levels_max);
  PJ_RETURN_IF_ERROR(reader.Read(value, kind, 1, out));
  reader.Finish();
  return {};
}

Status ReadItem(Value value, Shape::Kind kind, ValueTexts texts, Item& out, ValueFault& fault) {
  out = Item();
  ValueReader reader(texts, fault);
  PJ_RETURN_IF_ERROR(reader.ReadMap(value, kind, 1, out));
  reader.Finish();
  return {};
}

Result<Item> ReadItem(Value value) {
  ValueFault fault;
  Item item;
  if (const Status read = ReadItem(value, Shape::Kind::kMap, ValueTexts::kOld, item, fault);
      !read) {
    return ValidationError("not an item: " + read.error().message);
  }
  if (!fault.empty()) {
    return ValidationError(std::move(fault.text));
  }
  return item;
}

}  // namespace prejoin::json
