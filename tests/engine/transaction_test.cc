// TransactWriteItems and TransactGetItems: all or nothing, reasons in order, tokens.
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

constexpr std::int64_t kTokenWindowMs = 10 * 60 * 1000;

class Transactions : public testing::Test {
 protected:
  Transactions() { Must(db_->CreateTable(MakeTable("T", Keys({"pk"})))); }

  static TransactWrite PutOf(std::string pk, int value) {
    return {.action = TransactAction::kPut,
            .table_name = "T",
            .item_or_key = {{"pk", std::move(pk)}, {"x", value}}};
  }
  static TransactWrite CheckOf(std::string pk, std::string condition) {
    return {.action = TransactAction::kConditionCheck,
            .table_name = "T",
            .item_or_key = {{"pk", std::move(pk)}},
            .condition_expression = std::move(condition)};
  }
  static TransactWrite AddOne(std::string pk) {
    return {.action = TransactAction::kUpdate,
            .table_name = "T",
            .item_or_key = {{"pk", std::move(pk)}},
            .update_expression = "ADD x :one",
            .expression_attribute_values = AttributeValues{{":one", 1}}};
  }

  FakeClock clock_;
  std::unique_ptr<Database> db_ = OpenOn(storage::NewMemoryStore(), clock_);
};

TEST_F(Transactions, DoEverythingTogether) {
  Put(*db_, "T", {{"pk", "update"}, {"x", 1}});
  Put(*db_, "T", {{"pk", "delete"}});
  Put(*db_, "T", {{"pk", "check"}});
  const auto output =
      Must(db_->TransactWriteItems({.items = {PutOf("put", 1),
                                              AddOne("update"),
                                              {.action = TransactAction::kDelete,
                                               .table_name = "T",
                                               .item_or_key = {{"pk", "delete"}}},
                                              CheckOf("check", "attribute_exists(pk)")},
                                    .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
  ASSERT_EQ(output.consumed_capacity.size(), 1u);
  EXPECT_EQ(output.consumed_capacity[0].total.total, 8);
  EXPECT_EQ(Text(Get(*db_, "T", {{"pk", "put"}})), "{pk: \"put\", x: 1}");
  EXPECT_EQ(Text(Get(*db_, "T", {{"pk", "update"}})), "{pk: \"update\", x: 2}");
  EXPECT_EQ(Get(*db_, "T", {{"pk", "delete"}}), std::nullopt);
}

TEST_F(Transactions, CancelWithAReasonForEachItemInOrder) {
  Put(*db_, "T", {{"pk", "there"}, {"x", "text"}});
  TransactWrite guarded = PutOf("there", 2);
  guarded.condition_expression = "attribute_not_exists(pk)";
  guarded.return_values_on_condition_check_failure = ReturnValuesOnFailure::kAllOld;
  const auto output = db_->TransactWriteItems(
      {.items = {PutOf("new", 1), guarded, CheckOf("missing", "attribute_exists(pk)")}});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().code, ErrorCode::kTransactionCanceled);
  EXPECT_EQ(output.error().message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ConditionalCheckFailed, ConditionalCheckFailed]");
  const auto* detail = dynamic_cast<const CancellationDetail*>(output.error().detail.get());
  ASSERT_NE(detail, nullptr);
  ASSERT_EQ(detail->reasons.size(), 3u);
  EXPECT_EQ(detail->reasons[0].code, "None");
  EXPECT_EQ(detail->reasons[1].code, "ConditionalCheckFailed");
  EXPECT_EQ(detail->reasons[1].message, "The conditional request failed");
  EXPECT_EQ(Text(detail->reasons[1].item), "{pk: \"there\", x: \"text\"}");
  EXPECT_EQ(Text(detail->reasons[2].item), "none");
  EXPECT_EQ(Get(*db_, "T", {{"pk", "new"}}), std::nullopt);
}

// F24: the first invalid action, and nothing of the others, even where a condition is false.
TEST_F(Transactions, TellOfOneInvalidActionOnly) {
  Put(*db_, "T", {{"pk", "one"}, {"x", "text"}});
  Put(*db_, "T", {{"pk", "two"}, {"x", "text"}});
  const auto output = db_->TransactWriteItems(
      {.items = {CheckOf("missing", "attribute_exists(pk)"), AddOne("one"), AddOne("two")}});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ValidationError, None]");
}

TEST_F(Transactions, RefuseTwoOperationsOnOneItem) {
  const auto output =
      db_->TransactWriteItems({.items = {PutOf("a", 1), CheckOf("a", "attribute_exists(pk)")}});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message,
            "Transaction request cannot include multiple operations on one item");
}

TEST_F(Transactions, TokenMakesARequestRunOnce) {
  const TransactWriteItemsInput input{.items = {AddOne("a")},
                                      .client_request_token = "token",
                                      .return_consumed_capacity = ReturnConsumedCapacity::kTotal};
  const auto first = Must(db_->TransactWriteItems(input));
  EXPECT_EQ(first.consumed_capacity[0].total.write, 2);
  const auto second = Must(db_->TransactWriteItems(input));
  EXPECT_EQ(second.consumed_capacity[0].total.read, 2);
  EXPECT_EQ(second.consumed_capacity[0].total.write, 0);
  EXPECT_EQ(Text(Get(*db_, "T", {{"pk", "a"}})), "{pk: \"a\", x: 1}");
}

TEST_F(Transactions, TokenLastsTenMinutes) {
  const TransactWriteItemsInput input{.items = {AddOne("a")}, .client_request_token = "token"};
  const auto x_after = [&](std::int64_t wait_ms) {
    clock_.Advance(wait_ms);
    Must(db_->TransactWriteItems(input));
    return Text(*Get(*db_, "T", {{"pk", "a"}})->Find("x"));
  };
  EXPECT_EQ(x_after(0), "1");
  EXPECT_EQ(x_after(kTokenWindowMs - 1), "1");
  EXPECT_EQ(x_after(1), "2");
}

TEST_F(Transactions, TokenWithAnotherRequestIsAMismatch) {
  Must(db_->TransactWriteItems({.items = {AddOne("a")}, .client_request_token = "token"}));
  const auto output =
      db_->TransactWriteItems({.items = {AddOne("b")}, .client_request_token = "token"});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().code, ErrorCode::kIdempotentParameterMismatch);
  EXPECT_EQ(Get(*db_, "T", {{"pk", "b"}}), std::nullopt);
}

TEST_F(Transactions, CancelledRequestDoesNotUseUpItsToken) {
  const TransactWriteItemsInput input{.items = {CheckOf("a", "attribute_exists(pk)"), AddOne("b")},
                                      .client_request_token = "token"};
  EXPECT_FALSE(db_->TransactWriteItems(input).has_value());
  Put(*db_, "T", {{"pk", "a"}});
  EXPECT_TRUE(db_->TransactWriteItems(input).has_value());
  EXPECT_NE(Get(*db_, "T", {{"pk", "b"}}), std::nullopt);
}

TEST_F(Transactions, GetReturnsItemsInRequestOrderWithHoles) {
  Put(*db_, "T", {{"pk", "a"}, {"x", 1}});
  Put(*db_, "T", {{"pk", "b"}, {"x", 2}});
  const auto output = Must(db_->TransactGetItems(
      {.items = {{.table_name = "T", .key = {{"pk", "b"}}, .projection_expression = "x"},
                 {.table_name = "T", .key = {{"pk", "nothing"}}},
                 {.table_name = "T", .key = {{"pk", "a"}}}},
       .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
  EXPECT_EQ(Text(output.items), "{x: 2}\nnone\n{pk: \"a\", x: 1}");
  EXPECT_EQ(output.consumed_capacity[0].total.total, 6);
}

TEST_F(Transactions, StopAtFourMegabytes) {
  // Eleven items of 380 KB pass 4 MB, ten of them with one of 296 KB fill it exactly.
  const auto with_last = [&](std::size_t last_bytes) {
    TransactWriteItemsInput input;
    for (int i = 0; i < 11; ++i) {
      const std::size_t bytes = i < 10 ? 380 * 1024 : last_bytes;
      input.items.push_back(
          {.action = TransactAction::kPut,
           .table_name = "T",
           .item_or_key = {{"pk", std::to_string(i + 10)}, {"x", std::string(bytes - 5, 'x')}}});
    }
    return db_->TransactWriteItems(input);
  };
  constexpr std::size_t kRest = 4 * 1024 * 1024 - 10 * 380 * 1024;
  EXPECT_TRUE(with_last(kRest - 1).has_value());
  EXPECT_TRUE(with_last(kRest).has_value());
  EXPECT_FALSE(with_last(kRest + 1).has_value());
}

}  // namespace
}  // namespace prejoin
