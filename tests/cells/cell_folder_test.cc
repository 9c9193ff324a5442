// The directory of a database of several cells: what opens it, and what is refused.
#include "cells/cell_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "storage/rocks_store.h"
#include "tests/storage/stores.h"

namespace prejoin::cells {
namespace {

namespace fs = std::filesystem;
using storage::MakeKey;
using storage::TempDirectory;
using testing::HasSubstr;

storage::RocksStoreOptions At(const std::string& path) {
  return {.path = path, .block_cache_bytes = 8u << 20};
}

std::string RefusalOf(const Result<std::unique_ptr<storage::Store>>& opened) {
  return opened ? "opened" : opened.error().message;
}

// Name, size and last change of every file.
std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> FilesIn(const std::string& path) {
  std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) {
      files[entry.path()] = {entry.file_size(), entry.last_write_time()};
    }
  }
  return files;
}

void MakeDatabase(const std::string& path, std::size_t count) {
  const auto store = OpenCells(At(path), count);
  ASSERT_TRUE(store) << store.error().message;
  for (std::uint32_t i = 0; i < 16; ++i) {
    storage::Put(**store, MakeKey(16, i << 28, "k"), std::to_string(i));
  }
  ASSERT_TRUE((*store)->WaitDurable((*store)->NewestTicket()));
}

TEST(CellFolder, KeepsWhatEachCellHas) {
  const TempDirectory directory;
  MakeDatabase(directory.path() + "/db", 8);
  for (const std::size_t count : {std::size_t{8}, std::size_t{0}}) {
    const auto store = OpenCells(At(directory.path() + "/db"), count);
    ASSERT_TRUE(store) << store.error().message;
    for (std::uint32_t i = 0; i < 16; ++i) {
      EXPECT_EQ(storage::Get(**store, MakeKey(16, i << 28, "k")), std::to_string(i));
    }
    EXPECT_EQ(storage::KeysIn(**store, {"", "", storage::Direction::kForward}).size(), 16u);
  }
}

TEST(CellFolder, RefusesAnotherNumberAndChangesNothing) {
  const TempDirectory directory;
  const std::string path = directory.path() + "/db";
  MakeDatabase(path, 4);
  const auto before = FilesIn(path);
  EXPECT_THAT(RefusalOf(OpenCells(At(path), 8)), HasSubstr("made with 4 cells, not 8"));
  EXPECT_THAT(RefusalOf(OpenCells(At(path), 1)), HasSubstr("Start with --cells 4"));
  EXPECT_EQ(FilesIn(path), before);
}

TEST(CellFolder, ASingleStoreStaysOne) {
  const TempDirectory directory;
  const std::string path = directory.path() + "/db";
  MakeDatabase(path, 0);
  EXPECT_FALSE(fs::exists(path + "/cell-00"));
  EXPECT_THAT(RefusalOf(OpenCells(At(path), 2)), HasSubstr("made with 1 cell, not 2"));
  EXPECT_TRUE(OpenCells(At(path), 1));
}

// An earlier program opens stores only, and knows no feature of cells.
TEST(CellFolder, AnEarlierProgramRefusesItAndChangesNothing) {
  const TempDirectory directory;
  const std::string path = directory.path() + "/db";
  MakeDatabase(path, 2);
  const auto before = FilesIn(path);
  EXPECT_THAT(RefusalOf(storage::OpenRocksStore(At(path))), HasSubstr("needs a newer version"));
  EXPECT_THAT(RefusalOf(storage::OpenRocksStore(At(path + "/cell-01"))), HasSubstr("needs a newer version"));
  EXPECT_EQ(FilesIn(path), before);
}

TEST(CellFolder, ACellIsNotOpenedAlone) {
  const TempDirectory directory;
  const std::string path = directory.path() + "/db";
  MakeDatabase(path, 2);
  EXPECT_THAT(RefusalOf(OpenCells(At(path + "/cell-01"), 0)), HasSubstr("is one cell of a database"));
  const auto check = storage::CheckTableFiles(path, [](std::size_t, std::size_t) {});
  ASSERT_FALSE(check);
  EXPECT_THAT(check.error().message, HasSubstr("several cells"));
  EXPECT_FALSE(storage::RepairRocksStore(path + "/cell-00"));
}

TEST(CellFolder, RefusesALostCellAndOneOfAnotherPlaceOrDatabase) {
  const TempDirectory directory;
  const std::string path = directory.path() + "/db";
  MakeDatabase(path, 2);
  fs::rename(path + "/cell-01", path + "/kept");
  EXPECT_THAT(RefusalOf(OpenCells(At(path), 2)), HasSubstr("it is not cell 1"));
  EXPECT_FALSE(fs::exists(path + "/cell-01"));

  MakeDatabase(directory.path() + "/other", 2);
  fs::copy(directory.path() + "/other/cell-01", path + "/cell-01", fs::copy_options::recursive);
  EXPECT_THAT(RefusalOf(OpenCells(At(path), 2)), HasSubstr("it is not cell 1"));
  fs::remove_all(path + "/cell-01");

  MakeDatabase(path + "/cell-01", 1);
  EXPECT_THAT(RefusalOf(OpenCells(At(path), 2)), HasSubstr("it is not cell 1"));
  const Status read = ReadCells(path, [](storage::Store&) { return Status(); });
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("is not the cell"));
  fs::remove_all(path + "/cell-01");

  fs::rename(path + "/kept", path + "/cell-01");
  fs::rename(path + "/cell-00", path + "/swapped");
  fs::rename(path + "/cell-01", path + "/cell-00");
  fs::rename(path + "/swapped", path + "/cell-01");
  EXPECT_THAT(RefusalOf(OpenCells(At(path), 2)), HasSubstr("it is not cell 0"));
}

TEST(CellFolder, GoesOnWithOneThatWasNotFinished) {
  const TempDirectory directory;
  const std::string path = directory.path() + "/db";
  MakeDatabase(path, 2);
  fs::remove_all(path + "/cell-01");
  std::string marker;
  std::getline(std::ifstream(path + "/PREJOIN", std::ios::binary), marker, '\0');
  marker.insert(marker.size() - 1, "-creating");
  std::ofstream(path + "/PREJOIN", std::ios::binary) << marker;
  EXPECT_TRUE(OpenCells(At(path), 0));
  EXPECT_TRUE(fs::exists(path + "/cell-01/PREJOIN"));
}

// A copy of the files of an open database is what a crash leaves: transactions over several cells have records in it, and here one of
// them lacks a part. It reads as it will after a start, and stays as it is.
TEST(CellFolder, IsReadWithWhatAStartWouldCompleteAndWithoutAChange) {
  const TempDirectory directory;
  const std::string path = directory.path() + "/db";
  const auto store = OpenCells(At(path), 4);
  ASSERT_TRUE(store) << store.error().message;
  const auto key = [](std::uint32_t i) { return MakeKey(16, i << 28, "k"); };
  for (std::uint32_t i = 0; i < 16; ++i) {
    ASSERT_TRUE((*store)->Transact({}, [&](storage::Transaction& transaction) -> Status {
      transaction.Put(key(i), "first");
      transaction.Put(key((i + 5) % 16), std::to_string(i));
      if (i > 0) {
        transaction.Delete(key(i - 1));
      }
      return {};
    }));
  }
  ASSERT_TRUE((*store)->WaitDurable((*store)->NewestTicket()));
  const storage::Range all = {"", "", storage::Direction::kForward};
  const auto expected = storage::ReadRange(**store, all);
  const std::string copy = directory.path() + "/copy";
  fs::copy(path, copy, fs::copy_options::recursive);
  // The last part of the last transaction did not get to its disk.
  const auto logs = [&](const std::string& cell) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(copy + "/" + cell)) {
      if (entry.path().extension() == ".log" && entry.file_size() > 0) {
        found.push_back(entry.path());
      }
    }
    return found;
  };
  const fs::path last = logs("cell-03").back();
  fs::resize_file(last, fs::file_size(last) - 1);

  const auto before = FilesIn(copy);
  storage::Pairs read;
  storage::Pairs backward;
  ASSERT_TRUE(ReadCells(copy, [&](storage::Store& found) -> Status {
    read = storage::ReadRange(found, all);
    backward = storage::ReadRange(found, {"", "", storage::Direction::kBackward});
    return {};
  }));
  EXPECT_EQ(read, expected);
  std::ranges::reverse(backward);
  EXPECT_EQ(backward, expected);
  EXPECT_EQ(FilesIn(copy), before);
}

TEST(CellFolder, RefusesUnsyncedWritesAndForeignDirectories) {
  const TempDirectory directory;
  auto options = At(directory.path() + "/db");
  options.sync = storage::SyncMode::kNone;
  EXPECT_THAT(RefusalOf(OpenCells(options, 2)), HasSubstr("--sync none"));
  std::ofstream(directory.path() + "/letter") << "x";
  EXPECT_THAT(RefusalOf(OpenCells(At(directory.path()), 2)), HasSubstr("not a Prejoin data directory"));
}

}  // namespace
}  // namespace prejoin::cells
