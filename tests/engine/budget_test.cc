// The work that one request may do: pages end early, and what is abandoned has changed nothing.
#include "base/request_budget.h"
#include "engine/engine_of.h"
#include "engine/ops/operations.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

using Attempt = RequestBudget::Attempt;

constexpr std::size_t kMemory = 64 << 20;

class BudgetTest : public ::testing::Test {
 protected:
  BudgetTest() {
    Must(db_->CreateTable(MakeTable("T", Keys({"pk"}, {"sk"}))));
    for (int i = 0; i < 50; ++i) {
      Put(*db_, "T", {{"pk", "p"}, {"sk", std::to_string(100 + i)}, {"t", std::string(1000, 'a')}});
    }
  }

  engine::RequestContext Context(Attempt attempt, std::uint64_t work) {
    engine::RequestContext context;
    context.budget = RequestBudget(attempt, work, kMemory);
    return context;
  }
  UpdateItemInput Update() const {
    return {.table_name = "T",
            .key = {{"pk", "p"}, {"sk", "100"}},
            .update_expression = "SET n = :n",
            .condition_expression = "contains(t, :v) OR attribute_exists(pk)",
            .expression_attribute_values = AttributeValues{{":n", 1}, {":v", "b"}}};
  }

  std::unique_ptr<Database> db_ = OpenInMemory();
};

TEST_F(BudgetTest, APageEndsWhereTheWorkEnds) {
  ScanInput input{.table_name = "T",
                  .filter_expression = "NOT contains(t, :v)",
                  .expression_attribute_values = AttributeValues{{":v", "b"}}};
  std::size_t pages = 0;
  std::size_t items = 0;
  do {
    auto context = Context(Attempt::kFinal, 20'000);
    const PageOutput page = Must(engine::Scan(engine::EngineOf(*db_), context, input));
    EXPECT_LE(page.items.size(), 10u);
    items += page.items.size();
    ++pages;
    input.exclusive_start_key = page.last_evaluated_key;
  } while (input.exclusive_start_key);
  EXPECT_EQ(items, 50u);
  EXPECT_GE(pages, 6u);
}

TEST_F(BudgetTest, ATrialIsAbandonedInstead) {
  const ScanInput input{.table_name = "T"};
  auto trial = Context(Attempt::kTrial, 20'000);
  const auto abandoned = engine::Scan(engine::EngineOf(*db_), trial, input);
  ASSERT_FALSE(abandoned);
  EXPECT_EQ(abandoned.error().code, ErrorCode::kOverBudget);
  auto enough = Context(Attempt::kTrial, 200'000);
  EXPECT_EQ(Must(engine::Scan(engine::EngineOf(*db_), enough, input)).items.size(), 50u);
}

TEST_F(BudgetTest, AnAbandonedWriteChangesNothing) {
  auto trial = Context(Attempt::kTrial, 1'500);
  const auto abandoned = engine::UpdateItem(engine::EngineOf(*db_), trial, Update());
  ASSERT_FALSE(abandoned);
  EXPECT_EQ(abandoned.error().code, ErrorCode::kOverBudget);
  const GetItemInput get{.table_name = "T", .key = {{"pk", "p"}, {"sk", "100"}}};
  EXPECT_EQ(Must(db_->GetItem(get)).item->Find("n"), std::nullopt);
  auto enough = Context(Attempt::kTrial, 50'000);
  Must(engine::UpdateItem(engine::EngineOf(*db_), enough, Update()));
  EXPECT_NE(Must(db_->GetItem(get)).item->Find("n"), std::nullopt);
}

// The budget is no reason of cancellation: the whole transaction is refused, or tried again.
TEST_F(BudgetTest, ATransactionIsAbandonedAsAWhole) {
  TransactWriteItemsInput input;
  for (int i = 0; i < 10; ++i) {
    input.items.push_back({.action = TransactAction::kUpdate,
                           .table_name = "T",
                           .item_or_key = {{"pk", "p"}, {"sk", std::to_string(100 + i)}},
                           .update_expression = "SET n = :n",
                           .expression_attribute_values = AttributeValues{{":n", 1}}});
  }
  auto trial = Context(Attempt::kTrial, 5'000);
  const auto abandoned = engine::TransactWriteItems(engine::EngineOf(*db_), trial, input);
  ASSERT_FALSE(abandoned);
  EXPECT_EQ(abandoned.error().code, ErrorCode::kOverBudget);
  for (const StoredItem& item : Must(db_->Scan({.table_name = "T"})).items) {
    EXPECT_EQ(item.Find("n"), std::nullopt);
  }
}

// What an answer holds already stays; the statements behind it are refused one by one.
TEST_F(BudgetTest, StatementsOfABatchBeyondTheWorkAreRefused) {
  BatchExecuteStatementInput input;
  for (int i = 0; i < 10; ++i) {
    input.statements.push_back(
        {.statement = "SELECT * FROM T WHERE pk='p' AND sk='" + std::to_string(100 + i) + "'"});
  }
  auto context = Context(Attempt::kFinal, 5'500);
  const auto output =
      Must(engine::BatchExecuteStatement(engine::EngineOf(*db_), context, input)).responses;
  ASSERT_EQ(output.size(), 10u);
  for (std::size_t i = 0; i < output.size(); ++i) {
    EXPECT_EQ(output[i].item.has_value(), i < 5) << i;
    EXPECT_EQ(output[i].error.has_value(), i >= 5) << i;
  }
  EXPECT_EQ(output.back().error->code, ErrorCode::kOverBudget);
}

}  // namespace
}  // namespace prejoin
