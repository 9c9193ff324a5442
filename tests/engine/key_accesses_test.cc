#include "engine/item/key_accesses.h"

namespace prejoin::engine {
namespace {

using testing::ElementsAre;

std::vector<std::string> Print(const std::vector<TopKeys::Counted>& counted) {
  std::vector<std::string> lines;
  for (const TopKeys::Counted& entry : counted) {
    lines.push_back(entry.key + " " + std::to_string(entry.count) + "-" +
                    std::to_string(entry.error_max));
  }
  return lines;
}

TEST(TopKeys, CountsExactlyUpToItsCounters) {
  TopKeys keys(3);
  for (const char* key : {"a", "b", "b", "c", "c", "c"}) {
    keys.Add(key);
  }
  EXPECT_THAT(Print(keys.Top(10)), ElementsAre("c 3-0", "b 2-0", "a 1-0"));
  EXPECT_THAT(Print(keys.Top(1)), ElementsAre("c 3-0"));
}

TEST(TopKeys, OneMoreKeyTakesOverTheSmallestCounter) {
  TopKeys keys(3);
  for (const char* key : {"a", "b", "b", "c", "c", "c", "d"}) {
    keys.Add(key);
  }
  EXPECT_THAT(Print(keys.Top(10)), ElementsAre("c 3-0", "b 2-0", "d 2-1"));
}

// The promise of Space-Saving: a key of more than n/k accesses is never lost, and no count is off
// by more than its error.
TEST(TopKeys, FindsHeavyKeysAmongManyOthers) {
  constexpr int kAccesses = 20'000;
  TopKeys keys(100);
  std::map<std::string, std::uint64_t> truth;
  std::uint32_t random = 12345;
  for (int i = 0; i < kAccesses; ++i) {
    random = random * 1664525 + 1013904223;
    const std::string key =
        (random >> 16) % 4 == 0 ? "heavy" + std::to_string((random >> 20) % 5) : std::to_string(i);
    keys.Add(key);
    ++truth[key];
  }
  const auto top = keys.Top(5);
  for (const TopKeys::Counted& entry : top) {
    EXPECT_TRUE(entry.key.starts_with("heavy")) << entry.key;
    EXPECT_GE(entry.count, truth[entry.key]);
    EXPECT_LE(entry.count - entry.error_max, truth[entry.key]);
  }
}

TEST(KeyAccesses, CountsPartitionsAndItems) {
  KeyAccesses accesses(
      {{"PK", KeyType::kHash, ScalarType::kString}, {"SK", KeyType::kRange, ScalarType::kNumber}});
  const Item first{{"PK", "a"}, {"SK", 1}, {"other", "x"}};
  const Item second{{"PK", "a"}, {"SK", 2}};
  accesses.Count(first, 100);
  accesses.Count(second, 1.5);
  const std::string body = EncodeItem(second);
  accesses.Count(ItemView(body), 3);
  accesses.CountThrottle(second);
  InsightsReport report;
  accesses.Report(100, report);
  ASSERT_EQ(report.partition_keys.size(), 1u);
  EXPECT_EQ(report.partition_keys[0].key, (Item{{"PK", "a"}}));
  EXPECT_EQ(report.partition_keys[0].count, 3u);
  ASSERT_EQ(report.keys.size(), 2u);
  EXPECT_EQ(report.keys[0].key, (Item{{"PK", "a"}, {"SK", 2}}));
  EXPECT_EQ(report.keys[0].count, 2u);
  const auto consumed = accesses.RuleOf("SKC", 100);
  ASSERT_EQ(consumed.contributors.size(), 2u);
  EXPECT_EQ(consumed.contributors[0].key, (Item{{"PK", "a"}, {"SK", 1}}));
  EXPECT_EQ(static_cast<double>(consumed.contributors[0].count) * consumed.unit, 100);
  EXPECT_EQ(static_cast<double>(consumed.contributors[1].count) * consumed.unit, 4.5);
  EXPECT_EQ(static_cast<double>(accesses.RuleOf("PKC", 1).contributors[0].count) * consumed.unit, 104.5);
  EXPECT_EQ(accesses.RuleOf("PKT", 100).contributors[0].key, (Item{{"PK", "a"}}));
  EXPECT_EQ(accesses.RuleOf("SKT", 100).contributors[0].count, 1u);
}

}  // namespace
}  // namespace prejoin::engine
