// SQL of any database as words, quotes and signs.
#ifndef PREJOIN_DRAFT_SQL_SQL_TOKENS_H_
#define PREJOIN_DRAFT_SQL_SQL_TOKENS_H_

#include <string>
#include <string_view>
#include <vector>

namespace prejoin::draft {

enum class TokenKind { kWord, kNumber, kText, kName, kSign };

struct SqlToken {
  TokenKind kind = TokenKind::kSign;
  std::string blank;  // Blanks and comments before it.
  std::string text;   // Names in double quotes, whatever quotes they had.
};

// Linear in the text, which may be anything.
std::vector<SqlToken> TokensOf(std::string_view text);

// True if the token is this word, in any case.
bool IsSqlWord(const SqlToken& token, std::string_view word);

// True if the token begins a constraint or an index in CREATE TABLE, and not a column.
bool BeginsConstraint(const SqlToken& token);

// After a quote that is opened at `at`: the position after its end.
std::size_t SkipQuoted(std::string_view text, std::size_t at);

// The position of the next token, behind blanks and comments.
std::size_t SkipBlank(std::string_view text, std::size_t at);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_SQL_TOKENS_H_
