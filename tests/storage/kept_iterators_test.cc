// Kept iterators show the newest state, and hold nothing that RocksDB wants to be rid of.
#include "storage/kept_iterators.h"

#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <map>
#include <random>
#include <thread>

#include "storage/rocks_store.h"
#include "tests/rig/seed.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

class KeptIteratorsTest : public testing::Test {
 protected:
  KeptIteratorsTest() {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.disable_auto_compactions = true;
    options.listeners.push_back(iterators_);
    rocksdb::DB* db = nullptr;
    EXPECT_TRUE(rocksdb::DB::Open(options, directory_.path() + "/db", &db).ok());
    db_.reset(db);
  }
  ~KeptIteratorsTest() override { iterators_->DropIdle(); }

  void Put(const std::string& key, const std::string& value) {
    EXPECT_TRUE(db_->Put({}, key, value).ok());
  }
  void Flush() { EXPECT_TRUE(db_->Flush({}).ok()); }
  std::string FirstValue(const std::string& begin, const std::string& end) {
    const KeptIterators::Borrowed at = iterators_->Borrow(*db_, begin, end);
    at->Seek(begin);
    return at->Valid() ? at->value().ToString() : "";
  }
  // Each iterator holds the version of the files that was current when it was made.
  std::uint64_t LiveVersions() {
    std::uint64_t count = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb.num-live-versions", &count));
    return count;
  }
  // Flush returns before the listeners have heard of it.
  void AwaitLiveVersions(std::uint64_t count) {
    while (LiveVersions() != count) {
      std::this_thread::yield();
    }
  }

  TempDirectory directory_;
  std::shared_ptr<KeptIterators> iterators_ = std::make_shared<KeptIterators>();
  std::unique_ptr<rocksdb::DB> db_;
};

TEST_F(KeptIteratorsTest, ShowWhatWasWrittenSinceTheyWereKept) {
  Put("a1", "old");
  EXPECT_EQ(FirstValue("a", "b"), "old");
  Put("a1", "new");
  EXPECT_EQ(FirstValue("a", "b"), "new");
  Put("a0", "newer");
  EXPECT_EQ(FirstValue("a", "b"), "newer");
  EXPECT_TRUE(db_->Delete({}, "a0").ok());
  EXPECT_EQ(FirstValue("a", "b"), "new");
}

TEST_F(KeptIteratorsTest, KeepToTheBoundsOfTheirUser) {
  Put("a1", "one");
  Put("b1", "two");
  EXPECT_EQ(FirstValue("a", "a1"), "");
  EXPECT_EQ(FirstValue("a", "c"), "one");
  EXPECT_EQ(FirstValue("b", "c"), "two");
  EXPECT_EQ(FirstValue("a2", "b"), "");
}

TEST_F(KeptIteratorsTest, ShowNothingOfARangeThatWasDeleted) {
  Put("a1", "one");
  EXPECT_EQ(FirstValue("a", "b"), "one");
  EXPECT_TRUE(db_->DeleteRange({}, db_->DefaultColumnFamily(), "a", "b").ok());
  EXPECT_EQ(FirstValue("a", "b"), "");
  Put("a2", "two");
  EXPECT_EQ(FirstValue("a", "b"), "two");
  EXPECT_TRUE(db_->DeleteRange({}, db_->DefaultColumnFamily(), "a", "b").ok());
  EXPECT_EQ(FirstValue("a", "b"), "");
  Flush();
  EXPECT_EQ(FirstValue("a", "b"), "");
}

TEST_F(KeptIteratorsTest, HoldNoOldFilesAfterAFlush) {
  Put("a1", "one");
  EXPECT_EQ(FirstValue("a", "b"), "one");
  Flush();
  AwaitLiveVersions(1);
  EXPECT_EQ(FirstValue("a", "b"), "one");
}

TEST_F(KeptIteratorsTest, HoldNoOldFilesAfterACompaction) {
  for (int i = 0; i < 2; ++i) {
    Put("a1", "one");
    Flush();
  }
  AwaitLiveVersions(1);
  EXPECT_EQ(FirstValue("a", "b"), "one");
  EXPECT_TRUE(db_->CompactRange({}, nullptr, nullptr).ok());
  AwaitLiveVersions(1);
}

TEST_F(KeptIteratorsTest, LetGoWhatChangedWhileTheyWereInUse) {
  Put("a1", "one");
  {
    const KeptIterators::Borrowed at = iterators_->Borrow(*db_, "a", "b");
    Flush();
    iterators_->DropIdle();  // The listener's call may still be to come.
    EXPECT_EQ(LiveVersions(), 2u);
  }
  EXPECT_EQ(LiveVersions(), 1u);
}

TEST_F(KeptIteratorsTest, ServeSeveralUsersOfOneThread) {
  Put("a1", "one");
  Put("b1", "two");
  const KeptIterators::Borrowed first = iterators_->Borrow(*db_, "a", "b");
  const KeptIterators::Borrowed second = iterators_->Borrow(*db_, "b", "c");
  first->Seek("a");
  second->Seek("b");
  ASSERT_TRUE(first->Valid() && second->Valid());
  EXPECT_EQ(first->value().ToString(), "one");
  EXPECT_EQ(second->value().ToString(), "two");
}

// Writes enough for many small memtables, with range reads in between, and compares with a map.
TEST(KeptIteratorsOfAStore, AgreeWithAMapOverFlushesAndCompactions) {
  const std::uint32_t seed = TestSeed();
  std::mt19937 random(seed);
  TempDirectory directory;
  RocksStoreOptions options;
  options.path = directory.path() + "/data";
  options.block_cache_bytes = 8u << 20;
  auto opened = OpenRocksStoreForTesting(options, {rocksdb::Env::Default(), 64u << 10});
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  Store& store = **opened;
  std::map<std::string, std::string> model;
  const auto random_key = [&] {
    return MakeKey(1, static_cast<std::uint32_t>(random() % 3), std::to_string(random() % 50));
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string key = random_key();
    if (random() % 4 == 0) {
      Delete(store, key);
      model.erase(key);
    } else {
      model[key] = std::string(random() % 600, static_cast<char>('a' + random() % 26));
      Put(store, key, model[key]);
    }
    if (round % 1000 == 999) {
      ASSERT_TRUE(store.DeleteSpace(1).has_value());
      model.clear();
    }
    const std::string begin = MakeKey(1, static_cast<std::uint32_t>(random() % 3), "1");
    const std::string end = begin.substr(0, kRouteBytes) + std::to_string(2 + random() % 8);
    Pairs expected(model.lower_bound(begin), model.lower_bound(end));
    // The second time a copy is made, the third time it is shown.
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(ReadRange(store, {begin, end, Direction::kForward}), expected) << SeedMessage(seed);
    }
    std::reverse(expected.begin(), expected.end());
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(ReadRange(store, {begin, end, Direction::kBackward}), expected)
          << SeedMessage(seed);
    }
  }
}

}  // namespace
}  // namespace prejoin::storage
