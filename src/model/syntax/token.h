// Words of a model file.
#ifndef PREJOIN_MODEL_SYNTAX_TOKEN_H_
#define PREJOIN_MODEL_SYNTAX_TOKEN_H_

#include <string>

#include "model/syntax/diagnostic.h"

namespace prejoin::model {

enum class TokenKind {
  kWord,       // Student, GSI1-PK, many-to-many
  kString,     // "STU#{id}"; `text` is without quotes and escapes
  kNumber,     // 20_000, 1.5, 3k, 2M
  kParameter,  // :student; `text` is without the colon
  kSymbol,     // { } ( ) [ ] , = < <= > >= ~ .. . / : -
  kComment,    // `text` is without the slashes
  kNewline,
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  std::string raw;  // As written; what `fmt` prints.
  SourceSpan at;
  // No white space between this token and the one before it: `5/s`, `Student.id`.
  bool glued = false;

  bool Is(TokenKind k, const char* t) const { return kind == k && text == t; }
  bool IsSymbol(const char* t) const { return Is(TokenKind::kSymbol, t); }
  bool IsWord(const char* t) const { return Is(TokenKind::kWord, t); }
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_TOKEN_H_
