// What every store must do for one caller at a time. Threads: contract_threads_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class StoreContract : public testing::TestWithParam<Kind> {
 protected:
  StoreContract() : store_(GetParam()) {}
  StoreUnderTest store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, testing::ValuesIn(KindsUnderTest()), NameOf);

TEST_P(StoreContract, MissingKeyHasNoValue) {
  EXPECT_EQ(Get(*store_, MakeKey(1, 1, "a")), std::nullopt);
  Put(*store_, MakeKey(1, 1, "b"), "value");
  EXPECT_EQ(Get(*store_, MakeKey(1, 1, "a")), std::nullopt);
  EXPECT_EQ(Get(*store_, MakeKey(2, 1, "b")), std::nullopt);
}

TEST_P(StoreContract, PutReplacesAndDeleteRemoves) {
  const std::string key = MakeKey(1, 7, "k");
  Put(*store_, key, "one");
  EXPECT_EQ(Get(*store_, key), "one");
  Put(*store_, key, "a longer second value");
  EXPECT_EQ(Get(*store_, key), "a longer second value");
  Delete(*store_, key);
  EXPECT_EQ(Get(*store_, key), std::nullopt);
  Delete(*store_, key);
  EXPECT_EQ(Get(*store_, key), std::nullopt);
}

TEST_P(StoreContract, EmptyValueIsNotAbsent) {
  const std::string key = MakeKey(1, 7, "k");
  Put(*store_, key, "");
  EXPECT_EQ(Get(*store_, key), "");
  const auto ticket = store_->Transact(std::span(&key, 1), [](Transaction& transaction) -> Status {
    EXPECT_EQ(transaction.Value(0), "");
    return {};
  });
  EXPECT_TRUE(ticket.has_value());
}

TEST_P(StoreContract, KeysAndValuesHoldAnyBytes) {
  std::vector<std::string> keys;
  for (const std::uint32_t space : {0u, 1u, 0xFFFFFFFFu}) {
    for (const std::uint32_t hash : {0u, 0xFFu, 0xFF00u, 0xFF000000u, 0xFFFFFFFFu}) {
      for (const std::string& rest :
           {std::string(), std::string(1, '\0'), std::string(2, '\0'), std::string(1, '\xFF'),
            std::string("\x00\xFF", 2), std::string("\xFF\x00", 2), std::string(300, '\xFF')}) {
        keys.push_back(MakeKey(space, hash, rest));
      }
    }
  }
  std::vector<std::string> shuffled = keys;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(1));
  for (const std::string& key : shuffled) {
    Put(*store_, key, key + std::string("\x00\xFF", 2));
  }
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(KeysIn(*store_, {"", "", Direction::kForward}), keys);
  std::reverse(keys.begin(), keys.end());
  EXPECT_EQ(KeysIn(*store_, {"", "", Direction::kBackward}), keys);
  for (const std::string& key : keys) {
    EXPECT_EQ(Get(*store_, key), key + std::string("\x00\xFF", 2));
  }
}

TEST_P(StoreContract, KeysShorterThanARouteSortToo) {
  const std::vector<std::string> keys = {std::string(1, '\0'),
                                         std::string(4, '\0'),
                                         std::string(5, '\0'),
                                         std::string("\0\0\0\1", 4),
                                         std::string("\0\0\1", 3),
                                         "a",
                                         "ab",
                                         "abcdefg",
                                         "abcdefgh",
                                         "b"};
  for (const std::string& key : keys) {
    Put(*store_, key, "v");
  }
  EXPECT_EQ(KeysIn(*store_, {"", "", Direction::kForward}), keys);
  EXPECT_THAT(KeysIn(*store_, {"a", "abcdefgh", Direction::kBackward}),
              ElementsAre("abcdefg", "ab", "a"));
  EXPECT_EQ(Get(*store_, "abcdefg"), "v");
  EXPECT_EQ(Get(*store_, "abc"), std::nullopt);
}

TEST_P(StoreContract, RangeIncludesBeginAndExcludesEnd) {
  for (const char* rest : {"a", "b", "c", "d"}) {
    Put(*store_, MakeKey(1, 5, rest), rest);
  }
  Put(*store_, MakeKey(1, 4, "z"), "before");
  Put(*store_, MakeKey(1, 6, ""), "after");
  const std::string b = MakeKey(1, 5, "b");
  const std::string c = MakeKey(1, 5, "c");
  const std::string d = MakeKey(1, 5, "d");
  EXPECT_THAT(KeysIn(*store_, {b, d, Direction::kForward}), ElementsAre(b, c));
  EXPECT_THAT(KeysIn(*store_, {b, d, Direction::kBackward}), ElementsAre(c, b));
  EXPECT_THAT(KeysIn(*store_, {b, b, Direction::kForward}), IsEmpty());
  EXPECT_THAT(KeysIn(*store_, {d, b, Direction::kForward}), IsEmpty());
  EXPECT_THAT(KeysIn(*store_, {d, b, Direction::kBackward}), IsEmpty());
}

TEST_P(StoreContract, RangeOfOnePartitionInBothDirections) {
  for (std::uint32_t hash = 0; hash < 8; ++hash) {
    for (const char* rest : {"a", "b", "c"}) {
      Put(*store_, MakeKey(3, hash << 29, rest), rest);
    }
  }
  const std::uint32_t hash = 5u << 29;
  const std::vector<std::string> keys = {MakeKey(3, hash, "a"), MakeKey(3, hash, "b"),
                                         MakeKey(3, hash, "c")};
  const std::vector<std::string> reversed(keys.rbegin(), keys.rend());
  const std::string begin = MakeKey(3, hash, "");
  for (const std::string& end : {MakeKey(3, hash + 1, ""), MakeKey(3, hash, "d")}) {
    EXPECT_EQ(KeysIn(*store_, {begin, end, Direction::kForward}), keys);
    EXPECT_EQ(KeysIn(*store_, {begin, end, Direction::kBackward}), reversed);
  }
  EXPECT_THAT(KeysIn(*store_, {MakeKey(3, 1, ""), MakeKey(3, 2, ""), Direction::kForward}),
              IsEmpty());
  EXPECT_THAT(KeysIn(*store_, {MakeKey(3, 1, ""), MakeKey(3, 2, ""), Direction::kBackward}),
              IsEmpty());
}

TEST_P(StoreContract, VisitStopsWhenToldAndResumesByKey) {
  std::vector<std::string> keys;
  for (std::uint32_t i = 0; i < 100; ++i) {
    keys.push_back(MakeKey(2, i * 0x02000000u, "x"));
    Put(*store_, keys.back(), "v");
  }
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    std::vector<std::string> found;
    Range range = {SpacePrefix(2), SpacePrefix(3), direction};
    for (bool more = true; more;) {
      int page_count = 0;
      ASSERT_TRUE(store_
                      ->Visit(range,
                              [&](std::string_view key, std::string_view) {
                                found.emplace_back(key);
                                return ++page_count == 7 ? Visit::kStop : Visit::kContinue;
                              })
                      .has_value());
      more = page_count == 7;
      if (direction == Direction::kForward) {
        range.begin = found.back() + std::string(1, '\0');
      } else {
        range.end = found.back();
      }
    }
    if (direction == Direction::kBackward) {
      std::reverse(found.begin(), found.end());
    }
    EXPECT_EQ(found, keys);
  }
}

TEST_P(StoreContract, RandomChangesAgreeWithAMap) {
  std::mt19937 random(20260101);
  std::map<std::string, std::string> model;
  const auto random_key = [&] {
    static constexpr std::uint32_t kSpaces[] = {0, 1, 2, 7, 0xFFFFFFFF};
    return MakeKey(kSpaces[random() % 5],
                   static_cast<std::uint32_t>((random() % 64) << 26 | random() % 3),
                   std::string(random() % 3, static_cast<char>(random() % 2 * 255)));
  };
  for (int round = 0; round < 2000; ++round) {
    const std::string key = random_key();
    if (random() % 3 == 0) {
      Delete(*store_, key);
      model.erase(key);
    } else {
      const std::string value(random() % 50, static_cast<char>('a' + random() % 26));
      Put(*store_, key, value);
      model[key] = value;
    }
    if (round % 20 == 0) {
      std::string begin = random_key().substr(0, random() % 11);
      std::string end = random_key().substr(0, random() % 11);
      auto from = model.lower_bound(begin);
      auto to = end.empty() ? model.end() : model.lower_bound(end);
      Pairs expected;
      if (end.empty() || begin < end) {
        expected.assign(from, to);
      }
      EXPECT_EQ(ReadRange(*store_, {begin, end, Direction::kForward}), expected);
      std::reverse(expected.begin(), expected.end());
      EXPECT_EQ(ReadRange(*store_, {begin, end, Direction::kBackward}), expected);
      EXPECT_EQ(Get(*store_, key), model.contains(key) ? std::optional(model[key]) : std::nullopt);
    }
  }
}

TEST_P(StoreContract, BodySeesTheValuesOfItsKeysInTheirOrder) {
  const std::vector<std::string> keys = {MakeKey(9, 9, "x"), MakeKey(1, 1, "a"), MakeKey(1, 1, "b"),
                                         MakeKey(9, 9, "x")};
  Put(*store_, keys[0], "X");
  Put(*store_, keys[2], "B");
  const auto ticket = store_->Transact(keys, [](Transaction& transaction) -> Status {
    EXPECT_EQ(transaction.Value(0), "X");
    EXPECT_EQ(transaction.Value(1), std::nullopt);
    EXPECT_EQ(transaction.Value(2), "B");
    EXPECT_EQ(transaction.Value(3), "X");
    return {};
  });
  EXPECT_TRUE(ticket.has_value());
}

TEST_P(StoreContract, BodySeesOldValuesAfterStaging) {
  const std::string key = MakeKey(1, 1, "a");
  Put(*store_, key, "old");
  const auto ticket = store_->Transact(std::span(&key, 1), [&](Transaction& transaction) -> Status {
    transaction.Put(key, "new");
    EXPECT_EQ(transaction.Value(0), "old");
    transaction.Delete(key);
    EXPECT_EQ(transaction.Value(0), "old");
    return {};
  });
  EXPECT_TRUE(ticket.has_value());
  EXPECT_EQ(Get(*store_, key), std::nullopt);
}

TEST_P(StoreContract, LastChangeOfAKeyInABodyWins) {
  const std::string key = MakeKey(1, 1, "a");
  const std::string other = MakeKey(1, 0xFF000000u, "b");
  const auto ticket = store_->Transact(std::span(&key, 1), [&](Transaction& transaction) -> Status {
    transaction.Put(other, "1");
    transaction.Put(key, "1");
    transaction.Delete(key);
    transaction.Put(key, "2");
    transaction.Put(other, "2");
    transaction.Delete(other);
    return {};
  });
  EXPECT_TRUE(ticket.has_value());
  EXPECT_EQ(Get(*store_, key), "2");
  EXPECT_EQ(Get(*store_, other), std::nullopt);
}

TEST_P(StoreContract, ErrorOfTheBodyCommitsNothingAndComesBack) {
  const std::vector<std::string> keys = {MakeKey(1, 1, "a"), MakeKey(2, 2, "b")};
  Put(*store_, keys[0], "old");
  const auto ticket = store_->Transact(keys, [&](Transaction& transaction) -> Status {
    transaction.Delete(keys[0]);
    transaction.Put(keys[1], "new");
    transaction.Put(MakeKey(3, 3, "c"), "new");
    return Error{ErrorCode::kConditionalCheckFailed, "no"};
  });
  ASSERT_FALSE(ticket.has_value());
  EXPECT_EQ(ticket.error().code, ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(ticket.error().message, "no");
  EXPECT_EQ(ReadRange(*store_, {"", "", Direction::kForward}), (Pairs{{keys[0], "old"}}));
  // The latches are free again.
  Put(*store_, keys[0], "newer");
  EXPECT_EQ(Get(*store_, keys[0]), "newer");
}

TEST_P(StoreContract, TransactionWithoutKeysCommits) {
  const auto ticket = store_->Transact({}, [](Transaction& transaction) -> Status {
    transaction.Put(MakeKey(1, 2, "c"), "v");
    return {};
  });
  EXPECT_TRUE(ticket.has_value());
  EXPECT_EQ(Get(*store_, MakeKey(1, 2, "c")), "v");
}

TEST_P(StoreContract, TransactionOfAHundredKeysOverManySpaces) {
  std::vector<std::string> keys;
  for (std::uint32_t i = 0; i < 100; ++i) {
    keys.push_back(MakeKey(i % 7, i * 2654435761u, std::to_string(i)));
  }
  for (int round = 1; round <= 3; ++round) {
    const auto ticket = store_->Transact(keys, [&](Transaction& transaction) -> Status {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const int old = transaction.Value(i) ? std::stoi(std::string(*transaction.Value(i))) : 0;
        EXPECT_EQ(old, round - 1);
        transaction.Put(keys[i], std::to_string(old + 1));
      }
      return {};
    });
    ASSERT_TRUE(ticket.has_value());
  }
  const auto values = store_->GetTogether(keys);
  ASSERT_TRUE(values.has_value());
  EXPECT_THAT(*values, testing::Each(testing::Optional(std::string("3"))));
  EXPECT_EQ(values->size(), keys.size());
}

TEST_P(StoreContract, LargeValuesComeBackWhole) {
  std::string value(400 * 1024, '\0');
  std::mt19937 random(5);
  std::generate(value.begin(), value.end(), [&] { return static_cast<char>(random()); });
  std::vector<std::string> keys;
  for (std::uint32_t i = 0; i < 10; ++i) {
    keys.push_back(MakeKey(1, i << 28, "large"));
    Put(*store_, keys.back(), value + std::to_string(i));
  }
  store_.Reopen();
  EXPECT_EQ(Get(*store_, keys[3]), value + "3");
  const auto ticket = store_->Transact(keys, [&](Transaction& transaction) -> Status {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      EXPECT_EQ(transaction.Value(i), value + std::to_string(i));
    }
    return {};
  });
  EXPECT_TRUE(ticket.has_value());
}

TEST_P(StoreContract, GetTogetherKeepsOrderDuplicatesAndGaps) {
  const std::vector<std::string> keys = {MakeKey(2, 1, "b"), MakeKey(1, 1, "none"),
                                         MakeKey(1, 1, "a"), MakeKey(2, 1, "b")};
  Put(*store_, keys[0], "B");
  Put(*store_, keys[2], "");
  const auto values = store_->GetTogether(keys);
  ASSERT_TRUE(values.has_value());
  EXPECT_THAT(*values, ElementsAre("B", std::nullopt, "", "B"));
  const auto none = store_->GetTogether({});
  ASSERT_TRUE(none.has_value());
  EXPECT_THAT(*none, IsEmpty());
}

TEST_P(StoreContract, TicketsRiseAndTheNewestCoversEachCommit) {
  EXPECT_TRUE(store_->IsDurable(0));
  Ticket last = 0;
  for (int i = 0; i < 20; ++i) {
    const std::string key = MakeKey(1, static_cast<std::uint32_t>(i) << 27, "k");
    const Ticket ticket = Put(*store_, key, "v");
    EXPECT_GT(ticket, last);
    EXPECT_GE(store_->NewestTicket(), ticket);
    EXPECT_GE(store_->NewestTicket(std::string_view(key).substr(0, kRouteBytes)), ticket);
    last = ticket;
  }
}

TEST_P(StoreContract, TransactionThatOnlyReadsCoversWhatItSaw) {
  const std::string key = MakeKey(1, 1, "k");
  const Ticket written = Put(*store_, key, "v");
  const auto read = store_->Transact(std::span(&key, 1), [](Transaction&) -> Status { return {}; });
  ASSERT_TRUE(read.has_value());
  EXPECT_GE(*read, written);
}

TEST_P(StoreContract, DurableAfterWaiting) {
  Ticket ticket = 0;
  for (int i = 0; i < 10; ++i) {
    ticket = Put(*store_, MakeKey(1, 1, std::to_string(i)), "v");
  }
  ASSERT_TRUE(store_->WaitDurable(ticket).has_value());
  EXPECT_TRUE(store_->IsDurable(ticket));
  EXPECT_TRUE(store_->IsDurable(ticket - 1));
  EXPECT_TRUE(store_->WaitDurable(0).has_value());
}

TEST_P(StoreContract, DeleteSpaceTakesThatSpaceOnly) {
  for (const std::uint32_t space : {4u, 5u, 6u}) {
    for (std::uint32_t i = 0; i < 300; ++i) {
      Put(*store_, MakeKey(space, i << 23, "k"), "value");
    }
  }
  ASSERT_TRUE(store_->DeleteSpace(5).has_value());
  EXPECT_EQ(Get(*store_, MakeKey(5, 3u << 23, "k")), std::nullopt);
  EXPECT_THAT(KeysIn(*store_, {SpacePrefix(5), SpacePrefix(6), Direction::kForward}), IsEmpty());
  EXPECT_EQ(KeysIn(*store_, {SpacePrefix(4), SpacePrefix(5), Direction::kForward}).size(), 300u);
  EXPECT_EQ(KeysIn(*store_, {SpacePrefix(6), SpacePrefix(7), Direction::kBackward}).size(), 300u);
  EXPECT_EQ(KeysIn(*store_, {"", "", Direction::kForward}).size(), 600u);
  store_.Reopen();
  EXPECT_EQ(KeysIn(*store_, {"", "", Direction::kBackward}).size(), 600u);
  ASSERT_TRUE(store_->DeleteSpace(77).has_value());
}

TEST_P(StoreContract, DeleteOfTheHighestSpace) {
  Put(*store_, MakeKey(0xFFFFFFFF, 0xFFFFFFFF, std::string(40, '\xFF')), "v");
  Put(*store_, MakeKey(0xFFFFFFFE, 1, "k"), "v");
  ASSERT_TRUE(store_->DeleteSpace(0xFFFFFFFF).has_value());
  EXPECT_THAT(KeysIn(*store_, {"", "", Direction::kForward}),
              ElementsAre(MakeKey(0xFFFFFFFE, 1, "k")));
}

TEST_P(StoreContract, ApproximateBytesFollowsTheData) {
  EXPECT_LT(store_->ApproximateBytes(8), 1000u);
  // Incompressible, so that the disk cannot hide it.
  std::mt19937 random(6);
  for (std::uint32_t i = 0; i < 500; ++i) {
    std::string value(1000, '\0');
    std::generate(value.begin(), value.end(), [&] { return static_cast<char>(random()); });
    Put(*store_, MakeKey(8, static_cast<std::uint32_t>(random()), std::to_string(i)), value);
  }
  // RocksDB estimates what is still in memory from a few nodes of its list.
  EXPECT_GT(store_->ApproximateBytes(8), 100'000u);
  EXPECT_LT(store_->ApproximateBytes(8), 2'000'000u);
  EXPECT_LT(store_->ApproximateBytes(9), 1000u);
}

}  // namespace
}  // namespace prejoin::storage
