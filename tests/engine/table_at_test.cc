// Tables as they were: the kept history, read while the table is written.
#include "engine/history/table_at.h"

#include <map>
#include <random>
#include <set>
#include <thread>

#include "engine/engine_of.h"
#include "engine/history/history.h"
#include "engine/history/history_holds.h"
#include "engine/history/history_numbers.h"
#include "engine/item/record.h"
#include "engine/stream/stream_record.h"
#include "engine/table/catalog.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

using engine::HistoryHold;

using Texts = std::map<std::string, std::string>;  // Stored keys to items.

std::string ItemText(const std::string& record) {
  return Text(engine::DecodeRecord(record).value().item().Decode());
}

Texts TableAt(engine::Engine& engine, const engine::KeptTable& table, engine::SequenceNumber number,
              std::size_t limit) {
  Texts texts;
  std::string from;
  for (int guard = 0; guard < 100'000; ++guard) {
    const auto page = Must(engine::ReadTableAt(engine.store(), table, number, from, limit));
    for (const auto& item : page.items) {
      EXPECT_TRUE(texts.emplace(item.key, ItemText(item.record)).second) << "an item came twice";
    }
    if (!page.next) {
      return texts;
    }
    EXPECT_GT(*page.next, from);
    from = *page.next;
  }
  ADD_FAILURE() << "the pages do not end";
  return texts;
}

Texts TableAt(const HistoryHold& hold, Database& db, std::size_t limit) {
  return TableAt(engine::EngineOf(db), hold.table(), hold.number(), limit);
}

// The table as it is, read in one piece.
Texts TableNow(Database& db, const HistoryHold& hold) {
  return TableAt(engine::EngineOf(db), {hold.table().space, 0xFFFFFFFF}, 0, 1000);
}

class TableAtTest : public testing::TestWithParam<bool> {
 protected:
  TableAtTest() {
    if (!GetParam()) {
      store_ = storage::NewMemoryStore();
    } else {
      store_ = Must(storage::OpenRocksStore({.path = directory_.path(),
                                             .sync = storage::SyncMode::kNone,
                                             .block_cache_bytes = 1 << 20}));
    }
    Open();
  }

  void Open() {
    db_.reset();
    auto proxy = std::make_unique<StoreProxy>(*store_);
    proxy_ = proxy.get();
    db_ = OpenOn(std::move(proxy), clock_);
    engine::EngineOf(*db_).background().DrainForTesting();
  }

  HistoryHold Hold(const std::string& table) {
    auto hold = engine::HoldHistory(engine::EngineOf(*db_), table);
    PJ_CHECK(hold.has_value());
    return *std::move(hold);
  }

  void WriteAtRandom(std::mt19937_64& random) {
    const Item key{{"pk", "p" + std::to_string(random() % 5)}, {"sk", int(random() % 8)}};
    if (random() % 3 == 0) {
      Must(db_->DeleteItem({.table_name = "T", .key = key}));
      return;
    }
    Item item = key;
    item.Set("v", static_cast<std::int64_t>(random() % 1000));
    Put(*db_, "T", item);
  }

  FakeClock clock_;
  TestDirectory directory_;
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<Database> db_;
  StoreProxy* proxy_ = nullptr;  // Owned by db_.
};

// Reads what another store has, and does something after each range read.
class InterruptedStore final : public storage::Store {
 public:
  InterruptedStore(storage::Store& inner, std::function<void()> after_visit)
      : inner_(inner), after_visit_(std::move(after_visit)) {}

  Status Visit(const storage::Range& range,
               FunctionRef<storage::Visit(std::string_view, std::string_view)> visitor) override {
    const Status status = inner_.Visit(range, visitor);
    after_visit_();
    return status;
  }
  Result<std::optional<std::string>> Get(std::string_view key) override { return inner_.Get(key); }
  Result<std::vector<std::optional<std::string>>> GetTogether(
      std::span<const std::string> keys) override {
    return inner_.GetTogether(keys);
  }
  Result<storage::Ticket> Transact(std::span<const std::string> keys,
                                   FunctionRef<Status(storage::Transaction&)> body) override {
    return inner_.Transact(keys, body);
  }
  Status DeleteSpace(std::uint32_t space) override { return inner_.DeleteSpace(space); }
  storage::Ticket NewestTicket(std::string_view route) const override {
    return inner_.NewestTicket(route);
  }
  storage::Ticket NewestTicket() const override { return inner_.NewestTicket(); }
  bool IsDurable(storage::Ticket ticket) const override { return inner_.IsDurable(ticket); }
  Status WaitDurable(storage::Ticket ticket) override { return inner_.WaitDurable(ticket); }
  void WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) override {
    inner_.WhenDurable(ticket, std::move(done));
  }
  std::uint64_t ApproximateBytes(std::uint32_t space) const override {
    return inner_.ApproximateBytes(space);
  }

 private:
  storage::Store& inner_;
  std::function<void()> after_visit_;
};

CreateTableInput Sorted(const std::string& name) {
  CreateTableInput input = MakeTable(name, Keys({"pk"}, {"sk"}));
  input.attribute_definitions = {{"pk", ScalarType::kString}, {"sk", ScalarType::kNumber}};
  return input;
}

TEST_P(TableAtTest, ReadsEveryMomentAgain) {
  Must(db_->CreateTable(Sorted("T")));
  std::mt19937_64 random(7);
  for (int i = 0; i < 30; ++i) {
    WriteAtRandom(random);
  }
  std::vector<std::pair<HistoryHold, Texts>> moments;
  for (int i = 0; i < 400; ++i) {
    if (i % 20 == 0) {
      HistoryHold hold = Hold("T");
      const Texts now = TableNow(*db_, hold);
      moments.emplace_back(std::move(hold), now);
    }
    WriteAtRandom(random);
    clock_.Advance(i % 3);
  }
  for (const std::size_t limit : {1u, 2u, 3u, 7u, 1000u}) {
    for (const auto& [hold, expected] : moments) {
      EXPECT_EQ(TableAt(hold, *db_, limit), expected) << hold.number() << " by " << limit;
    }
  }
}

TEST_P(TableAtTest, TellsWhatChangedBetweenTwoMoments) {
  Must(db_->CreateTable(Sorted("T")));
  std::mt19937_64 random(11);
  const HistoryHold start = Hold("T");
  for (int i = 0; i < 60; ++i) {
    WriteAtRandom(random);
  }
  const HistoryHold from = Hold("T");
  for (int i = 0; i < 20; ++i) {
    WriteAtRandom(random);
  }
  const HistoryHold to = Hold("T");
  for (int i = 0; i < 60; ++i) {
    WriteAtRandom(random);
  }
  const Texts before = TableAt(from, *db_, 100);
  const Texts after = TableAt(to, *db_, 100);
  for (const std::size_t limit : {1u, 3u, 100u}) {
    Texts replayed = before;
    std::string key;
    int changed = 0;
    for (std::optional<std::string> next = ""; next;) {
      auto page = Must(engine::ReadChangesBetween(engine::EngineOf(*db_).store(), from.table(),
                                                  {.from = from.number(), .to = to.number()}, *next,
                                                  limit));
      for (const auto& change : page.changes) {
        EXPECT_LT(key, change.key);
        key = change.key;
        ++changed;
        const auto old_item = before.find(key);
        EXPECT_EQ(change.old_record ? ItemText(*change.old_record) : "none",
                  old_item != before.end() ? old_item->second : "none");
        replayed.erase(key);
        if (change.new_record) {
          replayed[key] = ItemText(*change.new_record);
        }
      }
      next = page.next;
    }
    EXPECT_EQ(replayed, after);
    EXPECT_GT(changed, 5);
    EXPECT_LE(changed, 20);
  }
}

// Old versions of one item, more than are read in one go.
TEST_P(TableAtTest, FindsItsWayThroughManyVersions) {
  Must(db_->CreateTable(Sorted("T")));
  const HistoryHold empty = Hold("T");
  std::vector<HistoryHold> holds;
  for (int i = 0; i < 300; ++i) {
    for (const char* pk : {"a", "b"}) {
      Put(*db_, "T", {{"pk", pk}, {"sk", 1}, {"v", i}});
    }
    if (i % 50 == 10) {
      holds.push_back(Hold("T"));
    }
  }
  EXPECT_TRUE(TableAt(empty, *db_, 10).empty());
  for (std::size_t i = 0; i < holds.size(); ++i) {
    const Texts texts = TableAt(holds[i], *db_, 1);
    ASSERT_EQ(texts.size(), 2u);
    const std::string value = std::to_string(i * 50 + 10);
    EXPECT_NE(texts.begin()->second.find("v: " + value), std::string::npos)
        << texts.begin()->second;
  }
}

// A writer that began with a version of the table from before the history is waited for.
TEST_P(TableAtTest, WaitsForWritersThatDoNotKnowTheHistory) {
  Must(db_->CreateTable(Sorted("T")));
  Put(*db_, "T", {{"pk", "a"}, {"sk", 1}, {"v", 1}});
  std::promise<void> writer_is_there;
  std::promise<void> go_on;
  std::atomic<bool> armed = true;
  proxy_->before_transact = [&](std::span<const std::string>) {
    if (armed.exchange(false)) {
      writer_is_there.set_value();
      go_on.get_future().wait();
    }
  };
  std::thread writer([&] { Put(*db_, "T", {{"pk", "a"}, {"sk", 1}, {"v", 2}}); });
  writer_is_there.get_future().wait();
  std::optional<HistoryHold> hold;
  std::atomic<bool> held = false;
  std::thread holder([&] {
    hold.emplace(Hold("T"));
    held = true;
  });
  // The version that keeps history is out, and yet the hold does not come.
  while (!engine::EngineOf(*db_).catalog().FindOrNull("T")->history) {
    std::this_thread::yield();
  }
  Put(*db_, "T", {{"pk", "b"}, {"sk", 1}});
  EXPECT_FALSE(held);
  go_on.set_value();
  writer.join();
  holder.join();
  Put(*db_, "T", {{"pk", "a"}, {"sk", 1}, {"v", 3}});
  const Texts texts = TableAt(*hold, *db_, 10);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_NE(Text(AttributeValue(2)).size(), 0u);
  bool found = false;
  for (const auto& [key, text] : texts) {
    found = found || text.find("v: 2") != std::string::npos;
  }
  EXPECT_TRUE(found);
}

TEST_P(TableAtTest, HistoryGoesWithTheLastHold) {
  Must(db_->CreateTable(Sorted("T")));
  const auto history = [&] { return engine::EngineOf(*db_).catalog().FindOrNull("T")->history; };
  EXPECT_FALSE(history());
  std::optional<HistoryHold> first = Hold("T");
  std::optional<HistoryHold> second = Hold("T");
  const std::uint32_t space = history()->space;
  EXPECT_EQ(first->table().history_space, space);
  first.reset();
  engine::EngineOf(*db_).background().DrainForTesting();
  ASSERT_TRUE(history());
  Put(*db_, "T", {{"pk", "a"}, {"sk", 1}});
  EXPECT_TRUE(TableAt(*second, *db_, 10).empty());
  second.reset();
  engine::EngineOf(*db_).background().DrainForTesting();
  EXPECT_FALSE(history());
  // A new one begins from nothing.
  EXPECT_NE(Hold("T").table().history_space, space);
}

TEST_P(TableAtTest, ADeletedTableStaysWhileItIsHeld) {
  Must(db_->CreateTable(Sorted("T")));
  Put(*db_, "T", {{"pk", "a"}, {"sk", 1}});
  std::optional<HistoryHold> hold = Hold("T");
  const engine::KeptTable kept = hold->table();
  Put(*db_, "T", {{"pk", "b"}, {"sk", 1}});
  Must(db_->DeleteTable("T"));
  Must(db_->CreateTable(Sorted("T")));
  Put(*db_, "T", {{"pk", "c"}, {"sk", 1}});
  engine::EngineOf(*db_).background().DrainForTesting();
  EXPECT_EQ(TableAt(*hold, *db_, 10).size(), 1u);
  hold.reset();
  engine::EngineOf(*db_).background().DrainForTesting();
  EXPECT_TRUE(TableAt(engine::EngineOf(*db_), kept, 0, 10).empty());
  EXPECT_TRUE(Get(*db_, "T", {{"pk", "c"}, {"sk", 1}}));
}

// A stop before anybody could note why the history is there.
TEST_P(TableAtTest, HistoryThatNobodyNeedsGoesAtTheNextStart) {
  Must(db_->CreateTable(Sorted("T")));
  {
    const HistoryHold hold = Hold("T");
    proxy_->broken = true;
  }
  Open();
  EXPECT_FALSE(engine::EngineOf(*db_).catalog().FindOrNull("T")->history);
  const HistoryHold hold = Hold("T");
  Put(*db_, "T", {{"pk", "b"}, {"sk", 1}});
  EXPECT_TRUE(TableAt(hold, *db_, 10).empty());
}

TEST_P(TableAtTest, RefusesATableThatIsNotThere) {
  const auto hold = engine::HoldHistory(engine::EngineOf(*db_), "T");
  ASSERT_FALSE(hold);
  EXPECT_EQ(hold.error().code, ErrorCode::kTableNotFound);
}

// Numbers never come again, also when a crash comes and the clock goes back.
TEST_P(TableAtTest, NumbersOnlyGrow) {
  engine::SequenceNumber last = 0;
  for (int round = 0; round < 6; ++round) {
    auto& numbers = engine::EngineOf(*db_).history_numbers();
    for (int i = 0; i < 5; ++i) {
      const auto begun = Must(numbers.Begin());
      const auto number = numbers.Take();
      numbers.End(begun);
      EXPECT_GT(number, last);
      EXPECT_GE(number, begun);
      last = number;
      clock_.Advance(i * 300 - 500);
    }
    proxy_->broken = round % 2 == 0;
    clock_.Advance(-10'000);
    Open();
  }
  // After a clean stop they follow the clock again.
  clock_.Advance(3'600'000);
  EXPECT_EQ(engine::TimeOf(Must(engine::EngineOf(*db_).history_numbers().Next())), clock_.NowMs());
  Open();
  EXPECT_EQ(engine::TimeOf(Must(engine::EngineOf(*db_).history_numbers().Next())), clock_.NowMs());
}

// Writes come between the read of the table and that of its history.
TEST_P(TableAtTest, ChangesDuringTheReadDoNotShow) {
  Must(db_->CreateTable(Sorted("T")));
  std::mt19937_64 random(5);
  for (int i = 0; i < 60; ++i) {
    WriteAtRandom(random);
  }
  const HistoryHold hold = Hold("T");
  const Texts expected = TableNow(*db_, hold);
  InterruptedStore store(engine::EngineOf(*db_).store(), [&] {
    for (int i = 0; i < 20; ++i) {
      WriteAtRandom(random);
    }
  });
  for (const std::size_t limit : {1u, 3u, 100u}) {
    Texts found;
    for (std::optional<std::string> next = ""; next;) {
      auto page = Must(engine::ReadTableAt(store, hold.table(), hold.number(), *next, limit));
      for (const auto& item : page.items) {
        EXPECT_TRUE(found.emplace(item.key, ItemText(item.record)).second);
      }
      next = page.next;
    }
    EXPECT_EQ(found, expected) << limit;
  }
}

// Time goes on with every look at the clock, so that whatever could be torn apart would be.
TEST(TableAt, ATransactionIsOneMoment) {
  class TickingClock final : public Clock {
   public:
    std::int64_t NowMs() const override { return ++now_ms_; }

   private:
    mutable std::atomic<std::int64_t> now_ms_ = 1'700'000'000'000;
  };
  const TickingClock clock;
  const auto db = OpenOn(storage::NewMemoryStore(), clock);
  Must(db->CreateTable(Sorted("T")));
  const HistoryHold hold = *engine::HoldHistory(engine::EngineOf(*db), "T");
  for (int i = 0; i < 20; ++i) {
    TransactWriteItemsInput input;
    for (int row = 0; row < 4; ++row) {
      input.items.push_back(
          {.action = TransactAction::kPut,
           .table_name = "T",
           .item_or_key = {{"pk", "p" + std::to_string(row)}, {"sk", 1}, {"v", i}}});
    }
    Must(db->TransactWriteItems(input));
  }
  const std::int64_t end_ms = clock.NowMs();
  std::set<std::string> seen;
  for (std::int64_t ms = engine::TimeOf(hold.number()); ms < end_ms; ++ms) {
    std::set<std::string> values;
    const Texts texts =
        TableAt(engine::EngineOf(*db), hold.table(), engine::SequenceAt(ms + 1), 10);
    EXPECT_TRUE(texts.empty() || texts.size() == 4) << ms;
    for (const auto& [key, text] : texts) {
      values.insert(text.substr(text.find("v: ")));
    }
    EXPECT_LE(values.size(), 1u) << ms;
    seen.merge(values);
  }
  EXPECT_EQ(seen.size(), 20u);
}

// Money moves between items of two tables in transactions; at every moment held, the sum is right.
TEST_P(TableAtTest, NeverShowsHalfATransaction) {
  constexpr int kAccounts = 12;
  constexpr std::int64_t kEach = 100;
  for (const char* table : {"T", "U"}) {
    Must(db_->CreateTable(Sorted(table)));
    for (int i = 0; i < kAccounts; ++i) {
      Put(*db_, table, {{"pk", "p" + std::to_string(i)}, {"sk", i}, {"v", kEach}});
    }
  }
  std::atomic<bool> stop = false;
  std::atomic<int> moves = 0;
  const auto move = [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    while (!stop) {
      const auto change = [&](const std::string& table, int account, int by) {
        return TransactWrite{
            .action = TransactAction::kUpdate,
            .table_name = table,
            .item_or_key = {{"pk", "p" + std::to_string(account)}, {"sk", account}},
            .update_expression = "ADD v :by",
            .expression_attribute_values = AttributeValues{{":by", by}}};
      };
      const int from = static_cast<int>(random() % kAccounts);
      const int to = static_cast<int>((from + 1 + random() % (kAccounts - 1)) % kAccounts);
      TransactWriteItemsInput input;
      input.items = {change("T", from, -3), change("T", to, 2), change("U", to, 1)};
      Must(db_->TransactWriteItems(input));
      ++moves;
    }
  };
  const auto sum = [&](const HistoryHold& hold) {
    std::int64_t total = 0;
    std::string from;
    for (std::optional<std::string> next = ""; next;) {
      auto page = Must(engine::ReadTableAt(engine::EngineOf(*db_).store(), hold.table(),
                                           hold.number(), *next, 3));
      for (const auto& item : page.items) {
        const Item decoded = engine::DecodeRecord(item.record).value().item().Decode();
        const std::int64_t value = decoded.Find("v")->number()->ToInt64().value();
        total += value;
      }
      next = page.next;
    }
    return total;
  };
  std::thread first(move, 1);
  std::thread second(move, 2);
  {
    // Both tables at one number: what left the one is in the other.
    const HistoryHold t = Hold("T");
    const HistoryHold u = Hold("U");
    for (int i = 0; i < 40; ++i) {
      AwaitMore(moves, 1);
      const HistoryHold now = Hold(i % 2 ? "T" : "U");
      const HistoryHold t_now(engine::EngineOf(*db_), "T", t.table(), now.number());
      const HistoryHold u_now(engine::EngineOf(*db_), "U", u.table(), now.number());
      EXPECT_EQ(sum(t_now) + sum(u_now), 2 * kAccounts * kEach);
      clock_.Advance(1);
    }
  }
  stop = true;
  first.join();
  second.join();
}

INSTANTIATE_TEST_SUITE_P(Stores, TableAtTest, testing::Bool(),
                         [](const auto& instance) { return instance.param ? "Rocks" : "Memory"; });

}  // namespace
}  // namespace prejoin
