// A reader of item bodies that believes nothing, so that every other reader may trust what passed it.
// Every item that is read passes here, so it takes no step twice: bytes are taken from the front, and
// each function returns false when they end too early or are not in the one form that the writer uses.
#include "value/validate.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/limits.h"
#include "value/encoding.h"

namespace prejoin {
namespace {

// The bytes that are left to read.
struct Bytes {
  const char* at;
  const char* end;

  bool empty() const { return at == end; }
  std::size_t size() const { return static_cast<std::size_t>(end - at); }
};

bool TakeLongVarint(Bytes& rest, std::uint32_t& value) {
  std::uint64_t sum = 0;
  for (int shift = 0; shift < 35 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(*rest.at++);
    sum |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) {
      value = static_cast<std::uint32_t>(sum);
      // A last byte of zero would be a second way to write the same number.
      return sum <= UINT32_MAX && (byte != 0 || shift == 0);
    }
  }
  return false;
}

inline bool TakeVarint(Bytes& rest, std::uint32_t& value) {
  if (rest.empty()) {
    return false;
  }
  value = static_cast<unsigned char>(*rest.at);
  if (value < 0x80) [[likely]] {
    ++rest.at;
    return true;
  }
  return TakeLongVarint(rest, value);
}

inline bool TakeBytes(Bytes& rest, std::size_t size, std::string_view& bytes) {
  if (rest.size() < size) {
    return false;
  }
  bytes = {rest.at, size};
  rest.at += size;
  return true;
}

inline bool TakeSized(Bytes& rest, std::string_view& bytes) {
  std::uint32_t size = 0;
  return TakeVarint(rest, size) && TakeBytes(rest, size, bytes);
}

// The contents of a list, map or set.
bool TakePayload(Bytes& rest, Bytes& payload) {
  std::string_view field;
  std::string_view contents;
  std::uint32_t size = 0;
  if (!TakeBytes(rest, sizeof(size), field)) {
    return false;
  }
  std::memcpy(&size, field.data(), sizeof(size));
  if (!TakeBytes(rest, size, contents)) {
    return false;
  }
  payload = {contents.data(), contents.data() + contents.size()};
  return true;
}

inline bool IsDecimal(char c) { return c >= '0' && c <= '9'; }

// Most canonical numbers, told by their form: digits, at most as many as a number may have, without a
// zero before the whole part or after the fraction. False says nothing.
inline bool IsPlainNumber(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  at += negative ? 1 : 0;
  if (end - at > kNumberDigitsMax || at == end || !IsDecimal(*at)) {
    return false;
  }
  const bool zero = *at == '0';
  for (++at; at != end && IsDecimal(*at); ++at) {
    if (zero) {
      return false;
    }
  }
  if (at == end) {
    return !(zero && negative);
  }
  if (*at != '.' || at + 1 == end || end[-1] == '0') {
    return false;
  }
  for (++at; at != end; ++at) {
    if (!IsDecimal(*at)) {
      return false;
    }
  }
  return true;
}

bool IsCanonicalNumber(std::string_view text) {
  if (IsPlainNumber(text)) [[likely]] {
    return true;
  }
  const auto number = Number::Parse(text);
  return number.has_value() && number->ToString() == text;
}

bool IsSetPayload(Bytes rest, ValueType type) {
  std::uint32_t count = 0;
  if (!TakeVarint(rest, count)) {
    return false;
  }
  for (; count > 0; --count) {
    std::string_view member;
    if (!TakeSized(rest, member) || (type == ValueType::kNumberSet && !IsCanonicalNumber(member))) {
      return false;
    }
  }
  return rest.empty();
}

bool TakeValue(Bytes& rest, int depth);

bool IsListPayload(Bytes rest, int depth) {
  std::uint32_t count = 0;
  if (!TakeVarint(rest, count)) {
    return false;
  }
  for (; count > 0; --count) {
    if (!TakeValue(rest, depth)) {
      return false;
    }
  }
  return rest.empty();
}

bool IsMapPayload(Bytes rest, int depth) {
  std::uint32_t count = 0;
  if (!TakeVarint(rest, count)) {
    return false;
  }
  std::string_view last_name;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string_view name;
    if (!TakeSized(rest, name) || (i > 0 && CompareNames(name, last_name) <= 0) ||
        !TakeValue(rest, depth)) {
      return false;
    }
    last_name = name;
  }
  return rest.empty();
}

// `depth` is how many lists and maps are around the value.
bool TakeValue(Bytes& rest, int depth) {
  if (rest.empty()) {
    return false;
  }
  const auto type = static_cast<ValueType>(static_cast<unsigned char>(*rest.at++));
  std::string_view bytes;
  Bytes payload{};
  switch (type) {
    case ValueType::kString:
    case ValueType::kBinary:
      return TakeSized(rest, bytes);
    case ValueType::kNumber:
      return TakeSized(rest, bytes) && IsCanonicalNumber(bytes);
    case ValueType::kBool:
      return TakeBytes(rest, 1, bytes) && static_cast<unsigned char>(bytes[0]) <= 1;
    case ValueType::kNull:
      return true;
    case ValueType::kList:
      return depth < kNestingDepthMax && TakePayload(rest, payload) &&
             IsListPayload(payload, depth + 1);
    case ValueType::kMap:
      return depth < kNestingDepthMax && TakePayload(rest, payload) &&
             IsMapPayload(payload, depth + 1);
    case ValueType::kStringSet:
    case ValueType::kNumberSet:
    case ValueType::kBinarySet:
      return TakePayload(rest, payload) && IsSetPayload(payload, type);
  }
  return false;
}

}  // namespace

// Checks what a view needs to stay inside the body, and nothing else. Every item of a page passes here, and most attributes are short texts
// and numbers, which are recognised in a few steps, without a call. ValidateItemBody checks the order of names: a wrong order hides an
// attribute, but leads no reader out of bounds.
bool IsItemBody(std::string_view body) {
  Bytes rest{body.data(), body.data() + body.size()};
  std::uint32_t count = 0;
  if (!TakeVarint(rest, count)) {
    return false;
  }
  for (; count > 0; --count) {
    const char* const at = rest.at;
    const std::size_t name_size = rest.empty() ? 0 : static_cast<unsigned char>(*at);
    // A length of one byte; after the name a type, and a length of one byte again.
    if (name_size < 0x80 && rest.size() > name_size + 2) [[likely]] {
      const char* const value = at + 1 + name_size;
      const auto type = static_cast<ValueType>(static_cast<unsigned char>(*value));
      const std::size_t size = static_cast<unsigned char>(value[1]);
      const bool is_short = size < 0x80 && static_cast<std::size_t>(rest.end - value) >= size + 2;
      if (is_short && (type == ValueType::kString ||
                       (type == ValueType::kNumber && IsPlainNumber({value + 2, size})))) {
        rest.at = value + 2 + size;
        continue;
      }
    }
    std::string_view name;
    if (!TakeSized(rest, name) || !TakeValue(rest, 0)) {
      return false;
    }
  }
  return rest.empty();
}

Status ValidateItemBody(std::string_view body) {
  if (!IsMapPayload({body.data(), body.data() + body.size()}, 0)) {
    return Error{ErrorCode::kCorruption, "Stored item is not well formed"};
  }
  return {};
}

}  // namespace prejoin
