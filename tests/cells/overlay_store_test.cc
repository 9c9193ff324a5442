#include "cells/overlay_store.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "tests/storage/stores.h"

namespace prejoin::cells {
namespace {

using storage::Direction;
using storage::MakeKey;

// Random changes, beside a map: reads agree, and the store below stays as it was.
TEST(OverlayStore, ReadsAsOneStoreAndLeavesTheOneBelow) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    const auto key = [&] { return MakeKey(16, static_cast<std::uint32_t>(random() % 3), std::to_string(random() % 20)); };
    const auto below = storage::NewMemoryStore();
    std::map<std::string, std::string> expected;
    for (int i = 0; i < 15; ++i) {
      const std::string one = key();
      storage::Put(*below, one, "below");
      expected[one] = "below";
    }
    const storage::Pairs untouched(expected.begin(), expected.end());
    OverlayStore store(*below);
    for (int i = 0; i < 30; ++i) {
      const std::string one = key();
      if (random() % 3 == 0) {
        storage::Delete(store, one);
        expected.erase(one);
      } else {
        storage::Put(store, one, std::to_string(i));
        expected[one] = std::to_string(i);
      }
      const std::string asked = key();
      const auto there = expected.find(asked);
      EXPECT_EQ(storage::Get(store, asked).value_or("nothing"), there == expected.end() ? "nothing" : there->second);
      const std::string begin = key();
      const std::string end = random() % 4 == 0 ? "" : key();
      if (end.empty() || begin < end) {
        const storage::Pairs wanted(expected.lower_bound(begin), end.empty() ? expected.end() : expected.lower_bound(end));
        EXPECT_EQ(storage::ReadRange(store, {begin, end, Direction::kForward}), wanted) << seed;
        EXPECT_EQ(storage::ReadRange(store, {begin, end, Direction::kBackward}), storage::Pairs(wanted.rbegin(), wanted.rend())) << seed;
      }
    }
    EXPECT_EQ(storage::ReadRange(*below, {"", "", Direction::kForward}), untouched);
  }
}

TEST(OverlayStore, StopsWhenTheVisitorDoes) {
  const auto below = storage::NewMemoryStore();
  storage::Put(*below, MakeKey(16, 1, "b"), "below");
  OverlayStore store(*below);
  for (const char* name : {"a", "c", "d"}) {
    storage::Put(store, MakeKey(16, 1, name), "above");
  }
  for (int most = 1; most <= 4; ++most) {
    int seen = 0;
    EXPECT_TRUE(store.Visit({"", "", Direction::kForward}, [&](std::string_view, std::string_view) {
      return ++seen == most ? storage::Visit::kStop : storage::Visit::kContinue;
    }));
    EXPECT_EQ(seen, most);
  }
}

}  // namespace
}  // namespace prejoin::cells
