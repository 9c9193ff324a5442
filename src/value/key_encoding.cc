// A number's key form orders by sign, then by exponent, then by digits. Digits are taken in pairs
// aligned on the decimal point, so that one exponent byte, which counts pairs, covers the whole
// range of exponents.
#include "value/key_encoding.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>

#include "base/check.h"
#include "base/limits.h"

namespace prejoin {
namespace {

constexpr char kNegative = 1;
constexpr char kZero = 2;
constexpr char kPositive = 3;
constexpr int kExponentBias = 128;

void AppendEscaped(std::string_view bytes, std::string& out) {
  while (true) {
    const std::size_t zero = bytes.find('\0');
    if (zero == std::string_view::npos) {
      out.append(bytes);
      return;
    }
    out.append(bytes.substr(0, zero + 1));
    out.push_back('\xFF');
    bytes.remove_prefix(zero + 1);
  }
}

void AppendBytes(std::string_view bytes, std::string& out) {
  AppendEscaped(bytes, out);
  out.append(2, '\0');
}

void AppendNumberKey(const Number& number, std::string& out) {
  if (number.is_zero()) {
    out.push_back(kZero);
    return;
  }
  // Lowest digit first. One more than the digits: an odd exponent moves them up by one place, to
  // the aligned pair.
  std::array<unsigned char, kNumberDigitsMax + 2> digits{};
  std::size_t count = (number.exponent() & 1) != 0 ? 1 : 0;
  Uint128 rest = number.coefficient();
  while (rest >> 64 != 0) {
    digits[count++] = static_cast<unsigned char>(rest % 10);
    rest /= 10;
  }
  for (auto small = static_cast<std::uint64_t>(rest); small != 0; small /= 10) {
    digits[count++] = static_cast<unsigned char>(small % 10);
  }
  const std::size_t pairs = (count + 1) / 2;
  const int exponent = (number.exponent() >> 1) + static_cast<int>(pairs) - 1;

  out.push_back(number.negative() ? kNegative : kPositive);
  const unsigned char invert = number.negative() ? 0xFF : 0x00;
  const auto append = [&](int byte) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(byte) ^ invert));
  };
  append(exponent + kExponentBias);
  for (std::size_t i = pairs; i > 0; --i) {
    append(10 * digits[2 * i - 1] + digits[2 * i - 2] + 1);
  }
  append(0);
}

}  // namespace

void AppendKeyValue(const AttributeValue& value, std::string& out) {
  switch (value.type()) {
    case ValueType::kString:
      return AppendBytes(*value.string(), out);
    case ValueType::kNumber:
      return AppendNumberKey(*value.number(), out);
    case ValueType::kBinary:
      return AppendBytes(*value.binary(), out);
    default:
      PJ_CHECK(false);
  }
}

void AppendKeyValue(ValueView value, std::string& out) {
  switch (value.type()) {
    case ValueType::kString:
    case ValueType::kBinary:
      return AppendBytes(value.string(), out);
    case ValueType::kNumber:
      return AppendNumberKey(value.number(), out);
    default:
      PJ_CHECK(false);
  }
}

void AppendKeyPrefix(std::string_view prefix, std::string& out) { AppendEscaped(prefix, out); }

std::string PrefixEnd(std::string_view prefix) {
  const std::size_t last = prefix.find_last_not_of('\xFF');
  if (last == std::string_view::npos) {
    return {};
  }
  std::string end(prefix.substr(0, last + 1));
  end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

std::uint32_t PartitionHash(std::string_view encoded_partition_key) {
  return static_cast<std::uint32_t>(
      XXH3_64bits(encoded_partition_key.data(), encoded_partition_key.size()) >> 32);
}

}  // namespace prejoin
