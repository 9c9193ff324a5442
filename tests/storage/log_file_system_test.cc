// When bytes of a log reach its file, and in which order files reach the disk.
#include "storage/log_file_system.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "tests/storage/lossy_file_system.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

using rocksdb::IOOptions;
using LogPtr = std::unique_ptr<rocksdb::FSWritableFile>;

class LogFileSystemTest : public testing::Test {
 protected:
  std::shared_ptr<LogFileSystem> Open(SyncMode mode) {
    return std::make_shared<LogFileSystem>(disk_, mode, nullptr);
  }
  std::string Path(int number) const {
    return directory_.path() + "/00000" + std::to_string(number) + ".log";
  }
  LogPtr NewLog(LogFileSystem& files, int number) {
    LogPtr log;
    EXPECT_TRUE(files.NewWritableFile(Path(number), {}, &log, nullptr).ok());
    return log;
  }
  std::string Content(int number) const {
    std::ifstream file(Path(number), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TempDirectory directory_;
  std::shared_ptr<LossyFileSystem> disk_ = std::make_shared<LossyFileSystem>();
};

TEST_F(LogFileSystemTest, WritesWithTheSync) {
  const auto files = Open(SyncMode::kAlways);
  const LogPtr log = NewLog(*files, 1);
  EXPECT_TRUE(log->Append("one ", IOOptions(), nullptr).ok());
  EXPECT_TRUE(log->Append("two", IOOptions(), nullptr).ok());
  EXPECT_EQ(Content(1), "");
  EXPECT_TRUE(log->Sync(IOOptions(), nullptr).ok());
  EXPECT_EQ(Content(1), "one two");
  EXPECT_TRUE(log->Append(" three", IOOptions(), nullptr).ok());
  EXPECT_TRUE(log->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(Content(1), "one two three");
}

TEST_F(LogFileSystemTest, WritesAtOnceWithoutSyncs) {
  const auto files = Open(SyncMode::kNone);
  const LogPtr log = NewLog(*files, 1);
  EXPECT_TRUE(log->Append("one", IOOptions(), nullptr).ok());
  EXPECT_EQ(Content(1), "one");
}

TEST_F(LogFileSystemTest, KeepsOnlySoMuch) {
  const auto files = Open(SyncMode::kAlways);
  const LogPtr log = NewLog(*files, 1);
  const std::string megabyte(1u << 20, 'm');
  std::string all;
  for (int i = 0; i < 6; ++i) {
    EXPECT_TRUE(log->Append(megabyte, IOOptions(), nullptr).ok());
    EXPECT_TRUE(log->Append(std::to_string(i), IOOptions(), nullptr).ok());
    all += megabyte + std::to_string(i);
  }
  EXPECT_GE(Content(1).size(), 2u << 20);
  EXPECT_TRUE(log->Sync(IOOptions(), nullptr).ok());
  EXPECT_TRUE(Content(1) == all);
}

TEST_F(LogFileSystemTest, TellsTheStoreOfAWriteThatFailsInTheSync) {
  const auto files = Open(SyncMode::kAlways);
  const LogPtr log = NewLog(*files, 1);
  EXPECT_TRUE(log->Append("lost", IOOptions(), nullptr).ok());
  EXPECT_TRUE(files->FirstError().ok());
  disk_->FailNextLogWrite();
  // RocksDB is not to hear of missing room; the store asks.
  EXPECT_TRUE(log->Sync(IOOptions(), nullptr).ok());
  EXPECT_TRUE(files->FirstError().IsNoSpace());
  // Nothing follows a gap.
  EXPECT_TRUE(log->Append("later", IOOptions(), nullptr).ok());
  EXPECT_TRUE(log->Sync(IOOptions(), nullptr).ok());
  EXPECT_EQ(Content(1), "");
}

// Whoever syncs at the same time: the first byte of a log comes after the last byte of the one before.
TEST_F(LogFileSystemTest, BeginsALogBehindAWholeOne) {
  const auto files = Open(SyncMode::kAlways);
  LogPtr log = NewLog(*files, 1);
  std::string all;
  for (int number = 1; number < 60; ++number) {
    std::atomic<bool> stop = false;
    std::thread syncer([&] {
      while (!stop) {
        EXPECT_TRUE(log->Sync(IOOptions(), nullptr).ok());
      }
    });
    for (int i = 0; i < 50; ++i) {
      EXPECT_TRUE(log->Append(std::to_string(i), IOOptions(), nullptr).ok());
      all += std::to_string(i);
    }
    LogPtr next = NewLog(*files, number + 1);
    EXPECT_TRUE(next->Append("first", IOOptions(), nullptr).ok());
    EXPECT_EQ(Content(number), all);
    all = "first";
    stop = true;
    syncer.join();
    log = std::move(next);
  }
}

}  // namespace
}  // namespace prejoin::storage
