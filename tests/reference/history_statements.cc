// The steps of a history that go through PartiQL.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"
#include "tests/reference/answers.h"
#include "tests/reference/history.h"
#include "tests/reference/statements.h"

namespace prejoin::reference {
namespace {

const std::vector<std::string> kReturning = {"", " RETURNING ALL OLD *", " RETURNING ALL NEW *",
                                             " RETURNING MODIFIED OLD *",
                                             " RETURNING MODIFIED NEW *"};

std::string Describe(const PartiqlStatement& statement) {
  std::string text = statement.statement;
  for (const AttributeValue& value : statement.parameters.value_or(std::vector<AttributeValue>())) {
    text += " | " + Text(value);
  }
  return text;
}

ExecuteStatementInput InputOf(const PartiqlStatement& statement) {
  return {.statement = statement.statement,
          .parameters = statement.parameters,
          .return_consumed_capacity = ReturnConsumedCapacity::kIndexes};
}

std::string ReturnedText(const std::string& returning, const WriteOutcome& outcome) {
  const auto unless_empty = [](const Item& item) { return item.empty() ? "" : Text(item); };
  if (returning.empty()) {
    return "";
  }
  if (returning.find("MODIFIED") != std::string::npos) {
    return unless_empty(returning.find("OLD") != std::string::npos ? outcome.touched_old
                                                                   : outcome.touched_new);
  }
  const auto& item =
      returning.find("OLD") != std::string::npos ? outcome.old_item : outcome.new_item;
  return item ? Text(*item) : "";
}

}  // namespace

// A write that PartiQL can say; an INSERT has no condition of its own.
std::optional<PartiqlStatement> History::NextStatement(Write& write, const std::string& returning) {
  if (write.action == TransactAction::kPut) {
    write.condition.reset();
  }
  return StatementPrinter(random_).Print(TableOf(write.table), write, returning);
}

void History::ExecuteOne() {
  Write write = random_.NextWrite(AnyTable());
  std::string returning;
  if (write.action == TransactAction::kUpdate) {
    returning = random_.Pick(kReturning);
  } else if (write.action == TransactAction::kDelete && random_.Percent(50)) {
    returning = kReturning[1];
  }
  const auto statement = NextStatement(write, returning);
  if (!statement) {
    return;
  }
  const WriteOutcome expected = PlanStatement(TableOf(write.table), write);
  Note(Describe(*statement));
  const auto answer = database_->ExecuteStatement(InputOf(*statement));
  ASSERT_EQ(CodeOf(answer), expected.error) << MessageOf(answer);
  if (expected.error) {
    return;
  }
  EXPECT_EQ(Text(answer->items), ReturnedText(returning, expected));
  EXPECT_EQ(Describe(answer->consumed_capacity), Describe(write.table, expected.units));
  Commit(write, expected);
}

// As a transaction or as a batch.
void History::ExecuteMany() {
  std::vector<Write> writes;
  std::vector<WriteOutcome> outcomes;
  std::vector<PartiqlStatement> statements;
  std::map<std::string, Units> units;
  bool fails = false;
  const bool transaction = random_.Percent(60);
  for (Write& write : DifferentWrites(1 + random_.Below(5))) {
    if (transaction && write.action == TransactAction::kDelete && write.condition &&
        random_.Percent(40)) {
      write.action = TransactAction::kConditionCheck;
    }
    const auto statement = NextStatement(write, "");
    if (!statement) {
      continue;
    }
    Note((transaction ? "in a transaction: " : "in a batch: ") + Describe(*statement));
    outcomes.push_back(PlanStatement(TableOf(write.table), write));
    fails = fails || outcomes.back().error.has_value();
    units[write.table].Add(outcomes.back().units, 2);
    statements.push_back(*statement);
    writes.push_back(write);
  }
  if (statements.empty()) {
    return;
  }
  if (!transaction) {
    const auto answer = database_->BatchExecuteStatement({.statements = statements});
    ASSERT_EQ(CodeOf(answer), std::nullopt) << MessageOf(answer);
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const auto& error = answer->responses[i].error;
      ASSERT_EQ(error ? std::optional(error->code) : std::nullopt, outcomes[i].error);
      if (!error) {
        Commit(writes[i], outcomes[i]);
      }
    }
    return;
  }
  const auto answer =
      database_->ExecuteTransaction({.statements = statements,
                                     .client_request_token = std::nullopt,
                                     .return_consumed_capacity = ReturnConsumedCapacity::kIndexes});
  if (std::ranges::any_of(writes, [&](const Write& write) {
        return TableOf(write.table).SetsEmptyIndexKey(write);
      })) {
    EXPECT_EQ(CodeOf(answer), ErrorCode::kValidation) << MessageOf(answer);
    return;
  }
  ASSERT_EQ(CodeOf(answer), fails ? std::optional(ErrorCode::kTransactionCanceled) : std::nullopt)
      << MessageOf(answer);
  if (fails) {
    return;
  }
  EXPECT_EQ(Describe(answer->consumed_capacity), Describe(units));
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Commit(writes[i], outcomes[i]);
  }
}

void History::SelectItems() {
  const Table& table = AnyTable();
  Read read = random_.Percent(70) ? random_.NextQuery(table) : random_.NextScan(table);
  const auto limit = std::exchange(read.limit, std::nullopt);
  const bool refused = !FitToStatement(table, read);
  const PartiqlStatement statement = StatementPrinter(random_).Print(table, read);
  Note(Describe(statement));
  if (refused) {
    ASSERT_EQ(CodeOf(database_->ExecuteStatement(InputOf(statement))), ErrorCode::kValidation);
    return;
  }
  const Page expected = table.ReadPage(read, 0);
  ExecuteStatementInput input = InputOf(statement);
  input.consistent_read = read.consistent;
  input.limit = limit;
  std::vector<Item> items;
  do {
    const auto answer = database_->ExecuteStatement(input);
    ASSERT_EQ(CodeOf(answer), expected.error) << MessageOf(answer);
    if (expected.error) {
      return;
    }
    for (const StoredItem& item : answer->items) {
      items.push_back(item.Decode());
    }
    if (!limit && !expected.last_key) {
      EXPECT_EQ(Describe(answer->consumed_capacity), Describe(table.name(), expected.units));
    }
    input.next_token = answer->next_token;
  } while (input.next_token && items.size() < 10'000);
  if (read.terms.empty()) {
    EXPECT_EQ(SortedText(items), SortedText(expected.items));
  } else {
    EXPECT_EQ(Text(items), Text(expected.items));
  }
}

}  // namespace prejoin::reference
