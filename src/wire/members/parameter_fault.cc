// DynamoDB reads the numbers of PartiQL parameters with Java's BigDecimal, which shows at the ends:
//
//   1e2147483648   exponent past 32 bits                 → cannot be converted to a numeric value
//   1e2147483647   digits and exponent add up past them  → wraps around, so an underflow
//   1e200          an ordinary number that is too large  → overflow, as everywhere
//
// Numbers elsewhere in the API go another way (wire/members/item_values.cc).
#include "wire/members/parameter_fault.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/limits.h"
#include "prejoin/number.h"

namespace prejoin::wire {
namespace {

bool FitsInt32(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

std::string MessageOf(std::string_view text) {
  const auto number = Number::Parse(text);
  return number ? std::string() : number.error().message;
}

// Digits before the exponent that count for the precision of a BigDecimal: all but leading zeros.
std::int64_t PrecisionOf(std::string_view mantissa) {
  std::int64_t digits = 0;
  for (const char c : mantissa) {
    digits += c >= '1' && c <= '9' ? 1 : c == '0' && digits > 0 ? 1 : 0;
  }
  return std::max<std::int64_t>(digits, 1);
}

std::string FindNumberFault(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  if (mark == std::string_view::npos) {
    return MessageOf(text);
  }
  const std::string_view mantissa = text.substr(0, mark);
  std::string_view digits = text.substr(mark + 1);
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);
  }
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    return MessageOf(text);
  }
  const std::size_t point = mantissa.find('.');
  const auto fraction =
      static_cast<std::int64_t>(point == std::string_view::npos ? 0 : mantissa.size() - point - 1);
  if (error == std::errc::result_out_of_range || !FitsInt32(exponent) ||
      !FitsInt32(fraction - exponent)) {
    return "The parameter cannot be converted to a numeric value: " + std::string(text);
  }
  const std::int64_t magnitude = PrecisionOf(mantissa) - (fraction - exponent);
  return FitsInt32(magnitude) ? MessageOf(text) : MessageOf("1e-1000");
}

std::string FindFault(json::Value value, int depth);

std::string FindFaultIn(std::string_view type, json::Value contents, int depth) {
  if (type == "N" && contents.type() == json::Type::kString) {
    return FindNumberFault(contents.string());
  }
  const bool is_list = contents.type() == json::Type::kArray && (type == "L" || type == "NS");
  const bool is_map = contents.type() == json::Type::kObject && type == "M";
  if ((type == "L" || type == "M") && depth + 1 > kNestingDepthMax) {
    return "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
           "levels beyond supported limit";
  }
  if (is_list) {
    for (const json::Value element : contents.elements()) {
      std::string fault = type == "L" ? FindFault(element, depth + 1)
                          : element.type() == json::Type::kString
                              ? FindNumberFault(element.string())
                              : std::string();
      if (!fault.empty()) {
        return fault;
      }
    }
  }
  if (is_map) {
    for (const auto& [name, member] : contents.fields()) {
      if (std::string fault = FindFault(member, depth + 1); !fault.empty()) {
        return fault;
      }
    }
  }
  return {};
}

// The depth is bounded by kNestingDepthMax.
std::string FindFault(json::Value value, int depth) {
  if (value.type() != json::Type::kObject) {
    return {};
  }
  for (const auto& [type, contents] : value.fields()) {
    if (std::string fault = FindFaultIn(type, contents, depth); !fault.empty()) {
      return fault;
    }
  }
  return {};
}

}  // namespace

std::string FindParameterFault(json::Value value) { return FindFault(value, 1); }

}  // namespace prejoin::wire
