// Logs that were cut, overwritten or lost: what is damage, and what a power failure may leave.
#include "storage/log_check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "storage/rocks_store.h"
#include "tests/storage/lossy_file_system.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

class LogCheck : public testing::Test {
 protected:
  static constexpr int kSessions = 3;
  static constexpr int kWrites = 20;

  // Sessions that end without a flush, so that each leaves a log of its own.
  LogCheck() {
    for (int session = 0; session < kSessions; ++session) {
      auto store = OpenRocksStoreForTesting(Options(), {env_.get(), 1u << 20});
      EXPECT_TRUE(store.has_value()) << store.error().message;
      for (int i = 0; i < kWrites; ++i) {
        const Ticket ticket = Put(**store, KeyOf(session, i), std::string(200, 'v'));
        EXPECT_TRUE((*store)->WaitDurable(ticket).has_value());
      }
      files_->CutPower();
      store->reset();
      std::mt19937 random(1);
      files_->Lose(random);
    }
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() == ".log" && entry.file_size() > 0) {
        logs_.push_back(entry.path().string());
      }
    }
    std::ranges::sort(logs_);
  }

  static std::string KeyOf(int session, int i) {
    return MakeKey(1, static_cast<std::uint32_t>(session), std::to_string(i));
  }
  RocksStoreOptions Options() const {
    return {.path = path_, .block_cache_bytes = 8u << 20, .known_features = {}};
  }

  void ExpectRefused() {
    const auto store = OpenRocksStore(Options());
    ASSERT_FALSE(store.has_value());
    EXPECT_EQ(store.error().code, ErrorCode::kCorruption);
    EXPECT_NE(store.error().message.find("prejoin repair " + path_), std::string::npos)
        << store.error().message;
  }
  // How many writes are there; none may be missing in front of another.
  int CountKept() {
    auto store = OpenRocksStore(Options());
    EXPECT_TRUE(store.has_value()) << store.error().message;
    int kept = 0;
    bool missing = false;
    for (int session = 0; store && session < kSessions; ++session) {
      for (int i = 0; i < kWrites; ++i) {
        const bool there = Get(**store, KeyOf(session, i)).has_value();
        EXPECT_FALSE(there && missing) << "a hole before " << session << " " << i;
        missing |= !there;
        kept += there;
      }
    }
    return kept;
  }
  // Nobody syncs the note of the last sync, so a power failure may take it.
  void LoseSynced() { ASSERT_TRUE(std::filesystem::remove(path_ + "/" + kSyncedName)); }
  void Overwrite(const std::string& name, std::uint64_t at, const std::string& bytes) {
    std::fstream file(name, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  TempDirectory directory_;
  const std::string path_ = directory_.path() + "/data";
  std::shared_ptr<LossyFileSystem> files_ = std::make_shared<LossyFileSystem>();
  std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(files_);
  std::vector<std::string> logs_;
};

TEST_F(LogCheck, FindsNothingInSoundLogs) {
  ASSERT_EQ(logs_.size(), 3u);
  const auto found = FindLogBreak(*DiskFolder(path_));
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_FALSE(found->has_value()) << (*found)->what;
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

TEST_F(LogCheck, RefusesAnEarlierLogThatEndsEarly) {
  std::filesystem::resize_file(logs_[0], std::filesystem::file_size(logs_[0]) - 300);
  ExpectRefused();
}

TEST_F(LogCheck, RefusesALogThatIsGone) {
  for (const std::string& log : {logs_[0], logs_[1]}) {
    std::filesystem::rename(log, directory_.path() + "/aside");
    ExpectRefused();
    std::filesystem::rename(directory_.path() + "/aside", log);
  }
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

// Logs that a flush made obsolete are no longer looked at.
TEST_F(LogCheck, IgnoresObsoleteLogs) {
  std::filesystem::copy(logs_[0], directory_.path() + "/aside");
  EXPECT_EQ(CountKept(), kSessions * kWrites);  // Its clean end flushes.
  std::filesystem::rename(directory_.path() + "/aside", logs_[0]);
  std::filesystem::resize_file(logs_[0], std::filesystem::file_size(logs_[0]) - 300);
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

TEST_F(LogCheck, RefusesChangedBytes) {
  for (const std::string& log : {logs_[0], logs_[2]}) {
    char byte = 0;
    std::ifstream(log, std::ios::binary).seekg(1000).get(byte);
    Overwrite(log, 1000, std::string(1, static_cast<char>(byte ^ 1)));
    ExpectRefused();
    Overwrite(log, 1000, std::string(1, byte));
  }
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

// A header that cannot be right says nothing about where its record ends, and the file may end
// before the block does.
TEST_F(LogCheck, RefusesAHeaderThatCannotBe) {
  constexpr std::uint64_t kTypeAt = 6;
  for (const std::string& log : {logs_[0], logs_[2]}) {
    Overwrite(log, kTypeAt, "\x09");
    ExpectRefused();
    Overwrite(log, kTypeAt, "\x01");
  }
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

TEST_F(LogCheck, RefusesLostSectorsOfAnEarlierLog) {
  Overwrite(logs_[0], 1024, std::string(512, '\0'));
  ExpectRefused();
}

// The newest log was being written: what the disk did not get to was not acknowledged.
TEST_F(LogCheck, CutsTheNewestLogWhereItWasNotWritten) {
  LoseSynced();
  Overwrite(logs_[2], 1024, std::string(512, '\0'));
  const int kept = CountKept();
  EXPECT_GE(kept, 2 * kWrites);
  EXPECT_LT(kept, 3 * kWrites);
}

TEST_F(LogCheck, CutsTheNewestLogWhereItEnds) {
  LoseSynced();
  std::filesystem::resize_file(logs_[2], std::filesystem::file_size(logs_[2]) - 300);
  const int kept = CountKept();
  EXPECT_GE(kept, 3 * kWrites - 3);
  EXPECT_LT(kept, 3 * kWrites);
}

// A process that was killed has left a note of how far the log was synced.
TEST_F(LogCheck, RefusesTheNewestLogWithoutItsLastByteAndRepairsIt) {
  std::filesystem::resize_file(logs_[2], std::filesystem::file_size(logs_[2]) - 1);
  ExpectRefused();
  ASSERT_TRUE(RepairRocksStore(path_).has_value());
  EXPECT_EQ(CountKept(), kSessions * kWrites - 1);
}

TEST_F(LogCheck, IgnoresADamagedNoteOfTheLastSync) {
  const std::string note = path_ + "/" + kSyncedName;
  ASSERT_TRUE(std::filesystem::exists(note));
  for (const std::uint64_t at : {0u, 15u, 30u, 45u}) {
    Overwrite(note, at, "\x07");
  }
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

TEST_F(LogCheck, RepairGoesBackToTheStateBeforeTheDamage) {
  std::filesystem::resize_file(logs_[1], std::filesystem::file_size(logs_[1]) - 300);
  ExpectRefused();
  const auto repaired = RepairRocksStore(path_);
  ASSERT_TRUE(repaired.has_value()) << repaired.error().message;
  ASSERT_TRUE(repaired->logs.has_value());
  EXPECT_EQ(repaired->logs->later_files.size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(path_ + "/lost/" + repaired->logs->file));
  EXPECT_TRUE(std::filesystem::exists(path_ + "/lost/" + repaired->logs->later_files[0]));
  const int kept = CountKept();
  EXPECT_GE(kept, 2 * kWrites - 3);
  EXPECT_LT(kept, 2 * kWrites);
  const auto again = RepairRocksStore(path_);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_FALSE(again->logs.has_value());
}

// RocksDB takes it for a log that never was.
TEST_F(LogCheck, RefusesWithoutTheNewestLog) {
  std::filesystem::rename(logs_[2], directory_.path() + "/aside");
  ExpectRefused();
  std::filesystem::rename(directory_.path() + "/aside", logs_[2]);
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

TEST_F(LogCheck, RefusesWithoutAnyLog) {
  for (const std::string& log : logs_) {
    std::filesystem::remove(log);
  }
  ExpectRefused();
}

TEST_F(LogCheck, RepairGoesOnWithoutAMissingLog) {
  std::filesystem::remove(logs_[2]);
  ExpectRefused();
  const auto repaired = RepairRocksStore(path_);
  ASSERT_TRUE(repaired.has_value()) << repaired.error().message;
  ASSERT_TRUE(repaired->logs.has_value());
  EXPECT_TRUE(repaired->logs->missing);
  EXPECT_EQ(CountKept(), 2 * kWrites);
}

// The start of the third session knew how long the logs of the first two were.
TEST_F(LogCheck, RefusesLogsThatAreShorterThanTheyWere) {
  for (const std::uint64_t cut : {std::uint64_t{1}, std::filesystem::file_size(logs_[1])}) {
    const auto bytes = std::filesystem::file_size(logs_[1]);
    std::filesystem::copy_file(logs_[1], directory_.path() + "/aside");
    std::filesystem::rename(logs_[2], directory_.path() + "/aside2");
    std::filesystem::resize_file(logs_[1], bytes - cut);
    ExpectRefused();
    std::filesystem::rename(directory_.path() + "/aside", logs_[1]);
    std::filesystem::rename(directory_.path() + "/aside2", logs_[2]);
  }
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

// Each log is known with what its first sync covered.
TEST_F(LogCheck, RefusesTheNewestLogIfItIsEmpty) {
  std::filesystem::resize_file(logs_[2], 0);
  ExpectRefused();
}

TEST_F(LogCheck, RefusesADamagedRegisterAndRepairsIt) {
  Overwrite(path_ + "/" + kLogRegisterName, 3, "!");
  ExpectRefused();
  ASSERT_TRUE(RepairRocksStore(path_).has_value());
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

// A directory of an earlier version has none.
TEST_F(LogCheck, StartsWithoutARegister) {
  std::filesystem::remove(path_ + "/" + kLogRegisterName);
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

// Logs that RocksDB has deleted since are not missed.
TEST_F(LogCheck, ForgetsLogsThatAreNoLongerNeeded) {
  std::filesystem::copy_file(path_ + "/" + kLogRegisterName, directory_.path() + "/register");
  EXPECT_EQ(CountKept(), kSessions * kWrites);  // Its clean end flushes.
  std::filesystem::rename(directory_.path() + "/register", path_ + "/" + kLogRegisterName);
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

TEST_F(LogCheck, SaysWhichOfRocksDbsFilesIsMissing) {
  EXPECT_EQ(CountKept(), kSessions * kWrites);
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    const std::string name = entry.path().filename();
    if (name != "CURRENT" && !name.starts_with("MANIFEST-") && !name.ends_with(".sst")) {
      continue;
    }
    std::filesystem::rename(entry.path(), directory_.path() + "/aside");
    const auto store = OpenRocksStore(Options());
    ASSERT_FALSE(store.has_value()) << name;
    EXPECT_EQ(store.error().code, ErrorCode::kCorruption) << store.error().message;
    EXPECT_NE(store.error().message.find(name.substr(0, 8)), std::string::npos)
        << store.error().message;
    EXPECT_NE(store.error().message.find("estore"), std::string::npos) << store.error().message;
    std::filesystem::rename(directory_.path() + "/aside", entry.path());
  }
  EXPECT_EQ(CountKept(), kSessions * kWrites);
}

TEST_F(LogCheck, RepairRefusesWhatIsInUseOrNotOurs) {
  EXPECT_FALSE(RepairRocksStore(directory_.path()).has_value());
  const auto store = OpenRocksStore(Options());
  ASSERT_TRUE(store.has_value()) << store.error().message;
  const auto repaired = RepairRocksStore(path_);
  ASSERT_FALSE(repaired.has_value());
  EXPECT_NE(repaired.error().message.find("already open"), std::string::npos)
      << repaired.error().message;
}

TEST_F(LogCheck, RefusesDataThatNeedsAnUnknownFeature) {
  {
    auto store = OpenRocksStore(Options());
    ASSERT_TRUE(store.has_value()) << store.error().message;
    ASSERT_TRUE((*store)->Need("moons").has_value());
    ASSERT_TRUE((*store)->Need("moons").has_value());
  }
  const auto refused = OpenRocksStore(Options());
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kValidation);
  EXPECT_NE(refused.error().message.find("moons"), std::string::npos);
  RocksStoreOptions newer = Options();
  newer.known_features = {"moons"};
  EXPECT_TRUE(OpenRocksStore(newer).has_value());
}

}  // namespace
}  // namespace prejoin::storage
