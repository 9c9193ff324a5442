// Global indexes that follow their table after a while.
#include "engine/engine_of.h"
#include "engine/index/index_outbox.h"
#include "engine/table/space.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

constexpr unsigned kNever = 3'600'000;  // Only what a test drains is applied.

std::unique_ptr<Database> OpenLagging(storage::Store& store, IndexLag lag) {
  Options options;
  options.index_lag = lag;
  auto engine =
      engine::Engine::OpenOn(std::make_unique<StoreProxy>(store), options, Clock::System());
  PJ_CHECK(engine.has_value());
  return engine::DatabaseOn(*std::move(engine));
}

void Drain(Database& db) { engine::EngineOf(db).index_outbox().DrainForTesting(); }

std::string EntriesOf(Database& db, const std::string& index) {
  std::vector<std::string> lines;
  for (const StoredItem& item : Must(db.Scan({.table_name = "T", .index_name = index})).items) {
    lines.push_back(Text(item));
  }
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

std::int64_t CountOf(Database& db) {
  return Must(db.DescribeTable("T")).global_indexes.at(0).item_count;
}

class IndexLagTest : public ::testing::Test {
 protected:
  void Open(IndexLag lag) {
    db_.reset();
    db_ = OpenLagging(*store_, lag);
  }
  void Create() {
    Must(db_->CreateTable(MakeTable("T", Keys({"pk"}, {"nk"}), {MakeIndex("g", Keys({"a"}))},
                                    {MakeIndex("l", Keys({"pk"}, {"nb"}))})));
  }
  void PutA(int number, const std::string& a) {
    Put(*db_, "T", {{"pk", "p"}, {"nk", number}, {"nb", number}, {"a", a}});
  }

  std::unique_ptr<storage::Store> store_ = storage::NewMemoryStore();
  std::unique_ptr<Database> db_;
};

TEST_F(IndexLagTest, HidesAWriteFromGlobalIndexesForAWhile) {
  Open({kNever, kNever});
  Create();
  PutA(1, "x");
  EXPECT_EQ(EntriesOf(*db_, "g"), "");
  EXPECT_EQ(CountOf(*db_), 0);
  EXPECT_EQ(EntriesOf(*db_, "l"), "{a: \"x\", nb: 1, nk: 1, pk: \"p\"}\n");
  EXPECT_EQ(Must(db_->Scan({.table_name = "T"})).count, 1);
  EXPECT_EQ(engine::EngineOf(*db_).index_outbox().waiting(), 1u);
  Drain(*db_);
  EXPECT_EQ(EntriesOf(*db_, "g"), "{a: \"x\", nb: 1, nk: 1, pk: \"p\"}\n");
  EXPECT_EQ(CountOf(*db_), 1);
}

TEST_F(IndexLagTest, AppliesChangesOfAnItemInTheirOrder) {
  Open({kNever, kNever});
  Create();
  for (int i = 0; i < 200; ++i) {
    PutA(1, "v" + std::to_string(i % 7));
  }
  PutA(2, "x");
  Must(db_->DeleteItem({.table_name = "T", .key = {{"pk", "p"}, {"nk", 2}}}));
  Drain(*db_);
  EXPECT_EQ(EntriesOf(*db_, "g"), "{a: \"v3\", nb: 1, nk: 1, pk: \"p\"}\n");
  EXPECT_EQ(CountOf(*db_), 1);
}

TEST_F(IndexLagTest, ShowsAWriteWhenItsTimeHasCome) {
  Open({1, 20});
  Create();
  PutA(1, "x");
  while (EntriesOf(*db_, "g").empty()) {
    std::this_thread::yield();
  }
  EXPECT_EQ(EntriesOf(*db_, "g"), "{a: \"x\", nb: 1, nk: 1, pk: \"p\"}\n");
}

TEST_F(IndexLagTest, LosesNothingOverAStop) {
  Open({kNever, kNever});
  Create();
  PutA(1, "x");
  PutA(2, "x");
  PutA(1, "y");
  Open({0, 0});  // Also a program without a lag applies what is left.
  Drain(*db_);
  EXPECT_EQ(EntriesOf(*db_, "g"),
            "{a: \"x\", nb: 2, nk: 2, pk: \"p\"}\n{a: \"y\", nb: 1, nk: 1, pk: \"p\"}\n");
  PutA(3, "z");
  EXPECT_EQ(Must(db_->Scan({.table_name = "T", .index_name = "g"})).count, 3);
}

TEST_F(IndexLagTest, ForgetsEntriesOfADeletedIndex) {
  Open({kNever, kNever});
  Create();
  PutA(1, "x");
  Must(db_->UpdateTable({.table_name = "T",
                         .global_index_updates = std::vector<GlobalIndexUpdate>{{.remove = "g"}}}));
  engine::EngineOf(*db_).background().DrainForTesting();
  Drain(*db_);
  EXPECT_EQ(engine::EngineOf(*db_).index_outbox().waiting(), 0u);
  std::size_t notes = 0;
  Must(store_->Visit(engine::SpaceRange(engine::kOutboxSpace), [&](auto, auto) {
    ++notes;
    return storage::Visit::kContinue;
  }));
  EXPECT_EQ(notes, 0u);
}

TEST_F(IndexLagTest, ReportsTheUnitsOfEntriesThatComeLater) {
  Open({kNever, kNever});
  Create();
  const auto output =
      Must(db_->PutItem({.table_name = "T",
                         .item = {{"pk", "p"}, {"nk", 1}, {"a", "x"}},
                         .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
  EXPECT_EQ(output.consumed_capacity->global_indexes.at("g").total, 1);
}

}  // namespace
}  // namespace prejoin
