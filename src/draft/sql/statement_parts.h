// Parts of SQL statements that a model has words for: a SELECT that answers one number, and what an UPDATE changes.
#ifndef PREJOIN_DRAFT_SQL_STATEMENT_PARTS_H_
#define PREJOIN_DRAFT_SQL_STATEMENT_PARTS_H_

#include <optional>
#include <string>

#include "draft/draft.h"
#include "json/reader.h"

namespace prejoin::draft {

// A column as a statement names it.
struct ColumnName {
  std::string table;  // An alias, or empty.
  std::string column;
};

// The column of a reference in a parse tree; "*" for all of them.
ColumnName ColumnOf(std::optional<json::Value> reference);

// `count(*)`, `count(column)`, `sum(column)`.
struct SqlMeasure {
  bool sum = false;
  ColumnName column;  // Empty for count(*).
};

// Nullopt for everything else that a SELECT may compute, such as avg and count(distinct …).
std::optional<SqlMeasure> MeasureOf(std::optional<json::Value> target);

// Prints what stands behind `set`, such as "balance += 10, active". Keys, and values that are no numbers, only get another value.
std::string SetText(json::Value update, const DraftEntity& entity);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_STATEMENT_PARTS_H_
