#include "partiql/token_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "expr/characters.h"

namespace prejoin::partiql {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsWordStart(char c) { return expr::IsIdentifierStart(c) || c == '_' || c == '$' || c == '@'; }
bool IsWordPart(char c) { return expr::IsIdentifierPart(c) || c == '$'; }

// Cuts the text into tokens.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // False if the text has something in it that is no token.
  bool Read(std::vector<Token>& tokens) {
    while (SkipSpace()) {
      if (at_ == text_.size()) {
        tokens.push_back({TokenKind::kEnd, "", PositionFrom(at_)});
        return true;
      }
      const std::size_t begin = at_;
      const Position start = PositionFrom(begin);
      Token token;
      if (!ReadToken(tokens, token)) {
        return false;
      }
      token.position = {start.line, start.column, CountCharacters(begin, at_)};
      tokens.push_back(std::move(token));
    }
    return false;
  }

 private:
  char At(std::size_t offset) const {
    return at_ + offset < text_.size() ? text_[at_ + offset] : '\0';
  }

  // Moves behind white space and comments; false if a comment does not end.
  bool SkipSpace() {
    while (at_ < text_.size()) {
      if (IsSpace(text_[at_])) {
        ++at_;
      } else if (At(0) == '-' && At(1) == '-') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (At(0) == '/' && At(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          return false;
        }
        at_ = end + 2;
      } else {
        return true;
      }
    }
    return true;
  }

  bool ReadToken(const std::vector<Token>& before, Token& token) {
    const char first = At(0);
    if (IsWordStart(first)) {
      const std::size_t begin = at_++;
      while (at_ < text_.size() && IsWordPart(text_[at_])) {
        ++at_;
      }
      token = {TokenKind::kWord, std::string(text_.substr(begin, at_ - begin)), {}};
      return true;
    }
    if (first == '"' || first == '\'') {
      return ReadDelimited(first, token);
    }
    // A point begins a number, unless it follows something that can have a step.
    const bool fraction = first == '.' && expr::IsDigit(At(1)) && !EndsAPath(before);
    return expr::IsDigit(first) || fraction ? ReadNumber(token) : ReadSymbol(token);
  }

  static bool EndsAPath(const std::vector<Token>& before) {
    if (before.empty()) {
      return false;
    }
    const Token& last = before.back();
    return last.kind == TokenKind::kQuoted ||
           (last.kind == TokenKind::kWord && !IsKeyword(last.text)) ||
           (last.kind == TokenKind::kSymbol && last.text == "]");
  }

  bool ReadDelimited(char quote, Token& token) {
    token.kind = quote == '"' ? TokenKind::kQuoted : TokenKind::kString;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] != quote) {
        token.text.push_back(text_[at_]);
        continue;
      }
      ++at_;
      if (at_ == text_.size() || text_[at_] != quote) {
        return true;
      }
      token.text.push_back(quote);
    }
    return false;
  }

  std::size_t SkipDigits() {
    const std::size_t begin = at_;
    while (expr::IsDigit(At(0))) {
      ++at_;
    }
    return at_ - begin;
  }

  bool ReadNumber(Token& token) {
    const std::size_t begin = at_;
    std::int64_t fraction_digits = 0;
    std::int64_t exponent = 0;
    SkipDigits();
    if (At(0) == '.') {
      ++at_;
      fraction_digits = static_cast<std::int64_t>(SkipDigits());
    }
    if (At(0) == 'e' || At(0) == 'E') {
      ++at_;
      const bool plus = At(0) == '+';
      const std::size_t digits_at = at_ + (plus ? 1 : 0);
      at_ += plus || At(0) == '-' ? 1 : 0;
      if (SkipDigits() == 0) {
        return false;
      }
      const auto [end, error] =
          std::from_chars(text_.data() + digits_at, text_.data() + at_, exponent);
      if (error != std::errc() || !FitsInt32(exponent) || !FitsInt32(fraction_digits - exponent)) {
        return false;
      }
    }
    token = {TokenKind::kNumber, std::string(text_.substr(begin, at_ - begin)), {}};
    return !IsWordPart(At(0));
  }

  // A number's scale and exponent are 32-bit integers for DynamoDB's parser.
  static bool FitsInt32(std::int64_t value) {
    return value >= std::numeric_limits<std::int32_t>::min() &&
           value <= std::numeric_limits<std::int32_t>::max();
  }

  bool ReadSymbol(Token& token) {
    constexpr std::string_view kTwo[] = {"<>", "!=", "<=", ">=", "<<", ">>"};
    constexpr std::string_view kOne = "()[]{},.:?;=<>+-*";
    for (const std::string_view symbol : kTwo) {
      if (text_.substr(at_, 2) == symbol) {
        at_ += 2;
        token = {TokenKind::kSymbol, std::string(symbol == "!=" ? "<>" : symbol), {}};
        return true;
      }
    }
    const char c = text_[at_++];
    token = {TokenKind::kSymbol, std::string(1, c), {}};
    return kOne.find(c) != std::string_view::npos;
  }

  // Characters, not bytes: only the first byte of each counts.
  std::size_t CountCharacters(std::size_t begin, std::size_t end) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        text_.substr(begin, end - begin),
        [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }

  // Goes on from the place asked for last, so that all tokens together cost one pass.
  Position PositionFrom(std::size_t offset) {
    for (; counted_ < offset; ++counted_) {
      if (text_[counted_] == '\n') {
        ++line_;
        column_ = 1;
      } else if ((static_cast<unsigned char>(text_[counted_]) & 0xC0) != 0x80) {
        ++column_;
      }
    }
    return {line_, column_, 0};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;
  std::size_t line_ = 1;
  std::size_t column_ = 1;
};

bool IsOperator(const Token& token) {
  constexpr std::string_view kSymbols[] = {"=", "<>", "<", "<=", ">", ">=", "+", "-"};
  if (token.kind == TokenKind::kSymbol) {
    return std::ranges::find(kSymbols, token.text) != std::end(kSymbols);
  }
  constexpr std::string_view kWords[] = {"AND", "BETWEEN", "IN", "IS", "LIKE", "NOT", "OR"};
  std::string capitals = token.text;
  std::ranges::transform(capitals, capitals.begin(), expr::ToUpper);
  return token.kind == TokenKind::kWord && std::ranges::find(kWords, capitals) != std::end(kWords);
}

}  // namespace

std::string Print(const Position& position) {
  return std::to_string(position.line) + ':' + std::to_string(position.column) + ':' +
         std::to_string(position.length);
}

Error NotWellFormed(std::string_view what) {
  return ValidationError("Statement wasn't well formed, can't be processed: " + std::string(what));
}

TokenReader::TokenReader(std::string_view text) {
  // Few texts have more: a token and the blank after it are four characters, as a rule.
  tokens_.reserve(text.size() / 4 + 2);
  broken_ = !Lexer(text).Read(tokens_);
  if (broken_) {
    tokens_.push_back({});
  }
}

// DynamoDB names no reason for this.
Status TokenReader::CheckText() const { return broken_ ? Status(NotWellFormed("")) : Status(); }

void TokenReader::Advance() {
  if (at_ + 1 < tokens_.size()) {
    ++at_;
  }
}

bool TokenReader::IsSymbol(std::string_view symbol) const {
  return current().kind == TokenKind::kSymbol && current().text == symbol;
}

bool TokenReader::IsKeyword(std::string_view keyword) const {
  return current().kind == TokenKind::kWord &&
         std::ranges::equal(current().text, keyword, {}, expr::ToUpper);
}

bool TokenReader::IsName() const {
  return current().kind == TokenKind::kQuoted ||
         (current().kind == TokenKind::kWord && !partiql::IsKeyword(current().text));
}

bool TokenReader::IsCall() const {
  return (IsName() || IsKeyword("EXISTS")) && next().kind == TokenKind::kSymbol &&
         next().text == "(";
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
  std::string name = current().text;
  Advance();
  return name;
}

Error TokenReader::Unexpected() const {
  if (IsOperator(current())) {
    return NotWellFormed("Unexpected operator");
  }
  return NotWellFormed(current().kind == TokenKind::kWord && partiql::IsKeyword(current().text)
                           ? "Unexpected keyword"
                           : "Unexpected term");
}

void TokenReader::Note(Error error) {
  if (!noted_) {
    noted_ = std::move(error);
  }
}

}  // namespace prejoin::partiql
