#include "storage/kept_ranges.h"

#include <gtest/gtest.h>

#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

const Range kRange{MakeKey(1, 1, "a"), MakeKey(1, 1, "b"), Direction::kForward};

std::shared_ptr<const RangeCopy> CopyOf(const Pairs& pairs) {
  auto copy = std::make_shared<RangeCopy>();
  for (const auto& [key, value] : pairs) {
    EXPECT_TRUE(copy->Add(key, value));
  }
  return copy;
}

Pairs Shown(const RangeCopy& copy, std::size_t count_max = 100) {
  Pairs pairs;
  copy.Show([&](std::string_view key, std::string_view value) {
    pairs.emplace_back(key, value);
    return pairs.size() < count_max ? Visit::kContinue : Visit::kStop;
  });
  return pairs;
}

TEST(RangeCopy, ShowsWhatWasAdded) {
  const Pairs pairs = {{"", "v"}, {"k", ""}, {std::string("\0\xFF", 2), std::string(300, 'x')}};
  EXPECT_EQ(Shown(*CopyOf(pairs)), pairs);
  EXPECT_EQ(Shown(*CopyOf({})), Pairs());
}

TEST(RangeCopy, StopsWhenTold) {
  EXPECT_EQ(Shown(*CopyOf({{"a", "1"}, {"b", "2"}, {"c", "3"}}), 2),
            (Pairs{{"a", "1"}, {"b", "2"}}));
}

TEST(RangeCopy, RefusesWhatIsTooLong) {
  constexpr std::size_t kOverhead = 8;
  RangeCopy copy;
  EXPECT_TRUE(copy.Add("", std::string(RangeCopy::kBytesMax - 2 * kOverhead - 1, 'x')));
  EXPECT_FALSE(copy.Add("k", "v"));
  EXPECT_TRUE(copy.Add("k", ""));
  EXPECT_FALSE(copy.Add("", ""));
}

TEST(KeptRanges, WantsACopyOnceARangeIsReadAgain) {
  KeptRanges ranges;
  EXPECT_FALSE(ranges.Find(kRange, 1).is_wanted);
  const auto again = ranges.Find(kRange, 1);
  EXPECT_TRUE(again.is_wanted);
  EXPECT_EQ(again.copy, nullptr);
  ranges.Keep(kRange, 1, CopyOf({{"a", "1"}}));
  const auto kept = ranges.Find(kRange, 1);
  EXPECT_FALSE(kept.is_wanted);
  ASSERT_NE(kept.copy, nullptr);
  EXPECT_EQ(Shown(*kept.copy), (Pairs{{"a", "1"}}));
}

TEST(KeptRanges, ForgetsACopyAfterACommit) {
  KeptRanges ranges;
  (void)ranges.Find(kRange, 1);
  ranges.Keep(kRange, 1, CopyOf({{"a", "1"}}));
  const auto after = ranges.Find(kRange, 2);
  EXPECT_EQ(after.copy, nullptr);
  EXPECT_FALSE(after.is_wanted);
  EXPECT_EQ(ranges.Find(kRange, 1).copy, nullptr);
}

TEST(KeptRanges, KeepsNoCopyThatACommitHasOvertaken) {
  KeptRanges ranges;
  (void)ranges.Find(kRange, 1);
  (void)ranges.Find(kRange, 2);
  ranges.Keep(kRange, 1, CopyOf({{"a", "old"}}));
  EXPECT_EQ(ranges.Find(kRange, 2).copy, nullptr);
}

TEST(KeptRanges, TellsRangesApart) {
  KeptRanges ranges;
  (void)ranges.Find(kRange, 1);
  ranges.Keep(kRange, 1, CopyOf({{"a", "1"}}));
  Range backward = kRange;
  backward.direction = Direction::kBackward;
  EXPECT_EQ(ranges.Find(backward, 1).copy, nullptr);
  for (const auto& [begin, end] :
       {std::pair(kRange.begin, MakeKey(1, 1, "c")), std::pair(MakeKey(1, 1, ""), kRange.end),
        std::pair(kRange.end, kRange.begin)}) {
    KeptRanges others;
    (void)others.Find(kRange, 1);
    others.Keep(kRange, 1, CopyOf({{"a", "1"}}));
    EXPECT_EQ(others.Find({begin, end, Direction::kForward}, 1).copy, nullptr);
  }
}

TEST(KeptRanges, ForgetsAllWhenCleared) {
  KeptRanges ranges;
  (void)ranges.Find(kRange, 1);
  ranges.Keep(kRange, 1, CopyOf({{"a", "1"}}));
  ranges.Clear();
  EXPECT_EQ(ranges.Find(kRange, 1).copy, nullptr);
}

}  // namespace
}  // namespace prejoin::storage
