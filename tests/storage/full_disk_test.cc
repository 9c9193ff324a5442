// A disk that fills up, and has room again: nothing that was acknowledged is lost, nothing is acknowledged meanwhile, and writing goes on by itself.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <thread>

#include "storage/rocks_store.h"
#include "tests/storage/lossy_file_system.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

using Full = LossyFileSystem::Full;

class FullDisk : public testing::TestWithParam<SyncMode> {
 protected:
  void Open(std::size_t write_buffer_bytes = 1u << 20) {
    RocksStoreOptions options;
    options.sync = GetParam();
    options.path = directory_.path() + "/data";
    options.block_cache_bytes = 8u << 20;
    options.on_fault = [this](const StoreFault& fault) {
      const MutexLock lock(mutex_);
      faults_.push_back(fault.kind);
      if (fault.kind == StoreFault::Kind::kWritable) {
        writable_.set_value();
      }
    };
    auto store = OpenRocksStoreForTesting(options, {env_.get(), write_buffer_bytes});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    store_ = *std::move(store);
  }
  // Whether a write was acknowledged.
  bool Write(const std::string& key, const std::string& value) {
    const auto ticket = store_->Transact(std::span(&key, 1), [&](Transaction& transaction) {
      transaction.Put(key, value);
      return Status();
    });
    const Status durable = ticket ? store_->WaitDurable(*ticket) : Status(ticket.error());
    if (!durable) {
      EXPECT_EQ(durable.error().code, ErrorCode::kUnavailable) << durable.error().message;
    }
    return durable.has_value();
  }
  void MakeRoomAndWait() {
    files_->Fill(Full::kNone);
    writable_.get_future().wait();
    writable_ = {};
    // Reported a moment after it is so.
    EXPECT_EQ(store_->Outage(), 0u);
    EXPECT_TRUE(store_->Health().has_value());
  }
  void FailPowerAndOpen() {
    files_->CutPower();
    store_.reset();
    std::mt19937 random(1);
    files_->Lose(random);
    Open();
  }
  std::vector<StoreFault::Kind> faults() {
    const MutexLock lock(mutex_);
    return faults_;
  }

  TempDirectory directory_;
  std::shared_ptr<LossyFileSystem> files_ = std::make_shared<LossyFileSystem>();
  std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(files_);
  Mutex mutex_;
  std::vector<StoreFault::Kind> faults_;
  std::promise<void> writable_;
  std::unique_ptr<Store> store_;
};

std::string KeyOf(int number) {
  return MakeKey(1, static_cast<std::uint32_t>(number) << 20, std::to_string(number));
}

TEST_P(FullDisk, WritingGoesOnOnceThereIsRoom) {
  Open();
  ASSERT_TRUE(Write(KeyOf(0), "before"));
  for (const Full full : {Full::kLogs, Full::kAll}) {
    files_->Fill(full);
    while (Write(KeyOf(1), std::string(5000, 'x'))) {
    }
    ASSERT_FALSE(store_->Health().has_value());
    EXPECT_EQ(store_->Health().error().code, ErrorCode::kUnavailable);
    EXPECT_NE(store_->Outage(), 0u);
    EXPECT_FALSE(Write(KeyOf(2), "refused"));
    // Reads go on.
    EXPECT_EQ(Get(*store_, KeyOf(0)), "before");
    EXPECT_FALSE(Get(*store_, KeyOf(2)).has_value());
    MakeRoomAndWait();
    EXPECT_TRUE(Write(KeyOf(3), "after"));
  }
  EXPECT_EQ(store_->Faults().outages, 2u);
  using enum StoreFault::Kind;
  EXPECT_EQ(faults(), (std::vector{kFull, kWritable, kFull, kWritable}));
  if (GetParam() == SyncMode::kAlways) {
    FailPowerAndOpen();
  }
  EXPECT_EQ(Get(*store_, KeyOf(0)), "before");
  EXPECT_EQ(Get(*store_, KeyOf(3)), "after");
}

// The log has room, but the tables have none: RocksDB itself stops.
TEST_P(FullDisk, OfTablesPassesToo) {
  Open(64u << 10);
  files_->Fill(Full::kTables);
  int acknowledged = 0;
  while (Write(KeyOf(acknowledged), std::string(3000, 'x'))) {
    ++acknowledged;
  }
  EXPECT_GT(acknowledged, 10);
  MakeRoomAndWait();
  EXPECT_TRUE(Write(KeyOf(-1), "after"));
  if (GetParam() == SyncMode::kAlways) {
    FailPowerAndOpen();
  }
  for (int number = 0; number < acknowledged; ++number) {
    EXPECT_TRUE(Get(*store_, KeyOf(number)).has_value()) << number;
  }
  EXPECT_EQ(Get(*store_, KeyOf(-1)), "after");
}

// Writers try again and again while the disk fills up and empties. What one of them was told is true after a power failure.
TEST_P(FullDisk, TakesBackNothingFromWritersThatTryAgain) {
  Open(64u << 10);
  constexpr int kWriters = 3;
  std::atomic<bool> stop = false;
  std::array<std::atomic<int>, kWriters> promised = {};
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      for (int number = 1; !stop; ++number) {
        if (Write(KeyOf(writer), std::to_string(number) + std::string(700, ' '))) {
          promised[writer] = number;
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  for (const Full full : {Full::kLogs, Full::kTables, Full::kAll}) {
    const int before = promised[0];
    while (promised[0] < before + 20) {
      std::this_thread::yield();
    }
    files_->Fill(full);
    while (store_->Outage() == 0) {
      std::this_thread::yield();
    }
    MakeRoomAndWait();
  }
  stop = true;
  for (std::thread& writer : writers) {
    writer.join();
  }
  if (GetParam() == SyncMode::kAlways) {
    FailPowerAndOpen();
  }
  for (int writer = 0; writer < kWriters; ++writer) {
    EXPECT_GE(std::stoi(Get(*store_, KeyOf(writer)).value_or("0")), promised[writer]);
  }
}

// The process ends while the disk is full.
TEST_P(FullDisk, StartsAgainWithATornLog) {
  Open();
  ASSERT_TRUE(Write(KeyOf(0), "before"));
  files_->Fill(Full::kAll);
  while (Write(KeyOf(1), std::string(5000, 'x'))) {
  }
  store_.reset();
  files_->Fill(Full::kNone);
  Open();
  EXPECT_EQ(Get(*store_, KeyOf(0)), "before");
  EXPECT_TRUE(Write(KeyOf(1), "after"));
}

TEST_P(FullDisk, FailedSyncIsFinalWhateverItSays) {
  if (GetParam() == SyncMode::kNone) {
    GTEST_SKIP() << "there are no syncs";
  }
  Open();
  ASSERT_TRUE(Write(KeyOf(0), "before"));
  files_->FailNextLogSyncForWantOfRoom();
  const std::string key = KeyOf(1);
  const Status durable = store_->WaitDurable(Put(*store_, key, "lost"));
  ASSERT_FALSE(durable.has_value());
  EXPECT_EQ(durable.error().code, ErrorCode::kIo);
  EXPECT_EQ(faults(), std::vector{StoreFault::Kind::kStopped});
}

INSTANTIATE_TEST_SUITE_P(Modes, FullDisk, testing::Values(SyncMode::kAlways, SyncMode::kNone),
                         [](const auto& instance) {
                           return instance.param == SyncMode::kAlways ? "Synced" : "NotSynced";
                         });

}  // namespace
}  // namespace prejoin::storage
