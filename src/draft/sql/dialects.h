// Rewrites the SQL of other databases as PostgreSQL.
#ifndef PREJOIN_DRAFT_SQL_DIALECTS_H_
#define PREJOIN_DRAFT_SQL_DIALECTS_H_

#include <string>
#include <string_view>

namespace prejoin::draft {

// A statement of MySQL, SQLite or SQL Server with their quotes, types and table options replaced by what PostgreSQL has, or left
// out. Linear in the text, which may be anything.
std::string WithoutDialects(std::string_view statement);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_DIALECTS_H_
