// Durable means durable: what a store called durable, or let a careful reader see, is there after
// the power was cut at any moment.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "storage/rocks_store.h"
#include "tests/rig/seed.h"
#include "tests/storage/lossy_file_system.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

class PowerFailure : public testing::Test {
 protected:
  std::unique_ptr<Store> Open(SyncMode sync = SyncMode::kAlways) {
    RocksStoreOptions options;
    options.sync = sync;
    options.path = directory_.path() + "/data";
    options.block_cache_bytes = 8u << 20;
    auto store = OpenRocksStoreForTesting(options, {env_.get(), 64u << 10});
    EXPECT_TRUE(store.has_value()) << store.error().message;
    return store.has_value() ? *std::move(store) : nullptr;
  }

  TempDirectory directory_;
  std::shared_ptr<LossyFileSystem> files_ = std::make_shared<LossyFileSystem>();
  std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(files_);
};

// Each counter is two keys in different routes that always change together.
struct Counter {
  std::array<std::string, 2> keys;
  std::atomic<int> promised = 0;  // Durable by the store's word.
};

int NumberIn(const std::optional<std::string>& value) { return value ? std::stoi(*value) : 0; }

void Promise(Counter& counter, int number) {
  int old = counter.promised;
  while (old < number && !counter.promised.compare_exchange_weak(old, number)) {
  }
}

// Counts upwards until the power goes.
void Write(Store& store, Counter& counter, std::uint32_t seed) {
  std::mt19937 random(seed);
  for (;;) {
    int number = 0;
    const auto ticket = store.Transact(counter.keys, [&](Transaction& transaction) -> Status {
      number = (transaction.Value(0) ? std::stoi(std::string(*transaction.Value(0))) : 0) + 1;
      for (const std::string& key : counter.keys) {
        transaction.Put(key, std::to_string(number) + std::string(random() % 500, ' '));
      }
      return {};
    });
    if (!ticket.has_value()) {
      return;
    }
    // Not each commit is waited for, so that some are lost.
    if (random() % 4 == 0) {
      if (!store.WaitDurable(*ticket).has_value()) {
        return;
      }
      Promise(counter, number);
    }
  }
}

// Shows what it reads to somebody outside, as a server does.
void Read(Store& store, std::span<Counter> counters) {
  for (std::size_t i = 0;; ++i) {
    Counter& counter = counters[i % counters.size()];
    const std::string& key = counter.keys[i % 2];
    const auto value = store.Get(key);
    if (!value.has_value() || !store.WaitDurable(store.NewestTicket(key)).has_value()) {
      return;
    }
    Promise(counter, NumberIn(*value));
    if (i % 16 == 0) {
      const auto all = store.GetTogether(counter.keys);
      if (!all.has_value() || !store.WaitDurable(store.NewestTicket()).has_value()) {
        return;
      }
      ASSERT_EQ(NumberIn((*all)[0]), NumberIn((*all)[1]));
      Promise(counter, NumberIn((*all)[0]));
    }
  }
}

// PREJOIN_TEST_ROUNDS says how often the power fails.
int Rounds() {
  const char* given = std::getenv("PREJOIN_TEST_ROUNDS");
  return given != nullptr ? std::atoi(given) : 15;
}

TEST_F(PowerFailure, TakesBackNothingThatWasPromised) {
  const int rounds = Rounds();
  std::mt19937 random(TestSeed());
  std::vector<Counter> counters(3);
  for (std::uint32_t i = 0; i < counters.size(); ++i) {
    counters[i].keys = {MakeKey(1, i << 28, "a"), MakeKey(2, ~(i << 28), "b")};
  }
  for (int round = 0; round < rounds; ++round) {
    std::unique_ptr<Store> store = Open();
    ASSERT_NE(store, nullptr);
    for (const Counter& counter : counters) {
      const int survived = NumberIn(Get(*store, counter.keys[0]));
      ASSERT_GE(survived, counter.promised) << "round " << round;
      ASSERT_EQ(survived, NumberIn(Get(*store, counter.keys[1]))) << "round " << round;
    }
    std::vector<std::thread> threads;
    for (Counter& counter : counters) {
      threads.emplace_back(Write, std::ref(*store), std::ref(counter), random());
    }
    threads.emplace_back(Read, std::ref(*store), std::span<Counter>(counters));
    // Until some more was promised, then at a moment that nothing depends on.
    const int wanted = counters[0].promised + 1 + static_cast<int>(random() % 40);
    while (counters[0].promised < wanted) {
      std::this_thread::yield();
    }
    files_->CutPower();
    for (std::thread& thread : threads) {
      thread.join();
    }
    store.reset();
    files_->Lose(random);
  }
  EXPECT_GT(counters[0].promised, rounds);
}

TEST_F(PowerFailure, CleanEndLosesNothing) {
  std::mt19937 random(1);
  for (int round = 0; round < 3; ++round) {
    std::unique_ptr<Store> store = Open();
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(KeysIn(*store, {"", "", Direction::kForward}).size(), 10u * round);
    for (int i = 0; i < 10; ++i) {
      Put(*store, MakeKey(1, static_cast<std::uint32_t>(round), std::to_string(i)), "v");
    }
    store.reset();
    files_->Lose(random);
  }
}

TEST_F(PowerFailure, DeletedSpaceDoesNotComeBackInParts) {
  std::mt19937 random(2);
  std::unique_ptr<Store> store = Open();
  ASSERT_NE(store, nullptr);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    Put(*store, MakeKey(3, i << 20, "k"), std::string(200, 'v'));
  }
  Put(*store, MakeKey(4, 1, "k"), "v");
  ASSERT_TRUE(store->DeleteSpace(3).has_value());
  files_->CutPower();
  store.reset();
  files_->Lose(random);
  store = Open();
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(KeysIn(*store, {"", "", Direction::kForward}).size(), 1u);
}

TEST_F(PowerFailure, FailedSyncEndsAllWriting) {
  std::mt19937 random(3);
  std::unique_ptr<Store> store = Open();
  ASSERT_NE(store, nullptr);
  const std::string key = MakeKey(1, 1, "k");
  ASSERT_TRUE(store->WaitDurable(Put(*store, key, "durable")).has_value());
  files_->FailNextLogSync();
  const Ticket lost = Put(*store, key, "lost");
  const Status wait = store->WaitDurable(lost);
  ASSERT_FALSE(wait.has_value());
  EXPECT_EQ(wait.error().code, ErrorCode::kIo);
  EXPECT_FALSE(store->IsDurable(lost));

  // The disk works again, but nothing is tried again.
  const auto ticket = store->Transact(std::span(&key, 1), [&](Transaction&) -> Status {
    ADD_FAILURE() << "the body ran";
    return {};
  });
  ASSERT_FALSE(ticket.has_value());
  EXPECT_EQ(ticket.error().code, ErrorCode::kIo);
  EXPECT_FALSE(store->WaitDurable(lost).has_value());
  int failures = 0;
  store->WhenDurable(lost, [&](const Status& status) { failures += !status.has_value(); });
  EXPECT_EQ(failures, 1);
  EXPECT_FALSE(store->DeleteSpace(1).has_value());
  // Reads go on, and see what is durable.
  EXPECT_FALSE(store->Health().has_value());
  EXPECT_EQ(Get(*store, key), "durable");
  EXPECT_EQ(store->GetTogether(std::span(&key, 1)).value()[0], "durable");
  EXPECT_EQ(KeysIn(*store, {"", "", Direction::kForward}).size(), 1u);

  files_->CutPower();
  store.reset();
  files_->Lose(random);
  store = Open();
  ASSERT_NE(store, nullptr);
  EXPECT_TRUE(Get(*store, key).has_value());
}

// Others write while the disk refuses the log: nobody may crash, and nobody may be told that his
// write is durable.
TEST_F(PowerFailure, FullDiskAcknowledgesNothing) {
  for (std::uint32_t round = 0; round < 5; ++round) {
    std::unique_ptr<Store> store = Open();
    ASSERT_NE(store, nullptr);
    std::vector<Counter> counters(4);
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < counters.size(); ++i) {
      counters[i].keys = {MakeKey(10 + round, i << 28, "a"), MakeKey(2, ~(i << 28), "b")};
      threads.emplace_back(Write, std::ref(*store), std::ref(counters[i]), i);
    }
    while (counters[0].promised < 5) {
      std::this_thread::yield();
    }
    files_->Fill(LossyFileSystem::Full::kAll);
    for (std::thread& thread : threads) {
      thread.join();
    }
    const std::string key = MakeKey(1, 1, "k");
    const auto ticket =
        store->Transact(std::span(&key, 1), [](Transaction&) -> Status { return {}; });
    ASSERT_FALSE(ticket.has_value());
    EXPECT_EQ(ticket.error().code, ErrorCode::kUnavailable);
    store.reset();
    files_->Fill(LossyFileSystem::Full::kNone);
    store = Open();
    ASSERT_NE(store, nullptr);
    for (const Counter& counter : counters) {
      EXPECT_GE(NumberIn(Get(*store, counter.keys[0])), counter.promised);
    }
  }
}

}  // namespace
}  // namespace prejoin::storage
