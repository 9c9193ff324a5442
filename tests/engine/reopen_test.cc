// What a database finds when it is opened again.
#include <future>
#include <thread>

#include "engine/engine_of.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

enum class Disk { kMemory, kRocks };

// A store that outlives the database on it.
class Reopen : public testing::TestWithParam<Disk> {
 protected:
  Reopen() { Open(); }

  void Open() {
    db_.reset();
    if (GetParam() == Disk::kMemory) {
      memory_ = memory_ ? std::move(memory_) : storage::NewMemoryStore();
    } else {
      rocks_.reset();
      auto opened = storage::OpenRocksStore({.path = directory_.path(),
                                             .sync = storage::SyncMode::kNone,
                                             .block_cache_bytes = 1 << 20});
      PJ_CHECK(opened.has_value());
      rocks_ = *std::move(opened);
    }
    auto proxy = std::make_unique<StoreProxy>(memory_ ? *memory_ : *rocks_);
    store_ = proxy.get();
    db_ = OpenOn(std::move(proxy), clock_);
  }

  FakeClock clock_;
  TestDirectory directory_;
  std::unique_ptr<storage::Store> memory_;
  std::unique_ptr<storage::Store> rocks_;
  std::unique_ptr<Database> db_;
  StoreProxy* store_ = nullptr;  // Owned by db_.
};

CreateTableInput FullTable() {
  auto input = MakeTable("T", Keys({"pk"}, {"nk"}),
                         {MakeIndex("g", Keys({"a", "b2"}, {"nc"}),
                                    {ProjectionType::kInclude, std::vector<std::string>{"x"}}),
                          MakeIndex("k", Keys({"a"}), {ProjectionType::kKeysOnly})},
                         {MakeIndex("l", Keys({"pk"}, {"a"}))});
  input.tags = {{"team", "blue"}};
  input.deletion_protection = true;
  input.table_class = TableClass::kStandardInfrequentAccess;
  input.stream = StreamSpecification{.enabled = true, .view_type = StreamViewType::kNewImage};
  return input;
}

TEST_P(Reopen, TablesAreAsTheyWere) {
  Must(db_->CreateTable(FullTable()));
  Must(db_->CreateTable(MakeTable("U", Keys({"bpk"}))));
  const auto before = Must(db_->DescribeTable("T"));
  clock_.Advance(1000);
  Open();
  EXPECT_EQ(Must(db_->ListTables({})).table_names, (std::vector<std::string>{"T", "U"}));
  const auto after = Must(db_->DescribeTable("T"));
  EXPECT_EQ(after.table_id, before.table_id);
  EXPECT_EQ(after.created_ms, before.created_ms);
  EXPECT_EQ(after.key_schema, before.key_schema);
  EXPECT_EQ(after.attribute_definitions, before.attribute_definitions);
  EXPECT_EQ(after.billing_mode, before.billing_mode);
  EXPECT_EQ(after.deletion_protection, true);
  EXPECT_EQ(after.table_class, TableClass::kStandardInfrequentAccess);
  EXPECT_EQ(after.stream_label, before.stream_label);
  ASSERT_EQ(after.global_indexes.size(), 2u);
  EXPECT_EQ(after.global_indexes[0].key_schema, before.global_indexes[0].key_schema);
  EXPECT_EQ(after.global_indexes[0].projection, before.global_indexes[0].projection);
  ASSERT_EQ(after.local_indexes.size(), 1u);
  const auto tags = Must(db_->ListTagsOfResource(after.arn)).tags;
  ASSERT_EQ(tags.size(), 1u);
  EXPECT_EQ(tags[0].value, "blue");
}

TEST_P(Reopen, ItemsIndexesAndFiguresAreThere) {
  Must(db_->CreateTable(FullTable()));
  for (int i = 0; i < 50; ++i) {
    Put(*db_, "T",
        {{"pk", "p" + std::to_string(i % 5)},
         {"nk", i},
         {"a", "a"},
         {"b2", Binary("b")},
         {"nc", i}});
  }
  const auto before = Must(db_->DescribeTable("T"));
  EXPECT_EQ(before.item_count, 50);
  Open();
  const auto after = Must(db_->DescribeTable("T"));
  EXPECT_EQ(after.item_count, 50);
  EXPECT_EQ(after.size_bytes, before.size_bytes);
  EXPECT_EQ(after.global_indexes[1].item_count, 50);
  EXPECT_EQ(after.local_indexes[0].size_bytes, before.local_indexes[0].size_bytes);
  EXPECT_EQ(Must(db_->Scan({.table_name = "T"})).count, 50);
  EXPECT_EQ(Must(db_->Scan({.table_name = "T", .index_name = "l"})).count, 50);
  // The spaces of a new table are not those of an old one.
  Must(db_->CreateTable(MakeTable("U", Keys({"pk"}))));
  EXPECT_EQ(Must(db_->Scan({.table_name = "U"})).count, 0);
}

TEST_P(Reopen, FiguresAreCountedAgainAfterACrash) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))})));
  Put(*db_, "T", {{"pk", "1"}, {"a", "x"}});
  Put(*db_, "T", {{"pk", "2"}});
  Open();
  Put(*db_, "T", {{"pk", "3"}, {"a", "y"}});
  // A crash is a stop that can write nothing more.
  store_->broken = true;
  Open();
  engine::EngineOf(*db_).counting().DrainForTesting();
  const auto counted = Must(db_->DescribeTable("T"));
  EXPECT_EQ(counted.item_count, 3);
  EXPECT_EQ(counted.global_indexes[0].item_count, 2);
}

TEST_P(Reopen, TokensAreRemembered) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  const TransactWriteItemsInput input{
      .items = {{.action = TransactAction::kUpdate,
                 .table_name = "T",
                 .item_or_key = {{"pk", "a"}},
                 .update_expression = "ADD x :one",
                 .expression_attribute_values = AttributeValues{{":one", 1}}}},
      .client_request_token = "token"};
  Must(db_->TransactWriteItems(input));
  Open();
  Must(db_->TransactWriteItems(input));
  EXPECT_EQ(Text(Get(*db_, "T", {{"pk", "a"}})), "{pk: \"a\", x: 1}");
}

TEST_P(Reopen, InterruptedIndexBuildGoesOn) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  for (int i = 0; i < 300; ++i) {
    Put(*db_, "T", {{"pk", std::to_string(i)}, {"a", "v" + std::to_string(i % 3)}});
  }
  // Stops the build at its second step: the background thread waits until the database closes.
  std::promise<void> closing;
  const std::shared_future<void> gate = closing.get_future();
  const std::thread::id own = std::this_thread::get_id();
  std::atomic<int> steps = 0;
  std::promise<void> arrived;
  store_->before_transact = [&, own](auto) {
    if (std::this_thread::get_id() != own && ++steps == 2) {
      arrived.set_value();
      gate.wait();
    }
  };
  UpdateTableInput update{.table_name = "T"};
  update.attribute_definitions = DefinitionsFor({Keys({"a"})});
  update.global_index_updates =
      std::vector<GlobalIndexUpdate>{{.create = MakeIndex("g", Keys({"a"}))}};
  Must(db_->UpdateTable(update));
  arrived.get_future().wait();
  // Closing first gives the order to stop, then waits for the step at hand.
  const Worker& work = engine::EngineOf(*db_).background();
  std::thread closer([&] { db_.reset(); });
  while (!work.stopping()) {
    std::this_thread::yield();
  }
  closing.set_value();
  closer.join();
  Open();
  engine::EngineOf(*db_).background().DrainForTesting();
  const auto described = Must(db_->DescribeTable("T"));
  EXPECT_EQ(described.status, TableStatus::kActive);
  EXPECT_EQ(described.global_indexes[0].status, IndexStatus::kActive);
  EXPECT_EQ(described.global_indexes[0].item_count, 300);
  EXPECT_EQ(Must(db_->Scan({.table_name = "T", .index_name = "g"})).count, 300);
}

// What the background thread had no time to delete must not take room for ever.
TEST_P(Reopen, DroppedTablesAndIndexesAreSwept) {
  Must(db_->CreateTable(MakeTable("Gone", Keys({"pk"}, {"sk"}), {MakeIndex("g", Keys({"a"}))},
                                  {MakeIndex("l", Keys({"pk"}, {"a"}))})));
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))})));
  for (int i = 0; i < 10; ++i) {
    Put(*db_, "Gone", {{"pk", "p"}, {"sk", std::to_string(i)}, {"a", "x"}});
    Put(*db_, "T", {{"pk", std::to_string(i)}, {"a", "x"}});
  }
  store_->keeps_spaces = true;
  Must(db_->DeleteTable("Gone"));
  engine::EngineOf(*db_).background().DrainForTesting();
  const auto count = [&] {
    storage::Range range{.begin = std::string("\0\0\0\x10", 4), .end = std::string("\xff", 1)};
    int keys = 0;
    Must(store_->Visit(range, [&](std::string_view, std::string_view) {
      ++keys;
      return storage::Visit::kContinue;
    }));
    return keys;
  };
  EXPECT_EQ(count(), 51);
  Open();
  engine::EngineOf(*db_).background().DrainForTesting();
  EXPECT_EQ(count(), 20);
  EXPECT_EQ(Must(db_->Scan({.table_name = "T", .index_name = "g"})).count, 10);
}

INSTANTIATE_TEST_SUITE_P(Stores, Reopen, testing::Values(Disk::kMemory, Disk::kRocks),
                         [](const auto& instance) {
                           return instance.param == Disk::kMemory ? "Memory" : "Rocks";
                         });

}  // namespace
}  // namespace prejoin
