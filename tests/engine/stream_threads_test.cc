// Many writers and a consumer at the same time: every change exactly once, each item's in order.
#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "tests/engine/stream_reader.h"

namespace prejoin {
namespace {

constexpr int kWriters = 4;
constexpr int kStepsEach = 1500;
constexpr int kItems = 40;

std::string KeyText(std::uint64_t number) { return "k" + std::to_string(number % kItems); }

void Step(Database& database, std::mt19937& random, int step) {
  const AttributeValues one{{":one", 1}};
  switch (random() % 6) {
    case 0:
      Put(database, "T", {{"pk", KeyText(random())}, {"x", step}, {"w", "put"}});
      break;
    case 1:
      Must(database.DeleteItem({.table_name = "T", .key = {{"pk", KeyText(random())}}}));
      break;
    case 2: {
      const std::uint64_t a = random() % kItems;
      TransactWriteItemsInput input;
      input.items = {{.action = TransactAction::kUpdate,
                      .table_name = "T",
                      .item_or_key = {{"pk", KeyText(a)}},
                      .update_expression = "ADD x :one",
                      .expression_attribute_values = one},
                     {.action = TransactAction::kDelete,
                      .table_name = "T",
                      .item_or_key = {{"pk", KeyText(a + 1)}}}};
      Must(database.TransactWriteItems(input));
      break;
    }
    case 3: {
      // Fails half the time, after numbers have been taken.
      const std::uint64_t a = random() % kItems;
      TransactWriteItemsInput input;
      input.items = {{.action = TransactAction::kUpdate,
                      .table_name = "T",
                      .item_or_key = {{"pk", KeyText(a)}},
                      .update_expression = "ADD x :one",
                      .expression_attribute_values = one},
                     {.action = TransactAction::kConditionCheck,
                      .table_name = "T",
                      .item_or_key = {{"pk", KeyText(a + 1)}},
                      .condition_expression = "attribute_exists(pk)"}};
      (void)database.TransactWriteItems(input);
      break;
    }
    default:
      Must(database.UpdateItem({.table_name = "T",
                                .key = {{"pk", KeyText(random())}},
                                .update_expression = "ADD x :one",
                                .expression_attribute_values = one}));
  }
}

class StreamThreads : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<storage::Store> NewStore() {
    if (!GetParam()) {
      return storage::NewMemoryStore();
    }
    auto store = storage::OpenRocksStore({.path = directory_.path(),
                                          .sync = storage::SyncMode::kNone,
                                          .block_cache_bytes = 1 << 20});
    PJ_CHECK(store.has_value());
    return *std::move(store);
  }
  TestDirectory directory_;
};

TEST_P(StreamThreads, AConsumerBesideWritersMissesNothingAndSeesNothingTwice) {
  Options options;
  // Shards end and split all the time.
  options.streams = {.shards = 2, .shard_seconds = 3600, .shard_records = 100};
  const auto db = OpenWith(NewStore(), options, Clock::System());
  Must(db->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));

  std::atomic<int> running = kWriters;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      std::mt19937 random(static_cast<unsigned>(writer + 1));
      for (int step = 0; step < kStepsEach; ++step) {
        Step(*db, random, step);
      }
      --running;
    });
  }
  StreamReader reader(*db, StreamArnOf(*db, "T"));
  std::vector<StreamRecord> records;
  bool last = false;
  while (!last) {
    last = running == 0;
    for (StreamRecord& record : reader.Read(50)) {
      records.push_back(std::move(record));
    }
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  std::set<std::string> numbers;
  for (const StreamRecord& record : records) {
    EXPECT_TRUE(numbers.insert(record.sequence_number).second);
  }
  // Each old image was the item's new image before: exact order for each item, nothing lost.
  EXPECT_EQ(Replay(records), Contents(*db, "T", {"pk"}));
  EXPECT_GT(records.size(), std::size_t{kStepsEach});
  EXPECT_GT(ShardsOf(*db, StreamArnOf(*db, "T")).size(), 10u);
  // Who comes later reads the same.
  EXPECT_EQ(ReadStream(*db, StreamArnOf(*db, "T")).size(), records.size());
}

INSTANTIATE_TEST_SUITE_P(Stores, StreamThreads, testing::Bool(),
                         [](const auto& instance) { return instance.param ? "Rocks" : "Memory"; });

}  // namespace
}  // namespace prejoin
