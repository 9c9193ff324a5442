// Lines as people write them who come from SQL, Prisma, TypeScript or DynamoDB's JSON: each gets one message that says what
// to write, and none is told to write what stands there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/check/check.h"

namespace prejoin::model {
namespace {

struct ForeignLine {
  const char* where;     // "top", "entity", "relationship", "pattern", "write", "table" or "item".
  const char* line;
  const char* expected;  // A part of the suggestion.
};

void PrintTo(const ForeignLine& one, std::ostream* out) { *out << one.line; }

std::string ModelWith(const ForeignLine& one) {
  const std::string where = one.where;
  const auto in = [&](const char* place) {
    return where == place ? std::string(one.line) + "\n" : std::string();
  };
  return "entity Customer {\n  id text key\n" + in("entity") + "}\nentity Order {\n  id text key\n" +
         "  customerId references Customer.id\n  total number\n}\n" + in("top") +
         (where == "relationship"
              ? in("relationship")
              : "relationship Orders: Customer one-to-many Order {\n  each Customer has ~3\n}\n") +
         "pattern P {\n  find Order where id = :o\n" + in("pattern") + "}\nwrite W {\n" +
         "  put Order once\n" + in("write") + "}\n" +
         (where == "table" ? in("table") : "table T partition PK sort SK {\n") +
         "  item Customer {\n    PK = \"C#{id}\"\n    SK = \"C\"\n  }\n  item Order {\n" +
         (where == "item" ? in("item") : "    PK = \"C#{customerId}\"\n") +
         "    SK = \"ORDER#{id}\"\n  }\n}\n";
}

class ForeignLineTest : public ::testing::TestWithParam<ForeignLine> {};

TEST_P(ForeignLineTest, IsAnsweredWithWhatToWrite) {
  const std::string text = ModelWith(GetParam());
  const std::vector<Diagnostic> findings = ReadModel(text).diagnostics;
  ASSERT_FALSE(findings.empty()) << text;
  std::string shown;
  bool answered = false;
  for (const Diagnostic& finding : findings) {
    shown += RenderDiagnostic("m", text, finding);
    answered =
        answered || finding.suggestion.text().find(GetParam().expected) != std::string::npos;
    // "did not expect `with`, did you mean `with`?"
    const std::string& advice = finding.suggestion.text();
    if (const std::size_t at = advice.find("did you mean `"); at != std::string::npos) {
      const std::string meant = advice.substr(at + 13, advice.find('`', at + 14) - at - 12);
      EXPECT_EQ(finding.message.find(meant), std::string::npos) << shown;
    }
  }
  EXPECT_TRUE(answered) << shown;
}

const std::vector<ForeignLine> kLines = {
    // What beginners write.
    {"pattern", "  find Order where customerId == :c", "one `=`"},
    {"pattern", "  find Order where customerId === :c", "one `=`"},
    {"item", "    PK == \"C#{customerId}\"", "PK = \"C#{customerId}\""},
    {"item", "    PK = \"C#\" + customerId", "PK = \"C#{customerId}\""},
    {"item", "    PK = \"C#\" + customerId + \"#X\"", "PK = \"C#{customerId}#X\""},
    {"item", "    PK = \"C#${customerId}\"", "\"C#{customerId}\""},
    {"item", "    PK = \"C#{{customerId}}\"", "\"C#{customerId}\""},
    {"item", "    PK: \"C#{customerId}\"", "PK"},
    {"item", "    PK \"C#{customerId}\"", "PK = \"C#{customerId}\""},
    {"table", "table T partition PK sort key SK {", "sort SK"},
    {"table", "table T partition key PK sort SK {", "partition PK"},
    {"table", "table T partition key PK sort key SK {", "partition PK"},
    {"table", "table T hash PK range SK {", "partition PK"},
    {"table", "table T partition PK range SK {", "sort SK"},
    {"table", "table T {", "table T partition PK sort SK"},
    {"relationship", "relationship R: Customer has many Order", "one-to-many"},
    {"relationship", "relationship R: Customer has one Order", "one-to-one"},
    {"relationship", "relationship R: Customer one to many Order", "one-to-many"},
    {"relationship", "relationship R: Order belongs to Customer", "Parent one-to-many Order"},
    {"relationship", "relationship R: Customer hasMany Order", "one-to-many"},
    {"relationship", "relationship Customer has many Order", "relationship CustomerOrders:"},
    {"top", "Customer has many Order", "relationship CustomerOrder: Customer one-to-many Order"},
    {"top", "Order belongs to Customer", "relationship CustomerOrder: Customer one-to-many Order"},
    {"write", "put Order if not exists", "put Order once"},
    {"write", "update Order where id = :o set total += :amount", "total += 1"},
    {"write", "put Order unless exists", "put Order once"},
    {"write", "put Order when attribute_not_exists(id)", "put Order once"},
    {"write", "create Order", "put Order once"},
    {"write", "insert Order if not exists", "put Order"},
    {"write", "  update Order where id = :o with Customer", "delete"},
    {"write", "  delete Order where id = :o set total", "update"},
    // SQL
    {"top", "CREATE TABLE orders (id INT PRIMARY KEY)", "table Shop partition PK"},
    {"top", "SELECT * FROM orders WHERE id = 1", "pattern"},
    {"top", "INSERT INTO orders VALUES (1)", "put Order"},
    {"top", "ALTER TABLE orders ADD x INT", "write the table as it shall be"},
    {"top", "DROP TABLE orders", "remove the declaration"},
    {"entity", "  FOREIGN KEY (shopId) REFERENCES Shop(id)", "references Customer.id"},
    {"entity", "  PRIMARY KEY (id)", "id text key"},
    {"entity", "  name VARCHAR(20)", "text"},
    {"entity", "  name text NOT NULL", "NOT NULL"},
    {"entity", "  name text null", "optional"},
    {"entity", "  name text default \"x\"", "DEFAULT"},
    {"entity", "  n int AUTO_INCREMENT", "number"},
    {"entity", "  n number auto_increment", "ULID"},
    {"entity", "  n number primary key", "key"},
    {"entity", "  shopId references Customer(id)", "references Customer.id"},
    {"pattern", "  find Order join Customer on id", "one `find` line for each entity"},
    {"pattern", "  find Order where id like :x", "begins_with"},
    {"pattern", "  find Order where customerId = :c group by id", "count of Order"},
    {"pattern", "  find Order where customerId = :c limit 10 offset 20", "a limit is enough"},
    {"pattern", "  find Order where total is null", "exists"},
    {"pattern", "  SELECT * FROM orders", "pattern"},
    {"pattern", "  find Order where id = 'x'", "double quotes"},
    {"pattern", "  find Order where id = ?", ":id"},
    {"pattern", "  find Order WHERE id = :o", "where"},
    {"pattern", "  find Order where customerId = :c ORDER BY id", "order"},
    {"top", "-- a comment", "//"},
    {"top", "/* a comment */", "//"},
    {"top", "# a comment", "//"},
    {"entity", "  name text;", "remove it"},
    // Prisma
    {"top", "model User {\n  id text key\n}", "entity User {"},
    {"top", "datasource db {\n}", "remove the block"},
    {"top", "generator client {\n}", "remove the block"},
    {"entity", "  name String", "text"},
    {"entity", "  name text @unique", "`unique`"},
    {"entity", "  at DateTime", "time"},
    {"entity", "  name text?", "optional"},
    {"entity", "  orders Order[]", "one-to-many Order"},
    {"top", "enum Status {\n}", "values ("},
    // TypeScript
    {"top", "interface User {\n  id text key\n}", "entity User {"},
    {"top", "type User = {\n}", "entity User {"},
    {"top", "export class User {\n}", "entity User {"},
    {"entity", "  name: string", "name text"},
    {"entity", "  name:string", "name text"},
    {"entity", "  name?: string", "optional"},
    {"entity", "  kind text | number", "values ("},
    // DynamoDB
    {"top", "\"TableName\": \"Shop\"", "import-model"},
    {"top", "KeySchema: PK", "partition PK"},
    {"top", "GSI GSI1 PK SK", "index GSI1 partition"},
    {"pattern", "  Query Order where id = :o", "find"},
    {"table", "table T HASH PK {", "partition PK"},
    // Totals
    {"pattern", "  find count(*) from Order where customerId = :c", "count Order where"},
    {"pattern", "  find Order where customerId = :c get count(*)", "count Order where"},
    {"pattern", "  find Order where customerId = :c get sum(total)", "sum Order.total where"},
    {"pattern", "  find Order where customerId = :c get avg(total)", "and count Order"},
    {"pattern", "  find Order where customerId = :c get max(total)", "order by total desc limit 1"},
    {"pattern", "  find Order where customerId = :c get min(total)", "order by total limit 1"},
    {"pattern", "  max Order.total where customerId = :c", "order by total desc limit 1"},
    // Conditions
    {"pattern", "  find Order where total is null", "not exists(total)"},
    {"pattern", "  find Order where total is not null", "write: exists(total)"},
    {"pattern", "  find Order where total not in (1, 2)", "total <> "},
    {"pattern", "  find Order where id not like :x", "begins_with(id, :prefix)"},
    {"pattern", "  find Order where id = :o && total = 1", "write: and"},
    {"pattern", "  find Order where id = :o || total = 1", "a pattern for each alternative"},
    {"pattern", "  find Order where id = $id", "parameters start with a colon"},
    {"pattern", "  find Order where id = {id}", "write: :id"},
    {"pattern", "  find Order where id = id", ":id"},
    {"pattern", "  find Order where id between :a, :b", "between :a and :b"},
    {"pattern", "  find Order where begins_with(:p, id)", "begins_with(id, :p)"},
    {"pattern", "  find Order where id > 2024-01-01", "\"2024-01-31\""},
    // The shape of a find
    {"pattern", "  find * from Order", "find Order where"},
    {"pattern", "  find Order where id = :o get *", "remove `get *`"},
    {"pattern", "  find top 10 Order", "order by placedAt desc limit 10"},
    {"pattern", "  find latest Order", "order by placedAt desc limit 1"},
    {"pattern", "  find Order id = :o", "where id = :o"},
    {"pattern", "  find Order where id = :o order total", "order by total"},
    {"pattern", "  find Order where id = :o sort by total", "order by total"},
    {"pattern", "  find Order where id = :o orderby total", "order by total"},
    {"pattern", "  rate: 10/s", "write: rate 10/s"},
    // Writes
    {"write", "  update Order where id = :o set total++", "set total += 1"},
    {"write", "  update Order where id = :o set total = total + 5", "set total += 5"},
    {"write", "  update Order where id = :o set total: 5", "total = 5"},
    {"write", "  update Order where id = :o set customerId = uuid()", "customerId = :customerId"},
    {"write", "  delete from Order where id = :o", "delete Order where"},
    {"write", "  transaction", "together"},
    // Entities and keys
    {"entity", "  status enum(\"A\", \"B\")", "one of"},
    {"entity", "  tags text[]", "text-set"},
    {"entity", "  owner -> Order.id", "references Order.id"},
    {"entity", "  unique (id, name)", "key"},
    {"entity", "  index name", "index ByName partition name"},
    {"relationship", "relationship R: Customer one-to-many Order {\n  every Customer has ~3\n}",
     "each Customer"},
    {"relationship",
     "relationship R: Customer one-to-many Order {\n  each Customer has up to 500\n}",
     "at most 500"},
    {"relationship",
     "relationship R: Customer one-to-many Order {\n  each Customer has ~3, max 500\n}",
     "at most 500"},
    {"table", "table T partition PK sort SK {\n  global secondary index G partition A sort B",
     "index GSI1 partition"},
    {"item", "    PK = CUSTOMER#{customerId}", "in quotes"},
    {"item", "    PK = \"C#{Order.customerId}\"", "customerId"},
    // What else a beginner tried: each answer is a line to write.
    {"top", "Customer:", "entity Customer {"},
    {"top", "relation R: Customer -> Order", "relationship Orders:"},
    {"relationship", "relationship Customer one-to-many Order",
     "relationship CustomerOrder: Customer one-to-many Order"},
    {"relationship", "relationship R: Customer one-to-many Order {\n  each Customer has 5..100 Orders\n}",
     "each Customer has ~5, at most 100"},
    {"entity", "  - name: text", "write: name text"},
    {"entity", "  name text index", "index ByName partition name"},
    {"entity", "  tags string[]", "tags text-set"},
    {"entity", "  shopId text(~8) references Customer(id)", "shopId references Customer.id"},
    {"entity", "  shopId foreign key references Customer.id", "shopId references Customer.id"},
    {"entity", "  shop Customer @relation(fields: [shopId], references: [id])",
     "shopId references Customer.id"},
    {"pattern", "  find Order by customerId", "where customerId = :customerId"},
    {"pattern", "  find Order where id = 'x'", "double quotes: \"x\""},
    {"write", "  create Order", "write: put Order once"},
    {"write", "  put Order if not exists", "write: put Order once"},
    {"write", "  put Order unless exists", "write: put Order once"},
    {"table", "table T partition PK sort SK {\n  index G (A, B)", "index G partition A sort B project all"},
    {"item", "    PK = `C#${customerId}`", "\"C#{customerId}\""},
    {"item", "    PK = concat(\"C#\", customerId)", "PK = \"C#{customerId}\""},
    {"item", "    PK = \"C#{customerId:06d}\"", "{customerId pad 6}"},
    {"item", "    PK = \"C#{customerId.toLowerCase()}\"", "{customerId lower}"},
};

INSTANTIATE_TEST_SUITE_P(Reading, ForeignLineTest, ::testing::ValuesIn(kLines));

// One mistake has one message: what stands in other quotes is read as the text that is meant.
TEST(ForeignSpelling, TextInOtherQuotesIsOneError) {
  for (const char* line : {"  find Order where id = 'x'", "  find Order where id = `x`",
                           "  # find Order\n  find Order where id = :x"}) {
    const std::vector<Diagnostic> findings = ReadModel(ModelWith({"pattern", line, ""})).diagnostics;
    EXPECT_EQ(findings.size(), 1u) << line;
  }
}

TEST(ForeignSpelling, EveryLineOfTheSoundModelIsOurs) {
  EXPECT_TRUE(ReadModel(ModelWith({"", "", ""})).ok);
}

}  // namespace
}  // namespace prejoin::model
