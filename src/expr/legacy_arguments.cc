#include "expr/legacy_arguments.h"

#include <algorithm>
#include <string>

#include "value/encoding.h"

namespace prejoin::expr {
namespace {

bool CountIsRight(LegacyOperator comparison, std::size_t count) {
  switch (comparison) {
    case LegacyOperator::kNull:
    case LegacyOperator::kNotNull:
      return count == 0;
    case LegacyOperator::kIn:
      return count >= 1;
    case LegacyOperator::kBetween:
      return count == 2;
    default:
      return count == 1;
  }
}

bool TypeIsRight(LegacyOperator comparison, ValueType type) {
  const bool is_scalar =
      type == ValueType::kString || type == ValueType::kNumber || type == ValueType::kBinary;
  switch (comparison) {
    case LegacyOperator::kEq:
    case LegacyOperator::kNe:
    case LegacyOperator::kNull:
    case LegacyOperator::kNotNull:
      return true;
    case LegacyOperator::kContains:
    case LegacyOperator::kNotContains:
      return is_scalar || type == ValueType::kBool || type == ValueType::kNull;
    case LegacyOperator::kBeginsWith:
      return type == ValueType::kString || type == ValueType::kBinary;
    default:
      return is_scalar;
  }
}

// Both are S, N or B, of the same type.
bool Ascending(const AttributeValue& low, const AttributeValue& high) {
  std::string low_encoded;
  std::string high_encoded;
  EncodeValue(low, low_encoded);
  EncodeValue(high, high_encoded);
  return Compare(ValueView(low_encoded.data()), ValueView(high_encoded.data())).value_or(0) <= 0;
}

Error InvalidArgument(std::string reason) {
  return ValidationError("One or more parameter values were invalid: " + std::move(reason));
}

}  // namespace

std::string_view Name(LegacyOperator comparison) {
  switch (comparison) {
    case LegacyOperator::kEq:
      return "EQ";
    case LegacyOperator::kNe:
      return "NE";
    case LegacyOperator::kIn:
      return "IN";
    case LegacyOperator::kLe:
      return "LE";
    case LegacyOperator::kLt:
      return "LT";
    case LegacyOperator::kGe:
      return "GE";
    case LegacyOperator::kGt:
      return "GT";
    case LegacyOperator::kBetween:
      return "BETWEEN";
    case LegacyOperator::kNotNull:
      return "NOT_NULL";
    case LegacyOperator::kNull:
      return "NULL";
    case LegacyOperator::kContains:
      return "CONTAINS";
    case LegacyOperator::kNotContains:
      return "NOT_CONTAINS";
    case LegacyOperator::kBeginsWith:
      return "BEGINS_WITH";
  }
  return "";
}

Status CheckArguments(LegacyOperator comparison, const std::vector<AttributeValue>& values) {
  const std::string name(Name(comparison));
  if (!CountIsRight(comparison, values.size())) {
    return InvalidArgument("Invalid number of argument(s) for the " + name + " ComparisonOperator");
  }
  if (values.empty()) {
    return {};
  }
  const ValueType type = values[0].type();
  if (!std::ranges::all_of(values, [type](const AttributeValue& v) { return v.type() == type; })) {
    return InvalidArgument("AttributeValues inside AttributeValueList must be of same type");
  }
  if (!TypeIsRight(comparison, type)) {
    return InvalidArgument("ComparisonOperator " + name + " is not valid for " +
                           std::string(TypeName(type)) + " AttributeValue type");
  }
  if (comparison == LegacyOperator::kBetween && !Ascending(values[0], values[1])) {
    return ValidationError(
        "The BETWEEN condition was provided a range where the lower bound is greater than the "
        "upper bound");
  }
  return {};
}

}  // namespace prejoin::expr
