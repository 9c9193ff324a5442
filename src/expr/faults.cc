#include "expr/faults.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "value/base64.h"
#include "value/encoding.h"

namespace prejoin::expr {
namespace {

std::string Concat(std::initializer_list<std::string_view> parts) {
  std::string result;
  for (const std::string_view part : parts) {
    result += part;
  }
  return result;
}

// [a, b, [3]]: DynamoDB's way of writing a path in a message.
std::string Describe(const Path& path) {
  std::string text = "[";
  for (const PathStep& step : path) {
    if (text.size() > 1) {
      text += ", ";
    }
    if (const auto* name = std::get_if<std::string>(&step.step)) {
      text += *name;
    } else {
      text += '[' + std::to_string(std::get<std::uint32_t>(step.step)) + ']';
    }
  }
  return text + ']';
}

std::string Bounds(const AttributeValue& low, const AttributeValue& high) {
  return Concat({"; lower bound operand: ", DescribeValue(low),
                 ", upper bound operand: ", DescribeValue(high)});
}

std::string_view LongTypeName(ValueType type) {
  switch (type) {
    case ValueType::kString:
      return "STRING";
    case ValueType::kNumber:
      return "NUMBER";
    case ValueType::kBinary:
      return "BINARY";
    case ValueType::kBool:
      return "BOOLEAN";
    case ValueType::kNull:
      return "NULL";
    case ValueType::kList:
      return "LIST";
    case ValueType::kMap:
      return "MAP";
    case ValueType::kStringSet:
      return "STRING_SET";
    case ValueType::kNumberSet:
      return "NUMBER_SET";
    case ValueType::kBinarySet:
      return "BINARY_SET";
  }
  return "";
}

}  // namespace

std::string DescribeValue(const AttributeValue& value) {
  std::string contents;
  if (value.binary() != nullptr) {
    AppendBase64(*value.binary(), contents);
  } else {
    contents = value.string() != nullptr ? *value.string() : value.number()->ToString();
  }
  return Concat({"AttributeValue: {", TypeName(value.type()), ":", contents, "}"});
}

void Faults::Add(FaultKind kind, std::string message) {
  if (leaves_closed_ && kind >= FaultKind::kUndefinedPlaceholder) {
    return;
  }
  if (std::ranges::find(faults_, kind, &std::pair<FaultKind, std::string>::first) ==
      faults_.end()) {
    faults_.emplace_back(kind, std::move(message));
  }
}

void Faults::EndLeaf() {
  leaves_closed_ = leaves_closed_ || std::ranges::any_of(faults_, [](const auto& fault) {
                     return fault.first >= FaultKind::kUndefinedPlaceholder;
                   });
}

const std::string& Faults::Worst() const {
  PJ_CHECK(!empty());
  return std::ranges::min_element(faults_, {}, &std::pair<FaultKind, std::string>::first)->second;
}

std::string RedundantParentheses() { return "The expression has redundant parentheses;"; }

std::string UnknownFunction(std::string_view function) {
  return Concat({"Invalid function name; function: ", function});
}

std::string MisusedFunction(std::string_view function) {
  return Concat(
      {"The function is not allowed to be used this way in an expression; function: ", function});
}

std::string ListIndexOutOfRange(std::string_view index) {
  return Concat({"List index is not within the allowable range; index: [", index, "]"});
}

std::string PathTooDeep(std::size_t levels) {
  return "The document path has too many nesting levels; nesting levels: " + std::to_string(levels);
}

std::string ReservedKeyword(std::string_view name) {
  return Concat({"Attribute name is a reserved keyword; reserved keyword: ", name});
}

// DynamoDB stops counting at the first operator too many.
std::string TooManyOperators() {
  return "The expression contains too many operators; operator count: " +
         std::to_string(kExpressionOperatorsMax + 1);
}

std::string TooManyInOperands(std::size_t count) {
  return "The IN operator is provided with too many operands; number of operands: " +
         std::to_string(count);
}

std::string RepeatedSection(std::string_view section) {
  return Concat({"The \"", section, "\" section can only be used once in an update expression;"});
}

std::string UndefinedName(std::string_view placeholder) {
  return Concat(
      {"An expression attribute name used in the document path is not defined; attribute name: ",
       placeholder});
}

std::string UndefinedValue(std::string_view placeholder) {
  return Concat(
      {"An expression attribute value used in expression is not defined; attribute value: ",
       placeholder});
}

std::string PathsOverlap(const Path& one, const Path& two) {
  return Concat(
      {"Two document paths overlap with each other; must remove or rewrite one of these paths; ",
       "path one: ", Describe(one), ", path two: ", Describe(two)});
}

std::string PathsConflict(const Path& one, const Path& two) {
  return Concat(
      {"Two document paths conflict with each other; must remove or rewrite one of these paths; ",
       "path one: ", Describe(one), ", path two: ", Describe(two)});
}

std::string WrongOperandCount(std::string_view function, std::size_t count) {
  return Concat({"Incorrect number of operands for operator or function; operator or function: ",
                 function, ", number of operands: ", std::to_string(count)});
}

std::string NotDistinct(std::string_view function, const Operand& first, const Operand& other) {
  const auto* path = std::get_if<Path>(&first);
  const auto* other_path = std::get_if<Path>(&other);
  if (path == nullptr || other_path == nullptr || *path != *other_path) {
    return {};
  }
  return Concat(
      {"The first operand must be distinct from the remaining operands for this operator ",
       "or function; operator: ", function, ", first operand: ", Describe(*path)});
}

std::string WrongOperandType(std::string_view function, std::string_view type) {
  return Concat({"Incorrect operand type for operator or function; operator or function: ",
                 function, ", operand type: ", type});
}

std::string WrongActionOperandType(std::string_view action, ValueType type) {
  return Concat({"Incorrect operand type for operator or function; operator: ", action,
                 ", operand type: ", LongTypeName(type)});
}

std::string NeedsPath(std::string_view function) {
  return Concat(
      {"Operator or function requires a document path; operator or function: ", function});
}

std::string UnknownTypeName(std::string_view type) {
  return Concat({"Invalid attribute type name found; type: ", type,
                 ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"});
}

std::string WrongBounds(const Operand& low, const Operand& high) {
  const auto* low_value = std::get_if<Literal>(&low);
  const auto* high_value = std::get_if<Literal>(&high);
  if (low_value == nullptr || high_value == nullptr || !low_value->defined() ||
      !high_value->defined()) {
    return {};
  }
  // Other types have no order, which is a fault of its own.
  if (std::max(low_value->value().type(), high_value->value().type()) > ValueType::kBinary) {
    return {};
  }
  if (low_value->value().type() != high_value->value().type()) {
    return "The BETWEEN operator requires same data type for lower and upper bounds" +
           Bounds(low_value->value(), high_value->value());
  }
  const auto order =
      Compare(ValueView(low_value->encoded().data()), ValueView(high_value->encoded().data()));
  if (order.has_value() && *order > 0) {
    return "The BETWEEN operator requires upper bound to be greater than or equal to lower bound" +
           Bounds(low_value->value(), high_value->value());
  }
  return {};
}

}  // namespace prejoin::expr
