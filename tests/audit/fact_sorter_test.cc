#include "audit/fact_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace prejoin::audit {
namespace {

using Fact = std::pair<std::string, std::string>;

std::vector<Fact> SortedBy(FactSorter& sorter) {
  std::vector<Fact> out;
  const Status read = sorter.Each([&](std::string_view group, std::string_view payload) -> Status {
    out.emplace_back(group, payload);
    return {};
  });
  EXPECT_TRUE(read.has_value());
  return out;
}

TEST(FactSorter, GivesAllRecordsInOrderInLittleMemory) {
  std::mt19937_64 random(7);
  std::vector<Fact> facts;
  for (int i = 0; i < 20'000; ++i) {
    facts.emplace_back("group" + std::to_string(random() % 3'000),
                       std::string(random() % 40, static_cast<char>(random() % 256)));
  }
  // One record is longer than a whole buffer.
  facts.emplace_back("group5", std::string(100'000, 'x'));
  FactSorter sorter(32 * 1024);
  for (const auto& [group, payload] : facts) {
    ASSERT_TRUE(sorter.Add(group, payload).has_value());
  }
  EXPECT_GT(sorter.spilled_bytes(), 0u);
  std::sort(facts.begin(), facts.end());
  EXPECT_EQ(SortedBy(sorter), facts);
}

TEST(FactSorter, NothingGivesNothing) {
  FactSorter sorter(1024);
  EXPECT_TRUE(SortedBy(sorter).empty());
}

TEST(FactSorter, AnErrorOfTheVisitorEndsIt) {
  FactSorter sorter(1 << 20);
  ASSERT_TRUE(sorter.Add("a", "1").has_value());
  ASSERT_TRUE(sorter.Add("b", "2").has_value());
  int seen = 0;
  const Status read = sorter.Each([&](std::string_view, std::string_view) -> Status {
    ++seen;
    return Error{ErrorCode::kIo, "full"};
  });
  EXPECT_FALSE(read.has_value());
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace prejoin::audit
