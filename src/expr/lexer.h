// Expression text as tokens, with the window that DynamoDB shows around a syntax error.
#ifndef PREJOIN_EXPR_LEXER_H_
#define PREJOIN_EXPR_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace prejoin::expr {

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,  // A bare attribute name, a function name or a keyword: which, the grammar knows.
  kName,        // #name
  kValue,       // :value
  kInteger,
  kOpenParenthesis,
  kCloseParenthesis,
  kOpenBracket,
  kCloseBracket,
  kComma,
  kDot,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kPlus,
  kMinus,
  kInvalid,  // One character that begins no token.
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
};

// Reads tokens one after the other; always knows the token before and the token after the current
// one. Borrows the text. Single thread.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& current() const { return current_; }
  const Token& next() const { return next_; }
  bool Is(TokenKind kind) const { return current_.kind == kind; }
  // The current token is this word, in any case. `keyword` is in capitals.
  bool IsKeyword(std::string_view keyword) const;
  void Advance();

  // `Syntax error; token: "0", near: ", 0)"`: the current token, and the text from the one before
  // to the one behind it.
  std::string DescribeSyntaxError() const;

 private:
  Token Read();

  std::string_view text_;
  std::size_t at_ = 0;
  Token previous_;  // kEnd before the first token.
  Token current_;
  Token next_;
};

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_LEXER_H_
