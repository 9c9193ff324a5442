// Rewrites the SQL of other databases as PostgreSQL.
#ifndef PREJOIN_DRAFT_SQL_DIALECTS_H_
#define PREJOIN_DRAFT_SQL_DIALECTS_H_

#include <string>
#include <string_view>

namespace prejoin::draft {

// A statement of MySQL, SQLite or SQL Server with their quotes, types and table options replaced by what PostgreSQL has, or left
// out. Linear in the text, which may be anything.
std::string WithoutDialects(std::string_view statement);

// After a quote that is opened at `at`: the position after its end.
std::size_t SkipQuoted(std::string_view text, std::size_t at);

// The position of the next token, behind blanks and comments.
std::size_t SkipBlank(std::string_view text, std::size_t at);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_DIALECTS_H_
