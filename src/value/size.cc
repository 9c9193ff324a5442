// The rules are those of the developer guide's page "DynamoDB item sizes and formats". The byte for
// each element counts inside lists and maps only; the item itself, though it looks like a map, has
// neither that nor the three bytes.
#include "value/size.h"

#include "base/check.h"
#include "value/number_text.h"

namespace prejoin {
namespace {

constexpr std::size_t kContainerBytes = 3;
constexpr std::size_t kElementBytes = 1;

std::size_t MembersSizeBytes(const std::vector<std::string>& members) {
  std::size_t size = 0;
  for (const std::string& member : members) {
    size += member.size();
  }
  return size;
}

std::size_t MembersSizeBytes(const std::vector<Number>& members) {
  std::size_t size = 0;
  for (const Number& member : members) {
    size += member.SizeBytes();
  }
  return size;
}

std::size_t SetSizeBytes(ValueType type, SetView set) {
  std::size_t size = 0;
  for (const std::string_view member : set) {
    size += type == ValueType::kNumberSet ? NumberTextSizeBytes(member) : member.size();
  }
  return size;
}

template <class List>
std::size_t ListSizeBytes(const List& list) {
  std::size_t size = kContainerBytes;
  for (const auto& element : list) {
    size += kElementBytes + ValueSizeBytes(element);
  }
  return size;
}

template <class Map>
std::size_t MapSizeBytes(const Map& map) {
  return kContainerBytes + kElementBytes * map.size() + ItemSizeBytes(map);
}

// The nesting of stored values is limited, so recursion is safe.
std::size_t CountValues(ValueView value) {
  std::size_t count = 1;
  switch (value.type()) {
    case ValueType::kList:
      for (const ValueView element : value.list()) {
        count += CountValues(element);
      }
      return count;
    case ValueType::kMap:
      return count + ValueCount(value.map());
    case ValueType::kStringSet:
    case ValueType::kNumberSet:
    case ValueType::kBinarySet:
      return count + value.set().size();
    default:
      return count;
  }
}

}  // namespace

std::size_t ItemSizeBytes(const Item& item) {
  std::size_t size = 0;
  for (const auto& [name, value] : item) {
    size += name.size() + ValueSizeBytes(value);
  }
  return size;
}

std::size_t ItemSizeBytes(ItemView item) {
  std::size_t size = 0;
  for (const auto& [name, value] : item) {
    size += name.size() + ValueSizeBytes(value);
  }
  return size;
}

std::size_t ValueSizeBytes(const AttributeValue& value) {
  switch (value.type()) {
    case ValueType::kString:
      return value.string()->size();
    case ValueType::kBinary:
      return value.binary()->size();
    case ValueType::kNumber:
      return value.number()->SizeBytes();
    case ValueType::kBool:
    case ValueType::kNull:
      return 1;
    case ValueType::kList:
      return ListSizeBytes(*value.list());
    case ValueType::kMap:
      return MapSizeBytes(*value.map());
    case ValueType::kStringSet:
      return MembersSizeBytes(*value.string_set());
    case ValueType::kNumberSet:
      return MembersSizeBytes(*value.number_set());
    case ValueType::kBinarySet:
      return MembersSizeBytes(*value.binary_set());
  }
  PJ_CHECK(false);
}

std::size_t ValueSizeBytes(ValueView value) {
  switch (value.type()) {
    case ValueType::kString:
    case ValueType::kBinary:
      return value.string().size();
    case ValueType::kNumber:
      return NumberTextSizeBytes(value.number_text());
    case ValueType::kBool:
    case ValueType::kNull:
      return 1;
    case ValueType::kList:
      return ListSizeBytes(value.list());
    case ValueType::kMap:
      return MapSizeBytes(value.map());
    case ValueType::kStringSet:
    case ValueType::kNumberSet:
    case ValueType::kBinarySet:
      return SetSizeBytes(value.type(), value.set());
  }
  PJ_CHECK(false);
}

std::size_t ValueCount(ItemView item) {
  std::size_t count = 0;
  for (const auto& [name, value] : item) {
    count += CountValues(value);
  }
  return count;
}

}  // namespace prejoin
