// What teams run and write, as they have it: counted statements, migrations in a row, schemas inside of programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draft/formats/program_json.h"
#include "draft/foreign/read_foreign.h"
#include "draft/sql/sql_parser.h"
#include "draft/sql/statement_log.h"

namespace prejoin::draft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kShop = R"(
  create table users (id bigint primary key, email text unique not null);
  create table orders (id uuid primary key, user_id bigint not null references users(id),
                       status text not null, created_at timestamptz not null);
)";

std::string Imported(std::string_view ddl, std::string_view log = "", double seconds = 0) {
  const auto draft =
      ReadForeign({.text = ddl, .name = "Shop", .query_log = log, .log_seconds = seconds});
  EXPECT_TRUE(draft) << (draft ? "" : draft.error().message);
  return draft ? PrintDraft(*draft) : "";
}

TEST(StatementLog, ReadsEachLayoutOfPgStatStatements) {
  for (const std::string_view log : {
           "query,calls,seconds\n\"SELECT *\nFROM users WHERE id = $1\",7200,3600\n",
           "calls\tquery\tseconds\n7200\tSELECT * FROM users WHERE id = $1\t3600\n",
           "           query                  | calls | seconds\n"
           "----------------------------------+-------+---------\n"
           " SELECT *                        +|  7200 |    3600\n"
           "   FROM users WHERE id = $1       |       |        \n"
           "(1 row)\n",
           R"([{"query": "SELECT * FROM users WHERE id = $1", "calls": 7200, "seconds": 3600.0}])",
           R"({"query": "SELECT * FROM users WHERE id = $1", "calls": "7200", "seconds": 3600})"}) {
    EXPECT_THAT(Imported(kShop, log),
                HasSubstr("pattern UsersById {\n  find Users where id = :id\n  rate 2/s"))
        << log;
  }
}

TEST(StatementLog, TakesThePeriodForRowsThatDoNotSayIt) {
  const std::string log = "query;calls\nDELETE FROM orders WHERE id = $1;120\n";
  EXPECT_THAT(Imported(kShop, log, 3600), HasSubstr("delete Orders\n  rate 2/min"));
  EXPECT_THAT(Imported(kShop, log), HasSubstr("In the log: 120 calls."));
}

TEST(StatementLog, WritesRatesInTheUnitThatFits) {
  EXPECT_EQ(RateText(1234.5), "1234/s");
  EXPECT_EQ(RateText(1), "1/s");
  EXPECT_EQ(RateText(0.5), "30/min");
  EXPECT_EQ(RateText(1.0 / 7200), "12/day");
  EXPECT_EQ(RateText(1e-12), "0.001/day");
}

TEST(StatementLog, KeepsTwoEndsOfARangeApart) {
  const std::string source = Imported(
      kShop, "SELECT * FROM orders WHERE user_id = $1 AND created_at >= $2 AND created_at < $3;");
  EXPECT_THAT(source, HasSubstr("created_at between :createdAtFrom and :createdAtTo"));
  EXPECT_THAT(source, HasSubstr("excludes an end of the range"));
}

TEST(StatementLog, CountsAndSums) {
  const std::string ddl = "CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL, size numeric NOT NULL, gone date, name text NOT NULL);";
  const std::string source = Imported(
      ddl, "SELECT count(*) FROM a WHERE n = $1; SELECT count(gone) AS c FROM a WHERE n = $1; SELECT coalesce(sum(size), 0) FROM a WHERE n = 3;"
           "SELECT avg(size) FROM a WHERE n = $1; SELECT count(DISTINCT name) FROM a WHERE n = $1; SELECT sum(name) FROM a WHERE n = $1;"
           "SELECT count(*), sum(size) FROM a WHERE n = $1; SELECT count(*) FROM a WHERE n = $1 GROUP BY name;");
  EXPECT_THAT(source, HasSubstr("pattern ACountByN {\n  count A where n = :n\n"));
  EXPECT_THAT(source, HasSubstr("  count A where n = :n and exists(gone)\n"));
  EXPECT_THAT(source, HasSubstr("pattern ASumByN {\n  sum A.size where n = :n\n"));
  for (const char* text : {"avg(size)", "count(DISTINCT name)", "sum(name)", "count(*), sum(size)"}) {
    EXPECT_THAT(source, HasSubstr("// SELECT " + std::string(text) + " FROM a WHERE n = $1"));
  }
  EXPECT_THAT(source, HasSubstr("GROUP BY name"));
}

TEST(StatementLog, ReadsWhatAnUpdateAdds) {
  const std::string source = Imported("CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL, m int NOT NULL, at date NOT NULL);",
                                      "UPDATE a SET n = n + 2, m = $1 WHERE id = $2; UPDATE a SET n = n - 1 WHERE id = $1;"
                                      "UPDATE a SET n = m + 1, at = at + 1 WHERE id = $1;");
  EXPECT_THAT(source, HasSubstr("update A set n += 2, m\n"));
  EXPECT_THAT(source, HasSubstr("update A set n -= 1\n"));
  EXPECT_THAT(source, HasSubstr("update A set n, at\n"));
}

TEST(StatementLog, SaysWhatCannotBeAPatternAndHowOftenItRuns) {
  const std::string source = Imported(
      kShop, "query,calls,seconds\nSELECT count(*) FROM orders,3600,60\nSELECT oid FROM pg_class,9,60\n"
             "SELECT * FROM users WHERE email LIKE '%x',60,60\nSELECT * FROM users WHERE id = 1,60,60\n");
  EXPECT_THAT(source, HasSubstr("Not read (it computes a value, 60/s)"));
  EXPECT_THAT(source, HasSubstr("LIKE looks for more than a prefix"));
  EXPECT_THAT(source, Not(HasSubstr("pg_class")));
}

TEST(Migrations, AreAppliedInTheirOrder) {
  const std::string source = Imported(R"(
    create table a (id int primary key, gone int, old_name text);
    create table temp_a (id int primary key);
    create table if not exists a (id int primary key);
    alter table a add column fresh text not null;
    alter table a drop column gone;
    alter table a rename column old_name to new_name;
    alter table a alter column fresh drop not null;
    drop table temp_a;
    create table child (id int primary key, a_id int references a (id));
    alter table a rename to accounts;
  )");
  EXPECT_THAT(source, HasSubstr("entity Accounts {\n  id       number(~6, max 10) key\n  new_name text optional\n  fresh    text optional\n}"));
  EXPECT_THAT(source, HasSubstr("references Accounts.id"));
  EXPECT_THAT(source, Not(HasSubstr("TempA")));
}

TEST(Ddl, GivesEveryTableAKey) {
  const std::string source = Imported(R"(
    create table log (at timestamptz, line text);
    create table tags (tag text not null, post int not null);
    create table people (email text not null unique, name text);
    create table flags (on_or_off boolean);
  )");
  EXPECT_THAT(source, HasSubstr("entity Log {\n  rowId text key"));
  EXPECT_THAT(source, HasSubstr("entity Tags {\n  tag  text key\n  post number(~6, max 10) key"));
  EXPECT_THAT(source, HasSubstr("email text key"));
  EXPECT_THAT(source, HasSubstr("entity Flags {\n  rowId"));
}

TEST(Ddl, CountsTheTablesThatItCouldNotRead) {
  const auto draft = ReadForeign({.text = "create table a (id int primary key);\n"
                                          "create table b (id int primary key, ? what);",
                                  .name = "x"});
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->unread_tables, 1);
}

TEST(Ddl, KeepsTheValuesOfAnEnumOfMySql) {
  EXPECT_THAT(Imported("create table `t` (`id` int(11) not null auto_increment, `rating` enum('G','PG-13') "
                       "character set utf8 default 'G', primary key (`id`)) engine=InnoDB;"),
              HasSubstr("values (\"G\", \"PG-13\")"));
}

TEST(Ddl, MakesListsOfArraysOfEnums) {
  EXPECT_THAT(Imported("create type role as enum ('A', 'B'); create table t (id int primary key, roles role[]);"),
              HasSubstr("roles list optional  // each is A, B"));
}

TEST(SplitSql, KeepsBodiesWhole) {
  EXPECT_THAT(SplitSql("create table a (id int);\nCREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n"
                       "  IF x THEN y; END IF;\n  UPDATE a SET id = 1;\nEND;\n/\ncreate table b (id int)\nGO\n"
                       "DELIMITER ;;\nselect 1;;\n"),
              ElementsAre("create table a (id int)",
                          "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n  IF x THEN y; END IF;\n  UPDATE a SET id = 1;\nEND",
                          "create table b (id int)\n", "select 1"));
}

TEST(Programs, GiveTheirLiterals) {
  EXPECT_EQ(ProgramToJson(R"(
    import {Entity} from 'electrodb'
    const base = { createdAt: { type: 'string', default: () => new Date().toISOString() } } as const
    const service = "shop" // the name
    export const User = new Entity<A>({
      model: { entity: 'user', service, version: "1" },
      attributes: { id: { type: String, required: true, validate: /a[/}]b/ }, ...base, age: { type: Number } },
      indexes: { byId: { pk: { field: `pk`, composite: ["id",] }, } },
    } satisfies Schema)
  )"),
            R"([{"model":{"entity":"user","service":"shop","version":"1"},"attributes":{"id":{"type":"string",)"
            R"("required":true},"createdAt":{"type":"string"},"age":{"type":"number"}},"indexes":{"byId":)"
            R"({"pk":{"field":"pk","composite":["id"]}}}}])");
  EXPECT_EQ(ProgramToJson("const x = 1; console.log('new Entity')"), "");
}

TEST(Programs, NeitherHangNorFall) {
  std::string deep = "new Entity(";
  for (int i = 0; i < 5000; ++i) {
    deep += "{a:[";
  }
  std::string constants = "const a0 = {};";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "a" + std::to_string(i - 1);
    constants += "const a" + std::to_string(i) + " = {x: " + before + ", y: " + before + "};";
  }
  for (const std::string& text : {deep, constants + "new Entity(a59)", std::string("new Entity({a: '"),
                                  std::string("new Entity({a: `${"), std::string("new Entity({...a, [b"),
                                  std::string("const a = a; new Entity({x: a})"), std::string("new Entity({a: /")}) {
    EXPECT_LT(ProgramToJson(text).size(), 20'000'000U);
  }
}

// The request of a published answer, which CreateTable would reject.
TEST(Programs, OfCreateTableSayWhatTheRequestLacks) {
  const std::string source = Imported(R"({
    TableName: "Education",
    KeySchema: [{ AttributeName: "PK", KeyType: "HASH" }, { AttributeName: "SK", KeyType: "RANGE" }],
    GlobalSecondaryIndexes: [{
      IndexName: "GSI1",
      KeySchema: [{ AttributeName: "GSI1-PK", KeyType: "HASH" }, { AttributeName: "GSI1-SK", KeyType: "RANGE" }]
    }]
  })");
  EXPECT_THAT(source, HasSubstr("table Education partition PK sort SK"));
  EXPECT_THAT(source, HasSubstr("The projection of GSI1 is not stated"));
  EXPECT_THAT(source, HasSubstr("AttributeDefinitions does not have GSI1-SK"));
  EXPECT_THAT(source, HasSubstr("neither BillingMode nor ProvisionedThroughput"));
}

TEST(Programs, OfOneTableAreModels) {
  const std::string source = Imported(R"(
    const Match = { ulid: /^[0-9]+$/, }
    export default {
      format: 'onetable:1.1.0', version: '0.0.1',
      indexes: { primary: { hash: 'pk', sort: 'sk' }, gs1: { hash: 'gs1pk', sort: 'gs1sk', project: ['gs1pk', 'data'] } },
      models: {
        User: {
          pk: { type: String, value: 'account#${accountId}' }, sk: { type: String, value: 'user#${id}' },
          id: { type: String, generate: 'ulid', validate: Match.ulid }, accountId: { type: String, required: true },
          balance: { type: Number }, tags: { type: Array }, joined: { type: Date }, active: { type: Boolean },
          role: { type: 'string', enum: ['user', 'admin'] },
        },
      } as const,
      params: { isoDates: true, timestamps: true },
    })");
  EXPECT_THAT(source, HasSubstr("pk = \"account#{accountId}\""));
  EXPECT_THAT(source, HasSubstr("values (\"user\", \"admin\")"));
  EXPECT_THAT(source, HasSubstr("balance"));
}

}  // namespace
}  // namespace prejoin::draft
