#include "draft/sql/dialects.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"
#include "draft/sql/sql_parser.h"

namespace prejoin::draft {
namespace {

std::string Repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    out += text;
  }
  return out;
}

TEST(SqlDialects, BecomePostgres) {
  struct Case {
    const char* theirs;
    const char* ours;
  };
  for (const Case& one : {
           Case{"`a b`", "\"a b\""},
           Case{"[a b]", "\"a b\""},
           Case{"x text[], y text[3]", "x text[], y text[3]"},
           Case{"id int(11) unsigned zerofill", "id bigint  "},
           Case{"a TinyInt, b MEDIUMINT", "a int, b int"},
           Case{"a datetime(6), b DATETIME", "a timestamp, b timestamp"},
           Case{"a double(8,2), b double precision", "a double precision, b double precision"},
           Case{"a longtext, b blob, c varbinary(16)", "a text, b bytea, c bytea"},
           Case{"a enum('x','y') not null", "a text CHECK (value IN ('x','y')) not null"},
           Case{"set ('a')", "text"},
           Case{"update t set (a) = (b)", "update t set (a) = (b)"},
           Case{"a int AUTO_INCREMENT COMMENT 'it''s \\' a' not null", "a int  not null"},
           Case{"a int identity(1, 1)", "a int"},
           Case{"on update CURRENT_TIMESTAMP(3) x", " x"},
           Case{"(a varchar(9) character set utf8 collate utf8_bin null)", "(a varchar(9) null)"},
           Case{"as (a + b) virtual", "as (a + b) STORED"},
           Case{"primary key clustered (id)", "primary key  (id)"},
           Case{"a int identity not null", "a int not null"},
           Case{"a int generated always as identity", "a int generated always as identity"},
           Case{"(a int, b int,\n)", "(a int, b int\n)"},
           Case{"a varchar(40) binary null", "a varchar(40) null"},
           Case{"a binary(16), b varchar2(9)", "a bytea, b varchar(9)"},
           Case{"rename table a to b", "ALTER TABLE a RENAME to b"},
           Case{"(a int, key by_a (a(10)) using btree, index (b))", "(a int)"},
           Case{"(a int, unique key `k` (a))", "(a int, UNIQUE (a))"},
           Case{"create table t (a int) ENGINE=InnoDB AUTO_INCREMENT=5", "create table t (a int)"},
           Case{"create table t (a int) default charset=utf8", "create table t (a int)"},
           Case{"create table t (a int) without rowid, strict", "create table t (a int)"},
           Case{"create table t (a, b primary key, c not null, d int, primary key (a), unique (b))",
                "create table t (a untyped, b untyped primary key, c untyped not null, d int, primary key (a), unique (b))"},
           Case{"create table t (a int check (b in (c, d)))", "create table t (a int check (b in (c, d)))"},
           Case{"a int # of MySQL\n, b int", "a int\n, b int"},
           Case{"a int -- auto_increment\n, b int", "a int -- auto_increment\n, b int"},
           Case{"default 'auto_increment'", "default 'auto_increment'"},
       }) {
    EXPECT_EQ(WithoutDialects(one.theirs), one.ours) << one.theirs;
  }
}

// Each of these once recursed for every character, or may be half of something.
TEST(SqlDialects, TakeAnyText) {
  for (const std::string& text :
       {"create table t (id int(11) COMMENT '" + std::string(1'000'000, 'x') + "')",
        "create table t (id int(11), s enum(" + Repeated("'a',", 100'000) + "'b'))",
        Repeated(", key (", 50'000), Repeated("(", 200'000), Repeated("enum('a',", 50'000),
        std::string(100'000, '`'), std::string("["), std::string("'"), std::string("/*"),
        std::string("--"), std::string("#"), std::string("comment '"), std::string("int(")}) {
    EXPECT_LE(WithoutDialects(text).size(), text.size() * 2 + 16) << text.substr(0, 20);
    EXPECT_NO_THROW({ [[maybe_unused]] const auto tree = ParseSql(text); }) << text.substr(0, 20);
  }
}

TEST(SqlDialects, ErrorsQuoteWholeCharacters) {
  for (const std::string character : {"\u00e9", "\u20ac", "\U0001F600"}) {
    for (const std::string before : {"0.", "1", "1e", "$1", "x'", "U&'"}) {
      const auto tree = ParseSql("CREATE TABLE t (n varchar(" + before + character + "))");
      ASSERT_FALSE(tree) << before;
      EXPECT_TRUE(IsUtf8(tree.error().message)) << tree.error().message;
    }
  }
}

TEST(SqlDialects, ALongCommentOfAColumnIsRead) {
  const std::string text = "create table t (id int(11) primary key COMMENT '" +
                           std::string(19'000, 'x') + "') ENGINE=InnoDB";
  EXPECT_TRUE(ParseSql(text));
}

}  // namespace
}  // namespace prejoin::draft
