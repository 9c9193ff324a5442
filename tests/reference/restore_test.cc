// Random histories are restored to ten random seconds each: every one equals what the reference
// held at that second. PREJOIN_TEST_SEED=<seed> repeats a history.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/engine/stream_reader.h"
#include "tests/reference/history.h"
#include "tests/rig/seed.h"

namespace prejoin::reference {
namespace {

constexpr int kSteps = 150;
constexpr int kRestores = 10;

void RunHistory(std::unique_ptr<storage::Store> store, std::uint64_t seed) {
  FakeClock clock;
  clock.Advance(2000 - clock.NowMs());
  History history(OpenWith(std::move(store), Options(), clock), clock, seed);
  std::mt19937_64 random(seed);
  for (int step = 0; step < kSteps && !testing::Test::HasFailure(); ++step) {
    if (step == 20) {
      history.ProtectTables();
      history.Remember();
    }
    clock.Advance(static_cast<std::int64_t>(random() % 400));
    history.Step();
    if (step >= 20) {
      history.Remember();
    }
  }
  history.CompareRestored(kRestores);
  history.CompareEverything();
  if (testing::Test::HasFailure()) {
    std::cout << SeedMessage(seed) << " repeats this history:\n" << history.Log() << std::endl;
  }
}

TEST(RestoredHistories, AgreeWithTheReferenceAtEverySecond) {
  const std::uint64_t first = TestSeed();
  for (std::uint64_t i = 0; i < 30 && !HasFailure(); ++i) {
    RunHistory(storage::NewMemoryStore(), first + i);
  }
}

TEST(RestoredHistories, AgreeWithTheReferenceOnDisk) {
  const std::uint64_t first = TestSeed();
  for (std::uint64_t i = 0; i < 3 && !HasFailure(); ++i) {
    const TestDirectory directory;
    auto store = Must(storage::OpenRocksStore({.path = directory.path(),
                                               .sync = storage::SyncMode::kNone,
                                               .block_cache_bytes = 1 << 20}));
    RunHistory(std::move(store), first + i);
  }
}

}  // namespace
}  // namespace prejoin::reference
