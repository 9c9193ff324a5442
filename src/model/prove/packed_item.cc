#include "model/prove/packed_item.h"

#include <algorithm>
#include <cstring>

#include "model/data/dataset.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kBlockBytes = 1 << 20;

void AppendVarint(std::string& out, std::size_t value) {
  for (; value >= 0x80; value >>= 7) {
    out += static_cast<char>(0x80 | (value & 0x7f));
  }
  out += static_cast<char>(value);
}

// Reads what AppendVarint wrote, and goes past it.
std::size_t TakeVarint(const char*& at) {
  std::size_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    value |= static_cast<std::size_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
}

void AppendText(std::string& out, std::string_view text) {
  AppendVarint(out, text.size());
  out += text;
}

std::string_view TakeText(const char*& at) {
  const std::size_t size = TakeVarint(at);
  at += size;
  return {at - size, size};
}

void AppendBytes(std::string& out, const AttributeValue& value);

// Type, length, value.
void AppendField(std::string& out, const AttributeValue& value) {
  out += static_cast<char>(value.type());
  if (const std::string* text = value.string()) {
    return AppendText(out, *text);
  }
  std::string bytes;
  AppendBytes(bytes, value);
  AppendText(out, bytes);
}

PackedValue TakeField(const char*& at) {
  const auto type = static_cast<ValueType>(*at++);
  return {type, TakeText(at)};
}

// Nesting ends where it ended in the value, which came from a file or from a generator with a bound.
void AppendBytes(std::string& out, const AttributeValue& value) {
  switch (value.type()) {
    case ValueType::kString:
      out += *value.string();
      break;
    case ValueType::kNumber:
      value.number()->AppendTo(out);
      break;
    case ValueType::kBinary:
      out += *value.binary();
      break;
    case ValueType::kBool:
      out += *value.boolean() ? '1' : '0';
      break;
    case ValueType::kNull:
      break;
    case ValueType::kList:
      for (const AttributeValue& member : *value.list()) {
        AppendField(out, member);
      }
      break;
    case ValueType::kMap:
      for (const auto& [name, member] : *value.map()) {
        AppendText(out, name);
        AppendField(out, member);
      }
      break;
    case ValueType::kStringSet:
      for (const std::string& member : *value.string_set()) {
        AppendText(out, member);
      }
      break;
    case ValueType::kNumberSet:
      for (const Number& member : *value.number_set()) {
        AppendText(out, member.ToString());
      }
      break;
    case ValueType::kBinarySet:
      for (const std::string& member : *value.binary_set()) {
        AppendText(out, member);
      }
      break;
  }
}

Number NumberOf(std::string_view text) {
  const auto number = Number::Parse(text);
  return number.has_value() ? *number : Number();
}

std::vector<std::string> TakeTexts(std::string_view bytes) {
  std::vector<std::string> members;
  for (const char* at = bytes.data(); at < bytes.data() + bytes.size();) {
    members.emplace_back(TakeText(at));
  }
  return members;
}

AttributeValue UnpackDocument(const PackedValue& packed) {
  const char* at = packed.bytes.data();
  const char* const end = at + packed.bytes.size();
  if (packed.type == ValueType::kList) {
    AttributeValue::List list;
    while (at < end) {
      list.push_back(UnpackValue(TakeField(at)));
    }
    return AttributeValue(std::move(list));
  }
  Item map;
  while (at < end) {
    std::string name(TakeText(at));
    map.Set(std::move(name), UnpackValue(TakeField(at)));
  }
  return AttributeValue(std::move(map));
}

int Sign(int order) { return (order > 0 ? 1 : 0) - (order < 0 ? 1 : 0); }

}  // namespace

std::string PackValue(const AttributeValue& value) {
  std::string out;
  AppendField(out, value);
  return out;
}

PackedValue ViewValue(std::string_view packed) {
  const char* at = packed.data();
  return TakeField(at);
}

AttributeValue UnpackValue(const PackedValue& packed) {
  switch (packed.type) {
    case ValueType::kString:
      return AttributeValue(std::string(packed.bytes));
    case ValueType::kNumber:
      return AttributeValue(NumberOf(packed.bytes));
    case ValueType::kBinary:
      return AttributeValue(AttributeValue::Binary{std::string(packed.bytes)});
    case ValueType::kBool:
      return AttributeValue(packed.bytes == "1");
    case ValueType::kNull:
      return AttributeValue();
    case ValueType::kList:
    case ValueType::kMap:
      return UnpackDocument(packed);
    case ValueType::kStringSet:
      return AttributeValue(AttributeValue::StringSet{TakeTexts(packed.bytes)});
    case ValueType::kNumberSet: {
      AttributeValue::NumberSet set;
      for (const std::string& member : TakeTexts(packed.bytes)) {
        set.members.push_back(NumberOf(member));
      }
      return AttributeValue(std::move(set));
    }
    case ValueType::kBinarySet:
      return AttributeValue(AttributeValue::BinarySet{TakeTexts(packed.bytes)});
  }
  return AttributeValue();
}

int ComparePacked(const PackedValue& a, const PackedValue& b) {
  if (a.type == ValueType::kString && b.type == ValueType::kString) {
    return Sign(a.bytes.compare(b.bytes));
  }
  const AttributeValue x = UnpackValue(a);
  const AttributeValue y = UnpackValue(b);
  return CompareValues(&x, &y);
}

std::uint32_t PackedItems::NameNumber(const std::string& name) {
  const auto [at, added] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (added) {
    names_.push_back(name);
  }
  return at->second;
}

PackedItems::Pointer PackedItems::Pack(const Item& item) {
  std::string fields;
  for (const auto& [name, value] : item) {
    AppendVarint(fields, NameNumber(name));
    AppendField(fields, value);
  }
  std::string whole;
  AppendText(whole, fields);
  char* const packed = Allocate(whole.size());
  std::memcpy(packed, whole.data(), whole.size());
  return packed;
}

Item PackedItems::Unpack(Pointer packed) const {
  const std::string_view fields = TakeText(packed);
  Item item;
  for (const char* at = fields.data(); at < fields.data() + fields.size();) {
    const std::string& name = names_[TakeVarint(at)];
    item.Set(name, UnpackValue(TakeField(at)));
  }
  return item;
}

Item PackedItems::UnpackSome(Pointer packed, const std::vector<std::uint32_t>& names) const {
  const std::string_view fields = TakeText(packed);
  Item item;
  for (const char* at = fields.data(); at < fields.data() + fields.size();) {
    const auto number = static_cast<std::uint32_t>(TakeVarint(at));
    const PackedValue value = TakeField(at);
    if (std::find(names.begin(), names.end(), number) != names.end()) {
      item.Set(names_[number], UnpackValue(value));
    }
  }
  return item;
}

std::optional<PackedValue> PackedItems::Find(Pointer packed, std::uint32_t name) {
  const std::string_view fields = TakeText(packed);
  for (const char* at = fields.data(); at < fields.data() + fields.size();) {
    const std::size_t number = TakeVarint(at);
    const PackedValue value = TakeField(at);
    if (number == name) {
      return value;
    }
  }
  return std::nullopt;
}

char* PackedItems::Allocate(std::size_t bytes) {
  if (blocks_.empty() || size_ - used_ < bytes) {
    size_ = std::max(bytes, kBlockBytes);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size_));
    used_ = 0;
  }
  used_ += bytes;
  return blocks_.back().get() + used_ - bytes;
}

}  // namespace prejoin::model
