// Which statements ran, and how often: plain SQL, or what PostgreSQL's pg_stat_statements counts.
#ifndef PREJOIN_DRAFT_SQL_STATEMENT_LOG_H_
#define PREJOIN_DRAFT_SQL_STATEMENT_LOG_H_

#include <string>
#include <string_view>
#include <vector>

namespace prejoin::draft {

struct LoggedStatement {
  std::string text;
  double calls = 1;
  double per_second = 0;  // 0: not known.
};

// Reads statements that end with semicolons, or rows with the columns `query` and `calls`: CSV, tab-separated, psql's own layout, or
// JSON (an array, or one object on each line). A column `seconds` is the time that a row's calls took place in; otherwise it is
// `seconds`, if that is above 0. Rows come by calls, the most first.
std::vector<LoggedStatement> ReadStatementLog(std::string_view log, double seconds);

// "40/s", "12/min", "3/hour" or "0.5/day".
std::string RateText(double per_second);

// Reads the rate in a comment such as `-- 40/s` in a statement; empty if there is none.
std::string RateIn(const std::string& statement);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_STATEMENT_LOG_H_
