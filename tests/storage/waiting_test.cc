// Stores under threads that may not wait (base/patience.h): event loops. A call that would have to wait says so and has changed nothing.
#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "base/patience.h"
#include "storage/rocks_store.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

Result<Ticket> PutOf(Store& store, const std::string& key, const std::string& value) {
  return store.Transact(std::span(&key, 1), [&](Transaction& transaction) -> Status {
    transaction.Put(key, value);
    return {};
  });
}

bool IsRefused(const Result<Ticket>& result) {
  return !result && result.error().code == ErrorCode::kOverBudget;
}

class StoreWaiting : public testing::TestWithParam<Kind> {
 protected:
  StoreWaiting() : store_(GetParam()) {}

  // Transact with `key` is in its body until `release_` is set.
  std::thread Hold(const std::string& key) {
    std::promise<void> held;
    std::thread holder([this, key, &held] {
      EXPECT_TRUE(store_->Transact(std::span(&key, 1), [&](Transaction&) -> Status {
        held.set_value();
        release_.get_future().wait();
        return {};
      }));
    });
    held.get_future().wait();
    return holder;
  }

  StoreUnderTest store_;
  std::promise<void> release_;
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreWaiting, testing::ValuesIn(KindsUnderTest()), NameOf);

TEST_P(StoreWaiting, RefusesAKeyThatAnotherHolds) {
  const std::string hot = MakeKey(1, 1, "hot");
  const std::string free = MakeKey(1, 2, "free");
  std::thread holder = Hold(hot);
  {
    const WaitingScope waiting(false);
    EXPECT_TRUE(IsRefused(PutOf(*store_, hot, "x")));
    const auto obstacle = TakeObstacle();
    ASSERT_TRUE(obstacle);
    // Whoever else meets it is told the same.
    const std::string keys[] = {free, hot};
    EXPECT_TRUE(IsRefused(store_->Transact(keys, [](Transaction&) -> Status {
      ADD_FAILURE() << "the body must not run";
      return {};
    })));
    EXPECT_EQ(TakeObstacle(), obstacle);
    EXPECT_EQ(TakeObstacle(), std::nullopt);
    // What the refused call held for a moment is free again.
    EXPECT_TRUE(PutOf(*store_, free, "y"));
    EXPECT_EQ(TakeObstacle(), std::nullopt);
  }
  release_.set_value();
  holder.join();
  EXPECT_EQ(Get(*store_, hot), std::nullopt);
  EXPECT_EQ(Get(*store_, free), "y");
  const WaitingScope waiting(false);
  EXPECT_TRUE(PutOf(*store_, hot, "x"));
}

TEST_P(StoreWaiting, WaitsWhereItMay) {
  const std::string hot = MakeKey(1, 1, "hot");
  std::thread holder = Hold(hot);
  std::thread patient([&] { EXPECT_TRUE(PutOf(*store_, hot, "x")); });
  release_.set_value();
  holder.join();
  patient.join();
  EXPECT_EQ(Get(*store_, hot), "x");
}

// A range read in memory keeps a part of the keys locked; a commit that waits for it must not keep others from the rest.
TEST_P(StoreWaiting, ReadsOtherKeysWhileACommitWaitsForARangeRead) {
  std::vector<std::string> keys;
  for (std::uint32_t i = 0; i < 256; ++i) {
    keys.push_back(MakeKey(1, i << 24, "k"));
    ASSERT_TRUE(PutOf(*store_, keys.back(), "old"));
  }
  std::promise<void> reading;
  std::thread reader([&] {
    const Range range{.begin = keys[200], .end = keys[201]};
    EXPECT_TRUE(store_->Visit(range, [&](std::string_view, std::string_view) {
      reading.set_value();
      release_.get_future().wait();
      return Visit::kStop;
    }));
  });
  reading.get_future().wait();
  std::atomic<bool> committing = false;
  std::thread writer([&] {
    EXPECT_TRUE(store_->Transact(keys, [&](Transaction& transaction) -> Status {
      for (const std::string& key : keys) {
        transaction.Put(key, "new");
      }
      committing = true;
      return {};
    }));
  });
  while (!committing) {
    std::this_thread::yield();
  }
  for (int round = 0; round < 200; ++round) {
    for (const std::string& key : keys) {
      EXPECT_TRUE(store_->Get(key)->has_value());
    }
    std::this_thread::yield();
  }
  release_.set_value();
  reader.join();
  writer.join();
  EXPECT_EQ(Get(*store_, keys[200]), "new");
}

// Keeps RocksDB's flushes waiting, so that it stops its writers.
class SlowFiles : public rocksdb::FileSystemWrapper {
 public:
  SlowFiles() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "SlowFiles"; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* context) override {
    if (name.ends_with(".sst")) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return open_; });
    }
    return target()->NewWritableFile(name, options, result, context);
  }

  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

TEST(RocksStoreWaiting, RefusesAWriteThatRocksDbWouldHoldUp) {
  const TempDirectory directory;
  const auto files = std::make_shared<SlowFiles>();
  const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
  auto store = *OpenRocksStoreForTesting({.path = directory.path(), .sync = SyncMode::kNone},
                                         {.env = env.get(), .write_buffer_bytes = 256u << 10});
  const std::string value(64u << 10, 'v');
  int written = 0;
  {
    const WaitingScope waiting(false);
    while (written < 100 && PutOf(*store, MakeKey(1, 1, std::to_string(written)), value)) {
      ++written;
    }
    ASSERT_LT(written, 100) << "RocksDB held nobody up";
    EXPECT_TRUE(TakeObstacle());
    EXPECT_TRUE(IsRefused(PutOf(*store, MakeKey(1, 1, "next"), value)));
  }
  EXPECT_TRUE(store->Health());
  // Reads go on, and whoever may wait gets through in the end.
  EXPECT_EQ(Get(*store, MakeKey(1, 1, "0")), value);
  std::thread patient([&] { EXPECT_TRUE(PutOf(*store, MakeKey(1, 1, "patient"), "p")); });
  files->Open();
  patient.join();
  EXPECT_EQ(Get(*store, MakeKey(1, 1, "patient")), "p");
  EXPECT_EQ(Get(*store, MakeKey(1, 1, std::to_string(written))), std::nullopt);
  EXPECT_EQ(Get(*store, MakeKey(1, 1, "next")), std::nullopt);
  for (int i = 0; i < written; ++i) {
    EXPECT_EQ(Get(*store, MakeKey(1, 1, std::to_string(i))), value);
  }
}

}  // namespace
}  // namespace prejoin::storage
