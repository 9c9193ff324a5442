#include "partiql/value_parser.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/limits.h"
#include "expr/characters.h"

namespace prejoin::partiql {
namespace {

// Sorted copies, so that a large set costs no more than its members.
template <class Member>
bool HasDuplicates(std::vector<Member> members) {
  std::ranges::sort(members);
  return std::ranges::adjacent_find(members) != members.end();
}

std::string Listed(const std::vector<std::string>& members) {
  std::string text = "[";
  for (const std::string& member : members) {
    text += (text.size() > 1 ? ", " : "") + member;
  }
  return text + "]";
}

Error Invalid(const std::string& reason) {
  return ValidationError("One or more parameter values were invalid: " + reason);
}

}  // namespace

bool ValueParser::AtValue() const {
  switch (reader_.current().kind) {
    case TokenKind::kString:
    case TokenKind::kNumber:
      return true;
    case TokenKind::kWord:
      return reader_.IsKeyword("TRUE") || reader_.IsKeyword("FALSE") || reader_.IsKeyword("NULL");
    case TokenKind::kSymbol:
      return reader_.IsSymbol("?") || reader_.IsSymbol("[") || reader_.IsSymbol("{") ||
             reader_.IsSymbol("<<") || reader_.IsSymbol("-") || reader_.IsSymbol("+");
    case TokenKind::kQuoted:
    case TokenKind::kEnd:
      return false;
  }
  return false;
}

Result<AttributeValue> ValueParser::ParseValueAt(const std::string& place) {
  if (reader_.current().kind == TokenKind::kString) {
    AttributeValue value(reader_.current().text);
    reader_.Advance();
    return value;
  }
  if (reader_.TakeKeyword("TRUE")) {
    return AttributeValue(true);
  }
  if (reader_.TakeKeyword("FALSE")) {
    return AttributeValue(false);
  }
  if (reader_.TakeKeyword("NULL")) {
    return AttributeValue();
  }
  if (reader_.TakeSymbol("?")) {
    return NextParameter();
  }
  if (reader_.IsSymbol("[")) {
    return ParseList(place);
  }
  if (reader_.IsSymbol("<<")) {
    return ParseSet(place);
  }
  if (reader_.IsSymbol("{")) {
    return ParseMap(place);
  }
  return reader_.IsCall() ? ParseCallAsValue() : ParseNumber(place);
}

Result<expr::Literal> ValueParser::ParseLiteral() {
  PJ_ASSIGN_OR_RETURN(AttributeValue value, ParseValue());
  return expr::MakeLiteral("?", std::move(value));
}

Result<AttributeValue> ValueParser::ParseItem() {
  depth_ = -1;
  Result<AttributeValue> item = ParseValue();
  depth_ = 0;
  return item;
}

Result<expr::Path> ValueParser::ParsePath() {
  expr::Path path;
  PJ_ASSIGN_OR_RETURN(std::string first, reader_.ExpectName());
  path.push_back({std::move(first)});
  PJ_RETURN_IF_ERROR(ParsePathSteps(path));
  return path;
}

Result<expr::Path> ValueParser::ParseSimplePath() {
  if (!reader_.IsName()) {
    return NotWellFormed("Expected identifier for simple path");
  }
  return ParsePath();
}

Status ValueParser::ParsePathSteps(expr::Path& path) {
  while (true) {
    if (path.size() > static_cast<std::size_t>(kNestingDepthMax)) {
      return NotWellFormed("The document path has too many nesting elements");
    }
    if (reader_.TakeSymbol(".")) {
      const Token& token = reader_.current();
      if (token.kind != TokenKind::kQuoted &&
          (token.kind != TokenKind::kWord || IsReserved(token.text))) {
        return NotWellFormed("Invalid path dot component");
      }
      path.push_back({token.text});
      reader_.Advance();
    } else if (reader_.TakeSymbol("[")) {
      const Token& token = reader_.current();
      std::uint32_t index = 0;
      if (token.kind == TokenKind::kString) {
        path.push_back({token.text});
      } else if (token.kind == TokenKind::kNumber &&
                 std::from_chars(token.text.data(), token.text.data() + token.text.size(), index)
                         .ptr == token.text.data() + token.text.size()) {
        path.push_back({index});
      } else {
        return reader_.Unexpected();
      }
      reader_.Advance();
      PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("]"));
    } else {
      return {};
    }
  }
}

Result<AttributeValue> ValueParser::ParseMap(const std::string& place) {
  PJ_RETURN_IF_ERROR(EnterLevel());
  reader_.Advance();
  Item map;
  if (!reader_.IsSymbol("}")) {
    do {
      const Token name = reader_.current();
      if (name.kind != TokenKind::kString && name.kind != TokenKind::kQuoted) {
        return reader_.Unexpected();
      }
      reader_.Advance();
      PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(":"));
      // The attributes of an item are roots themselves.
      PJ_ASSIGN_OR_RETURN(AttributeValue value,
                          ParseValueAt(depth_ == 0 ? place : place + "." + name.text));
      if (map.Find(name.text) != nullptr) {
        reader_.Note(NotWellFormed("Duplicate attribute name " + name.text));
      }
      map.Set(name.text, std::move(value));
    } while (reader_.TakeSymbol(","));
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("}"));
  --depth_;
  return AttributeValue(std::move(map));
}

Status ValueParser::CheckAllUsed() const {
  if (used_ == parameters_.size()) {
    return {};
  }
  return ValidationError("Number of parameters in request and statement don't match.");
}

// DynamoDB says where in the value a number stands that it cannot hold.
Result<AttributeValue> ValueParser::ParseNumber(const std::string& place) {
  const bool negative = reader_.IsSymbol("-");
  const bool has_sign = negative || reader_.IsSymbol("+");
  if (has_sign && reader_.next().kind == TokenKind::kNumber) {
    reader_.Advance();
  }
  if (reader_.current().kind != TokenKind::kNumber) {
    return reader_.Unexpected();
  }
  const auto number = Number::Parse((negative ? "-" : "") + reader_.current().text);
  reader_.Advance();
  if (!number) {
    reader_.Note(ValidationError(number.error().message + " under " + place));
    return AttributeValue(0);
  }
  return AttributeValue(*number);
}

Result<AttributeValue> ValueParser::ParseList(const std::string& place) {
  PJ_RETURN_IF_ERROR(EnterLevel());
  reader_.Advance();
  AttributeValue::List list;
  if (!reader_.IsSymbol("]")) {
    do {
      PJ_ASSIGN_OR_RETURN(AttributeValue element,
                          ParseValueAt(place + "[" + std::to_string(list.size()) + "]"));
      list.push_back(std::move(element));
    } while (reader_.TakeSymbol(","));
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("]"));
  --depth_;
  return AttributeValue(std::move(list));
}

Result<AttributeValue> ValueParser::ParseSet(const std::string& place) {
  PJ_RETURN_IF_ERROR(EnterLevel());
  reader_.Advance();
  AttributeValue::List members;
  if (!reader_.IsSymbol(">>")) {
    do {
      PJ_ASSIGN_OR_RETURN(AttributeValue member,
                          ParseValueAt(place + "[" + std::to_string(members.size()) + "]"));
      members.push_back(std::move(member));
    } while (reader_.TakeSymbol(","));
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(">>"));
  --depth_;
  return MakeSet(members);
}

AttributeValue ValueParser::MakeSet(const AttributeValue::List& members) {
  if (members.empty()) {
    reader_.Note(ValidationError("Empty bags are not supported"));
    return {};
  }
  AttributeValue::StringSet strings;
  AttributeValue::NumberSet numbers;
  AttributeValue::BinarySet binaries;
  const ValueType type = members.front().type();
  for (const AttributeValue& member : members) {
    if (member.type() != type || type > ValueType::kBinary) {
      reader_.Note(NotWellFormed("A set must hold strings, numbers or binary values of one type"));
      return {};
    }
    if (type == ValueType::kString) {
      strings.members.push_back(*member.string());
    } else if (type == ValueType::kNumber) {
      numbers.members.push_back(*member.number());
    } else {
      binaries.members.push_back(*member.binary());
    }
  }
  if (HasDuplicates(strings.members)) {
    reader_.Note(Invalid("Input collection " + Listed(strings.members) + " contains duplicates."));
  } else if (HasDuplicates(numbers.members) || HasDuplicates(binaries.members)) {
    reader_.Note(Invalid("Input collection contains duplicates"));
  }
  return type == ValueType::kString   ? AttributeValue(std::move(strings))
         : type == ValueType::kNumber ? AttributeValue(std::move(numbers))
                                      : AttributeValue(std::move(binaries));
}

Status ValueParser::SkipArgument() {
  if (AtValue() || reader_.IsCall()) {
    PJ_RETURN_IF_ERROR(ParseValue());
  } else {
    PJ_RETURN_IF_ERROR(ParsePath());
  }
  return {};
}

// A call is no value, but it is well formed.
Result<AttributeValue> ValueParser::ParseCallAsValue() {
  const Token name = reader_.current();
  std::string lower = name.text;
  std::ranges::transform(lower, lower.begin(), expr::ToLower);
  PJ_RETURN_IF_ERROR(EnterLevel());
  reader_.Advance();
  reader_.Advance();
  if (!reader_.IsSymbol(")")) {
    do {
      PJ_RETURN_IF_ERROR(SkipArgument());
    } while (reader_.TakeSymbol(","));
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
  --depth_;
  reader_.Note(ValidationError("Unsupported data type: " + lower + " under key root at " +
                               Print(name.position)));
  return AttributeValue();
}

AttributeValue ValueParser::NextParameter() {
  const std::size_t index = used_++;
  return index < parameters_.size() ? parameters_[index] : AttributeValue();
}

Status ValueParser::EnterLevel() {
  if (++depth_ > kNestingDepthMax) {
    return ValidationError(
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
        "beyond supported limit");
  }
  return {};
}

}  // namespace prejoin::partiql
