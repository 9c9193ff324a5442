// Vector indexes: what gets in, what a search finds, how both follow the table over changes, builds
// and restarts. Random histories: vector_history_test.cc.
#include <algorithm>
#include <cmath>
#include <future>
#include <random>
#include <thread>

#include "engine/engine_of.h"
#include "prejoin/backups.h"
#include "storage/store_directory.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

AttributeValue Vector(const std::vector<int>& values) {
  AttributeValue::List list;
  for (const int value : values) {
    list.emplace_back(value);
  }
  return list;
}

VectorIndexSpecification MakeVectorIndex(std::string name, std::int64_t dimensions = 2) {
  return {.index_name = std::move(name),
          .vector_attribute = "e",
          .dimensions = dimensions,
          .distance = VectorDistance::kEuclidean,
          .projection = Projection{.type = ProjectionType::kAll}};
}

CreateTableInput VectorTable(std::vector<VectorIndexSpecification> indexes) {
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  for (const auto& index : indexes) {
    for (const SearchSchemaElement& element : index.search_schema) {
      const AttributeDefinition definition{element.attribute_name,
                                           TypeByName(element.attribute_name)};
      if (std::ranges::find(input.attribute_definitions, definition) ==
          input.attribute_definitions.end()) {
        input.attribute_definitions.push_back(definition);
      }
    }
  }
  input.vector_indexes = std::move(indexes);
  return input;
}

SearchVectorsInput Near(const std::vector<int>& query, std::int64_t top_k = 10) {
  return {
      .table_name = "T", .index_name = "v", .search_vector = *Vector(query).list(), .top_k = top_k};
}

// "pk=score …", nearest first.
std::string Found(Database& db, const SearchVectorsInput& input) {
  const auto output = db.SearchVectors(input);
  if (!output) {
    return output.error().message;
  }
  std::string text;
  for (const SearchResult& result : output->results) {
    text += (text.empty() ? "" : " ") + *result.item.Decode().Find("pk")->string() + "=" +
            std::to_string(static_cast<int>(result.score));
  }
  return text;
}

TEST(VectorIndex, FindsTheNearestAndFollowsItsItems) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(VectorTable({MakeVectorIndex("v")})));
  Put(*db, "T", {{"pk", "far"}, {"e", Vector({30, 40})}});
  Put(*db, "T", {{"pk", "near"}, {"e", Vector({3, 4})}});
  Put(*db, "T", {{"pk", "none"}});
  EXPECT_EQ(Found(*db, Near({0, 0})), "near=5 far=50");
  EXPECT_EQ(Found(*db, Near({0, 0}, 1)), "near=5");
  Must(db->UpdateItem({.table_name = "T",
                       .key = {{"pk", "far"}},
                       .update_expression = "SET e = :e",
                       .expression_attribute_values = AttributeValues{{":e", Vector({0, 1})}}}));
  EXPECT_EQ(Found(*db, Near({0, 0})), "far=1 near=5");
  Must(
      db->UpdateItem({.table_name = "T", .key = {{"pk", "far"}}, .update_expression = "REMOVE e"}));
  Must(db->DeleteItem({.table_name = "T", .key = {{"pk", "near"}}}));
  EXPECT_EQ(Found(*db, Near({0, 0})), "");
  const auto described = Must(db->DescribeTable("T"));
  ASSERT_EQ(described.vector_indexes.size(), 1);
  EXPECT_EQ(described.vector_indexes[0].item_count, 0);
}

TEST(VectorIndex, SearchesOneHashValueWithFilters) {
  const auto db = OpenInMemory();
  auto index = MakeVectorIndex("v");
  index.search_schema = {{"tenant", SearchSchemaType::kHash},
                         {"colour", SearchSchemaType::kInlineFilter}};
  Must(db->CreateTable(VectorTable({index})));
  const auto put = [&](const char* pk, const char* tenant, const char* colour, int x) {
    Item item{{"pk", pk}, {"e", Vector({x, 0})}, {"tenant", tenant}};
    if (colour != nullptr) {
      item.Set("colour", colour);
    }
    Put(*db, "T", std::move(item));
  };
  put("1", "a", "red", 1);
  put("2", "a", "blue", 2);
  put("3", "b", "red", 3);
  put("4", "a", nullptr, 4);
  auto search = Near({0, 0});
  EXPECT_EQ(Found(*db, search),
            "SearchConditionExpression must be provided when SearchSchema has a HASH key");
  search.search_condition_expression = "tenant = :t";
  search.expression_attribute_values = AttributeValues{{":t", "a"}};
  EXPECT_EQ(Found(*db, search), "1=1 2=2 4=4");
  search.search_condition_expression = "tenant = :t AND colour = :c";
  search.expression_attribute_values = AttributeValues{{":t", "a"}, {":c", "red"}};
  EXPECT_EQ(Found(*db, search), "1=1");
  // The item moves to another tenant.
  put("1", "b", "red", 1);
  EXPECT_EQ(Found(*db, search), "");
  search.expression_attribute_values = AttributeValues{{":t", "b"}, {":c", "red"}};
  EXPECT_EQ(Found(*db, search), "1=1 3=3");
  search.search_condition_expression = "tenant = :t AND colour < :c";
  EXPECT_EQ(
      Found(*db, search),
      "Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression");
  search.search_condition_expression = "tenant = :t AND pk = :c";
  EXPECT_EQ(Found(*db, search),
            "SearchConditionExpression must not contain any attributes that is not in "
            "SearchSchema. Invalid attribute: pk");
}

TEST(VectorIndex, RefusesWhatDoesNotFit) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(VectorTable({MakeVectorIndex("v", 3)})));
  const auto message = [&](AttributeValue vector) {
    const auto put =
        db->PutItem({.table_name = "T", .item = {{"pk", "1"}, {"e", std::move(vector)}}});
    return put ? std::string("fine") : put.error().message;
  };
  const std::string start = "One or more parameter values were invalid. Invalid ";
  EXPECT_EQ(message(Vector({1, 2})),
            start + "size for parameter e, Expected: 3, Actual: 2 IndexName: v");
  EXPECT_EQ(message(AttributeValue::List{1, "x", 3}),
            start +
                "type for parameter e[1], Expected: 32-bit floating point number, Actual: S. "
                "IndexName: v");
  EXPECT_EQ(
      message("text"),
      start + "type for parameter e, Expected: 32-bit floating point number list IndexName: v");
  EXPECT_EQ(message(Vector({1, 2, 3})), "fine");
  EXPECT_EQ(Found(*db, Near({0, 0})),
            "Input search vector dimension 2 does not match vector index dimension 3");
  EXPECT_EQ(Found(*db, Near({0, 0, 0}, 101)),
            "Provided TopK value '101' is out of valid range. The value must be between 1 and 100 "
            "inclusive");
  const auto query = db->Query({.table_name = "T",
                                .index_name = "v",
                                .key_condition_expression = "pk = :p",
                                .expression_attribute_values = AttributeValues{{":p", "1"}}});
  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().message, "Query operation not supported on this index type.");
  const auto scan = db->Scan({.table_name = "T", .index_name = "v"});
  ASSERT_FALSE(scan);
  EXPECT_EQ(scan.error().message, "Scan operation not supported on this index type");
}

TEST(VectorIndex, CanBeAddedToATableThatIsBeingWritten) {
  FakeClock clock;
  const auto store = storage::NewMemoryStore();
  const auto db = OpenOn(std::make_unique<StoreProxy>(*store), clock);
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  for (int i = 0; i < 500; ++i) {
    Put(*db, "T", {{"pk", std::to_string(i)}, {"e", Vector({i, 0})}});
  }
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    std::mt19937 random(1);
    while (!stop) {
      const int i = static_cast<int>(random() % 500);
      Put(*db, "T", {{"pk", std::to_string(i)}, {"e", Vector({i, i % 2})}});
    }
  });
  Must(db->UpdateTable(
      {.table_name = "T",
       .vector_index_updates = std::vector<VectorIndexUpdate>{{.create = MakeVectorIndex("v")}}}));
  engine::EngineOf(*db).background().DrainForTesting();
  stop = true;
  writer.join();
  const auto described = Must(db->DescribeTable("T"));
  EXPECT_EQ(described.vector_indexes.at(0).status, IndexStatus::kActive);
  EXPECT_FALSE(described.vector_indexes.at(0).backfilling);
  EXPECT_EQ(Found(*db, Near({250, 0}, 1)), "250=0");
  // Every item is found under what it is now.
  for (int i = 0; i < 500; i += 50) {
    const auto item = Get(*db, "T", {{"pk", std::to_string(i)}});
    SearchVectorsInput search{.table_name = "T",
                              .index_name = "v",
                              .search_vector = *item->Find("e")->list(),
                              .top_k = 1};
    EXPECT_EQ(Found(*db, search), std::to_string(i) + "=0");
  }
}

TEST(VectorIndex, IsThereAfterAReopen) {
  const auto store = storage::NewMemoryStore();
  FakeClock clock;
  {
    const auto db = OpenOn(std::make_unique<StoreProxy>(*store), clock);
    auto index = MakeVectorIndex("v");
    index.search_schema = {{"tenant", SearchSchemaType::kHash}};
    Must(db->CreateTable(VectorTable({index})));
    Put(*db, "T", {{"pk", "1"}, {"e", Vector({3, 4})}, {"tenant", "a"}});
    Put(*db, "T", {{"pk", "2"}, {"e", Vector({6, 8})}, {"tenant", "a"}});
  }
  const auto db = OpenOn(std::make_unique<StoreProxy>(*store), clock);
  // A change before the first search, which reads the rows.
  Must(db->DeleteItem({.table_name = "T", .key = {{"pk", "1"}}}));
  auto search = Near({0, 0});
  search.search_condition_expression = "tenant = :t";
  search.expression_attribute_values = AttributeValues{{":t", "a"}};
  EXPECT_EQ(Found(*db, search), "2=10");
}

// The rows are some steps of reading, which searches and the loader in the background share; writers
// go on meanwhile.
TEST(VectorIndex, IsLoadedByManyTogether) {
  constexpr int kRows = 600;
  const auto store = storage::NewMemoryStore();
  FakeClock clock;
  const auto vector_of = [](int number) {
    std::vector<int> values(512, 0);
    values[0] = number;
    return values;
  };
  const auto key_of = [](int number) { return std::to_string(10'000 + number); };
  {
    const auto db = OpenOn(std::make_unique<StoreProxy>(*store), clock);
    Must(db->CreateTable(VectorTable({MakeVectorIndex("v", 512)})));
    for (int i = 0; i < kRows; ++i) {
      Put(*db, "T", {{"pk", key_of(i)}, {"e", Vector(vector_of(i))}});
    }
  }
  const auto db = OpenOn(std::make_unique<StoreProxy>(*store), clock);
  std::thread writer([&] {
    for (int i = 0; i < kRows; i += 2) {
      Must(db->DeleteItem({.table_name = "T", .key = {{"pk", key_of(i)}}}));
    }
  });
  std::vector<std::future<std::string>> searches;
  for (int i = 0; i < 6; ++i) {
    // Odd rows stay, whenever the search runs.
    searches.push_back(std::async(std::launch::async, [&, i] {
      return Found(*db, Near(vector_of(99 * i + (99 * i % 2 == 0 ? 1 : 0)), 1));
    }));
  }
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(searches[static_cast<std::size_t>(i)].get(),
              key_of(99 * i + (99 * i % 2 == 0 ? 1 : 0)) + "=0");
  }
  writer.join();
  EXPECT_EQ(Found(*db, Near(vector_of(0), 2)), key_of(1) + "=1 " + key_of(3) + "=3");
}

// An index for a table that has items, seen at each step of its life.
TEST(VectorIndex, SaysInWhichPhaseItIs) {
  const auto store = storage::NewMemoryStore();
  auto owned = std::make_unique<StoreProxy>(*store);
  StoreProxy& proxy = *owned;
  FakeClock clock;
  const auto db = OpenOn(std::move(owned), clock);
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  Put(*db, "T", {{"pk", "1"}, {"e", Vector({3, 4})}});
  // The build waits before the catalog says that writers keep the index, and before its first step.
  std::promise<void> allocate;
  std::promise<void> fill;
  const auto allocated = allocate.get_future().share();
  const auto filled = fill.get_future().share();
  const UpdateTableInput create{
      .table_name = "T",
      .vector_index_updates = std::vector<VectorIndexUpdate>{{.create = MakeVectorIndex("v")}}};
  const UpdateTableInput remove{
      .table_name = "T", .vector_index_updates = std::vector<VectorIndexUpdate>{{.remove = "v"}}};
  std::atomic<int> changes = 0;
  proxy.before_catalog_change = [&] {
    if (++changes == 2) {
      allocated.wait();
    }
  };
  proxy.before_transact = [filled](auto) { filled.wait(); };
  const auto answer = Must(db->UpdateTable(create));
  EXPECT_EQ(answer.status, TableStatus::kUpdating);
  EXPECT_EQ(answer.vector_indexes.at(0).status, IndexStatus::kCreating);
  EXPECT_EQ(answer.vector_indexes.at(0).backfilling, false);
  EXPECT_EQ(Found(*db, Near({0, 0})), "The table does not have the specified index: v");
  allocate.set_value();
  while (!Must(db->DescribeTable("T")).vector_indexes.at(0).backfilling.value_or(true)) {
    std::this_thread::yield();
  }
  const auto described = Must(db->DescribeTable("T"));
  EXPECT_EQ(described.status, TableStatus::kActive);
  EXPECT_EQ(described.vector_indexes.at(0).status, IndexStatus::kCreating);
  EXPECT_EQ(Found(*db, Near({0, 0})), "Cannot search backfilling vector index: v");
  const auto deleted = db->DeleteTable("T");
  ASSERT_FALSE(deleted);
  EXPECT_EQ(deleted.error().message,
            "Attempt to change a resource which is still in use: Cannot delete table while indexes "
            "are being created, updated, or deleted.");
  UpdateTableInput second = create;
  second.vector_index_updates->at(0).create->index_name = "w";
  const auto refused = db->UpdateTable(second);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "Subscriber limit exceeded: Only 1 online index can be created or deleted "
            "simultaneously per table");
  Must(db->UpdateTable(remove));  // Allowed while it is filled.
  EXPECT_EQ(Must(db->DescribeTable("T")).vector_indexes.size(), 0);
  fill.set_value();
  engine::EngineOf(*db).background().DrainForTesting();
  Must(db->UpdateTable(create));
  engine::EngineOf(*db).background().DrainForTesting();
  EXPECT_EQ(Found(*db, Near({0, 0})), "1=5");
}

TEST(VectorIndex, CannotBeDeletedBeforeItIsFilled) {
  const auto store = storage::NewMemoryStore();
  FakeClock clock;
  auto owned = std::make_unique<StoreProxy>(*store);
  StoreProxy& proxy = *owned;
  const auto db = OpenOn(std::move(owned), clock);
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  // A writer of the version before holds the build up.
  std::promise<void> go_on;
  const auto may_go_on = go_on.get_future().share();
  std::atomic<int> waiting = 0;
  proxy.before_transact = [&waiting, may_go_on](auto) {
    ++waiting;
    may_go_on.wait();
  };
  std::thread writer([&] { Put(*db, "T", {{"pk", "1"}, {"e", Vector({3, 4})}}); });
  while (waiting == 0) {
    std::this_thread::yield();
  }
  Must(db->UpdateTable(
      {.table_name = "T",
       .vector_index_updates = std::vector<VectorIndexUpdate>{{.create = MakeVectorIndex("v")}}}));
  const auto removed = db->UpdateTable(
      {.table_name = "T", .vector_index_updates = std::vector<VectorIndexUpdate>{{.remove = "v"}}});
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().message,
            "Attempt to change a resource which is still in use: Index creation is in resource "
            "allocation phase. Retry deletion during backfilling phase or when the index is "
            "active. Table: T Index: v");
  go_on.set_value();
  writer.join();
  engine::EngineOf(*db).background().DrainForTesting();
  EXPECT_EQ(Found(*db, Near({0, 0})), "1=5");
}

TEST(VectorIndex, ComesWithBackupsAndPointsInTime) {
  FakeClock clock;
  const auto db = OpenOn(storage::NewMemoryStore(), clock);
  auto index = MakeVectorIndex("v");
  index.search_schema = {{"colour", SearchSchemaType::kInlineFilter}};
  Must(db->CreateTable(VectorTable({index})));
  Must(db->UpdateContinuousBackups(
      {.table_name = "T", .point_in_time_recovery_enabled = true, .recovery_period_days = {}}));
  Put(*db, "T", {{"pk", "1"}, {"e", Vector({3, 4})}, {"colour", "red"}});
  Put(*db, "T", {{"pk", "2"}, {"e", Vector({6, 8})}});
  const auto backup = Must(db->CreateBackup({.table_name = "T", .backup_name = "first"}));
  const std::int64_t then = clock.NowMs();
  clock.Advance(10'000);
  Must(db->DeleteItem({.table_name = "T", .key = {{"pk", "1"}}}));
  Put(*db, "T", {{"pk", "3"}, {"e", Vector({1, 0})}});
  EXPECT_EQ(Found(*db, Near({0, 0})), "3=1 2=10");
  Must(db->RestoreTableFromBackup(
      {.target_table_name = "B", .backup_arn = backup.arn, .overrides = {}}));
  Must(db->RestoreTableToPointInTime(
      {.source_table_name = "T", .target_table_name = "P", .restore_ms = then}));
  engine::EngineOf(*db).background().DrainForTesting();
  for (const char* table : {"B", "P"}) {
    auto search = Near({0, 0});
    search.table_name = table;
    EXPECT_EQ(Found(*db, search), "1=5 2=10") << table;
    search.search_condition_expression = "colour = :c";
    search.expression_attribute_values = AttributeValues{{":c", "red"}};
    EXPECT_EQ(Found(*db, search), "1=5") << table;
    const auto described = Must(db->DescribeTable(table)).vector_indexes.at(0);
    EXPECT_EQ(described.status, IndexStatus::kActive);
    EXPECT_EQ(described.item_count, 2);
  }
  RestoreTableFromBackupInput restore{
      .target_table_name = "C",
      .backup_arn = backup.arn,
      .overrides = {.billing_mode = BillingMode::kProvisioned,
                    .provisioned_throughput = ProvisionedThroughput{1, 1}}};
  const auto provisioned = db->RestoreTableFromBackup(restore);
  ASSERT_FALSE(provisioned);
  EXPECT_EQ(provisioned.error().message,
            "One or more parameter values were invalid: Vector indexes are only supported for "
            "PAY_PER_REQUEST tables");
  // Without the index it may be one.
  restore.overrides.vector_indexes.emplace();
  Must(db->RestoreTableFromBackup(restore));
  engine::EngineOf(*db).background().DrainForTesting();
  EXPECT_EQ(Must(db->DescribeTable("C")).vector_indexes.size(), 0);
  index.dimensions = 3;
  restore.target_table_name = "D";
  restore.overrides.vector_indexes->push_back(index);
  EXPECT_FALSE(db->RestoreTableFromBackup(restore));
}

TEST(VectorIndex, KeepsOlderProgramsAwayFromItsData) {
  const TestDirectory directory;
  {
    const auto db = Must(Database::Open({.path = directory.path()}));
    Must(db->CreateTable(MakeTable("Plain", Keys({"pk"}))));
    EXPECT_TRUE(
        storage::ClaimStoreDirectory(*storage::DiskFolder(directory.path()), {}).has_value());
    Must(db->CreateTable(VectorTable({MakeVectorIndex("v")})));
    Put(*db, "T", {{"pk", "1"}, {"e", Vector({3, 4})}});
  }
  const auto older = storage::ClaimStoreDirectory(*storage::DiskFolder(directory.path()), {});
  ASSERT_FALSE(older);
  EXPECT_NE(older.error().message.find("\"vectors\""), std::string::npos);
  const auto db = Must(Database::Open({.path = directory.path()}));
  EXPECT_EQ(Found(*db, Near({0, 0})), "1=5");
}

// What an item had before there was an index stays, and does not stop other updates of it.
TEST(VectorIndex, LeavesItemsAloneThatDoNotFit) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  Put(*db, "T", {{"pk", "1"}, {"e", "text"}, {"tenant", 7}});
  auto index = MakeVectorIndex("v");
  index.search_schema = {{"tenant", SearchSchemaType::kHash}};
  Must(db->UpdateTable(
      {.table_name = "T",
       .attribute_definitions = std::vector<AttributeDefinition>{{"tenant", ScalarType::kString}},
       .vector_index_updates = std::vector<VectorIndexUpdate>{{.create = index}}}));
  engine::EngineOf(*db).background().DrainForTesting();
  const auto update = [&](const std::string& expression, AttributeValue value) {
    const auto output =
        db->UpdateItem({.table_name = "T",
                        .key = {{"pk", "1"}},
                        .update_expression = expression,
                        .expression_attribute_values = AttributeValues{{":v", std::move(value)}}});
    return output ? std::string("fine") : output.error().message;
  };
  EXPECT_EQ(update("SET note = :v", 1), "fine");
  EXPECT_EQ(update("SET e = :v", Vector({1})),
            "One or more parameter values were invalid. Invalid size for parameter e, Expected: 2, "
            "Actual: 1 IndexName: v");
  EXPECT_EQ(update("SET tenant = :v", 8),
            "One or more parameter values were invalid: Type mismatch for Index Key tenant "
            "Expected: S Actual: N IndexName: v");
  EXPECT_EQ(update("SET e = :v", Vector({3, 4})), "fine");
  EXPECT_EQ(update("SET tenant = :v", "a"), "fine");
  auto search = Near({0, 0});
  search.search_condition_expression = "tenant = :t";
  search.expression_attribute_values = AttributeValues{{":t", "a"}};
  EXPECT_EQ(Found(*db, search), "1=5");
}

// Squares of these are beyond 32-bit floats.
TEST(VectorIndex, ScoresTheLargestNumbers) {
  const auto db = OpenInMemory();
  for (const auto distance :
       {VectorDistance::kCosine, VectorDistance::kEuclidean, VectorDistance::kDotProduct}) {
    auto index = MakeVectorIndex("v");
    index.distance = distance;
    Must(db->CreateTable(VectorTable({index})));
    const AttributeValue most = Must(Number::Parse("3e38"));
    const AttributeValue least = Must(Number::Parse("-3e38"));
    Put(*db, "T", {{"pk", "same"}, {"e", AttributeValue::List{most, most}}});
    Put(*db, "T", {{"pk", "opposite"}, {"e", AttributeValue::List{least, least}}});
    Put(*db, "T", {{"pk", "across"}, {"e", AttributeValue::List{most, least}}});
    auto search = Near({0, 0});
    search.search_vector = {most, most};
    const auto output = Must(db->SearchVectors(search));
    ASSERT_EQ(output.results.size(), 3);
    EXPECT_EQ(*output.results[0].item.Decode().Find("pk")->string(), "same");
    for (const SearchResult& result : output.results) {
      EXPECT_TRUE(std::isfinite(result.score));
    }
    Must(db->DeleteTable("T"));
  }
}

TEST(VectorIndex, ShowsTheVectorOnlyWhereItIsNamed) {
  const auto db = OpenInMemory();
  auto index = MakeVectorIndex("v");
  index.projection = Projection{.type = ProjectionType::kKeysOnly};
  Must(db->CreateTable(VectorTable({index})));
  Put(*db, "T", {{"pk", "1"}, {"e", Vector({3, 4})}, {"note", "x"}});
  auto search = Near({0, 0});
  EXPECT_EQ(Text(Must(db->SearchVectors(search)).results.at(0).item), R"({pk: "1"})");
  search.projection_expression = "e, note";
  EXPECT_EQ(Text(Must(db->SearchVectors(search)).results.at(0).item), R"({e: [3, 4]})");
}

TEST(VectorIndex, CountsBytesAndUnits) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(VectorTable({MakeVectorIndex("v", 300)})));
  // 300 numbers of ten digits are over 1 KB as numbers of an item, four bytes each in an index.
  AttributeValue::List list(300, AttributeValue(1'234'567'891));
  const auto put =
      Must(db->PutItem({.table_name = "T",
                        .item = {{"pk", "1"}, {"e", list}},
                        .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
  EXPECT_EQ(put.consumed_capacity->table->total, 2);
  EXPECT_EQ(put.consumed_capacity->vector_indexes.at("v"), 2 + 1 + 1 + 300 * 4);
}

}  // namespace
}  // namespace prejoin
