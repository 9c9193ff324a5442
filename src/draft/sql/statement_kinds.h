// Tells the kind of a statement by its first words. Only statements of other databases need it; those of PostgreSQL are parsed.
#ifndef PREJOIN_DRAFT_SQL_STATEMENT_KINDS_H_
#define PREJOIN_DRAFT_SQL_STATEMENT_KINDS_H_

#include <string>

namespace prejoin::draft {

// The rows that a dump has between its tables.
bool IsLongData(const std::string& statement);
bool HoldsRows(const std::string& statement);
bool CreatesTable(const std::string& statement);
bool SaysNothingOfData(const std::string& statement);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_STATEMENT_KINDS_H_
