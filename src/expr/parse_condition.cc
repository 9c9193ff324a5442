// Condition, filter and key condition expressions.
//
//   or         := and (OR and)*
//   and        := not (AND not)*
//   not        := NOT* comparison
//   comparison := operand (comparator operand | BETWEEN operand AND operand | IN (operand, …))?
//               | function
//               | (or)
//   operand    := path | :value | function | (operand)
//
// A parenthesis holds a condition or an operand, and only the text after it tells which; so one
// set of functions reads both, into a Node, and the caller says with AsCondition or AsOperand which
// of the two it needs.
#include <algorithm>

#include "base/limits.h"
#include "expr/functions.h"
#include "expr/grammar.h"
#include "expr/size_of.h"
#include "value/encoding.h"

namespace prejoin::expr {
namespace {

struct Node {
  Operand operand;  // Unless `condition` is set.
  ConditionPtr condition;
  std::string_view function;   // The name, if the node is one call.
  bool parenthesised = false;  // The node is exactly what is in a pair of parentheses.
};

std::optional<Comparator> ComparatorOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEqual:
      return Comparator::kEq;
    case TokenKind::kNotEqual:
      return Comparator::kNe;
    case TokenKind::kLess:
      return Comparator::kLt;
    case TokenKind::kLessOrEqual:
      return Comparator::kLe;
    case TokenKind::kGreater:
      return Comparator::kGt;
    case TokenKind::kGreaterOrEqual:
      return Comparator::kGe;
    default:
      return std::nullopt;
  }
}

std::string_view KindName(ConditionKind kind) {
  switch (kind) {
    case ConditionKind::kCondition:
      return "ConditionExpression";
    case ConditionKind::kFilter:
      return "FilterExpression";
    case ConditionKind::kKeyCondition:
      return "KeyConditionExpression";
    case ConditionKind::kSearchCondition:
      return "SearchConditionExpression";
  }
  return "";
}

class ConditionParser : private Grammar {
 public:
  static Result<Condition> Parse(ConditionKind kind, std::string_view text,
                                 Placeholders& placeholders) {
    PJ_RETURN_IF_ERROR(CheckText(KindName(kind), text));
    ConditionParser parser(kind, text, placeholders);
    Node node;
    if (parser.ReadOr(node) && parser.AsCondition(node)) {
      if (!parser.lexer_.Is(TokenKind::kEnd)) {
        parser.FailSyntax();
      }
    }
    if (parser.Refused()) {
      return parser.Refusal();
    }
    return std::move(*node.condition);
  }

 private:
  ConditionParser(ConditionKind kind, std::string_view text, Placeholders& placeholders)
      : Grammar(KindName(kind), text, placeholders) {}

  bool ReadOr(Node& node) {
    if (!ReadAnd(node)) {
      return false;
    }
    while (lexer_.IsKeyword("OR")) {
      Node right;
      if (!AsCondition(node) || !TakeOperator() || !ReadAnd(right) || !AsCondition(right)) {
        return false;
      }
      SetCondition(node, Or{std::move(node.condition), std::move(right.condition)});
    }
    return true;
  }

  bool ReadAnd(Node& node) {
    if (!ReadNot(node)) {
      return false;
    }
    while (lexer_.IsKeyword("AND")) {
      Node right;
      if (!AsCondition(node) || !TakeOperator() || !ReadNot(right) || !AsCondition(right)) {
        return false;
      }
      SetCondition(node, And{std::move(node.condition), std::move(right.condition)});
    }
    return true;
  }

  bool ReadNot(Node& node) {
    int count = 0;
    while (lexer_.IsKeyword("NOT")) {
      TakeOperator();
      ++count;
    }
    if (!ReadComparison(node) || (count > 0 && !AsCondition(node))) {
      return false;
    }
    for (; count > 0; --count) {
      SetCondition(node, Not{std::move(node.condition)});
    }
    return true;
  }

  bool ReadComparison(Node& node) {
    if (!ReadPrimary(node)) {
      return false;
    }
    if (const auto comparator = ComparatorOf(lexer_.current().kind)) {
      return ReadComparator(*comparator, node);
    }
    if (lexer_.IsKeyword("BETWEEN")) {
      return ReadBetween(node);
    }
    if (lexer_.IsKeyword("IN")) {
      return ReadIn(node);
    }
    if (node.condition != nullptr) {
      faults_.EndLeaf();
    }
    return true;
  }

  bool ReadComparator(Comparator comparator, Node& left) {
    const std::string_view text = lexer_.current().text;
    Node right;
    if (!AsOperand(left) || !TakeOperator() || !ReadPrimary(right) || !AsOperand(right)) {
      return false;
    }
    CheckDistinct(text, left.operand, right.operand);
    if (comparator != Comparator::kEq && comparator != Comparator::kNe) {
      CheckOrdered(text, left.operand);
      CheckOrdered(text, right.operand);
    }
    SetLeaf(left, Comparison{comparator, std::move(left.operand), std::move(right.operand)});
    return true;
  }

  bool ReadBetween(Node& value) {
    Node low;
    Node high;
    if (!AsOperand(value) || !TakeOperator() || !ReadPrimary(low) || !AsOperand(low)) {
      return false;
    }
    if (!lexer_.IsKeyword("AND")) {
      return FailSyntax();
    }
    lexer_.Advance();
    if (!ReadPrimary(high) || !AsOperand(high)) {
      return false;
    }
    CheckDistinct("BETWEEN", value.operand, low.operand);
    CheckDistinct("BETWEEN", value.operand, high.operand);
    bool ordered = true;
    for (const Node* node : {&value, &low, &high}) {
      ordered = CheckOrdered("BETWEEN", node->operand) && ordered;
    }
    if (ordered) {
      CheckBounds(low.operand, high.operand);
    }
    SetLeaf(value,
            Between{std::move(value.operand), std::move(low.operand), std::move(high.operand)});
    return true;
  }

  bool ReadIn(Node& value) {
    if (!AsOperand(value) || !TakeOperator() || !Expect(TokenKind::kOpenParenthesis)) {
      return false;
    }
    std::vector<Operand> candidates;
    std::size_t count = 0;
    if (!ReadOperands(kInOperandsMax, candidates, count)) {
      return false;
    }
    if (count > kInOperandsMax) {
      faults_.Add(FaultKind::kOperandCount, TooManyInOperands(count));
    }
    for (const Operand& candidate : candidates) {
      CheckDistinct("IN", value.operand, candidate);
    }
    SetLeaf(value, In{std::move(value.operand), std::move(candidates)});
    return true;
  }

  // Operands up to and with the closing parenthesis. Those past the limit are counted, for the
  // message, but not kept.
  bool ReadOperands(std::size_t kept_max, std::vector<Operand>& operands, std::size_t& count) {
    while (true) {
      Node node;
      if (!ReadPrimary(node) || !AsOperand(node)) {
        return false;
      }
      if (++count <= kept_max) {
        operands.push_back(std::move(node.operand));
      }
      if (lexer_.Is(TokenKind::kCloseParenthesis)) {
        lexer_.Advance();
        return true;
      }
      if (!Expect(TokenKind::kComma)) {
        return false;
      }
    }
  }

  bool ReadPrimary(Node& node) {
    switch (lexer_.current().kind) {
      case TokenKind::kOpenParenthesis:
        return ReadParenthesis(node);
      case TokenKind::kValue:
        ReadValue(node.operand.emplace<Literal>());
        return true;
      case TokenKind::kName:
        return ReadPath(node.operand.emplace<Path>());
      case TokenKind::kIdentifier:
        if (IsConditionKeyword()) {
          return FailSyntax();
        }
        return lexer_.next().kind == TokenKind::kOpenParenthesis
                   ? ReadFunction(node)
                   : ReadPath(node.operand.emplace<Path>());
      default:
        return FailSyntax();
    }
  }

  bool IsConditionKeyword() const {
    return lexer_.IsKeyword("AND") || lexer_.IsKeyword("OR") || lexer_.IsKeyword("NOT") ||
           lexer_.IsKeyword("BETWEEN") || lexer_.IsKeyword("IN");
  }

  bool ReadParenthesis(Node& node) {
    lexer_.Advance();
    if (!EnterLevel() || !ReadOr(node) || !Expect(TokenKind::kCloseParenthesis)) {
      return false;
    }
    LeaveLevel();
    if (node.parenthesised) {
      faults_.Add(FaultKind::kRedundantParentheses, RedundantParentheses());
    }
    node.parenthesised = true;
    // (a.b)[0] is a.b[0].
    if (node.condition == nullptr && std::holds_alternative<Path>(node.operand)) {
      Path& path = std::get<Path>(node.operand);
      const std::size_t steps = path.size();
      if (!ReadPathSteps(path)) {
        return false;
      }
      node.parenthesised = path.size() == steps;
    }
    return true;
  }

  bool ReadFunction(Node& node) {
    const std::string_view name = lexer_.current().text;
    CheckFunctionName(name);
    lexer_.Advance();
    TakeOperator();
    std::vector<Operand> operands;
    std::size_t count = 0;
    if (!EnterLevel() || !ReadOperands(kFunctionOperandsMax, operands, count)) {
      return false;
    }
    LeaveLevel();
    if (name == "size") {
      MakeSize(operands, count, node);
    } else {
      MakeCall(name, std::move(operands), count, node);
    }
    node.function = name;
    return true;
  }

  // Before the operands are read: what is wrong in them comes after this.
  void CheckFunctionName(std::string_view name) {
    if (name == "if_not_exists" || name == "list_append") {
      faults_.Add(FaultKind::kMisusedFunction, MisusedFunction(name));
    } else if (name != "size" && FindFunction(name) == nullptr) {
      faults_.Add(FaultKind::kUnknownFunction, UnknownFunction(name));
    }
  }

  void MakeSize(std::vector<Operand>& operands, std::size_t count, Node& node) {
    if (count != 1) {
      faults_.Add(FaultKind::kOperandCount, WrongOperandCount("size", count));
    } else if (const auto* path = std::get_if<Path>(&operands[0])) {
      node.operand = SizeOf{*path};
      return;
    } else if (const auto type = StaticType(operands[0])) {
      const auto* literal = std::get_if<Literal>(&operands[0]);
      const auto size =
          literal == nullptr ? std::nullopt : SizeOfValue(ValueView(literal->encoded().data()));
      if (size.has_value()) {
        node.operand = SizeLiteral(literal->placeholder, *size);
        return;
      }
      faults_.Add(FaultKind::kOperand, WrongOperandType("size", TypeName(*type)));
    }
    node.operand = SizeOf{};
  }

  // The size of a value is known now, so the tree needs no node for it.
  static Literal SizeLiteral(std::string_view placeholder, std::size_t size) {
    return MakeLiteral("size(" + std::string(placeholder) + ")",
                       AttributeValue(static_cast<std::int64_t>(size)));
  }

  void MakeCall(std::string_view name, std::vector<Operand> operands, std::size_t count,
                Node& node) {
    const ConditionFunction* function = FindFunction(name);
    if (function != nullptr && function->operand_count() != count) {
      faults_.Add(FaultKind::kOperandCount, WrongOperandCount(name, count));
    } else if (function != nullptr) {
      for (std::size_t i = 1; i < operands.size(); ++i) {
        CheckDistinct(name, operands[0], operands[i]);
      }
      for (std::size_t i = 0; i < operands.size(); ++i) {
        CheckRule(*function, function->operands[i], operands[i]);
      }
    }
    SetCall(node, function, std::move(operands));
  }

  // A call that is not what it should be is a fault already, so any function can stand for it.
  static void SetCall(Node& node, const ConditionFunction* function,
                      std::vector<Operand> operands) {
    node.condition = std::make_unique<Condition>(
        Condition{Call{function == nullptr ? AttributeExists() : function, std::move(operands)}});
  }

  void CheckRule(const ConditionFunction& function, OperandRule rule, const Operand& operand) {
    if (Allows(rule, operand)) {
      return;
    }
    const auto type = StaticType(operand);
    if (rule == OperandRule::kPath) {
      faults_.Add(FaultKind::kOperand, NeedsPath(function.name));
    } else if (rule == OperandRule::kTypeName && type == ValueType::kString) {
      faults_.Add(FaultKind::kOperand,
                  UnknownTypeName(*std::get<Literal>(operand).value().string()));
    } else {
      faults_.Add(
          FaultKind::kOperand,
          WrongOperandType(function.name,
                           type.has_value() ? TypeName(*type) : "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"));
    }
  }

  void CheckDistinct(std::string_view name, const Operand& first, const Operand& other) {
    if (std::string fault = NotDistinct(name, first, other); !fault.empty()) {
      faults_.Add(FaultKind::kNotDistinct, std::move(fault));
    }
  }

  // Only S, N and B have an order. An attribute of another type just does not compare, but a value
  // is the caller's fault.
  bool CheckOrdered(std::string_view name, const Operand& operand) {
    const auto type = StaticType(operand);
    if (!type.has_value() || type == ValueType::kString || type == ValueType::kNumber ||
        type == ValueType::kBinary) {
      return true;
    }
    faults_.Add(FaultKind::kOperand, WrongOperandType(name, TypeName(*type)));
    return false;
  }

  void CheckBounds(const Operand& low, const Operand& high) {
    if (std::string fault = WrongBounds(low, high); !fault.empty()) {
      faults_.Add(FaultKind::kOperand, std::move(fault));
    }
  }

  bool TakeOperator() {
    CountOperator();
    lexer_.Advance();
    return true;
  }

  // An operand where a condition must stand: `size(a)` alone is a fault, anything else lacks a
  // comparator.
  bool AsCondition(Node& node) {
    if (node.condition != nullptr) {
      return true;
    }
    if (node.function.empty()) {
      return FailSyntax();
    }
    faults_.Add(FaultKind::kMisusedFunction, MisusedFunction(node.function));
    SetCondition(node, Call{AttributeExists(), {}});
    return true;
  }

  bool AsOperand(Node& node) {
    if (node.condition == nullptr) {
      return true;
    }
    if (node.function.empty()) {
      return FailSyntax();
    }
    faults_.Add(FaultKind::kMisusedFunction, MisusedFunction(node.function));
    node.condition = nullptr;
    node.operand = SizeOf{};
    return true;
  }

  template <class T>
  void SetCondition(Node& node, T value) {
    node.condition = std::make_unique<Condition>(Condition{std::move(value)});
    node.function = {};
    node.parenthesised = false;
  }

  template <class T>
  void SetLeaf(Node& node, T value) {
    SetCondition(node, std::move(value));
    faults_.EndLeaf();
  }
};

}  // namespace

Result<Condition> ParseCondition(ConditionKind kind, std::string_view text,
                                 Placeholders& placeholders) {
  return ConditionParser::Parse(kind, text, placeholders);
}

}  // namespace prejoin::expr
