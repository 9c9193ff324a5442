// ValidateItemBody: a reader of item bodies that believes nothing, so that every other reader may
// trust what passed it.
#include "value/validate.h"

#include <cstring>

#include "base/limits.h"
#include "value/encoding.h"

namespace prejoin {
namespace {

// The bytes that are left to read. Each Take… returns false, and leaves the rest undefined, when the bytes end
// too early or are not in the one form that the writer uses.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }

  bool TakeByte(unsigned char& byte) {
    if (rest_.empty()) {
      return false;
    }
    byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return true;
  }

  bool TakeVarint(std::uint32_t& value) {
    std::uint64_t sum = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      unsigned char byte = 0;
      if (!TakeByte(byte)) {
        return false;
      }
      sum |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) {
        value = static_cast<std::uint32_t>(sum);
        // A last byte of zero would be a second way to write the same number.
        return sum <= UINT32_MAX && (byte != 0 || shift == 0);
      }
    }
    return false;
  }

  bool TakeBytes(std::size_t size, std::string_view& bytes) {
    if (rest_.size() < size) {
      return false;
    }
    bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }

  bool TakeSized(std::string_view& bytes) {
    std::uint32_t size = 0;
    return TakeVarint(size) && TakeBytes(size, bytes);
  }

  // The contents of a list, map or set.
  bool TakePayload(std::string_view& payload) {
    std::string_view field;
    std::uint32_t size = 0;
    if (!TakeBytes(sizeof(size), field)) {
      return false;
    }
    std::memcpy(&size, field.data(), sizeof(size));
    return TakeBytes(size, payload);
  }

 private:
  std::string_view rest_;
};

bool IsMapPayload(std::string_view payload, int depth);

// Most numbers: whole, and with few digits. No other text of theirs is canonical.
bool IsSmallWhole(std::string_view text) {
  constexpr std::size_t kDigitsMax = 18;
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    if (text == "0") {
      return false;
    }
  }
  if (text.empty() || text.size() > kDigitsMax || (text[0] == '0' && text.size() > 1)) {
    return false;
  }
  for (const char c : text) {
    if (c < '0' || c > '9') {
      return false;
    }
  }
  return true;
}

bool IsCanonicalNumber(std::string_view text) {
  if (IsSmallWhole(text)) {
    return true;
  }
  const auto number = Number::Parse(text);
  return number.has_value() && number->ToString() == text;
}

bool IsSetPayload(std::string_view payload, ValueType type) {
  Reader reader(payload);
  std::uint32_t count = 0;
  if (!reader.TakeVarint(count)) {
    return false;
  }
  for (; count > 0; --count) {
    std::string_view member;
    if (!reader.TakeSized(member) ||
        (type == ValueType::kNumberSet && !IsCanonicalNumber(member))) {
      return false;
    }
  }
  return reader.done();
}

bool TakeValue(Reader& reader, int depth);

bool IsListPayload(std::string_view payload, int depth) {
  Reader reader(payload);
  std::uint32_t count = 0;
  if (!reader.TakeVarint(count)) {
    return false;
  }
  for (; count > 0; --count) {
    if (!TakeValue(reader, depth)) {
      return false;
    }
  }
  return reader.done();
}

// `depth` is how many lists and maps are around the value.
bool TakeValue(Reader& reader, int depth) {
  unsigned char tag = 0;
  std::string_view bytes;
  if (!reader.TakeByte(tag)) {
    return false;
  }
  const auto type = static_cast<ValueType>(tag);
  switch (type) {
    case ValueType::kString:
    case ValueType::kBinary:
      return reader.TakeSized(bytes);
    case ValueType::kNumber:
      return reader.TakeSized(bytes) && IsCanonicalNumber(bytes);
    case ValueType::kBool: {
      unsigned char value = 0;
      return reader.TakeByte(value) && value <= 1;
    }
    case ValueType::kNull:
      return true;
    case ValueType::kList:
      return depth < kNestingDepthMax && reader.TakePayload(bytes) &&
             IsListPayload(bytes, depth + 1);
    case ValueType::kMap:
      return depth < kNestingDepthMax && reader.TakePayload(bytes) &&
             IsMapPayload(bytes, depth + 1);
    case ValueType::kStringSet:
    case ValueType::kNumberSet:
    case ValueType::kBinarySet:
      return reader.TakePayload(bytes) && IsSetPayload(bytes, type);
  }
  return false;
}

bool IsMapPayload(std::string_view payload, int depth) {
  Reader reader(payload);
  std::uint32_t count = 0;
  if (!reader.TakeVarint(count)) {
    return false;
  }
  std::string_view last_name;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string_view name;
    if (!reader.TakeSized(name) || (i > 0 && name <= last_name) || !TakeValue(reader, depth)) {
      return false;
    }
    last_name = name;
  }
  return reader.done();
}

}  // namespace

bool IsItemBody(std::string_view body) { return IsMapPayload(body, 0); }

Status ValidateItemBody(std::string_view body) {
  if (!IsItemBody(body)) {
    return Error{ErrorCode::kCorruption, "Stored item is not well formed"};
  }
  return {};
}

}  // namespace prejoin
