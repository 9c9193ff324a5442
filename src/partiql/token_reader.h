// PartiQL text as tokens.
#ifndef PREJOIN_PARTIQL_TOKEN_READER_H_
#define PREJOIN_PARTIQL_TOKEN_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/result.h"

namespace prejoin::partiql {

enum class TokenKind : std::uint8_t {
  kEnd,
  kWord,    // A bare name or a keyword: which, the grammar knows.
  kQuoted,  // "name"
  kString,  // 'text'
  kNumber,  // Without a sign.
  kSymbol,  // One of ( ) [ ] { } , . : ? ; = <> < <= > >= << >> + - *
};

// A place in the text, as DynamoDB prints it behind " at ": line and column from 1, and length.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
  std::size_t length = 0;
};
std::string Print(const Position& position);  // "1:8:5"

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // For kQuoted and kString: without quotes, doubled quotes made single.
  Position position;
};

// "Statement wasn't well formed, can't be processed: " and what is wrong.
Error NotWellFormed(std::string_view what);

// A word that cannot be a name unless it is quoted. In any case.
bool IsKeyword(std::string_view word);
// A word that SQL reserves: no alias, and no step of a path after a dot, unless it is quoted. In
// any case. DynamoDB lets most of them stand as the first name of a path.
bool IsReserved(std::string_view word);

// The text as tokens, all read at once: a text with a character that begins no token is refused
// before its grammar is looked at. White space and comments (-- to the end of the line, /* … */)
// stand between tokens. Single thread.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text);

  // Checks that all of the text became tokens.
  Status CheckText() const;

  const Token& current() const { return tokens_[at_]; }
  const Token& next() const { return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_]; }
  bool AtEnd() const { return current().kind == TokenKind::kEnd; }
  bool IsSymbol(std::string_view symbol) const;
  bool IsKeyword(std::string_view keyword) const;  // In any case; `keyword` is in capitals.
  bool IsName() const;                             // A bare or a quoted name.
  bool IsCall() const;                             // A word or a quoted name before a parenthesis.
  void Advance();

  // True, and the token is behind us, if it is the one asked for.
  bool TakeSymbol(std::string_view symbol);
  bool TakeKeyword(std::string_view keyword);

  Status ExpectSymbol(std::string_view symbol);
  Status ExpectKeyword(std::string_view keyword);
  Result<std::string> ExpectName();

  // The current token is not what the grammar wants here.
  Error Unexpected() const;

  // Keeps an error of meaning. The first one is reported, and only when the syntax of the whole
  // text is right.
  void Note(Error error);
  const std::optional<Error>& noted() const { return noted_; }

 private:
  std::vector<Token> tokens_;  // The last one is kEnd.
  std::size_t at_ = 0;
  bool broken_ = false;
  std::optional<Error> noted_;
};

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_TOKEN_READER_H_
