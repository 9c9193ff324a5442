#include "partiql/token_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "expr/characters.h"

namespace prejoin::partiql {
namespace {

// The words that the grammar itself uses. PartiQL reserves many more, but DynamoDB lets most of
// those stand as attribute names.
constexpr std::array<std::string_view, 29> kKeywords = {
    "ALL",     "AND",   "AS",     "ASC",   "BETWEEN", "BY",     "DELETE",    "DESC",
    "EXISTS",  "FALSE", "FROM",   "IN",    "INSERT",  "INTO",   "IS",        "LIKE",
    "MISSING", "NOT",   "NULL",   "OR",    "ORDER",   "REMOVE", "RETURNING", "SELECT",
    "SET",     "TRUE",  "UPDATE", "VALUE", "WHERE"};
static_assert(std::ranges::is_sorted(kKeywords));

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsWordStart(char c) { return expr::IsIdentifierStart(c) || c == '_' || c == '$' || c == '@'; }
bool IsWordPart(char c) { return expr::IsIdentifierPart(c) || c == '$'; }

std::string Capitals(std::string_view word) {
  std::string capitals(word);
  std::ranges::transform(capitals, capitals.begin(), expr::ToUpper);
  return capitals;
}

}  // namespace

Error NotWellFormed(std::string_view what) {
  return ValidationError("Statement wasn't well formed, can't be processed: " + std::string(what));
}

bool IsKeyword(std::string_view word) {
  return std::ranges::binary_search(kKeywords, std::string_view(Capitals(word)));
}

TokenReader::TokenReader(std::string_view text) : text_(text) {
  current_ = Read();
  next_ = Read();
}

void TokenReader::Advance() {
  current_ = std::move(next_);
  next_ = Read();
}

bool TokenReader::IsSymbol(std::string_view symbol) const {
  return current_.kind == TokenKind::kSymbol && current_.text == symbol;
}

bool TokenReader::IsKeyword(std::string_view keyword) const {
  return current_.kind == TokenKind::kWord && Capitals(current_.text) == keyword;
}

bool TokenReader::IsName() const {
  return current_.kind == TokenKind::kQuoted ||
         (current_.kind == TokenKind::kWord && !partiql::IsKeyword(current_.text));
}

bool TokenReader::TakeSymbol(std::string_view symbol) {
  const bool found = IsSymbol(symbol);
  if (found) {
    Advance();
  }
  return found;
}

bool TokenReader::TakeKeyword(std::string_view keyword) {
  const bool found = IsKeyword(keyword);
  if (found) {
    Advance();
  }
  return found;
}

Status TokenReader::ExpectSymbol(std::string_view symbol) {
  return TakeSymbol(symbol) ? Status() : Status(Unexpected());
}

Status TokenReader::ExpectKeyword(std::string_view keyword) {
  return TakeKeyword(keyword) ? Status() : Status(Unexpected());
}

Result<std::string> TokenReader::ExpectName() {
  if (!IsName()) {
    return Unexpected();
  }
  std::string name = current_.text;
  Advance();
  return name;
}

Error TokenReader::Unexpected() const {
  switch (current_.kind) {
    case TokenKind::kEnd:
      return NotWellFormed("Unexpected end of statement");
    case TokenKind::kWord:
      return NotWellFormed(partiql::IsKeyword(current_.text) ? "Unexpected keyword"
                                                             : "Unexpected term");
    case TokenKind::kQuoted:
    case TokenKind::kString:
    case TokenKind::kNumber:
    case TokenKind::kSymbol:
      return NotWellFormed("Unexpected term");
    case TokenKind::kInvalid:
      break;
  }
  return NotWellFormed("Invalid token");
}

Token TokenReader::Read() {
  while (at_ < text_.size() && IsSpace(text_[at_])) {
    ++at_;
  }
  if (at_ == text_.size()) {
    return {};
  }
  const char first = text_[at_];
  if (IsWordStart(first)) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (at_ == begin || IsWordPart(text_[at_]))) {
      ++at_;
    }
    return {TokenKind::kWord, std::string(text_.substr(begin, at_ - begin))};
  }
  if (first == '"' || first == '\'') {
    return ReadDelimited(first, first == '"' ? TokenKind::kQuoted : TokenKind::kString);
  }
  return expr::IsDigit(first) ? ReadNumber() : ReadSymbol();
}

Token TokenReader::ReadDelimited(char quote, TokenKind kind) {
  Token token{kind, ""};
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] != quote) {
      token.text.push_back(text_[at_]);
      continue;
    }
    ++at_;
    if (at_ == text_.size() || text_[at_] != quote) {
      return token;
    }
    token.text.push_back(quote);
  }
  return {TokenKind::kInvalid, ""};
}

Token TokenReader::ReadNumber() {
  const std::size_t begin = at_;
  const auto digits = [&] {
    while (at_ < text_.size() && expr::IsDigit(text_[at_])) {
      ++at_;
    }
  };
  digits();
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    digits();
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
      ++at_;
    }
    digits();
  }
  if (at_ < text_.size() && IsWordPart(text_[at_])) {
    return {TokenKind::kInvalid, ""};
  }
  return {TokenKind::kNumber, std::string(text_.substr(begin, at_ - begin))};
}

Token TokenReader::ReadSymbol() {
  constexpr std::string_view kTwo[] = {"<>", "!=", "<=", ">=", "<<", ">>"};
  constexpr std::string_view kOne = "()[]{},.:?;=<>+-*";
  for (const std::string_view symbol : kTwo) {
    if (text_.substr(at_, 2) == symbol) {
      at_ += 2;
      return {TokenKind::kSymbol, std::string(symbol == "!=" ? "<>" : symbol)};
    }
  }
  const char c = text_[at_++];
  return {kOne.find(c) != std::string_view::npos ? TokenKind::kSymbol : TokenKind::kInvalid,
          std::string(1, c)};
}

}  // namespace prejoin::partiql
