// Update expressions.
//
//   update  := (SET path = value, … | REMOVE path, … | ADD path :value, … | DELETE path :value, …)+
//   value   := operand | operand + operand | operand - operand | (value)
//   operand := path | :value | if_not_exists(path, operand) | list_append(operand, operand)
//            | (operand)
#include <algorithm>
#include <array>

#include "expr/functions.h"
#include "expr/grammar.h"

namespace prejoin::expr {
namespace {

constexpr std::string_view kUpdateKind = "UpdateExpression";
constexpr std::array<std::string_view, 4> kSections = {"SET", "REMOVE", "ADD", "DELETE"};
enum Section : std::uint8_t { kSet, kRemove, kAdd, kDelete };

std::unique_ptr<UpdateValue> Own(UpdateValue value) {
  return std::make_unique<UpdateValue>(std::move(value));
}

class UpdateParser : private Grammar {
 public:
  static Result<Update> Parse(std::string_view text, Placeholders& placeholders) {
    PJ_RETURN_IF_ERROR(CheckText(kUpdateKind, text));
    UpdateParser parser(text, placeholders);
    if (parser.ReadSections()) {
      parser.CheckPaths();
    }
    if (parser.Refused()) {
      return parser.Refusal();
    }
    return std::move(parser.update_);
  }

 private:
  UpdateParser(std::string_view text, Placeholders& placeholders)
      : Grammar(kUpdateKind, text, placeholders) {}

  bool ReadSections() {
    do {
      const auto section = SectionHere();
      if (!section.has_value()) {
        return FailSyntax();
      }
      lexer_.Advance();
      if (seen_[*section]) {
        faults_.Add(FaultKind::kRepeatedSection, RepeatedSection(kSections[*section]));
      }
      seen_[*section] = true;
      while (true) {
        if (!ReadAction(*section)) {
          return false;
        }
        if (!lexer_.Is(TokenKind::kComma)) {
          break;
        }
        lexer_.Advance();
      }
    } while (!lexer_.Is(TokenKind::kEnd));
    return true;
  }

  std::optional<Section> SectionHere() const {
    for (std::size_t section = 0; section < kSections.size(); ++section) {
      if (lexer_.IsKeyword(kSections[section])) {
        return static_cast<Section>(section);
      }
    }
    return std::nullopt;
  }

  bool ReadAction(Section section) {
    Path path;
    if (SectionHere().has_value()) {
      return FailSyntax();
    }
    if (!ReadPath(path)) {
      return false;
    }
    switch (section) {
      case kSet: {
        order_.push_back({section, update_.sets.size()});
        update_.sets.push_back({std::move(path), {}});
        return Expect(TokenKind::kEqual) && ReadSetValue(update_.sets.back().value);
      }
      case kRemove:
        order_.push_back({section, update_.removes.size()});
        update_.removes.push_back({std::move(path)});
        return true;
      case kAdd:
        order_.push_back({section, update_.adds.size()});
        update_.adds.push_back({std::move(path), {}});
        return ReadActionValue(section, update_.adds.back().value);
      case kDelete:
        order_.push_back({section, update_.deletes.size()});
        update_.deletes.push_back({std::move(path), {}});
        return ReadActionValue(section, update_.deletes.back().value);
    }
    return false;
  }

  bool ReadActionValue(Section section, Literal& literal) {
    if (!lexer_.Is(TokenKind::kValue)) {
      return FailSyntax();
    }
    ReadValue(literal);
    if (!literal.defined()) {
      return true;
    }
    const ValueType type = literal.value().type();
    const bool is_set = type == ValueType::kStringSet || type == ValueType::kNumberSet ||
                        type == ValueType::kBinarySet;
    if (!is_set && !(section == kAdd && type == ValueType::kNumber)) {
      faults_.Add(FaultKind::kActionOperand, WrongActionOperandType(kSections[section], type));
    }
    return true;
  }

  // The contents of parentheses: one + or - is allowed in a value, none in its operands.
  enum class Inside { kValue, kOperand };

  bool ReadSetValue(UpdateValue& value) {
    bool parenthesised = false;
    return ReadOperand(value, Inside::kValue, parenthesised) && ReadArithmetic(value);
  }

  // The + or - after the left operand, if there is one.
  bool ReadArithmetic(UpdateValue& left) {
    if (!lexer_.Is(TokenKind::kPlus) && !lexer_.Is(TokenKind::kMinus)) {
      return true;
    }
    if (std::holds_alternative<Arithmetic>(left.node)) {
      return FailSyntax();
    }
    const std::string_view symbol = lexer_.current().text;
    CountOperator();
    lexer_.Advance();
    UpdateValue right;
    bool parenthesised = false;
    if (!ReadOperand(right, Inside::kOperand, parenthesised)) {
      return false;
    }
    CheckOperandType(symbol, left, ValueType::kNumber);
    CheckOperandType(symbol, right, ValueType::kNumber);
    Arithmetic arithmetic{symbol == "-", Own(std::move(left)), Own(std::move(right))};
    left.node = std::move(arithmetic);
    return true;
  }

  bool ReadOperand(UpdateValue& value, Inside inside, bool& parenthesised) {
    switch (lexer_.current().kind) {
      case TokenKind::kOpenParenthesis:
        parenthesised = true;
        return ReadParenthesis(value, inside);
      case TokenKind::kValue:
        ReadValue(value.node.emplace<Literal>());
        return true;
      case TokenKind::kName:
        return ReadPath(value.node.emplace<Path>());
      case TokenKind::kIdentifier:
        if (SectionHere().has_value()) {
          return FailSyntax();
        }
        return lexer_.next().kind == TokenKind::kOpenParenthesis
                   ? ReadFunction(value)
                   : ReadPath(value.node.emplace<Path>());
      default:
        return FailSyntax();
    }
  }

  bool ReadParenthesis(UpdateValue& value, Inside inside) {
    lexer_.Advance();
    bool parenthesised = false;
    if (!EnterLevel() || !ReadOperand(value, inside, parenthesised)) {
      return false;
    }
    if (parenthesised && lexer_.Is(TokenKind::kCloseParenthesis)) {
      faults_.Add(FaultKind::kRedundantParentheses, RedundantParentheses());
    }
    if (inside == Inside::kValue && !ReadArithmetic(value)) {
      return false;
    }
    LeaveLevel();
    return Expect(TokenKind::kCloseParenthesis);
  }

  bool ReadFunction(UpdateValue& value) {
    const std::string_view name = lexer_.current().text;
    CheckFunctionName(name);
    CountOperator();
    lexer_.Advance();
    if (!EnterLevel()) {
      return false;
    }
    std::vector<UpdateValue> operands;
    do {
      lexer_.Advance();  // The parenthesis, then the commas.
      bool parenthesised = false;
      if (!ReadOperand(operands.emplace_back(), Inside::kOperand, parenthesised)) {
        return false;
      }
      // A list_append is a value to set, not an operand; if_not_exists is both.
      if (std::holds_alternative<ListAppend>(operands.back().node)) {
        faults_.Add(FaultKind::kMisusedFunction, MisusedFunction("list_append"));
      }
    } while (lexer_.Is(TokenKind::kComma));
    LeaveLevel();
    MakeCall(name, operands, value);
    return Expect(TokenKind::kCloseParenthesis);
  }

  // Before the operands are read: what is wrong in them comes after this.
  void CheckFunctionName(std::string_view name) {
    if (name == "size" || FindFunction(name) != nullptr) {
      faults_.Add(FaultKind::kMisusedFunction, MisusedFunction(name));
    } else if (name != "if_not_exists" && name != "list_append") {
      faults_.Add(FaultKind::kUnknownFunction, UnknownFunction(name));
    }
  }

  void MakeCall(std::string_view name, std::vector<UpdateValue>& operands, UpdateValue& value) {
    if (name != "if_not_exists" && name != "list_append") {
      return;
    }
    if (operands.size() != 2) {
      faults_.Add(FaultKind::kOperand, WrongOperandCount(name, operands.size()));
    } else if (name == "list_append") {
      CheckOperandType(name, operands[0], ValueType::kList);
      CheckOperandType(name, operands[1], ValueType::kList);
      value.node = ListAppend{Own(std::move(operands[0])), Own(std::move(operands[1]))};
    } else if (auto* path = std::get_if<Path>(&operands[0].node)) {
      value.node = IfNotExists{std::move(*path), Own(std::move(operands[1]))};
    } else {
      faults_.Add(FaultKind::kOperand, NeedsPath(name));
    }
  }

  // Only values are checked here: what a path or a function gives is known when the update runs.
  void CheckOperandType(std::string_view name, const UpdateValue& operand, ValueType wanted) {
    const auto* literal = std::get_if<Literal>(&operand.node);
    if (literal != nullptr && literal->defined() && literal->value().type() != wanted) {
      faults_.Add(FaultKind::kOperand, WrongOperandType(name, TypeName(literal->value().type())));
    }
  }

  void CheckPaths() {
    if (order_.size() < 2) {
      return;
    }
    std::vector<const Path*> paths;
    paths.reserve(order_.size());
    for (const auto& [section, index] : order_) {
      paths.push_back(section == kSet      ? &update_.sets[index].path
                      : section == kRemove ? &update_.removes[index].path
                      : section == kAdd    ? &update_.adds[index].path
                                           : &update_.deletes[index].path);
    }
    CheckPathsApart(paths, faults_);
  }

  Update update_;
  std::array<bool, kSections.size()> seen_{};
  std::vector<std::pair<Section, std::size_t>> order_;  // The actions as they are in the text.
};

}  // namespace

Result<Update> ParseUpdate(std::string_view text, Placeholders& placeholders) {
  return UpdateParser::Parse(text, placeholders);
}

}  // namespace prejoin::expr
