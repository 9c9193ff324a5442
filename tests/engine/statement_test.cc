// PartiQL statements: that they use the keys, page, and write what they say.
#include "prejoin/statements.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

class StatementTest : public ::testing::Test {
 protected:
  StatementTest() : db_(OpenInMemory()) {
    Must(db_->CreateTable(
        MakeTable("T", Keys({"pk"}, {"nsk"}), {MakeIndex("ByCity", Keys({"city"}, {"nsk"}))})));
  }

  // What the statement answers with, or its error.
  std::string Run(const std::string& statement, std::vector<AttributeValue> parameters = {}) {
    ExecuteStatementInput input{.statement = statement};
    if (!parameters.empty()) {
      input.parameters = std::move(parameters);
    }
    const auto output = db_->ExecuteStatement(input);
    return output ? Text(output->items) : "error: " + output.error().message;
  }

  double Units(const std::string& statement) {
    const auto output = Must(db_->ExecuteStatement(
        {.statement = statement, .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
    return output.consumed_capacity->total.total;
  }

  // Four partitions of five items, each of more than 4 KB, so that capacity shows what was read.
  void Fill() {
    for (const char* partition : {"a", "b", "c", "d"}) {
      for (int i = 1; i <= 5; ++i) {
        Put(*db_, "T",
            {{"pk", partition}, {"nsk", i}, {"city", "X"}, {"fill", std::string(4100, 'f')}});
      }
    }
  }

  std::unique_ptr<Database> db_;
};

TEST_F(StatementTest, SelectReadsOnlyTheKeysThatItNames) {
  Fill();
  EXPECT_EQ(Units("SELECT nsk FROM T WHERE pk = 'a' AND nsk = 3"), 1);
  EXPECT_EQ(Units("SELECT nsk FROM T WHERE pk = 'a' AND nsk > 1 AND nsk <= 3"), 1.5);
  EXPECT_EQ(Units("SELECT nsk FROM T WHERE 2 >= nsk AND 'a' = pk"), 1.5);
  EXPECT_EQ(Units("SELECT nsk FROM T WHERE pk = 'a' AND nsk BETWEEN 2 AND 3"), 1.5);
  EXPECT_EQ(Units("SELECT nsk FROM T WHERE pk IN ['a', 'b', 'a'] AND nsk = 1"), 2);
  EXPECT_EQ(Units("SELECT nsk FROM T WHERE (pk = 'a' OR pk = 'b') AND nsk = 1"), 2);
  // Anything else reads everything: twenty items of a little more than 4 KB.
  EXPECT_EQ(Units("SELECT nsk FROM T WHERE pk > 'a'"), Units("SELECT * FROM T"));
  EXPECT_EQ(Units("SELECT nsk FROM T WHERE pk = 'a' OR nsk = 1"), Units("SELECT * FROM T"));
  EXPECT_GT(Units("SELECT * FROM T"), 10);
}

TEST_F(StatementTest, SelectFiltersAndProjects) {
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}, {"m", Item{{"x", Item{{"y", "deep"}}}}}});
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 2}, {"l", AttributeValue::List{7, 8}}});
  EXPECT_EQ(Run("SELECT nsk FROM T WHERE pk = 'a' AND m IS MISSING"), "{nsk: 2}");
  EXPECT_EQ(Run("SELECT m.x.y, nsk FROM T WHERE pk = 'a'"), "{nsk: 1, y: \"deep\"}\n{nsk: 2}");
  EXPECT_EQ(Run("SELECT l[1] FROM T WHERE pk = 'a' AND size(l) = 2"), "{_1: 8}");
  EXPECT_EQ(Run("SELECT nsk FROM T WHERE pk = ? AND nsk = ?", {"a", 2}), "{nsk: 2}");
  EXPECT_EQ(Run("SELECT nsk FROM T WHERE pk = 'a' AND nsk > 2 AND nsk < 1"), "");
}

TEST_F(StatementTest, SelectOrdersByKeys) {
  Fill();
  EXPECT_EQ(Run("SELECT nsk FROM T WHERE pk = 'a' AND nsk < 3 ORDER BY nsk DESC"),
            "{nsk: 2}\n{nsk: 1}");
  EXPECT_EQ(Run("SELECT pk, nsk FROM T WHERE pk IN ['a', 'c'] AND nsk < 3 ORDER BY pk DESC, nsk"),
            "{nsk: 1, pk: \"c\"}\n{nsk: 2, pk: \"c\"}\n{nsk: 1, pk: \"a\"}\n{nsk: 2, pk: \"a\"}");
  EXPECT_EQ(Run("SELECT * FROM T ORDER BY pk"),
            "error: Must have WHERE clause in the statement when using ORDER BY clause.");
  EXPECT_EQ(Run("SELECT * FROM T WHERE nsk = 1 ORDER BY pk"),
            "error: Must have at least one non-optional hash key condition in WHERE clause when "
            "using ORDER BY clause.");
  EXPECT_EQ(Run("SELECT * FROM T WHERE pk = 'a' ORDER BY city"),
            "error: Variable reference city in ORDER BY clause must be part of the primary key");
}

TEST_F(StatementTest, SelectReadsAnIndex) {
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}, {"city", "X"}});
  Put(*db_, "T", {{"pk", "b"}, {"nsk", 2}, {"city", "Y"}});
  EXPECT_EQ(Run("SELECT pk FROM \"T\".\"ByCity\" WHERE city = 'Y'"), "{pk: \"b\"}");
  EXPECT_EQ(Run("SELECT pk FROM T.Nope WHERE city = 'Y'"),
            "error: The table does not have the specified index");
}

TEST_F(StatementTest, PagesCoverEveryItemOnce) {
  Fill();
  for (const std::string where : {"", " WHERE pk IN ['d', 'a', 'b', 'c']"}) {
    for (const int limit : {1, 2, 5, 7, 20, 21}) {
      ExecuteStatementInput input{.statement = "SELECT pk, nsk FROM T" + where, .limit = limit};
      std::vector<std::string> seen;
      do {
        const auto output = Must(db_->ExecuteStatement(input));
        EXPECT_LE(output.items.size(), static_cast<std::size_t>(limit));
        for (const StoredItem& item : output.items) {
          seen.push_back(Text(item));
        }
        input.next_token = output.next_token;
      } while (input.next_token && seen.size() < 100);
      std::ranges::sort(seen);
      EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
      EXPECT_EQ(seen.size(), 20u) << where << limit;
    }
  }
}

TEST_F(StatementTest, TokensBelongToTheirStatement) {
  Fill();
  ExecuteStatementInput input{.statement = "SELECT pk FROM T WHERE pk = 'a'", .limit = 1};
  const auto token = Must(db_->ExecuteStatement(input)).next_token;
  ASSERT_TRUE(token.has_value());
  input.statement = "SELECT pk FROM T WHERE pk = 'b'";
  for (const std::string& wrong : {*token, std::string("0"), std::string("zz"), *token + "00"}) {
    input.next_token = wrong;
    const auto output = db_->ExecuteStatement(input);
    ASSERT_FALSE(output.has_value());
    EXPECT_EQ(output.error().message,
              wrong.starts_with(*token) ? "NextToken does not match request" : "Invalid NextToken");
  }
}

TEST_F(StatementTest, InsertRefusesWhatIsThere) {
  EXPECT_EQ(Run("INSERT INTO T VALUE {'pk': 'a', 'nsk': 1, 'v': ?}", {"x"}), "");
  EXPECT_EQ(Text(Get(*db_, "T", {{"pk", "a"}, {"nsk", 1}})), "{nsk: 1, pk: \"a\", v: \"x\"}");
  const auto again =
      db_->ExecuteStatement({.statement = "INSERT INTO T VALUE {'pk': 'a', 'nsk': 1}"});
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().message, "Duplicate primary key exists in table");
  EXPECT_NE(dynamic_cast<const DuplicateItemDetail*>(again.error().detail.get()), nullptr);
}

TEST_F(StatementTest, UpdateChangesOneItem) {
  const std::string where = " WHERE pk = 'a' AND nsk = 1";
  EXPECT_EQ(Run("UPDATE T SET v = 1" + where), "error: The conditional request failed");
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}, {"l", AttributeValue::List{1}}});
  EXPECT_EQ(Run("UPDATE T SET v = 1 SET l = list_append(l, [2])" + where + " RETURNING ALL NEW *"),
            "{l: [1, 2], nsk: 1, pk: \"a\", v: 1}");
  EXPECT_EQ(
      Run("UPDATE T SET v = v + 1, s = set_add(s, <<'x'>>)" + where + " RETURNING MODIFIED NEW *"),
      "{s: SS(\"x\"), v: 2}");
  EXPECT_EQ(Run("UPDATE T REMOVE l, s" + where + " AND v = 2 RETURNING ALL OLD *"),
            "{l: [1, 2], nsk: 1, pk: \"a\", s: SS(\"x\"), v: 2}");
  EXPECT_EQ(Run("UPDATE T SET v = 3" + where + " AND v = 9"),
            "error: The conditional request failed");
  const std::string no_key =
      "error: Where clause does not contain a mandatory equality on all key attributes";
  EXPECT_EQ(Run("UPDATE T SET v = 3 WHERE pk = 'a'"), no_key);
  EXPECT_EQ(Run("UPDATE T SET v = 3 WHERE pk = 'a' AND nsk > 0"), no_key);
  EXPECT_EQ(Run("DELETE FROM T WHERE pk = 'a' OR nsk = 1"), no_key);
}

TEST_F(StatementTest, DeleteOfNothingSucceeds) {
  const std::string statement = "DELETE FROM T WHERE pk = 'a' AND nsk = 1";
  EXPECT_EQ(Run(statement + " AND v = 1"), "");
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}, {"v", 1}});
  EXPECT_EQ(Run(statement + " AND v = 2"), "error: The conditional request failed");
  EXPECT_EQ(Run(statement + " RETURNING ALL OLD *"), "{nsk: 1, pk: \"a\", v: 1}");
  EXPECT_EQ(Get(*db_, "T", {{"pk", "a"}, {"nsk", 1}}), std::nullopt);
}

TEST_F(StatementTest, BatchReportsEachStatement) {
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}});
  const auto reads = Must(db_->BatchExecuteStatement(
      {.statements = {{.statement = "SELECT * FROM T WHERE pk = 'a' AND nsk = 1"},
                      {.statement = "SELECT * FROM T WHERE pk = 'a'"},
                      {.statement = "SELECT * FROM Nope WHERE pk = 'a'"},
                      {.statement = "SELEC"}}}));
  ASSERT_EQ(reads.responses.size(), 4u);
  EXPECT_EQ(Text(reads.responses[0].item), "{nsk: 1, pk: \"a\"}");
  EXPECT_EQ(reads.responses[1].error->message,
            "Select statements within BatchExecuteStatement must specify the primary key in the "
            "where clause.");
  EXPECT_EQ(reads.responses[2].error->code, ErrorCode::kResourceNotFound);
  EXPECT_EQ(reads.responses[3].error->code, ErrorCode::kValidation);
  const auto mixed = db_->BatchExecuteStatement(
      {.statements = {{.statement = "SELECT * FROM T WHERE pk = 'a' AND nsk = 1"},
                      {.statement = "DELETE FROM T WHERE pk = 'a' AND nsk = 1"}}});
  ASSERT_FALSE(mixed.has_value());
  std::vector<PartiqlStatement> many;
  const auto add = [&](int number) {
    many.push_back(
        {.statement = "DELETE FROM T WHERE pk = 'a' AND nsk = " + std::to_string(number)});
  };
  for (int i = 0; i < 25; ++i) {
    add(i);
  }
  EXPECT_TRUE(db_->BatchExecuteStatement({.statements = many}).has_value());
  add(25);
  EXPECT_FALSE(db_->BatchExecuteStatement({.statements = many}).has_value());
  many.resize(2);
  many[1] = many[0];
  EXPECT_FALSE(db_->BatchExecuteStatement({.statements = many}).has_value());
}

TEST_F(StatementTest, TransactionIsAllOrNothing) {
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}});
  const auto failed = db_->ExecuteTransaction(
      {.statements = {
           {.statement = "INSERT INTO T VALUE {'pk': 'a', 'nsk': 1}"},
           {.statement = "INSERT INTO T VALUE {'pk': 'a', 'nsk': 2}"},
           {.statement = "EXISTS(SELECT * FROM T WHERE pk = 'z' AND nsk = 1 AND v = 1)"}}});
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[DuplicateItem, None, ConditionalCheckFailed]");
  EXPECT_EQ(Get(*db_, "T", {{"pk", "a"}, {"nsk", 2}}), std::nullopt);

  ExecuteTransactionInput once{
      .statements = {{.statement = "UPDATE T SET v = 1 WHERE pk = 'a' AND nsk = 1"},
                     {.statement = "INSERT INTO T VALUE {'pk': 'a', 'nsk': 2}"}},
      .client_request_token = "token"};
  Must(db_->ExecuteTransaction(once));
  Must(db_->ExecuteTransaction(once));
  once.statements.pop_back();
  EXPECT_EQ(db_->ExecuteTransaction(once).error().code, ErrorCode::kIdempotentParameterMismatch);

  const auto read = Must(db_->ExecuteTransaction(
      {.statements = {{.statement = "SELECT v FROM T WHERE pk = 'a' AND nsk = 1"},
                      {.statement = "SELECT * FROM T WHERE pk = 'a' AND nsk = 9"}}}));
  ASSERT_EQ(read.items.size(), 2u);
  EXPECT_EQ(Text(read.items[0]), "{v: 1}");
  EXPECT_EQ(Text(read.items[1]), "none");
}

}  // namespace
}  // namespace prejoin
