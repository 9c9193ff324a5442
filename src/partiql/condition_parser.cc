#include "partiql/condition_parser.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "expr/characters.h"
#include "expr/faults.h"
#include "expr/functions.h"
#include "partiql/limits.h"

namespace prejoin::partiql {
namespace {

using expr::Condition;
using expr::Operand;

expr::ConditionPtr Boxed(Condition condition) {
  return std::make_unique<Condition>(std::move(condition));
}

Condition Negated(Condition condition) { return Condition{expr::Not{Boxed(std::move(condition))}}; }

// A condition that stands for one with an error, which is noted.
Condition Refused() { return Condition{expr::In{expr::Path{{std::string()}}, {}}}; }

struct ComparatorSymbol {
  std::string_view symbol;
  expr::Comparator comparator;
};
constexpr ComparatorSymbol kComparators[] = {
    {"=", expr::Comparator::kEq},  {"<>", expr::Comparator::kNe}, {"<", expr::Comparator::kLt},
    {"<=", expr::Comparator::kLe}, {">", expr::Comparator::kGt},  {">=", expr::Comparator::kGe}};

const ComparatorSymbol* ComparatorAt(const TokenReader& reader) {
  const auto* found = std::ranges::find_if(
      kComparators, [&](const ComparatorSymbol& row) { return reader.IsSymbol(row.symbol); });
  return found == std::end(kComparators) ? nullptr : found;
}

struct TypeWord {
  std::string_view word;
  std::string_view type;  // DynamoDB's.
};
// DynamoDB has fewer types than PartiQL has names for them.
constexpr TypeWord kTypeWords[] = {
    {"MISSING", "MISSING"}, {"NULL", "NULL"}, {"BOOL", "BOOL"},  {"BOOLEAN", "BOOL"},
    {"SMALLINT", "N"},      {"INT", "N"},     {"INT2", "N"},     {"INT4", "N"},
    {"INT8", "N"},          {"INTEGER", "N"}, {"INTEGER2", "N"}, {"INTEGER4", "N"},
    {"INTEGER8", "N"},      {"BIGINT", "N"},  {"FLOAT", "N"},    {"REAL", "N"},
    {"DEC", "N"},           {"DECIMAL", "N"}, {"NUMERIC", "N"},  {"STRING", "S"},
    {"SYMBOL", "S"},        {"CHAR", "S"},    {"VARCHAR", "S"},  {"CHARACTER", "S"},
    {"TIMESTAMP", "S"},     {"DATE", "S"},    {"TIME", "S"},     {"CLOB", "B"},
    {"BLOB", "B"},          {"STRUCT", "M"},  {"TUPLE", "M"},    {"LIST", "L"},
    {"SEXP", "L"},          {"BAG", "SS"},
};

bool IsBoolean(const Operand& operand) {
  return expr::StaticType(operand) == ValueType::kBool &&
         std::holds_alternative<expr::Literal>(operand);
}

}  // namespace

Result<Condition> ConditionParser::Parse() {
  PJ_ASSIGN_OR_RETURN(Node node, ParseOr());
  return AsCondition(std::move(node));
}

Result<ConditionParser::Node> ConditionParser::ParseOr() {
  PJ_ASSIGN_OR_RETURN(Node node, ParseAnd());
  while (reader_.TakeKeyword("OR")) {
    if (reader_.AtEnd()) {
      return NotWellFormed("Missing right-hand side expression of infix operator");
    }
    PJ_ASSIGN_OR_RETURN(Node right, ParseAnd());
    node = {{},
            Condition{expr::Or{Boxed(AsCondition(std::move(node))),
                               Boxed(AsCondition(std::move(right)))}}};
  }
  return node;
}

Result<ConditionParser::Node> ConditionParser::ParseAnd() {
  PJ_ASSIGN_OR_RETURN(Node node, ParseNot());
  while (reader_.TakeKeyword("AND")) {
    if (reader_.AtEnd()) {
      return NotWellFormed("Missing right-hand side expression of infix operator");
    }
    PJ_ASSIGN_OR_RETURN(Node right, ParseNot());
    node = {{},
            Condition{expr::And{Boxed(AsCondition(std::move(node))),
                                Boxed(AsCondition(std::move(right)))}}};
  }
  return node;
}

Result<ConditionParser::Node> ConditionParser::ParseNot() {
  if (!reader_.TakeKeyword("NOT")) {
    return ParseComparison();
  }
  if (++depth_ > kConditionDepthMax) {
    return NotWellFormed("The condition is nested too deep");
  }
  PJ_ASSIGN_OR_RETURN(Node node, ParseNot());
  --depth_;
  return Node{{}, Negated(AsCondition(std::move(node)))};
}

// The operators of one level stand from left to right: `attribute_exists(a) = true`.
Result<ConditionParser::Node> ConditionParser::ParseComparison() {
  PJ_ASSIGN_OR_RETURN(Node left, ParseTerm());
  while (true) {
    if (const ComparatorSymbol* row = ComparatorAt(reader_)) {
      reader_.Advance();
      PJ_ASSIGN_OR_RETURN(Node right, ParseRight());
      left = Compare(row->comparator, row->symbol, std::move(left), std::move(right));
      continue;
    }
    const bool is = reader_.IsKeyword("IS");
    const Token& word = reader_.IsKeyword("NOT") ? reader_.next() : reader_.current();
    if (word.kind != TokenKind::kWord || !(is || IsKeyword(word.text))) {
      return left;
    }
    const bool negated = reader_.TakeKeyword("NOT");
    const bool between = !is && reader_.IsKeyword("BETWEEN");
    const bool in = !is && reader_.IsKeyword("IN");
    if (!is && !between && !in && !reader_.IsKeyword("LIKE")) {
      return negated ? Result<Node>(reader_.Unexpected()) : Result<Node>(std::move(left));
    }
    reader_.Advance();
    Operand operand = AsOperand(std::move(left));
    PJ_ASSIGN_OR_RETURN(left, is        ? ParseIs(std::move(operand))
                              : between ? ParseBetween(std::move(operand))
                              : in      ? ParseIn(std::move(operand))
                                        : ParseLike());
    if (negated) {
      left.condition = Negated(*std::move(left.condition));
    }
  }
}

Result<ConditionParser::Node> ConditionParser::ParseTerm() {
  if (reader_.TakeSymbol("(")) {
    if (++depth_ > kConditionDepthMax) {
      return NotWellFormed("The condition is nested too deep");
    }
    PJ_ASSIGN_OR_RETURN(Node node, ParseOr());
    PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
    --depth_;
    return node;
  }
  if (reader_.IsCall()) {
    return ParseCall();
  }
  if (values_.AtValue()) {
    PJ_ASSIGN_OR_RETURN(expr::Literal literal, values_.ParseLiteral());
    return Node{std::move(literal), {}};
  }
  PJ_ASSIGN_OR_RETURN(expr::Path path, values_.ParsePath());
  return Node{std::move(path), {}};
}

Result<ConditionParser::Node> ConditionParser::ParseRight() {
  if (reader_.AtEnd()) {
    return NotWellFormed("Missing right-hand side expression of infix operator");
  }
  return ParseTerm();
}

Result<Operand> ConditionParser::ParseOperand() {
  PJ_ASSIGN_OR_RETURN(Node node, ParseRight());
  return AsOperand(std::move(node));
}

Result<ConditionParser::Node> ConditionParser::ParseCall() {
  const Token name = reader_.current();
  reader_.Advance();
  reader_.Advance();
  std::vector<Node> arguments;
  if (++depth_ > kConditionDepthMax) {
    return NotWellFormed("The condition is nested too deep");
  }
  if (!reader_.IsSymbol(")")) {
    do {
      PJ_ASSIGN_OR_RETURN(Node argument, ParseOr());
      arguments.push_back(std::move(argument));
    } while (reader_.TakeSymbol(","));
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
  --depth_;
  return MakeCall(name, std::move(arguments));
}

ConditionParser::Node ConditionParser::MakeCall(const Token& name, std::vector<Node> arguments) {
  has_calls_ = true;
  std::string lower = name.text;
  std::ranges::transform(lower, lower.begin(), expr::ToLower);
  if (lower == "size") {
    return MakeSize(std::move(arguments));
  }
  Node refused{{}, Refused()};
  const expr::ConditionFunction* function = expr::FindFunction(lower);
  if (function == nullptr) {
    reader_.Note(
        ValidationError("Unrecognized function: " + lower + " at " + Print(name.position)));
    return refused;
  }
  if (arguments.size() != function->operand_count()) {
    reader_.Note(ValidationError(expr::WrongOperandCount(lower, arguments.size())));
    return refused;
  }
  expr::Call call{.function = function};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const expr::OperandRule rule = function->operands[i];
    Operand& operand = arguments[i].operand;
    const auto type = arguments[i].condition ? ValueType::kBool : expr::StaticType(operand);
    if (arguments[i].condition || !expr::Allows(rule, operand)) {
      reader_.Note(ValidationError(
          rule == expr::OperandRule::kPath ? expr::NeedsPath(lower)
          : rule == expr::OperandRule::kTypeName
              ? "Invalid attribute type name found in attribute_type"
              : expr::WrongOperandType(lower, TypeName(type.value_or(ValueType::kBool)))));
      return refused;
    }
    call.arguments.push_back(std::move(operand));
  }
  return Node{{}, Condition{std::move(call)}};
}

ConditionParser::Node ConditionParser::MakeSize(std::vector<Node> arguments) {
  expr::SizeOf size{expr::Path{{std::string()}}};
  if (arguments.size() != 1) {
    reader_.Note(ValidationError(expr::WrongOperandCount("size", arguments.size())));
  } else if (auto* path = std::get_if<expr::Path>(&arguments[0].operand);
             path == nullptr || arguments[0].condition) {
    reader_.Note(ValidationError(expr::NeedsPath("size")));
  } else {
    size.path = std::move(*path);
  }
  return Node{std::move(size), {}};
}

// `condition = true` is the condition itself.
ConditionParser::Node ConditionParser::Compare(expr::Comparator comparator, std::string_view symbol,
                                               Node left, Node right) {
  if (left.condition || right.condition) {
    Node& condition = left.condition ? left : right;
    const Node& other = left.condition ? right : left;
    const bool equality =
        comparator == expr::Comparator::kEq || comparator == expr::Comparator::kNe;
    if (other.condition || !equality || !IsBoolean(other.operand)) {
      reader_.Note(ValidationError(expr::WrongOperandType(symbol, "BOOL")));
      return Node{{}, Refused()};
    }
    const bool wanted = *std::get<expr::Literal>(other.operand).value().boolean() ==
                        (comparator == expr::Comparator::kEq);
    return wanted ? std::move(condition) : Node{{}, Negated(*std::move(condition.condition))};
  }
  if (comparator != expr::Comparator::kEq && comparator != expr::Comparator::kNe) {
    CheckOrdered(symbol, left.operand);
    CheckOrdered(symbol, right.operand);
  }
  NoteFault(expr::NotDistinct(symbol, left.operand, right.operand));
  return Node{
      {},
      Condition{expr::Comparison{comparator, std::move(left.operand), std::move(right.operand)}}};
}

void ConditionParser::NoteFault(std::string fault) {
  if (!fault.empty()) {
    reader_.Note(ValidationError(std::move(fault)));
  }
}

// Only S, N and B have an order. Nothing but the operand decides, so this needs no table.
void ConditionParser::CheckOrdered(std::string_view symbol, const Operand& operand) {
  const auto type = expr::StaticType(operand);
  if (type && *type > ValueType::kBinary) {
    reader_.Note(ValidationError(expr::WrongOperandType(symbol, TypeName(*type))));
  }
}

Result<std::string_view> ConditionParser::ParseTypeName(TokenReader& reader) {
  std::string_view type;
  for (const TypeWord& row : kTypeWords) {
    if (reader.IsKeyword(row.word)) {
      type = row.type;
    }
  }
  if (reader.IsKeyword("DOUBLE")) {
    reader.Advance();
    type = reader.IsKeyword("PRECISION") ? "N" : "";
  }
  if (type.empty()) {
    return NotWellFormed("Expected type name");
  }
  const bool character = reader.IsKeyword("CHARACTER");
  reader.Advance();
  if (character) {
    reader.TakeKeyword("VARYING");
  }
  if (reader.TakeSymbol("(")) {
    do {
      if (reader.current().kind != TokenKind::kNumber) {
        return NotWellFormed("Type parameter must be an unsigned integer literal");
      }
      reader.Advance();
    } while (reader.TakeSymbol(","));
    PJ_RETURN_IF_ERROR(reader.ExpectSymbol(")"));
  }
  return type;
}

Result<ConditionParser::Node> ConditionParser::ParseIs(Operand operand) {
  const bool negated = reader_.TakeKeyword("NOT");
  PJ_ASSIGN_OR_RETURN(const std::string_view type, ParseTypeName(reader_));
  if (!std::holds_alternative<expr::Path>(operand)) {
    reader_.Note(ValidationError(expr::NeedsPath("IS")));
    return Node{{}, Refused()};
  }
  if (type == "MISSING") {
    expr::Call call{.function = negated ? expr::AttributeExists() : expr::AttributeNotExists()};
    call.arguments.push_back(std::move(operand));
    return Node{{}, Condition{std::move(call)}};
  }
  const auto has_type = [&](std::string_view name) {
    expr::Call call{.function = expr::AttributeType()};
    call.arguments.push_back(operand);
    call.arguments.emplace_back(expr::MakeLiteral("?", AttributeValue(name)));
    return Condition{std::move(call)};
  };
  Condition condition = has_type(type);
  if (type == "SS") {  // Any set is a bag.
    condition = Condition{
        expr::Or{Boxed(std::move(condition)),
                 Boxed(Condition{expr::Or{Boxed(has_type("NS")), Boxed(has_type("BS"))}})}};
  }
  return Node{{}, negated ? Negated(std::move(condition)) : std::move(condition)};
}

Result<ConditionParser::Node> ConditionParser::ParseBetween(Operand value) {
  PJ_ASSIGN_OR_RETURN(Operand low, ParseOperand());
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("AND"));
  if (reader_.AtEnd()) {
    return NotWellFormed("Expected expression after AND");
  }
  PJ_ASSIGN_OR_RETURN(Operand high, ParseOperand());
  NoteFault(expr::NotDistinct("BETWEEN", value, low));
  NoteFault(expr::NotDistinct("BETWEEN", value, high));
  for (const Operand* operand : {&value, &low, &high}) {
    CheckOrdered("BETWEEN", *operand);
  }
  NoteFault(expr::WrongBounds(low, high));
  return Node{{}, Condition{expr::Between{std::move(value), std::move(low), std::move(high)}}};
}

Result<ConditionParser::Node> ConditionParser::ParseIn(Operand value) {
  expr::In in{.value = std::move(value)};
  const bool bracket = reader_.IsSymbol("[");
  if (reader_.AtEnd()) {
    return NotWellFormed("Missing right-hand side expression of infix operator");
  }
  if (!bracket && !reader_.IsSymbol("(")) {
    return reader_.Unexpected();
  }
  reader_.Advance();
  std::size_t count = 0;
  do {
    PJ_ASSIGN_OR_RETURN(Operand candidate, ParseOperand());
    NoteFault(expr::NotDistinct("IN", in.value, candidate));
    if (++count <= static_cast<std::size_t>(kInOperandsMax)) {
      in.candidates.push_back(std::move(candidate));
    }
  } while (reader_.TakeSymbol(","));
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(bracket ? "]" : ")"));
  if (count > static_cast<std::size_t>(kInOperandsMax)) {
    reader_.Note(ValidationError("Too many values in the IN list: " + std::to_string(count) +
                                 " with a maximum of 100"));
  }
  return Node{{}, Condition{std::move(in)}};
}

// PartiQL has it, DynamoDB does not.
Result<ConditionParser::Node> ConditionParser::ParseLike() {
  PJ_RETURN_IF_ERROR(ParseOperand());
  reader_.Note(ValidationError("Unsupported operation: Like"));
  return Node{{}, Refused()};
}

Condition ConditionParser::AsCondition(Node node) {
  if (!node.condition) {
    reader_.Note(ValidationError("Where clause must be a condition"));
    return Refused();
  }
  return *std::move(node.condition);
}

Operand ConditionParser::AsOperand(Node node) {
  if (node.condition) {
    reader_.Note(ValidationError("Unsupported operation: a condition as an operand"));
  }
  return std::move(node.operand);
}

}  // namespace prejoin::partiql
