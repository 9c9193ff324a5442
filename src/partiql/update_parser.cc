#include "partiql/update_parser.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "expr/characters.h"
#include "expr/grammar.h"
#include "partiql/limits.h"

namespace prejoin::partiql {
namespace {

std::string Changed(std::string text, char (*change)(char)) {
  std::ranges::transform(text, text.begin(), change);
  return text;
}

std::unique_ptr<expr::UpdateValue> Boxed(expr::UpdateValue value) {
  return std::make_unique<expr::UpdateValue>(std::move(value));
}

}  // namespace

Result<expr::Update> UpdateParser::Parse() {
  if (!reader_.IsKeyword("SET") && !reader_.IsKeyword("REMOVE")) {
    return NotWellFormed("Expected data manipulation");
  }
  while (reader_.IsKeyword("SET") || reader_.IsKeyword("REMOVE")) {
    const bool set = reader_.IsKeyword("SET");
    reader_.Advance();
    do {
      if (set) {
        PJ_RETURN_IF_ERROR(ParseSet());
      } else {
        PJ_ASSIGN_OR_RETURN(expr::Path path, values_.ParseSimplePath());
        update_.removes.push_back({std::move(path)});
      }
    } while (reader_.TakeSymbol(","));
  }
  CheckPaths();
  return std::move(update_);
}

void UpdateParser::CheckPaths() {
  std::vector<const expr::Path*> paths;
  const auto add_paths = [&](const auto& actions) {
    for (const auto& action : actions) {
      paths.push_back(&action.path);
    }
  };
  add_paths(update_.sets);
  add_paths(update_.removes);
  add_paths(update_.adds);
  add_paths(update_.deletes);
  expr::Faults faults;
  CheckPathsApart(paths, faults);
  if (!faults.empty()) {
    reader_.Note(ValidationError("Invalid UpdateExpression: " + faults.Worst()));
  }
}

Status UpdateParser::ParseSet() {
  PJ_ASSIGN_OR_RETURN(expr::Path target, values_.ParseSimplePath());
  if (!reader_.TakeSymbol("=")) {
    return NotWellFormed("Expected '='");
  }
  const std::string word = Changed(reader_.current().text, expr::ToLower);
  if (reader_.IsCall() && (word == "set_add" || word == "set_delete")) {
    PJ_RETURN_IF_ERROR(ParseSetFunction(std::move(target)));
    if (reader_.TakeSymbol("+") || reader_.TakeSymbol("-")) {
      reader_.Note(ValidationError("Unsupported operation: " + word + " in arithmetic"));
      PJ_RETURN_IF_ERROR(ParseOperand());
    }
    return {};
  }
  PJ_ASSIGN_OR_RETURN(expr::UpdateValue value, ParseNew());
  update_.sets.push_back({std::move(target), std::move(value)});
  return {};
}

Result<std::vector<UpdateParser::Argument>> UpdateParser::ParseArguments() {
  std::vector<Argument> arguments;
  reader_.Advance();
  reader_.Advance();
  if (!reader_.IsSymbol(")")) {
    do {
      const Position position = reader_.current().position;
      PJ_ASSIGN_OR_RETURN(expr::UpdateValue value, ParseOperand());
      arguments.push_back({std::move(value), position});
    } while (reader_.TakeSymbol(","));
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
  return arguments;
}

// set_add and set_delete change the attribute that they name.
Status UpdateParser::ParseSetFunction(expr::Path target) {
  const Token name = reader_.current();
  const std::string function = Changed(name.text, expr::ToUpper);
  const std::string at = " at " + Print(name.position);
  PJ_ASSIGN_OR_RETURN(std::vector<Argument> arguments, ParseArguments());
  if (arguments.size() != 2) {
    reader_.Note(ValidationError(function + " must have exactly two arguments" + at));
    return {};
  }
  const auto* source = std::get_if<expr::Path>(&arguments[0].value.node);
  if (source == nullptr || *source != target) {
    reader_.Note(ValidationError("The first argument to " + function +
                                 " must equal the assignment value" + at));
    return {};
  }
  auto* members = std::get_if<expr::Literal>(&arguments[1].value.node);
  if (members == nullptr || members->value().type() < ValueType::kStringSet) {
    reader_.Note(ValidationError("The second argument to " + function +
                                 " must be a value with type SET at " +
                                 Print(arguments[0].position)));
    return {};
  }
  if (function == "SET_ADD") {
    update_.adds.push_back({std::move(target), std::move(*members)});
  } else {
    update_.deletes.push_back({std::move(target), std::move(*members)});
  }
  return {};
}

Result<expr::UpdateValue> UpdateParser::ParseNew() {
  PJ_ASSIGN_OR_RETURN(expr::UpdateValue left, ParseOperand());
  if (!reader_.IsSymbol("+") && !reader_.IsSymbol("-")) {
    return left;
  }
  expr::Arithmetic arithmetic{.subtract = reader_.IsSymbol("-")};
  reader_.Advance();
  if (reader_.AtEnd()) {
    return NotWellFormed("Missing right-hand side expression of infix operator");
  }
  PJ_ASSIGN_OR_RETURN(expr::UpdateValue right, ParseOperand());
  arithmetic.left = Boxed(std::move(left));
  arithmetic.right = Boxed(std::move(right));
  return expr::UpdateValue{std::move(arithmetic)};
}

Result<expr::UpdateValue> UpdateParser::ParseOperand() {
  if (reader_.IsCall()) {
    return ParseListAppend();
  }
  if (values_.AtValue()) {
    PJ_ASSIGN_OR_RETURN(expr::Literal literal, values_.ParseLiteral());
    return expr::UpdateValue{std::move(literal)};
  }
  PJ_ASSIGN_OR_RETURN(expr::Path path, values_.ParsePath());
  return expr::UpdateValue{std::move(path)};
}

Result<expr::UpdateValue> UpdateParser::ParseListAppend() {
  const Token name = reader_.current();
  const std::string function = Changed(name.text, expr::ToLower);
  if (++depth_ > kConditionDepthMax) {
    return NotWellFormed("The condition is nested too deep");
  }
  PJ_ASSIGN_OR_RETURN(std::vector<Argument> arguments, ParseArguments());
  --depth_;
  expr::UpdateValue nothing{expr::MakeLiteral("?", AttributeValue())};
  if (function != "list_append") {
    reader_.Note(
        ValidationError("Unrecognized function: " + function + " at " + Print(name.position)));
    return nothing;
  }
  if (arguments.size() != 2) {
    reader_.Note(ValidationError(expr::WrongOperandCount(function, arguments.size())));
    return nothing;
  }
  return expr::UpdateValue{
      expr::ListAppend{Boxed(std::move(arguments[0].value)), Boxed(std::move(arguments[1].value))}};
}

}  // namespace prejoin::partiql
