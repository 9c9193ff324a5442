#include "tests/reference/history.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/worker.h"
#include "engine/engine.h"
#include "engine/engine_of.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"
#include "tests/reference/answers.h"

namespace prejoin::reference {

History::History(std::unique_ptr<Database> database, FakeClock& clock, std::uint64_t seed)
    : database_(std::move(database)), clock_(clock), random_(seed) {
  for (const char* name : {"T0", "T1"}) {
    CreateTableInput input = random_.NextTable(name);
    input.stream =
        StreamSpecification{.enabled = true, .view_type = StreamViewType::kNewAndOldImages};
    Must(database_->CreateTable(input));
    tables_.emplace_back(input);
  }
  Must(database_->UpdateTimeToLive(
      {.table_name = "T0", .specification = {.enabled = true, .attribute_name = "u"}}));
  engine::EngineOf(*database_).background().DrainForTesting();
  expiring_["T0"] = "u";
}

void History::Reopen(const std::function<std::unique_ptr<Database>()>& open) {
  database_.reset();
  database_ = open();
  engine::EngineOf(*database_).background().DrainForTesting();
  Note("the database was closed and opened again");
  // A database that is opened looks for expired items first of all.
  SweepExpired();
}

void History::Note(std::string line) {
  constexpr std::size_t kLinesMax = 25;
  if (log_.size() == kLinesMax) {
    log_.erase(log_.begin());
  }
  // Fillers are long and say nothing.
  for (std::size_t at = 0; (at = line.find("xxxxxxxxxxxx", at)) != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_not_of('x', at), line.size());
    line.replace(at, end - at, "x…" + std::to_string(end - at));
  }
  log_.push_back(std::move(line));
}

std::string History::Log() const {
  std::string text;
  for (const Table& table : tables_) {
    text += table.name() + " " + Describe(table.schema()) + "\n";
  }
  for (const std::string& line : log_) {
    text += line + "\n";
  }
  return text;
}

void History::Step() {
  const std::size_t choice = random_.Below(100);
  if (choice < 36) {
    WriteOne();
  } else if (choice < 48) {
    ExecuteOne();
  } else if (choice < 54) {
    GetOne();
  } else if (choice < 66) {
    QueryPages();
  } else if (choice < 74) {
    SelectItems();
  } else if (choice < 77) {
    ScanPages();
  } else if (choice < 81) {
    BatchWrite();
  } else if (choice < 84) {
    BatchGet();
  } else if (choice < 89) {
    TransactWriteMany();
  } else if (choice < 92) {
    ExecuteMany();
  } else if (choice < 94) {
    TransactGetMany();
  } else if (choice < 97) {
    SweepExpired();
  } else if (choice < 98) {
    ChangeTimeToLive();
  } else {
    ChangeIndexes();
  }
}

Table& History::TableOf(const std::string& name) {
  return *std::ranges::find(tables_, name, &Table::name);
}

void History::Commit(const Write& write, const WriteOutcome& outcome) {
  if (write.action == TransactAction::kConditionCheck) {
    return;
  }
  if (outcome.new_item) {
    TableOf(write.table).Put(*outcome.new_item);
  } else {
    TableOf(write.table).Remove(write.item_or_key);
  }
}

// ---- Single writes

void History::WriteOne() {
  const Write write = random_.NextWrite(AnyTable());
  const WriteOutcome expected = TableOf(write.table).Plan(write);
  const bool is_update = write.action == TransactAction::kUpdate;
  const ReturnValues wanted =
      is_update ? random_.Pick(std::vector{ReturnValues::kNone, ReturnValues::kAllOld,
                                           ReturnValues::kUpdatedOld, ReturnValues::kAllNew,
                                           ReturnValues::kUpdatedNew})
                : random_.Pick(std::vector{ReturnValues::kNone, ReturnValues::kAllOld});
  const bool all_old_on_failure = random_.Percent(50);
  Note(Describe(write));
  CheckWritten(write, expected, wanted, all_old_on_failure,
               Send(*database_, write, wanted, all_old_on_failure));
  if (!expected.error) {
    Commit(write, expected);
  }
}

void History::CheckWritten(const Write& write, const WriteOutcome& expected, ReturnValues wanted,
                           bool all_old_on_failure, const Result<WriteItemOutput>& answer) {
  ASSERT_EQ(CodeOf(answer), expected.error) << MessageOf(answer);
  if (expected.error) {
    std::optional<Item> shown;
    if (const auto* detail =
            dynamic_cast<const ConditionFailureDetail*>(answer.error().detail.get())) {
      shown = detail->item->Decode();
    }
    const bool shows = expected.error == ErrorCode::kConditionalCheckFailed && all_old_on_failure;
    EXPECT_EQ(Text(shown), Text(shows ? expected.old_item : std::nullopt));
    return;
  }
  std::optional<Item> attributes;
  const auto unless_empty = [](const Item& item) {
    return item.empty() ? std::nullopt : std::optional(item);
  };
  switch (wanted) {
    case ReturnValues::kNone:
      break;
    case ReturnValues::kAllOld:
      attributes = expected.old_item;
      break;
    case ReturnValues::kAllNew:
      attributes = expected.new_item;
      break;
    case ReturnValues::kUpdatedOld:
      attributes = expected.old_item ? unless_empty(expected.touched_old) : std::nullopt;
      break;
    case ReturnValues::kUpdatedNew:
      attributes = unless_empty(expected.touched_new);
      break;
  }
  EXPECT_EQ(Text(answer->attributes), Text(attributes));
  EXPECT_EQ(Describe(answer->consumed_capacity), Describe(write.table, expected.units));
  const auto& metrics = answer->item_collection_metrics;
  ASSERT_EQ(metrics.has_value(), TableOf(write.table).schema().local_indexes.has_value());
  if (metrics) {
    EXPECT_EQ(metrics->partition_key_name, "pk");
    EXPECT_EQ(metrics->partition_key, *write.item_or_key.Find("pk"));
  }
}

// ---- Reads

void History::GetOne() {
  const Table& table = AnyTable();
  const Item key = random_.NextKey(table);
  const Item* item = table.Find(key);
  GetItemInput input{.table_name = table.name(),
                     .key = key,
                     .consistent_read = random_.Percent(50),
                     .return_consumed_capacity = ReturnConsumedCapacity::kIndexes};
  std::optional<Item> expected = item ? std::optional(*item) : std::nullopt;
  if (random_.Percent(30)) {
    const auto names = random_.NextProjection();
    AddProjection(names, input);
    expected = item ? std::optional(Only(*item, names)) : std::nullopt;
  }
  Note("GetItem " + table.name() + " " + Text(key));
  const auto answer = database_->GetItem(input);
  ASSERT_EQ(CodeOf(answer), std::nullopt) << MessageOf(answer);
  EXPECT_EQ(Text(answer->item), Text(expected));
  Units units;
  units.table = ReadUnits(item ? SizeBytes(*item) : 0,
                          *input.consistent_read ? Reading::kStrong : Reading::kEventual);
  EXPECT_EQ(Describe(answer->consumed_capacity), Describe(table.name(), units));
}

void History::QueryPages() {
  const Table& table = AnyTable();
  const Read read = random_.NextQuery(table);
  QueryInput input = MakeQuery(read);
  Note(Describe(read));
  std::size_t skip = 0;
  for (int guard = 0; guard < 1000; ++guard) {
    const Page expected = table.ReadPage(read, skip);
    const auto answer = database_->Query(input);
    ASSERT_EQ(CodeOf(answer), expected.error) << MessageOf(answer);
    if (expected.error) {
      return;
    }
    EXPECT_EQ(Text(answer->items), Text(expected.items));
    EXPECT_EQ(answer->count, expected.count);
    EXPECT_EQ(answer->scanned_count, expected.scanned);
    EXPECT_EQ(Text(answer->last_evaluated_key), Text(expected.last_key));
    EXPECT_EQ(Describe(answer->consumed_capacity), Describe(table.name(), expected.units));
    if (!answer->last_evaluated_key || testing::Test::HasFailure()) {
      return;
    }
    skip += static_cast<std::size_t>(expected.scanned);
    input.exclusive_start_key = answer->last_evaluated_key;
  }
  FAIL() << "the pages do not end";
}

// The reference does not know the order of partitions, so pages are compared together.
void History::ScanPages() {
  const Table& table = AnyTable();
  Read read = random_.NextScan(table);
  const std::size_t segments = random_.Percent(30) ? 1 + random_.Below(5) : 1;
  Note(Describe(read));
  const auto limit = std::exchange(read.limit, std::nullopt);
  const Page expected = table.ReadPage(read, 0);
  read.limit = limit;
  std::vector<Item> items;
  std::int64_t count = 0;
  std::int64_t scanned = 0;
  double units = 0;
  for (std::size_t segment = 0; segment < segments; ++segment) {
    ScanInput input = MakeScan(read);
    if (segments > 1) {
      input.segment = static_cast<std::int32_t>(segment);
      input.total_segments = static_cast<std::int32_t>(segments);
    }
    do {
      const auto answer = database_->Scan(input);
      ASSERT_EQ(CodeOf(answer), expected.error) << MessageOf(answer);
      if (expected.error) {
        return;
      }
      for (const StoredItem& item : answer->items) {
        items.push_back(item.Decode());
      }
      EXPECT_TRUE(!limit || answer->scanned_count <= *limit);
      count += answer->count;
      scanned += answer->scanned_count;
      units += answer->consumed_capacity->total.total;
      input.exclusive_start_key = answer->last_evaluated_key;
    } while (input.exclusive_start_key);
  }
  EXPECT_EQ(SortedText(items), SortedText(expected.items));
  EXPECT_EQ(count, expected.count);
  EXPECT_EQ(scanned, expected.scanned);
  if (!limit && segments == 1) {
    EXPECT_EQ(units, expected.units.Total());
  }
}

// ---- Several items at once

std::vector<Write> History::DifferentWrites(std::size_t count) {
  std::vector<Write> writes;
  for (std::size_t i = 0; i < count; ++i) {
    Write write = random_.NextWrite(AnyTable());
    const Item key = TableOf(write.table).KeyOf(write.item_or_key);
    const bool again = std::ranges::any_of(writes, [&](const Write& other) {
      return other.table == write.table && TableOf(other.table).KeyOf(other.item_or_key) == key;
    });
    if (!again) {
      writes.push_back(std::move(write));
    }
  }
  return writes;
}

std::vector<Item> History::DifferentKeys(const Table& table, std::size_t count) {
  std::vector<Item> keys;
  for (std::size_t i = 0; i < count; ++i) {
    Item key = random_.NextKey(table);
    if (std::ranges::find(keys, key) == keys.end()) {
      keys.push_back(std::move(key));
    }
  }
  return keys;
}

void History::BatchWrite() {
  std::vector<Write> writes = DifferentWrites(1 + random_.Below(6));
  std::map<std::string, Units> units;
  std::vector<WriteOutcome> outcomes;
  std::optional<ErrorCode> error;
  BatchWriteItemInput input{.return_consumed_capacity = ReturnConsumedCapacity::kIndexes};
  for (Write& write : writes) {
    write.condition.reset();
    if (write.action == TransactAction::kUpdate) {
      write.action = TransactAction::kDelete;
    }
    outcomes.push_back(TableOf(write.table).Plan(write));
    error = error ? error : outcomes.back().error;
    units[write.table].Add(outcomes.back().units, 1);
    WriteRequest& request = input.request_items[write.table].emplace_back();
    (write.action == TransactAction::kPut ? request.put : request.remove) = write.item_or_key;
    Note("BatchWriteItem " + Describe(write));
  }
  const auto answer = database_->BatchWriteItem(input);
  ASSERT_EQ(CodeOf(answer), error) << MessageOf(answer);
  if (error) {
    return;
  }
  EXPECT_TRUE(answer->unprocessed_items.empty());
  EXPECT_EQ(Describe(answer->consumed_capacity), Describe(units));
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Commit(writes[i], outcomes[i]);
  }
}

void History::BatchGet() {
  BatchGetItemInput input{.return_consumed_capacity = ReturnConsumedCapacity::kIndexes};
  std::map<std::string, Units> units;
  std::map<std::string, std::vector<Item>> expected;
  for (const Table& table : tables_) {
    KeysAndAttributes& request = input.request_items[table.name()];
    request.keys = DifferentKeys(table, 1 + random_.Below(5));
    request.consistent_read = random_.Percent(50);
    for (const Item& key : request.keys) {
      const Item* item = table.Find(key);
      units[table.name()].table +=
          ReadUnits(item ? SizeBytes(*item) : 0,
                    *request.consistent_read ? Reading::kStrong : Reading::kEventual);
      if (item) {
        expected[table.name()].push_back(*item);
      }
    }
  }
  Note("BatchGetItem");
  const auto answer = database_->BatchGetItem(input);
  ASSERT_EQ(CodeOf(answer), std::nullopt) << MessageOf(answer);
  EXPECT_TRUE(answer->unprocessed_keys.empty());
  for (const auto& [table, items] : answer->responses) {
    std::vector<Item> decoded;
    for (const StoredItem& item : items) {
      decoded.push_back(item.Decode());
    }
    EXPECT_EQ(SortedText(decoded), SortedText(expected[table]));
  }
  EXPECT_EQ(Describe(answer->consumed_capacity), Describe(units));
}

void History::TransactWriteMany() {
  std::vector<Write> writes = DifferentWrites(1 + random_.Below(5));
  std::vector<WriteOutcome> outcomes;
  std::map<std::string, Units> units;
  TransactWriteItemsInput input{.return_consumed_capacity = ReturnConsumedCapacity::kIndexes};
  bool fails = false;
  for (Write& write : writes) {
    if (write.action == TransactAction::kDelete && random_.Percent(40)) {
      write.action = TransactAction::kConditionCheck;
      write.condition = random_.NextCondition(TableOf(write.table));
    }
    if (write.action == TransactAction::kUpdate && !write.update) {
      write.update = random_.NextUpdate(TableOf(write.table));
    }
    outcomes.push_back(TableOf(write.table).Plan(write));
    fails = fails || outcomes.back().error.has_value();
    units[write.table].Add(outcomes.back().units, 2);
    input.items.push_back(MakeTransactWrite(write));
    Note("TransactWriteItems " + Describe(write));
  }
  const bool with_token = random_.Percent(20);
  if (with_token) {
    input.client_request_token = "token" + std::to_string(random_.Below(1'000'000'000));
  }
  auto answer = database_->TransactWriteItems(input);
  if (std::ranges::any_of(writes, [&](const Write& write) {
        return TableOf(write.table).SetsEmptyIndexKey(write);
      })) {
    EXPECT_EQ(CodeOf(answer), ErrorCode::kValidation) << MessageOf(answer);
    return;
  }
  if (fails) {
    ASSERT_EQ(CodeOf(answer), ErrorCode::kTransactionCanceled) << MessageOf(answer);
    EXPECT_EQ(DescribeReasons(answer.error()), DescribeReasons(writes, outcomes));
    return;
  }
  ASSERT_EQ(CodeOf(answer), std::nullopt) << MessageOf(answer);
  EXPECT_EQ(Describe(answer->consumed_capacity), Describe(units));
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Commit(writes[i], outcomes[i]);
  }
  if (with_token) {
    // Nothing happens again; CompareEverything would see it. What the first call was charged for is read.
    std::map<std::string, Units> again;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const auto size = [](const std::optional<Item>& item) { return item ? SizeBytes(*item) : 0; };
      again[writes[i].table].table +=
          ReadUnits(std::max(size(outcomes[i].old_item), size(outcomes[i].new_item)),
                    Reading::kTransactional);
    }
    answer = database_->TransactWriteItems(input);
    ASSERT_EQ(CodeOf(answer), std::nullopt) << MessageOf(answer);
    EXPECT_EQ(Describe(answer->consumed_capacity), Describe(again));
  }
}

void History::TransactGetMany() {
  TransactGetItemsInput input{.return_consumed_capacity = ReturnConsumedCapacity::kIndexes};
  std::vector<std::optional<Item>> expected;
  std::map<std::string, Units> units;
  for (const Table& table : tables_) {
    for (const Item& key : DifferentKeys(table, 1 + random_.Below(3))) {
      TransactGet& get =
          input.items.emplace_back(TransactGet{.table_name = table.name(), .key = key});
      const Item* item = table.Find(key);
      expected.push_back(item ? std::optional(*item) : std::nullopt);
      units[table.name()].table += ReadUnits(item ? SizeBytes(*item) : 0, Reading::kTransactional);
      if (random_.Percent(30)) {
        const auto names = random_.NextProjection();
        AddProjection(names, get);
        const Item shown = item ? Only(*item, names) : Item();
        expected.back() = shown.empty() ? std::nullopt : std::optional(shown);
      }
    }
  }
  Note("TransactGetItems");
  const auto answer = database_->TransactGetItems(input);
  ASSERT_EQ(CodeOf(answer), std::nullopt) << MessageOf(answer);
  EXPECT_EQ(Text(answer->items), Text(expected));
  EXPECT_EQ(Describe(answer->consumed_capacity), Describe(units));
}

// ---- Tables

void History::ChangeIndexes() {
  Table& table = AnyTable();
  UpdateTableInput input{.table_name = table.name()};
  GlobalIndexUpdate& change = input.global_index_updates.emplace(1, GlobalIndexUpdate()).front();
  const auto& existing = table.schema().global_indexes;
  if (existing && !existing->empty() && random_.Percent(50)) {
    change.remove = random_.Pick(*existing).index_name;
    table.DropIndex(std::string(*change.remove));
  } else {
    const IndexSpecification index =
        random_.NextGlobalIndex("added" + std::to_string(random_.Below(1'000'000)));
    std::vector<AttributeDefinition> definitions;
    for (const KeySchemaElement& element : index.key_schema) {
      definitions.push_back({element.attribute_name, TypeOf(table, element.attribute_name)});
    }
    table.AddIndex(index, definitions);
    change.create = index;
    input.attribute_definitions = std::move(definitions);
  }
  Note("UpdateTable " + table.name() + " " + Describe(table.schema()));
  const auto answer = database_->UpdateTable(input);
  ASSERT_EQ(CodeOf(answer), std::nullopt) << MessageOf(answer);
  engine::EngineOf(*database_).background().DrainForTesting();
}

void History::CompareEverything() {
  CompareStreams();
  for (const Table& table : tables_) {
    CompareTable(table);
  }
}

void History::CompareTable(const Table& table) {
  std::vector<std::optional<std::string>> names = {std::nullopt};
  for (const IndexSpecification* index : table.Indexes()) {
    names.emplace_back(index->index_name);
  }
  const TableDescription described = Must(database_->DescribeTable(table.name()));
  for (const auto& name : names) {
    std::vector<Item> expected;
    std::int64_t bytes = 0;
    for (const Entry& entry : table.Entries(name)) {
      expected.push_back(entry.entry);
      bytes += static_cast<std::int64_t>(SizeBytes(entry.entry));
    }
    const std::string where = table.name() + " " + name.value_or("itself");
    EXPECT_EQ(SortedText(ScanAll(*database_, table.name(), name)), SortedText(expected)) << where;
    EXPECT_EQ(FiguresOf(described, name),
              (std::pair(static_cast<std::int64_t>(expected.size()), bytes)))
        << where;
  }
}

}  // namespace prejoin::reference
