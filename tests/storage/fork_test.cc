// Forks of the memory store: two stores that share what neither has changed.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/store.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

using Contents = std::map<std::string, std::string>;

Contents Everything(Store& store) {
  Contents contents;
  for (const auto& [key, value] : ReadRange(store, {})) {
    contents[key] = value;
  }
  return contents;
}

TEST(Fork, OnlyTheMemoryStoreCan) {
  TempDirectory directory;
  RocksStoreOptions options;
  options.path = directory.path();
  EXPECT_EQ((*OpenRocksStore(options))->Fork(), nullptr);
}

// A tree of stores, each with a map beside it that says what it must hold.
TEST(Fork, StoresThatShareNeverSeeEachOthersChanges) {
  std::mt19937 random(20261118);
  const auto draw = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };
  struct Side {
    std::unique_ptr<Store> store;
    Contents expected;
  };
  std::vector<Side> sides;
  sides.push_back({NewMemoryStore(), {}});
  int forks = 0;
  for (int step = 0; step < 20'000; ++step) {
    Side& side = sides[draw(static_cast<std::uint32_t>(sides.size()))];
    // Few keys on few hashes, so that sides meet in the same trees.
    const std::string key = MakeKey(1 + draw(3), (draw(8)) << 24, std::to_string(draw(40)));
    const unsigned action = draw(100);
    if (action < 60) {
      const std::string value = std::to_string(step);
      Put(*side.store, key, value);
      side.expected[key] = value;
    } else if (action < 90) {
      Delete(*side.store, key);
      side.expected.erase(key);
    } else if (action < 91) {
      const std::uint32_t space = 1 + draw(3);
      ASSERT_TRUE(side.store->DeleteSpace(space));
      std::erase_if(side.expected,
                    [&](const auto& entry) { return entry.first.starts_with(SpacePrefix(space)); });
    } else if (action < 95 && sides.size() < 8) {
      Contents expected = side.expected;
      auto fork = side.store->Fork();
      sides.push_back({std::move(fork), std::move(expected)});
      ++forks;
    } else if (action == 99 && sides.size() > 1) {
      sides.erase(sides.begin() +
                  static_cast<std::ptrdiff_t>(draw(static_cast<std::uint32_t>(sides.size()))));
    }
    if (step % 500 == 0) {
      for (Side& each : sides) {
        ASSERT_EQ(Everything(*each.store), each.expected) << "step " << step;
      }
    }
  }
  EXPECT_GT(forks, 100);
}

// Transactions write two keys of different shards with one value: a fork has both or neither.
TEST(Fork, SeesNoTransactionInPart) {
  const auto store = NewMemoryStore();
  const std::string keys[] = {MakeKey(1, 0x01000000, "a"), MakeKey(1, 0x80000000, "b")};
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      ASSERT_TRUE(store->Transact(keys, [&](Transaction& transaction) -> Status {
        transaction.Put(keys[0], std::to_string(i));
        transaction.Put(keys[1], std::to_string(i));
        return {};
      }));
    }
  });
  for (int i = 0; i < 200; ++i) {
    const auto fork = store->Fork();
    EXPECT_EQ(Get(*fork, keys[0]), Get(*fork, keys[1]));
    Put(*fork, keys[0], "changed in the fork");
  }
  stop = true;
  writer.join();
  EXPECT_EQ(Get(*store, keys[0]), Get(*store, keys[1]));
}

// Every side writes the trees that all of them share at the begin. The thread sanitizer looks at this one.
TEST(Fork, SidesAreWrittenOnThreadsOfTheirOwn) {
  const auto origin = NewMemoryStore();
  for (unsigned i = 0; i < 400; ++i) {
    Put(*origin, MakeKey(1, i << 23, "k"), "0");
  }
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int number = 1; number <= 4; ++number) {
    threads.emplace_back([&wrong, number, store = origin->Fork()] {
      for (unsigned i = 0; i < 400; ++i) {
        Put(*store, MakeKey(1, i << 23, "k"), std::to_string(number));
      }
      for (const auto& [key, value] : Everything(*store)) {
        wrong += value != std::to_string(number);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
  for (const auto& [key, value] : Everything(*origin)) {
    EXPECT_EQ(value, "0");
  }
}

}  // namespace
}  // namespace prejoin::storage
