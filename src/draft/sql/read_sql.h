// SQL into a draft: tables and foreign keys from DDL, patterns and writes from the statements of a
// query log. The logical half only; the keys are not in it.
#ifndef PREJOIN_DRAFT_SQL_READ_SQL_H_
#define PREJOIN_DRAFT_SQL_READ_SQL_H_

#include <string>
#include <vector>

#include "draft/draft.h"
#include "draft/sql/statement_log.h"
#include "prejoin/result.h"

namespace prejoin::draft {

// `log` may be empty; `log_seconds` is the time that it covers, 0 if that is not known. Statements that cannot be read become comments.
Result<Draft> ReadSql(const std::string& ddl, const std::string& log, double log_seconds = 0);

// Adds a pattern or write for each statement of the log; equal ones are counted together. A comment
// `-- 40/s` above a statement is its rate.
void ReadQueryLog(const std::vector<LoggedStatement>& log, Draft& draft);

// A pattern for each entity by its key, and by each of its parents.
void AddRelationalPatterns(Draft& draft, const std::string& why);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_READ_SQL_H_
