#include "expr/lexer.h"

#include <algorithm>

#include "expr/characters.h"

namespace prejoin::expr {
namespace {

TokenKind SymbolKind(char c) {
  switch (c) {
    case '(':
      return TokenKind::kOpenParenthesis;
    case ')':
      return TokenKind::kCloseParenthesis;
    case '[':
      return TokenKind::kOpenBracket;
    case ']':
      return TokenKind::kCloseBracket;
    case ',':
      return TokenKind::kComma;
    case '.':
      return TokenKind::kDot;
    case '=':
      return TokenKind::kEqual;
    case '<':
      return TokenKind::kLess;
    case '>':
      return TokenKind::kGreater;
    case '+':
      return TokenKind::kPlus;
    case '-':
      return TokenKind::kMinus;
    default:
      return TokenKind::kInvalid;
  }
}

// <=, <> and >= in place of < and >.
TokenKind LongerSymbolKind(TokenKind first, char second) {
  if (first == TokenKind::kLess && second == '=') {
    return TokenKind::kLessOrEqual;
  }
  if (first == TokenKind::kLess && second == '>') {
    return TokenKind::kNotEqual;
  }
  if (first == TokenKind::kGreater && second == '=') {
    return TokenKind::kGreaterOrEqual;
  }
  return TokenKind::kInvalid;
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool IsContinuationByte(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) {
  current_ = Read();
  next_ = Read();
}

bool Lexer::IsKeyword(std::string_view keyword) const {
  return current_.kind == TokenKind::kIdentifier && current_.text.size() == keyword.size() &&
         std::equal(keyword.begin(), keyword.end(), current_.text.begin(),
                    [](char capital, char c) { return capital == ToUpper(c); });
}

void Lexer::Advance() {
  previous_ = current_;
  current_ = next_;
  next_ = Read();
}

Token Lexer::Read() {
  while (at_ < text_.size() && IsSpace(text_[at_])) {
    ++at_;
  }
  const std::size_t begin = at_;
  if (begin == text_.size()) {
    return {TokenKind::kEnd, text_.substr(begin)};
  }
  const auto take_while = [this](auto&& accepts) {
    while (at_ < text_.size() && accepts(text_[at_])) {
      ++at_;
    }
  };
  const char c = text_[at_++];
  TokenKind kind = TokenKind::kInvalid;
  if (IsIdentifierStart(c)) {
    kind = TokenKind::kIdentifier;
    take_while(IsIdentifierPart);
  } else if (IsDigit(c)) {
    kind = TokenKind::kInteger;
    take_while(IsDigit);
  } else if (c == '#' || c == ':') {
    take_while(IsIdentifierPart);
    if (at_ > begin + 1) {
      kind = c == '#' ? TokenKind::kName : TokenKind::kValue;
    }
  } else {
    kind = SymbolKind(c);
    const TokenKind longer =
        at_ < text_.size() ? LongerSymbolKind(kind, text_[at_]) : TokenKind::kInvalid;
    if (longer != TokenKind::kInvalid) {
      kind = longer;
      ++at_;
    } else if (kind == TokenKind::kInvalid) {
      take_while(
          IsContinuationByte);  // The whole character, so that the message stays valid UTF-8.
    }
  }
  return {kind, text_.substr(begin, at_ - begin)};
}

std::string Lexer::DescribeSyntaxError() const {
  const Token& first = previous_.kind == TokenKind::kEnd ? current_ : previous_;
  const Token& last = Is(TokenKind::kEnd)             ? previous_
                      : next_.kind == TokenKind::kEnd ? current_
                                                      : next_;
  std::string message = "Syntax error; token: \"";
  message += Is(TokenKind::kEnd) ? std::string_view("<EOF>") : current_.text;
  message += "\", near: \"";
  if (!first.text.empty()) {
    message.append(first.text.data(), last.text.data() + last.text.size());
  }
  message += '"';
  return message;
}

}  // namespace prejoin::expr
