// What only the disk store does: its directory, its lock, starting again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

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

}  // namespace
}  // namespace prejoin::storage
