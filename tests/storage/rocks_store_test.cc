// What only the disk store does: its directory, its lock, starting again.
#include "storage/rocks_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "base/mutex.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

using testing::HasSubstr;

class RocksStoreTest : public testing::Test {
 protected:
  // A process that was forked from one with RocksDB's threads cannot use RocksDB; one that starts
  // anew can.
  RocksStoreTest() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

  Result<std::unique_ptr<Store>> Open(SyncMode sync = SyncMode::kAlways) const {
    RocksStoreOptions options;
    options.path = path();
    options.sync = sync;
    options.block_cache_bytes = 8u << 20;
    return OpenRocksStore(options);
  }
  std::string path() const { return directory_.path() + "/data"; }
  void WriteFile(const std::string& name, std::string_view content) const {
    std::filesystem::create_directories(path());
    std::ofstream(path() + "/" + name, std::ios::binary) << content;
  }
  // Runs `work` with a store in a process of its own and, if it returns true, kills that process.
  // It sees the same directory and starts the test from its beginning, so nothing before this call
  // may depend on what comes after it.
  void InKilledProcess(SyncMode sync, const std::function<bool(Store&)>& work) const {
    EXPECT_EXIT(
        {
          const auto store = Open(sync);
          if (store.has_value() && work(**store)) {
            raise(SIGKILL);
          }
        },
        testing::KilledBySignal(SIGKILL), "");
  }

  TempDirectory directory_;
};

TEST_F(RocksStoreTest, ReopenKeepsEverything) {
  for (const SyncMode sync : {SyncMode::kAlways, SyncMode::kNone}) {
    for (int round = 0; round < 3; ++round) {
      auto store = Open(sync);
      ASSERT_TRUE(store.has_value()) << store.error().message;
      for (int i = 0; i < round; ++i) {
        EXPECT_EQ(Get(**store, MakeKey(1, 1, std::to_string(i))), "v");
      }
      Put(**store, MakeKey(1, 1, std::to_string(round)), "v");
    }
  }
}

TEST_F(RocksStoreTest, TicketsStartAgainAfterReopen) {
  {
    auto store = Open();
    ASSERT_TRUE(store.has_value());
    Put(**store, MakeKey(1, 1, "k"), "v");
  }
  auto store = Open();
  ASSERT_TRUE(store.has_value());
  EXPECT_TRUE((*store)->IsDurable((*store)->NewestTicket()));
  EXPECT_TRUE((*store)->IsDurable((*store)->NewestTicket(MakeKey(1, 1, "k"))));
}

TEST_F(RocksStoreTest, CreatesMissingParents) {
  RocksStoreOptions options;
  options.path = directory_.path() + "/a/b/c";
  EXPECT_TRUE(OpenRocksStore(options).has_value());
}

TEST_F(RocksStoreTest, SaysWhyADirectoryCannotBeUsed) {
  const std::string file = directory_.path() + "/file";
  std::ofstream(file) << "text";
  const auto store = OpenRocksStore({.path = file + "/data"});
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::kIo);
  EXPECT_NE(store.error().message.find("cannot create " + file + "/data"), std::string::npos)
      << store.error().message;
}

TEST_F(RocksStoreTest, RefusesAForeignDirectory) {
  WriteFile("holiday.jpg", "not ours");
  const auto store = Open();
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::kValidation);
  EXPECT_THAT(store.error().message, HasSubstr("is not a Prejoin data directory"));
  // Nothing of ours was left in it.
  EXPECT_FALSE(std::filesystem::exists(path() + "/PREJOIN"));
}

TEST_F(RocksStoreTest, RefusesAFormatItDoesNotKnow) {
  WriteFile("PREJOIN", "prejoin store 2 ready\n");
  const auto store = Open();
  ASSERT_FALSE(store.has_value());
  EXPECT_THAT(store.error().message, HasSubstr("another version"));
}

TEST_F(RocksStoreTest, RefusesADamagedMarker) {
  WriteFile("PREJOIN", "");
  const auto store = Open();
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::kCorruption);
}

TEST_F(RocksStoreTest, FinishesAnInterruptedFirstStart) {
  WriteFile("PREJOIN", "prejoin store 1 creating\n");
  EXPECT_TRUE(Open().has_value());
  EXPECT_TRUE(Open().has_value());
}

// Without the check an empty store would take the place of the lost data.
TEST_F(RocksStoreTest, RefusesToStartWhenTheDataIsGone) {
  ASSERT_TRUE(Open().has_value());
  for (const auto& entry : std::filesystem::directory_iterator(path())) {
    if (entry.path().filename() != "PREJOIN") {
      std::filesystem::remove_all(entry.path());
    }
  }
  const auto store = Open();
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::kCorruption);
}

TEST_F(RocksStoreTest, RefusesASecondOpenInThisProcess) {
  const auto first = Open();
  ASSERT_TRUE(first.has_value());
  const auto second = Open();
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().message, HasSubstr("already open in this process"));
}

TEST_F(RocksStoreTest, RefusesADirectoryThatAnotherProcessHasOpen) {
  const auto store = Open();
  EXPECT_EXIT(
      {
        const auto second = Open();
        const bool refused = !second.has_value() && second.error().code == ErrorCode::kUnavailable;
        fprintf(stderr, "%s", refused ? second.error().message.c_str() : "not refused");
        _exit(refused ? 0 : 1);
      },
      testing::ExitedWithCode(0), "is in use by another process");
  EXPECT_TRUE(store.has_value());
}

TEST_F(RocksStoreTest, KilledProcessLosesNothingThatWasDurable) {
  InKilledProcess(SyncMode::kAlways, [](Store& store) {
    Ticket ticket = 0;
    for (std::uint32_t i = 0; i < 100; ++i) {
      ticket = Put(store, MakeKey(1, i << 25, "k"), std::string(100, 'v'));
    }
    const bool durable = store.WaitDurable(ticket).has_value();
    Put(store, MakeKey(2, 1, "may be lost"), "v");
    return durable;
  });
  auto store = Open();
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(KeysIn(**store, {SpacePrefix(1), SpacePrefix(2), Direction::kForward}).size(), 100u);
}

bool PutTen(Store& store) {
  for (std::uint32_t i = 0; i < 10; ++i) {
    Put(store, MakeKey(1, i << 25, "k"), std::string(100, 'v'));
  }
  return true;
}

// The log that a killed process left, to be damaged by the test.
std::string LogIn(const std::string& path) {
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".log" && entry.file_size() > 0) {
      return entry.path().string();
    }
  }
  ADD_FAILURE() << "no log in " << path;
  return "";
}

TEST_F(RocksStoreTest, KilledProcessLosesNothingEvenWithoutSyncs) {
  InKilledProcess(SyncMode::kNone, PutTen);
  auto store = Open(SyncMode::kNone);
  ASSERT_TRUE(store.has_value());
  EXPECT_EQ(KeysIn(**store, {"", "", Direction::kForward}).size(), 10u);
}

TEST_F(RocksStoreTest, StartsWithATornEndOfTheLog) {
  InKilledProcess(SyncMode::kNone, PutTen);
  const std::string log = LogIn(path());
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 50);
  for (int round = 0; round < 2; ++round) {
    auto store = Open();
    ASSERT_TRUE(store.has_value()) << store.error().message;
    EXPECT_EQ(KeysIn(**store, {"", "", Direction::kForward}).size(), 9u);
  }
}

TEST_F(RocksStoreTest, RefusesDamageInTheMiddleOfTheLog) {
  InKilledProcess(SyncMode::kNone, PutTen);
  const std::string log = LogIn(path());
  {
    std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(log) / 2));
    file.put('!');
  }
  const auto store = Open();
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::kCorruption);
  EXPECT_THAT(store.error().message, HasSubstr(path()));
}

// A table file with a damaged byte.
class DamagedTable : public RocksStoreTest {
 protected:
  static constexpr std::uint32_t kKeys = 3000;
  static std::string KeyOf(std::uint32_t number) { return MakeKey(7, number << 18, "k"); }

  void Make() {
    {
      auto store = Open();
      ASSERT_TRUE(store.has_value());
      for (std::uint32_t i = 0; i < kKeys; ++i) {
        Put(**store, KeyOf(i), std::to_string(i));
      }
    }
    for (const auto& entry : std::filesystem::directory_iterator(path())) {
      if (entry.path().extension() == ".sst") {
        file_ = entry.path().filename();
      }
    }
    std::fstream file(path() + "/" + file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(300);
    file.put('!');
  }
  std::unique_ptr<Store> OpenDamaged(std::size_t write_buffer_bytes) {
    RocksStoreOptions options;
    options.path = path();
    options.block_cache_bytes = 8u << 20;
    options.on_fault = [this](const StoreFault& fault) {
      const MutexLock lock(mutex_);
      faults_.push_back(fault);
    };
    auto store = OpenRocksStoreForTesting(options, {rocksdb::Env::Default(), write_buffer_bytes});
    EXPECT_TRUE(store.has_value()) << store.error().message;
    return *std::move(store);
  }
  Status Write(Store& store, const std::string& key) {
    const auto ticket = store.Transact(std::span(&key, 1), [&](Transaction& transaction) {
      transaction.Put(key, std::string(500, 'n'));
      return Status();
    });
    return ticket ? store.WaitDurable(*ticket) : Status(ticket.error());
  }

  std::string file_;
  Mutex mutex_;
  std::vector<StoreFault> faults_;
};

TEST_F(DamagedTable, FailsOnlyThoseWhoNeedItAndIsReportedOnce) {
  Make();
  const auto store = OpenDamaged(64u << 20);
  int failed = 0;
  for (std::uint32_t i = 0; i < kKeys; ++i) {
    const auto value = store->Get(KeyOf(i));
    if (!value) {
      EXPECT_EQ(value.error().code, ErrorCode::kCorruption);
    }
    failed += !value;
  }
  EXPECT_GT(failed, 0);
  EXPECT_LT(failed, static_cast<int>(kKeys) / 2);
  const Status refused = Write(*store, KeyOf(0));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kCorruption);
  EXPECT_TRUE(store->Health().has_value());
  EXPECT_TRUE(Write(*store, KeyOf(kKeys - 1)).has_value());
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].kind, StoreFault::Kind::kDamaged);
  EXPECT_THAT(faults_[0].message, HasSubstr(file_));
  EXPECT_EQ(faults_[0].first_key, KeyOf(0));
  EXPECT_EQ(faults_[0].last_key, KeyOf(kKeys - 1));
  EXPECT_EQ(store->Faults().damaged_files, 1u);
  EXPECT_EQ(store->Faults().damaged_reads, static_cast<std::uint64_t>(failed) + 1);
}

TEST_F(DamagedTable, IsFoundByRepair) {
  Make();
  const auto repaired = RepairRocksStore(path());
  ASSERT_TRUE(repaired.has_value()) << repaired.error().message;
  ASSERT_EQ(repaired->tables.size(), 1u);
  EXPECT_EQ(repaired->tables[0].file, file_);
}

// A compaction that meets the damage ends writing for a moment; then it goes on without compactions.
TEST_F(DamagedTable, DoesNotEndWritingWhenACompactionMeetsIt) {
  Make();
  const auto store = OpenDamaged(64u << 10);
  std::uint32_t written = 0;
  while (store->Faults().damaged_files == 0 && written < 100'000) {
    (void)Write(*store, MakeKey(7, written << 12, "new" + std::to_string(written)));
    ++written;
  }
  ASSERT_EQ(store->Faults().damaged_files, 1u);
  while (store->Outage() != 0) {
    std::this_thread::yield();
  }
  for (std::uint32_t i = 0; i < 2000; ++i) {
    ASSERT_TRUE(Write(*store, MakeKey(8, i << 12, "more")).has_value());
  }
  EXPECT_TRUE(store->Health().has_value());
}

}  // namespace
}  // namespace prejoin::storage
