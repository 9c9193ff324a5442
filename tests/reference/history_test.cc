// Random histories against the reference. PREJOIN_TEST_SEED=<seed> runs the history of that seed
// first; PREJOIN_TEST_HISTORIES says how many follow.
#include "tests/reference/history.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>

#include "tests/engine/stream_reader.h"
#include "tests/rig/seed.h"

namespace prejoin::reference {
namespace {

constexpr int kSteps = 60;
constexpr int kStepsBetweenComparisons = 20;

int HistoryCount(int usual) {
  const char* text = std::getenv("PREJOIN_TEST_HISTORIES");
  return text ? std::atoi(text) : usual;
}

using OpenStore = std::function<std::unique_ptr<storage::Store>()>;

enum class Kept { kNothing, kEverything };

// With kEverything, `open` finds what was there before, and the database is opened again and again.
void RunHistory(const OpenStore& open, Kept kept, std::uint64_t seed) {
  FakeClock clock;
  clock.Advance(2000 - clock.NowMs());
  Options options;
  options.streams = {.shards = 2, .shard_seconds = 3600, .shard_records = 20};
  const auto open_database = [&] { return OpenWith(open(), options, clock); };
  History history(open_database(), clock, seed);
  for (int step = 1; step <= kSteps && !testing::Test::HasFailure(); ++step) {
    history.Step();
    if (step % kStepsBetweenComparisons == 0) {
      if (kept == Kept::kEverything) {
        history.Reopen(open_database);
      }
      history.CompareEverything();
    }
  }
  if (testing::Test::HasFailure()) {
    std::cout << SeedMessage(seed) << " repeats this history:\n" << history.Log() << std::endl;
  }
}

// In parts, so that they can run beside each other.
class Histories : public testing::TestWithParam<int> {};

TEST_P(Histories, AgreeWithTheReference) {
  const std::uint64_t first = TestSeed();
  const int count = HistoryCount(1000);
  for (int i = 0; i < count && !HasFailure(); ++i) {
    RunHistory(storage::NewMemoryStore, Kept::kNothing, first + static_cast<std::uint64_t>(i));
  }
}

INSTANTIATE_TEST_SUITE_P(Memory, Histories, testing::Range(0, 3));

TEST(HistoriesOnDisk, AgreeWithTheReference) {
  const std::uint64_t first = TestSeed();
  for (int i = 0; i < HistoryCount(10) && !HasFailure(); ++i) {
    const TestDirectory directory;
    const auto open = [&] {
      return Must(storage::OpenRocksStore({.path = directory.path(),
                                           .sync = storage::SyncMode::kNone,
                                           .block_cache_bytes = 1 << 20}));
    };
    RunHistory(open, Kept::kEverything, first + static_cast<std::uint64_t>(i));
  }
}

}  // namespace
}  // namespace prejoin::reference
