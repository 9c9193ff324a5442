#include "tests/reference/value_rules.h"

#include <algorithm>

namespace prejoin::reference {
namespace {

struct Decimal {
  bool negative = false;
  std::string whole;
  std::string fraction;
};

Decimal Split(const Number& number) {
  std::string text = number.ToString();
  Decimal decimal;
  if (text.starts_with('-')) {
    decimal.negative = true;
    text.erase(0, 1);
  }
  const std::size_t point = text.find('.');
  decimal.whole = text.substr(0, point);
  decimal.fraction = point == std::string::npos ? "" : text.substr(point + 1);
  return decimal;
}

int Sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

int CompareNumbers(const Number& a, const Number& b) {
  Decimal left = Split(a);
  Decimal right = Split(b);
  const std::size_t whole = std::max(left.whole.size(), right.whole.size());
  const std::size_t fraction = std::max(left.fraction.size(), right.fraction.size());
  for (Decimal* decimal : {&left, &right}) {
    decimal->whole.insert(0, whole - decimal->whole.size(), '0');
    decimal->fraction.append(fraction - decimal->fraction.size(), '0');
  }
  if (left.negative != right.negative) {
    return left.negative ? -1 : 1;
  }
  const int order = Sign((left.whole + left.fraction).compare(right.whole + right.fraction));
  return left.negative ? -order : order;
}

// One byte, one for each pair of digits around the point from the first to the last that is not
// "00", and one for a minus that does not have all 20 pairs before it.
std::size_t NumberBytes(const Number& number) {
  Decimal decimal = Split(number);
  if (decimal.whole.size() % 2 == 1) {
    decimal.whole.insert(0, 1, '0');
  }
  if (decimal.fraction.size() % 2 == 1) {
    decimal.fraction.push_back('0');
  }
  const std::string digits = decimal.whole + decimal.fraction;
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) {
    return 1;
  }
  const std::size_t last = digits.find_last_not_of('0');
  const std::size_t pairs = last / 2 - first / 2 + 1;
  return 1 + pairs + (decimal.negative && pairs < 20 ? 1 : 0);
}

std::size_t Utf16Units(const std::string& text) {
  std::size_t units = 0;
  for (std::size_t at = 0; at < text.size(); ++units) {
    const auto lead = static_cast<unsigned char>(text[at]);
    at += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    units += lead >= 0xF0;
  }
  return units;
}

bool IsOrdered(const AttributeValue& value) {
  return value.string() != nullptr || value.number() != nullptr || value.binary() != nullptr;
}

bool Fits(int order, const std::string& comparator) {
  return (comparator == "<" && order < 0) || (comparator == "<=" && order <= 0) ||
         (comparator == ">" && order > 0) || (comparator == ">=" && order >= 0);
}

}  // namespace

bool HasType(const AttributeValue& value, ScalarType type) {
  switch (type) {
    case ScalarType::kString:
      return value.string() != nullptr;
    case ScalarType::kNumber:
      return value.number() != nullptr;
    case ScalarType::kBinary:
      return value.binary() != nullptr;
  }
  return false;
}

int Compare(const AttributeValue& a, const AttributeValue& b) {
  if (a.number() != nullptr) {
    return CompareNumbers(*a.number(), *b.number());
  }
  // std::string compares bytes as unsigned.
  return Sign(a.string() != nullptr ? a.string()->compare(*b.string())
                                    : a.binary()->compare(*b.binary()));
}

bool KeyLess::operator()(const std::vector<AttributeValue>& a,
                         const std::vector<AttributeValue>& b) const {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (const int order = Compare(a[i], b[i]); order != 0) {
      return order < 0;
    }
  }
  return a.size() < b.size();
}

std::size_t SizeBytes(const AttributeValue& value) {
  std::size_t bytes = 0;
  switch (value.type()) {
    case ValueType::kString:
      return value.string()->size();
    case ValueType::kBinary:
      return value.binary()->size();
    case ValueType::kNumber:
      return NumberBytes(*value.number());
    case ValueType::kBool:
    case ValueType::kNull:
      return 1;
    case ValueType::kList:
      for (const AttributeValue& element : *value.list()) {
        bytes += 1 + SizeBytes(element);
      }
      return 3 + bytes;
    case ValueType::kMap:
      return 3 + value.map()->size() + SizeBytes(*value.map());
    case ValueType::kStringSet:
      for (const std::string& member : *value.string_set()) {
        bytes += member.size();
      }
      return bytes;
    case ValueType::kNumberSet:
      for (const Number& member : *value.number_set()) {
        bytes += NumberBytes(member);
      }
      return bytes;
    case ValueType::kBinarySet:
      for (const std::string& member : *value.binary_set()) {
        bytes += member.size();
      }
      return bytes;
  }
  return 0;
}

std::size_t SizeBytes(const Item& item) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : item) {
    bytes += name.size() + SizeBytes(value);
  }
  return bytes;
}

bool Compares(const AttributeValue* value, const std::string& comparator,
              const AttributeValue& operand) {
  if (comparator == "=") {
    return value != nullptr && *value == operand;
  }
  if (comparator == "<>") {
    return value == nullptr || !(*value == operand);
  }
  return value != nullptr && value->type() == operand.type() && IsOrdered(*value) &&
         Fits(Compare(*value, operand), comparator);
}

std::optional<std::size_t> SizeOf(const AttributeValue& value) {
  switch (value.type()) {
    case ValueType::kString:
      return Utf16Units(*value.string());
    case ValueType::kBinary:
      return value.binary()->size();
    case ValueType::kList:
      return value.list()->size();
    case ValueType::kMap:
      return value.map()->size();
    case ValueType::kStringSet:
      return value.string_set()->size();
    case ValueType::kNumberSet:
      return value.number_set()->size();
    case ValueType::kBinarySet:
      return value.binary_set()->size();
    default:
      return std::nullopt;
  }
}

bool BeginsWith(const AttributeValue& value, const AttributeValue& prefix) {
  return (value.string() && prefix.string() && value.string()->starts_with(*prefix.string())) ||
         (value.binary() && prefix.binary() && value.binary()->starts_with(*prefix.binary()));
}

bool Contains(const AttributeValue& value, const AttributeValue& part) {
  const auto has = [](const auto& members, const auto& member) {
    return std::ranges::find(members, member) != members.end();
  };
  if (value.list() != nullptr) {
    return has(*value.list(), part);
  }
  if (part.string() != nullptr) {
    return (value.string() && value.string()->find(*part.string()) != std::string::npos) ||
           (value.string_set() && has(*value.string_set(), *part.string()));
  }
  if (part.number() != nullptr) {
    return value.number_set() && has(*value.number_set(), *part.number());
  }
  if (part.binary() != nullptr) {
    return (value.binary() && value.binary()->find(*part.binary()) != std::string::npos) ||
           (value.binary_set() && has(*value.binary_set(), *part.binary()));
  }
  return false;
}

}  // namespace prejoin::reference
