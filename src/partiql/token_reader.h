// PartiQL text as tokens.
#ifndef PREJOIN_PARTIQL_TOKEN_READER_H_
#define PREJOIN_PARTIQL_TOKEN_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::partiql {

enum class TokenKind : std::uint8_t {
  kEnd,
  kWord,    // A bare name or a keyword: which, the grammar knows.
  kQuoted,  // "name"
  kString,  // 'text'
  kNumber,  // Without a sign.
  kSymbol,  // One of ( ) [ ] { } , . : ? ; = <> < <= > >= << >> + - *
  kInvalid,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // Of kQuoted and kString: without quotes, doubled quotes made single.
};

// "Statement wasn't well formed, can't be processed: " and what is wrong.
Error NotWellFormed(std::string_view what);

// Always one token ahead. Borrows the text. Single thread.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text);

  const Token& current() const { return current_; }
  const Token& next() const { return next_; }
  bool IsSymbol(std::string_view symbol) const;
  bool IsKeyword(std::string_view keyword) const;  // In any case; `keyword` is in capitals.
  bool IsName() const;                             // A bare or a quoted name.
  void Advance();

  // True, and the token is behind us, if it is the one asked for.
  bool TakeSymbol(std::string_view symbol);
  bool TakeKeyword(std::string_view keyword);

  Status ExpectSymbol(std::string_view symbol);
  Status ExpectKeyword(std::string_view keyword);
  Result<std::string> ExpectName();

  // The current token is not what the grammar wants here.
  Error Unexpected() const;

 private:
  Token Read();
  Token ReadDelimited(char quote, TokenKind kind);
  Token ReadNumber();
  Token ReadSymbol();

  std::string_view text_;
  std::size_t at_ = 0;
  Token current_;
  Token next_;
};

// A word that cannot be a name unless it is quoted. In any case.
bool IsKeyword(std::string_view word);

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_TOKEN_READER_H_
