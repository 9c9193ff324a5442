// Many threads move money between accounts; nobody may ever see some of it missing.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

constexpr int kAccounts = 20;
constexpr int kEach = 100;
constexpr int kMovesPerThread = 3000;

Item KeyOf(int account) { return {{"pk", "bank"}, {"nsk", account}}; }

std::int64_t Balance(const StoredItem& item) {
  const std::int64_t balance = item.Find("balance")->number()->ToInt64().value();
  return balance;
}

TransactWrite Change(int account, int by) {
  TransactWrite write{.action = TransactAction::kUpdate,
                      .table_name = "T",
                      .item_or_key = KeyOf(account),
                      .update_expression = "SET balance = balance + :by",
                      .expression_attribute_values = AttributeValues{{":by", by}}};
  if (by < 0) {
    write.condition_expression = "balance >= :least";
    (*write.expression_attribute_values)[":least"] = -by;
  }
  return write;
}

class Bank {
 public:
  explicit Bank(Database& db) : db_(db) {
    Must(db.CreateTable(
        MakeTable("T", Keys({"pk"}, {"nsk"}), {MakeIndex("g", Keys({"g"}, {"nbalance"}))})));
    for (int account = 0; account < kAccounts; ++account) {
      Item item = KeyOf(account);
      item.Set("g", "all");
      item.Set("nbalance", 0);
      item.Set("balance", kEach);
      Put(db, "T", item);
    }
  }

  // The second index key changes too, so that entries move.
  void Move(std::mt19937_64& random) {
    const int from = static_cast<int>(random() % kAccounts);
    const int to = static_cast<int>(
        (static_cast<std::size_t>(from) + 1 + random() % (kAccounts - 1)) % kAccounts);
    const int amount = static_cast<int>(1 + random() % 60);
    TransactWrite give = Change(from, -amount);
    TransactWrite take = Change(to, amount);
    take.update_expression = "SET balance = balance + :by, nbalance = :n";
    (*take.expression_attribute_values)[":n"] = amount;
    const auto answer = db_.TransactWriteItems({.items = {give, take}});
    if (answer) {
      ++moved_;
    } else {
      EXPECT_EQ(answer.error().code, ErrorCode::kTransactionCanceled) << answer.error().message;
      ++refused_;
    }
  }

  void CheckByTransaction() {
    TransactGetItemsInput input;
    for (int account = 0; account < kAccounts; ++account) {
      input.items.push_back({.table_name = "T", .key = KeyOf(account)});
    }
    std::int64_t sum = 0;
    for (const auto& item : Must(db_.TransactGetItems(input)).items) {
      sum += Balance(*item);
    }
    EXPECT_EQ(sum, kAccounts * kEach);
  }

  void CheckByQuery(std::optional<std::string> index) {
    const std::string name = index ? "g" : "pk";
    const auto page = Must(db_.Query(
        {.table_name = "T",
         .index_name = index,
         .key_condition_expression = "#k = :v",
         .expression_attribute_names = AttributeNames{{"#k", name}},
         .expression_attribute_values = AttributeValues{{":v", index ? "all" : "bank"}}}));
    EXPECT_EQ(page.count, kAccounts);
    std::int64_t sum = 0;
    for (const StoredItem& item : page.items) {
      const std::int64_t balance = Balance(item);
      EXPECT_GE(balance, 0);
      sum += balance;
    }
    EXPECT_EQ(sum, kAccounts * kEach);
  }

  int moved() const { return moved_; }
  int refused() const { return refused_; }

 private:
  Database& db_;
  std::atomic<int> moved_ = 0;
  std::atomic<int> refused_ = 0;
};

void RunBank(Database& db, int moves_per_thread) {
  Bank bank(db);
  std::atomic<int> writing = 3;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(static_cast<std::uint64_t>(t));
      for (int i = 0; i < moves_per_thread; ++i) {
        bank.Move(random);
      }
      --writing;
    });
  }
  threads.emplace_back([&] {
    while (writing > 0 && !testing::Test::HasFailure()) {
      bank.CheckByTransaction();
    }
  });
  threads.emplace_back([&] {
    while (writing > 0 && !testing::Test::HasFailure()) {
      bank.CheckByQuery(std::nullopt);
      bank.CheckByQuery("g");
    }
  });
  for (std::thread& thread : threads) {
    thread.join();
  }
  bank.CheckByTransaction();
  bank.CheckByQuery("g");
  EXPECT_GT(bank.moved(), 0);
  EXPECT_GT(bank.refused(), 0);
}

TEST(ConcurrentTransactions, KeepTheSumInMemory) {
  const auto db = OpenInMemory();
  RunBank(*db, kMovesPerThread);
}

TEST(ConcurrentTransactions, KeepTheSumOnDisk) {
  const TestDirectory directory;
  auto store = Must(storage::OpenRocksStore(
      {.path = directory.path(), .sync = storage::SyncMode::kNone, .block_cache_bytes = 1 << 20}));
  const auto db = OpenOn(std::move(store), Clock::System());
  RunBank(*db, kMovesPerThread / 5);
}

}  // namespace
}  // namespace prejoin
