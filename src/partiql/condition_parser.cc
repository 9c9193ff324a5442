#include "partiql/condition_parser.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "expr/functions.h"
#include "partiql/limits.h"
#include "value/encoding.h"

namespace prejoin::partiql {
namespace {

using expr::Condition;
using expr::Operand;

expr::ConditionPtr Boxed(Condition condition) {
  return std::make_unique<Condition>(std::move(condition));
}

Condition Negated(Condition condition) { return Condition{expr::Not{Boxed(std::move(condition))}}; }

std::optional<expr::Comparator> ComparatorAt(const TokenReader& reader) {
  constexpr std::pair<std::string_view, expr::Comparator> kComparators[] = {
      {"=", expr::Comparator::kEq},  {"<>", expr::Comparator::kNe}, {"<", expr::Comparator::kLt},
      {"<=", expr::Comparator::kLe}, {">", expr::Comparator::kGt},  {">=", expr::Comparator::kGe}};
  for (const auto& [symbol, comparator] : kComparators) {
    if (reader.IsSymbol(symbol)) {
      return comparator;
    }
  }
  return std::nullopt;
}

bool IsCallOf(const TokenReader& reader, std::string_view name) {
  return reader.next().kind == TokenKind::kSymbol && reader.next().text == "(" &&
         reader.IsKeyword(name);
}

Operand TextOperand(std::string_view text) { return expr::MakeLiteral("?", AttributeValue(text)); }

}  // namespace

Result<Condition> ConditionParser::Parse() {
  PJ_ASSIGN_OR_RETURN(Condition condition, ParseAnd());
  while (reader_.TakeKeyword("OR")) {
    PJ_ASSIGN_OR_RETURN(Condition right, ParseAnd());
    condition = Condition{expr::Or{Boxed(std::move(condition)), Boxed(std::move(right))}};
  }
  return condition;
}

Result<Condition> ConditionParser::ParseAnd() {
  PJ_ASSIGN_OR_RETURN(Condition condition, ParseNot());
  while (reader_.TakeKeyword("AND")) {
    PJ_ASSIGN_OR_RETURN(Condition right, ParseNot());
    condition = Condition{expr::And{Boxed(std::move(condition)), Boxed(std::move(right))}};
  }
  return condition;
}

Result<Condition> ConditionParser::ParseNot() {
  if (++depth_ > kConditionDepthMax) {
    return NotWellFormed("The condition is nested too deep");
  }
  Result<Condition> condition = Condition();
  if (reader_.TakeKeyword("NOT")) {
    condition = ParseNot();
    if (condition) {
      condition = Negated(*std::move(condition));
    }
  } else if (reader_.TakeSymbol("(")) {
    condition = Parse();
    if (condition) {
      PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
    }
  } else {
    condition = ParsePredicate();
  }
  --depth_;
  return condition;
}

Result<Condition> ConditionParser::ParsePredicate() {
  const std::pair<std::string_view, const expr::ConditionFunction*> kFunctions[] = {
      {"BEGINS_WITH", expr::BeginsWith()},
      {"CONTAINS", expr::Contains()},
      {"ATTRIBUTE_TYPE", expr::AttributeType()}};
  for (const auto& [name, function] : kFunctions) {
    if (IsCallOf(reader_, name)) {
      return ParseCall(function);
    }
  }
  PJ_ASSIGN_OR_RETURN(Operand left, ParseOperand());
  if (const auto comparator = ComparatorAt(reader_)) {
    reader_.Advance();
    PJ_ASSIGN_OR_RETURN(Operand right, ParseOperand());
    return Condition{expr::Comparison{*comparator, std::move(left), std::move(right)}};
  }
  if (reader_.TakeKeyword("IS")) {
    return ParseIs(std::move(left));
  }
  const bool negated = reader_.TakeKeyword("NOT");
  std::optional<Condition> condition;
  if (reader_.TakeKeyword("BETWEEN")) {
    PJ_ASSIGN_OR_RETURN(Operand low, ParseOperand());
    PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("AND"));
    PJ_ASSIGN_OR_RETURN(Operand high, ParseOperand());
    condition = Condition{expr::Between{std::move(left), std::move(low), std::move(high)}};
  } else if (reader_.TakeKeyword("IN")) {
    PJ_ASSIGN_OR_RETURN(condition, ParseIn(std::move(left)));
  } else {
    return reader_.Unexpected();
  }
  return negated ? Negated(*std::move(condition)) : *std::move(condition);
}

Result<Condition> ConditionParser::ParseCall(const expr::ConditionFunction* function) {
  reader_.Advance();
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("("));
  expr::Call call{.function = function};
  PJ_ASSIGN_OR_RETURN(expr::Path path, values_.ParsePath());
  call.arguments.emplace_back(std::move(path));
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(","));
  PJ_ASSIGN_OR_RETURN(Operand argument, ParseOperand());
  call.arguments.push_back(std::move(argument));
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
  if (function == expr::AttributeType() &&
      !expr::Allows(expr::OperandRule::kTypeName, call.arguments[1])) {
    return ValidationError("Invalid attribute type name found in attribute_type");
  }
  return Condition{std::move(call)};
}

Result<Condition> ConditionParser::ParseIs(Operand operand) {
  const bool negated = reader_.TakeKeyword("NOT");
  if (!std::holds_alternative<expr::Path>(operand)) {
    return reader_.Unexpected();
  }
  expr::Call call;
  if (reader_.TakeKeyword("MISSING")) {
    call.function = negated ? expr::AttributeExists() : expr::AttributeNotExists();
    call.arguments.push_back(std::move(operand));
    return Condition{std::move(call)};
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("NULL"));
  call.function = expr::AttributeType();
  call.arguments.push_back(std::move(operand));
  call.arguments.push_back(TextOperand("NULL"));
  Condition condition{std::move(call)};
  return negated ? Negated(std::move(condition)) : std::move(condition);
}

Result<Condition> ConditionParser::ParseIn(Operand operand) {
  expr::In in{.value = std::move(operand)};
  const bool bracket = reader_.IsSymbol("[");
  if (!bracket && !reader_.IsSymbol("(")) {
    return reader_.Unexpected();
  }
  reader_.Advance();
  do {
    PJ_ASSIGN_OR_RETURN(Operand candidate, ParseOperand());
    in.candidates.push_back(std::move(candidate));
  } while (reader_.TakeSymbol(","));
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(bracket ? "]" : ")"));
  if (in.candidates.size() > static_cast<std::size_t>(kInOperandsMax)) {
    return ValidationError("Too many values in the IN list: " +
                           std::to_string(in.candidates.size()) + " with a maximum of 100");
  }
  return Condition{std::move(in)};
}

Result<Operand> ConditionParser::ParseOperand() {
  if (values_.AtValue()) {
    PJ_ASSIGN_OR_RETURN(expr::Literal literal, values_.ParseLiteral());
    return Operand(std::move(literal));
  }
  if (IsCallOf(reader_, "SIZE")) {
    reader_.Advance();
    PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("("));
    PJ_ASSIGN_OR_RETURN(expr::Path path, values_.ParsePath());
    PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
    return Operand(expr::SizeOf{std::move(path)});
  }
  PJ_ASSIGN_OR_RETURN(expr::Path path, values_.ParsePath());
  return Operand(std::move(path));
}

}  // namespace prejoin::partiql
