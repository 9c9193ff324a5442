// The one place that knows libpg_query: statements of a text, each as the JSON of its parse tree.
#ifndef PREJOIN_DRAFT_SQL_SQL_PARSER_H_
#define PREJOIN_DRAFT_SQL_SQL_PARSER_H_

#include <string>
#include <string_view>
#include <vector>

#include "json/reader.h"
#include "draft/sql/spellings.h"
#include "prejoin/result.h"

namespace prejoin::draft {

inline constexpr std::size_t kSqlBytesMax = 16u << 20;
// The parser prints its tree by recursion, a level for each `1 +` of an expression: a statement of 200 KB can take a whole stack.
inline constexpr std::size_t kSqlStatementBytesMax = 32u << 10;

// Statements as they are in the text, without the semicolon, comments included. Divided at
// semicolons outside quotes and comments, so that one statement that cannot be read leaves the
// others alone.
std::vector<std::string> SplitSql(std::string_view text);

// The parse tree of one statement as JSON; an error with the parser's words, or if it is too long. MySQL-only
// syntax is removed when PostgreSQL's grammar refuses it. Names come out as `spellings` has them.
Result<std::string> ParseSql(const std::string& statement, const Spellings& spellings = {});

// The statement as a note quotes it: the beginning of a long one.
std::string QuotedSql(std::string_view statement);

// The statement with its literals replaced by $1, $2 …: equal for statements that differ in values.
std::string NormalizedSql(const std::string& statement);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_SQL_PARSER_H_
