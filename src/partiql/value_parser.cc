#include "partiql/value_parser.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/limits.h"
#include "value/encoding.h"

namespace prejoin::partiql {
namespace {

Error WrongParameterCount() {
  return ValidationError("Number of parameters in request and statement don't match.");
}

// Adds a member of a set; false if it is there already or has another type than the first.
template <class Members, class Member>
bool AddMember(Members& members, const Member& member) {
  if (std::ranges::find(members, member) != members.end()) {
    return false;
  }
  members.push_back(member);
  return true;
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
    case TokenKind::kInvalid:
      return false;
  }
  return false;
}

Result<AttributeValue> ValueParser::ParseValue() {
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
    return ParseList();
  }
  if (reader_.IsSymbol("<<")) {
    return ParseSet();
  }
  if (reader_.IsSymbol("{")) {
    PJ_RETURN_IF_ERROR(EnterLevel());
    PJ_ASSIGN_OR_RETURN(Item map, ParseMap());
    --depth_;
    return AttributeValue(std::move(map));
  }
  return ParseNumber();
}

Result<expr::Literal> ValueParser::ParseLiteral() {
  PJ_ASSIGN_OR_RETURN(AttributeValue value, ParseValue());
  return expr::MakeLiteral("?", std::move(value));
}

Result<expr::Path> ValueParser::ParsePath() {
  expr::Path path;
  PJ_ASSIGN_OR_RETURN(std::string first, reader_.ExpectName());
  path.push_back({std::move(first)});
  while (true) {
    if (path.size() > static_cast<std::size_t>(kNestingDepthMax)) {
      return NotWellFormed("The document path has too many nesting elements");
    }
    if (reader_.TakeSymbol(".")) {
      PJ_ASSIGN_OR_RETURN(std::string name, reader_.ExpectName());
      path.push_back({std::move(name)});
    } else if (reader_.TakeSymbol("[")) {
      const Token token = reader_.current();
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
      return path;
    }
  }
}

Result<Item> ValueParser::ParseMap() {
  Item map;
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("{"));
  if (reader_.TakeSymbol("}")) {
    return map;
  }
  do {
    const Token name = reader_.current();
    if (name.kind != TokenKind::kString && name.kind != TokenKind::kQuoted) {
      return reader_.Unexpected();
    }
    reader_.Advance();
    PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(":"));
    PJ_ASSIGN_OR_RETURN(AttributeValue value, ParseValue());
    if (map.Find(name.text) != nullptr) {
      return NotWellFormed("Duplicate attribute name " + name.text);
    }
    map.Set(name.text, std::move(value));
  } while (reader_.TakeSymbol(","));
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("}"));
  return map;
}

Status ValueParser::CheckAllUsed() const {
  return used_ == parameters_.size() ? Status() : Status(WrongParameterCount());
}

Result<AttributeValue> ValueParser::ParseNumber() {
  const bool negative = reader_.IsSymbol("-");
  if (negative || reader_.IsSymbol("+")) {
    reader_.Advance();
  }
  if (reader_.current().kind != TokenKind::kNumber) {
    return reader_.Unexpected();
  }
  PJ_ASSIGN_OR_RETURN(const Number number,
                      Number::Parse((negative ? "-" : "") + reader_.current().text));
  reader_.Advance();
  return AttributeValue(number);
}

Result<AttributeValue> ValueParser::ParseList() {
  PJ_RETURN_IF_ERROR(EnterLevel());
  reader_.Advance();
  AttributeValue::List list;
  if (!reader_.IsSymbol("]")) {
    do {
      PJ_ASSIGN_OR_RETURN(AttributeValue element, ParseValue());
      list.push_back(std::move(element));
    } while (reader_.TakeSymbol(","));
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("]"));
  --depth_;
  return AttributeValue(std::move(list));
}

Result<AttributeValue> ValueParser::ParseSet() {
  reader_.Advance();
  PJ_RETURN_IF_ERROR(EnterLevel());
  AttributeValue::List members;
  do {
    PJ_ASSIGN_OR_RETURN(AttributeValue member, ParseValue());
    members.push_back(std::move(member));
  } while (reader_.TakeSymbol(","));
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(">>"));
  --depth_;
  AttributeValue::StringSet strings;
  AttributeValue::NumberSet numbers;
  AttributeValue::BinarySet binaries;
  const ValueType type = members.front().type();
  for (const AttributeValue& member : members) {
    if (member.type() != type || type > ValueType::kBinary) {
      return NotWellFormed("A set must hold strings, numbers or binary values of one type");
    }
    const bool added = type == ValueType::kString   ? AddMember(strings.members, *member.string())
                       : type == ValueType::kNumber ? AddMember(numbers.members, *member.number())
                                                    : AddMember(binaries.members, *member.binary());
    if (!added) {
      return ValidationError(
          "One or more parameter values were invalid: Input collection contains duplicates");
    }
  }
  return type == ValueType::kString   ? AttributeValue(std::move(strings))
         : type == ValueType::kNumber ? AttributeValue(std::move(numbers))
                                      : AttributeValue(std::move(binaries));
}

Result<AttributeValue> ValueParser::NextParameter() {
  if (used_ == parameters_.size()) {
    return WrongParameterCount();
  }
  return parameters_[used_++];
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
