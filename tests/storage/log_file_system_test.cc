// When bytes of a log reach its file, and in which order files reach the disk.
#include "storage/log_file_system.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>

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

// Room for a whole memtable at once would be 20 ms of zeros in a file system in memory, and every commit would wait for them.
TEST_F(LogFileSystemTest, TakesRoomAheadInSmallStepsWhenItWrites) {
  const auto files =
      std::make_shared<LogFileSystem>(rocksdb::FileSystem::Default(), SyncMode::kAlways, nullptr);
  const LogPtr log = NewLog(*files, 1);
  const auto room = [&] {
    struct stat found {};
    EXPECT_EQ(stat(Path(1).c_str(), &found), 0);
    return found.st_blocks * 512;
  };
  log->SetPreallocationBlockSize(64u << 20);
  log->PrepareWrite(0, 1000, IOOptions(), nullptr);
  EXPECT_TRUE(log->Append(std::string(1000, 'x'), IOOptions(), nullptr).ok());
  EXPECT_EQ(room(), 0);
  EXPECT_TRUE(log->Sync(IOOptions(), nullptr).ok());
  EXPECT_GT(room(), 1 << 20);
  EXPECT_LE(room(), 8 << 20);
  EXPECT_TRUE(log->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(Content(1), std::string(1000, 'x'));
}

// Files whose first sync takes as long as somebody needs to close them, if anybody does.
class SlowFirstSync final : public rocksdb::FileSystemWrapper {
 public:
  explicit SlowFirstSync(const std::shared_ptr<rocksdb::FileSystem>& target)
      : FileSystemWrapper(target) {}
  const char* Name() const override { return "SlowFirstSync"; }
  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    LogPtr* result, rocksdb::IODebugContext* debug) override {
    LogPtr file;
    rocksdb::IOStatus status = target()->NewWritableFile(name, options, &file, debug);
    *result = std::make_unique<File>(std::move(file), *this);
    return status;
  }

  std::atomic<bool> is_syncing = false;
  std::atomic<bool> closed_meanwhile = false;

 private:
  class File final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(LogPtr file, SlowFirstSync& owner)
        : FSWritableFileOwnerWrapper(std::move(file)), owner_(owner) {}
    rocksdb::IOStatus Sync(const IOOptions& options, rocksdb::IODebugContext* debug) override {
      if (!owner_.is_syncing.exchange(true)) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
        while (!closed_ && std::chrono::steady_clock::now() < end) {
          std::this_thread::yield();
        }
        owner_.closed_meanwhile = closed_.load();
      }
      return FSWritableFileOwnerWrapper::Sync(options, debug);
    }
    rocksdb::IOStatus Close(const IOOptions& options, rocksdb::IODebugContext* debug) override {
      closed_ = true;
      return FSWritableFileOwnerWrapper::Close(options, debug);
    }

   private:
    SlowFirstSync& owner_;
    std::atomic<bool> closed_ = false;
  };
};

// The log behind it syncs it, and RocksDB closes it when its memtable is in a table file. The descriptor must outlive the sync.
TEST_F(LogFileSystemTest, ALogIsNotClosedWhileItIsSynced) {
  const auto slow = std::make_shared<SlowFirstSync>(disk_);
  LogFileSystem files(slow, SyncMode::kAlways, nullptr);
  const LogPtr old = NewLog(files, 1);
  EXPECT_TRUE(old->Append("one", IOOptions(), nullptr).ok());
  const LogPtr next = NewLog(files, 2);
  std::thread writer([&] { EXPECT_TRUE(next->Append("two", IOOptions(), nullptr).ok()); });
  while (!slow->is_syncing) {
    std::this_thread::yield();
  }
  EXPECT_TRUE(old->Close(IOOptions(), nullptr).ok());
  writer.join();
  EXPECT_FALSE(slow->closed_meanwhile);
  EXPECT_TRUE(files.FirstError().ok());
  EXPECT_EQ(Content(1), "one");
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
