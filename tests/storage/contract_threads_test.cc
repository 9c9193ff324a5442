// What every store must do for many callers at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <random>
#include <thread>

#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

class StoreThreads : public testing::TestWithParam<Kind> {
 protected:
  StoreThreads() : store_(GetParam()) {}

  // Runs `work(thread index)` on each of `count` threads and waits for them.
  template <class Work>
  static void OnThreads(std::uint32_t count, const Work& work) {
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < count; ++i) {
      threads.emplace_back([&work, i] { work(i); });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }

  StoreUnderTest store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreThreads, testing::ValuesIn(KindsUnderTest()), NameOf);

std::int64_t NumberIn(std::optional<std::string_view> value) {
  return value ? std::stoll(std::string(*value)) : 0;
}

TEST_P(StoreThreads, IncrementsAreNotLost) {
  const std::string key = MakeKey(1, 1, "counter");
  OnThreads(4, [&](std::uint32_t) {
    for (int i = 0; i < 500; ++i) {
      const auto ticket =
          store_->Transact(std::span(&key, 1), [&](Transaction& transaction) -> Status {
            transaction.Put(key, std::to_string(NumberIn(transaction.Value(0)) + 1));
            return {};
          });
      ASSERT_TRUE(ticket.has_value());
    }
  });
  EXPECT_EQ(Get(*store_, key), "2000");
}

TEST_P(StoreThreads, WhoHasSeenOneChangeSeesTheOthers) {
  constexpr int kRounds = 3000;
  // Of many spaces and partitions: wherever a store keeps them, some are kept apart.
  std::vector<std::string> keys;
  for (std::uint32_t i = 0; i < 12; ++i) {
    keys.push_back(MakeKey(20 + i, i * 0x15000000u, "k"));
    Put(*store_, keys.back(), "0");
  }
  std::atomic<bool> done = false;
  OnThreads(2, [&](std::uint32_t thread) {
    if (thread == 0) {
      for (int round = 1; round <= kRounds; ++round) {
        ASSERT_TRUE(store_->Transact(keys, [&](Transaction& transaction) -> Status {
          for (const std::string& key : keys) {
            transaction.Put(key, std::to_string(round));
          }
          return {};
        }));
      }
      done = true;
      return;
    }
    std::mt19937 random(7);
    while (!done) {
      const std::string& first = keys[random() % keys.size()];
      const std::string& second = keys[random() % keys.size()];
      const std::int64_t seen = NumberIn(Get(*store_, first));
      ASSERT_GE(NumberIn(Get(*store_, second)), seen);
    }
  });
}

TEST_P(StoreThreads, TransfersNeverChangeTheSum) {
  constexpr std::uint32_t kAccounts = 20;
  std::vector<std::string> keys;
  for (std::uint32_t i = 0; i < kAccounts; ++i) {
    keys.push_back(MakeKey(i % 3, i * 0x0D000000u, std::to_string(i)));
    Put(*store_, keys.back(), "1000");
  }
  std::atomic<int> writers = 3;
  OnThreads(5, [&](std::uint32_t thread) {
    std::mt19937 random(thread);
    if (thread < 3) {
      for (int i = 0; i < 500; ++i) {
        const std::vector<std::string> pair = {keys[random() % kAccounts],
                                               keys[random() % kAccounts]};
        const auto ticket = store_->Transact(pair, [&](Transaction& transaction) -> Status {
          if (pair[0] != pair[1]) {
            transaction.Put(pair[0], std::to_string(NumberIn(transaction.Value(0)) - 7));
            transaction.Put(pair[1], std::to_string(NumberIn(transaction.Value(1)) + 7));
          }
          return {};
        });
        ASSERT_TRUE(ticket.has_value());
      }
      --writers;
      return;
    }
    do {
      std::int64_t sum = 0;
      if (thread == 3) {
        const auto values = store_->GetTogether(keys);
        ASSERT_TRUE(values.has_value());
        for (const auto& value : *values) {
          sum += NumberIn(value);
        }
      } else {
        const auto ticket = store_->Transact(keys, [&](Transaction& transaction) -> Status {
          sum = 0;
          for (std::uint32_t i = 0; i < kAccounts; ++i) {
            sum += NumberIn(transaction.Value(i));
          }
          return {};
        });
        ASSERT_TRUE(ticket.has_value());
      }
      ASSERT_EQ(sum, 1000 * kAccounts);
    } while (writers > 0);
  });
}

// Two keys of one partition always change together, beside keys elsewhere.
TEST_P(StoreThreads, VisitOfOnePartitionSeesWholeTransactions) {
  const std::vector<std::string> keys = {MakeKey(1, 0x77000000, "a"), MakeKey(5, 1, "x"),
                                         MakeKey(1, 0x77000000, "b")};
  std::atomic<bool> done = false;
  OnThreads(2, [&](std::uint32_t thread) {
    if (thread == 0) {
      for (int i = 0; i < 1000; ++i) {
        const auto ticket = store_->Transact(keys, [&](Transaction& transaction) -> Status {
          for (const std::string& key : keys) {
            transaction.Put(key, std::to_string(i));
          }
          return {};
        });
        ASSERT_TRUE(ticket.has_value());
      }
      done = true;
      return;
    }
    while (!done) {
      const Pairs pairs = ReadRange(
          *store_, {MakeKey(1, 0x77000000, ""), MakeKey(1, 0x77000000, "c"), Direction::kForward});
      if (!pairs.empty()) {
        ASSERT_EQ(pairs.size(), 2u);
        ASSERT_EQ(pairs[0].second, pairs[1].second);
      }
    }
  });
}

// Whatever a store keeps of earlier visits: a commit that returned is in every later one.
TEST_P(StoreThreads, VisitShowsEveryCommitThatReturned) {
  const std::string key = MakeKey(1, 0x77000000, "k");
  const Range range{MakeKey(1, 0x77000000, ""), MakeKey(1, 0x77000000, "z"), Direction::kForward};
  std::atomic<int> committed = 0;
  std::atomic<bool> done = false;
  OnThreads(3, [&](std::uint32_t thread) {
    if (thread == 0) {
      for (int i = 1; i <= 2000; ++i) {
        Put(*store_, key, std::to_string(i));
        committed = i;
      }
      done = true;
      return;
    }
    while (!done) {
      const int before = committed;
      // Often enough for anything that is kept to be used.
      for (int i = 0; i < 4; ++i) {
        const Pairs pairs = ReadRange(*store_, range);
        ASSERT_GE(pairs.empty() ? 0 : std::stoi(pairs[0].second), before);
      }
    }
  });
  EXPECT_EQ(ReadRange(*store_, range), (Pairs{{key, "2000"}}));
}

TEST_P(StoreThreads, TicketsAreUniqueAndBecomeDurable) {
  std::vector<std::vector<Ticket>> tickets(8);
  OnThreads(8, [&](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < 50; ++i) {
      const std::string key = MakeKey(thread, i << 20, "k");
      const Ticket ticket = Put(*store_, key, "v");
      tickets[thread].push_back(ticket);
      ASSERT_GE(store_->NewestTicket(key), ticket);
      if (i % 5 == 0) {
        ASSERT_TRUE(store_->WaitDurable(ticket).has_value());
        ASSERT_TRUE(store_->IsDurable(ticket));
      }
    }
  });
  std::vector<Ticket> all;
  for (const auto& list : tickets) {
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
    all.insert(all.end(), list.begin(), list.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  EXPECT_TRUE(store_->WaitDurable(store_->NewestTicket()).has_value());
  EXPECT_TRUE(store_->IsDurable(all.back()));
}

TEST_P(StoreThreads, EachCallbackRunsOnceAndOnlyWhenDurable) {
  constexpr std::uint32_t kThreads = 4;
  constexpr std::uint32_t kCalls = 200;
  std::vector<std::atomic<int>> calls(kThreads * kCalls);
  std::atomic<std::uint32_t> total = 0;
  OnThreads(kThreads, [&](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < kCalls; ++i) {
      const Ticket ticket = Put(*store_, MakeKey(thread, i << 20, "k"), "v");
      store_->WhenDurable(ticket, [&, index = thread * kCalls + i, ticket](const Status& status) {
        EXPECT_TRUE(status.has_value());
        EXPECT_TRUE(store_->IsDurable(ticket));
        ++calls[index];
        ++total;
        total.notify_all();
      });
      if (i % 50 == 0) {
        ASSERT_TRUE(store_->WaitDurable(ticket).has_value());
      }
    }
  });
  for (std::uint32_t now = total; now < kThreads * kCalls; now = total) {
    total.wait(now);
  }
  for (const std::atomic<int>& count : calls) {
    EXPECT_EQ(count, 1);
  }
}

TEST_P(StoreThreads, SpacesComeAndGoBesideOtherWork) {
  std::atomic<bool> done = false;
  OnThreads(2, [&](std::uint32_t thread) {
    if (thread == 0) {
      for (std::uint32_t space = 100; space < 130; ++space) {
        for (std::uint32_t i = 0; i < 50; ++i) {
          Put(*store_, MakeKey(space, i << 26, "k"), "v");
        }
        ASSERT_TRUE(store_->DeleteSpace(space).has_value());
      }
      done = true;
      return;
    }
    for (std::uint32_t i = 0; !done; ++i) {
      const std::string key = MakeKey(1, i << 22, "k");
      Put(*store_, key, "v");
      ASSERT_EQ(Get(*store_, key), "v");
    }
  });
  EXPECT_TRUE(KeysIn(*store_, {SpacePrefix(100), SpacePrefix(130), Direction::kForward}).empty());
}

}  // namespace
}  // namespace prejoin::storage
