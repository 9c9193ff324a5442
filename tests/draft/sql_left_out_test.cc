// SQL that a model has no words for, and tables of SQLite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draft/draft.h"
#include "draft/sql/read_sql.h"

namespace prejoin::draft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Import(const std::string& ddl) {
  const auto draft = ReadSql(ddl, "", 0);
  return draft ? PrintDraft(*draft) : draft.error().message;
}

// What a model does not say is named with its lines, a note for each kind.
TEST(ImportSql, SaysWhatItLeavesOut) {
  const std::string source = Import(R"(-- a dump
CREATE TABLE orders (
  id int PRIMARY KEY,
  status text DEFAULT 'OPEN',
  note text DEFAULT NULL,
  "net" int, total int GENERATED ALWAYS AS (net * 2) STORED
);
INSERT INTO orders (id) VALUES (1);
INSERT INTO orders (id) VALUES (2);
)");
  EXPECT_THAT(source, HasSubstr("Not imported, line 4: default values"));
  EXPECT_THAT(source, HasSubstr("Not imported, line 6: the expressions of generated columns"));
  EXPECT_THAT(source, HasSubstr("Not imported, lines 8, 9: rows."));
  EXPECT_THAT(Import("CREATE TABLE t (id int PRIMARY KEY, a text DEFAULT NULL);"),
              Not(HasSubstr("Not imported")));
}

TEST(ImportSql, ReadsTablesOfSqlite) {
  const std::string source = Import(
      "CREATE TABLE tags (name PRIMARY KEY, colour, uses INTEGER NOT NULL) WITHOUT ROWID;");
  EXPECT_THAT(source, HasSubstr("entity Tag"));
  EXPECT_THAT(source, HasSubstr("no type in SQL"));
  EXPECT_THAT(source, Not(HasSubstr("Not read")));
}

}  // namespace
}  // namespace prejoin::draft
