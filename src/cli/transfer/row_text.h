// Rows of entities as the text of a file.
#ifndef PREJOIN_CLI_ROW_TEXT_H_
#define PREJOIN_CLI_ROW_TEXT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::cli {

enum class SqlDialect { kSqlite, kPostgres, kMySql, kDuckDb };

// "sqlite", "postgres", "mysql", "duckdb".
std::optional<SqlDialect> SqlDialectNamed(std::string_view name);

// Columns that point at the whole key of another entity.
struct RowReference {
  const model::Entity* to = nullptr;
  std::vector<std::string> columns;
  std::vector<std::string> targets;
};

// An attribute's value as text: what is in quotes in JSON without them.
std::string PlainText(const AttributeValue& value);

std::string CsvHead(const model::Entity& entity);
std::string CsvLine(const model::Entity& entity, const model::Row& row);
std::string JsonLine(const model::Entity& entity, const model::Row& row);

// CREATE TABLE with its foreign keys, and the beginning of a transaction; SqlEnd ends it.
std::string SqlHead(const model::Entity& entity, const std::vector<RowReference>& references,
                    SqlDialect dialect);
std::string SqlLine(const model::Entity& entity, const model::Row& row, SqlDialect dialect);
std::string SqlEnd(SqlDialect dialect);

// Why the dialect's table does not take the row; empty if it does. Keys are there, and types are those of the model.
std::string WhyRefused(const model::Entity& entity, const model::Row& row);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_ROW_TEXT_H_
