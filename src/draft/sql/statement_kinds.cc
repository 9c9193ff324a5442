#include "draft/sql/statement_kinds.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "draft/names.h"
#include "draft/sql/sql_parser.h"
#include "draft/sql/sql_tokens.h"

namespace prejoin::draft {
namespace {

// The words at its start, behind comments.
bool BeginsWith(const std::string& statement, std::string_view words) {
  return Lowered(std::string_view(statement).substr(SkipBlank(statement, 0), words.size())) ==
         words;
}

}  // namespace

bool IsLongData(const std::string& statement) {
  constexpr std::size_t kHeadBytes = 200;
  const std::string head = Lowered(std::string_view(statement).substr(0, kHeadBytes));
  return statement.size() > kSqlStatementBytesMax && head.find("create") == std::string::npos &&
         head.find("alter") == std::string::npos;
}

bool HoldsRows(const std::string& statement) {
  return BeginsWith(statement, "insert ") || BeginsWith(statement, "replace into") ||
         (BeginsWith(statement, "copy ") &&
          Lowered(statement).find("from stdin") != std::string::npos);
}

bool CreatesTable(const std::string& statement) {
  return BeginsWith(statement, "create table") || BeginsWith(statement, "create temporary table");
}

bool SaysNothingOfData(const std::string& statement) {
  constexpr auto kHeads = std::to_array<std::string_view>(
      {"use ", "create database", "create schema", "drop ", "pragma", "lock ", "unlock ", "set ",
       "insert ", "exec ", "print ", "delimiter", "replace into", "update ", "delete ", "go"});
  return SkipBlank(statement, 0) >= statement.size() ||
         std::ranges::any_of(kHeads, [&](auto head) { return BeginsWith(statement, head); });
}

}  // namespace prejoin::draft
