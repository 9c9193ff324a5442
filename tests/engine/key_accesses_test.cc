#include "engine/item/key_accesses.h"

#include <sstream>

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

constexpr std::int64_t kNowMs = 1'234'000;

// "1200: a 104.5 of 1 keys, 3 times, 104.5" for each minute.
std::string PrintRule(const KeyAccesses& accesses, std::string_view kind, std::int64_t from_s = 0,
                      std::int64_t to_s = 10'000) {
  std::ostringstream out;
  const auto rule = accesses.RuleOf(kind, from_s * 1'000, to_s * 1'000);
  for (const auto& [begin_ms, minute] : rule.minutes) {
    out << begin_ms / 1'000 << ":";
    for (const TopKeys::Counted& counted : minute.keys) {
      std::string key;
      for (const auto& [name, value] : ItemView(counted.key).Decode()) {
        key += (key.empty() ? "" : ",") +
               (value.string() != nullptr ? *value.string() : value.number()->ToString());
      }
      out << " " << key << " " << static_cast<double>(counted.count) * rule.unit;
    }
    out << " of " << minute.key_count << " keys, " << minute.times << " times, "
        << static_cast<double>(minute.sum) * rule.unit << "\n";
  }
  return out.str();
}

TEST(KeyAccesses, CountsPartitionsAndItems) {
  KeyAccesses accesses(
      {{"PK", KeyType::kHash, ScalarType::kString}, {"SK", KeyType::kRange, ScalarType::kNumber}});
  const Item first{{"PK", "a"}, {"SK", 1}, {"other", "x"}};
  const Item second{{"PK", "a"}, {"SK", 2}};
  accesses.Count(first, 100, kNowMs);
  accesses.Count(second, 1.5, kNowMs);
  const std::string body = EncodeItem(second);
  accesses.Count(ItemView(body), 3, kNowMs);
  accesses.CountThrottle(second, kNowMs);
  InsightsReport report;
  accesses.Report(100, report);
  ASSERT_EQ(report.partition_keys.size(), 1u);
  EXPECT_EQ(report.partition_keys[0].key, (Item{{"PK", "a"}}));
  EXPECT_EQ(report.partition_keys[0].count, 3u);
  ASSERT_EQ(report.keys.size(), 2u);
  EXPECT_EQ(report.keys[0].key, (Item{{"PK", "a"}, {"SK", 2}}));
  EXPECT_EQ(report.keys[0].count, 2u);
  EXPECT_EQ(PrintRule(accesses, "SKC"), "1200: a,1 100 a,2 4.5 of 2 keys, 3 times, 104.5\n");
  EXPECT_EQ(PrintRule(accesses, "PKC"), "1200: a 104.5 of 1 keys, 3 times, 104.5\n");
  EXPECT_EQ(PrintRule(accesses, "PKT"), "1200: a 1 of 1 keys, 1 times, 1\n");
  EXPECT_EQ(PrintRule(accesses, "SKT"), "1200: a,2 1 of 1 keys, 1 times, 1\n");
}

// Minutes by the clock: one that ended stays, an empty one leaves nothing, and a clock that is set back goes on with its minute.
TEST(KeyAccesses, CountsByTheMinute) {
  KeyAccesses accesses({{"PK", KeyType::kHash, ScalarType::kString}});
  const auto count = [&](const char* key, double units, std::int64_t second) {
    accesses.Count(Item{{"PK", key}}, units, second * 1'000);
  };
  count("a", 2, 1'200);
  count("b", 3, 1'259);
  count("a", 1, 1'380);
  count("a", 5, 1'210);
  EXPECT_EQ(PrintRule(accesses, "PKC"),
            "1200: a 7 b 3 of 2 keys, 3 times, 10\n1380: a 1 of 1 keys, 1 times, 1\n");
  EXPECT_EQ(PrintRule(accesses, "PKC", 1'201, 1'380), "");
  EXPECT_EQ(PrintRule(accesses, "PKC", 1'201, 1'381), "1380: a 1 of 1 keys, 1 times, 1\n");
}

TEST(KeyMinutes, KeepsTheLastHours) {
  KeyMinutes minutes;
  const std::int64_t count = kInsightMinutesMax + 20;
  for (std::int64_t minute = 0; minute < count; ++minute) {
    minutes.Add("a", 1, minute * 60'000);
  }
  const auto kept = minutes.Between(0, count * 60'000);
  EXPECT_EQ(kept.size(), kInsightMinutesMax + 1);
  EXPECT_EQ(kept.rbegin()->first, (count - 1) * 60'000);
}

}  // namespace
}  // namespace prejoin::engine
