// What the file system on shared objects promises RocksDB, and what it keeps from former leaders.
#include "cluster/object_file_system.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <map>
#include <random>
#include <thread>

#include "cluster/lease.h"
#include "cluster/shared_store.h"
#include "prejoin/clock.h"
#include "storage/rocks_options.h"
#include "tests/cluster/memory_objects.h"
#include "tests/rig/seed.h"
#include "tests/storage/stores.h"

namespace prejoin::cluster {
namespace {

using rocksdb::IOStatus;

std::shared_ptr<ObjectFileSystem> Files(ObjectStore& objects) {
  auto files = ObjectFileSystem::Open(objects, TakeLead(objects));
  EXPECT_TRUE(files.has_value()) << files.error().message;
  return files.value_or(nullptr);
}

std::unique_ptr<rocksdb::FSWritableFile> Create(ObjectFileSystem& files, const std::string& name) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  const IOStatus status = files.NewWritableFile(name, {}, &file, nullptr);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return file;
}

IOStatus Append(rocksdb::FSWritableFile& file, const std::string& bytes) {
  return file.Append(bytes, {}, nullptr);
}

std::string ReadAll(ObjectFileSystem& files, const std::string& name) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  const IOStatus opened = files.NewSequentialFile(name, {}, &file, nullptr);
  EXPECT_TRUE(opened.ok()) << opened.ToString();
  std::string content;
  std::string scratch(100'000, '\0');
  for (rocksdb::Slice piece("?"); opened.ok() && !piece.empty();) {
    const IOStatus read = file->Read(scratch.size(), {}, &piece, scratch.data(), nullptr);
    EXPECT_TRUE(read.ok()) << read.ToString();
    content.append(piece.data(), piece.size());
  }
  return content;
}

// Bytes that tell where they stand.
std::string Pattern(std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text;
  while (text.size() < bytes) {
    text += std::to_string(random()) + ",";
  }
  text.resize(bytes);
  return text;
}

class ObjectFiles : public testing::Test {
 protected:
  storage::TempDirectory name_;
  ObjectStore& objects_ = ObjectsNamed(name_.path());
};

TEST_F(ObjectFiles, KeepBytesOverChunksAndOpens) {
  // Lengths around the end of a chunk, written in pieces.
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, kChunkBytes - 1,
                                    kChunkBytes, kChunkBytes + 1, 2 * kChunkBytes}) {
    for (const std::string ending : {".log", ".sst"}) {
      const auto files = Files(objects_);
      const std::string content = Pattern(bytes, bytes);
      const std::string name = "store/" + std::to_string(bytes) + ending;
      const auto file = Create(*files, name);
      for (std::size_t at = 0; at < content.size(); at += 1'000'000) {
        ASSERT_TRUE(Append(*file, content.substr(at, 1'000'000)).ok());
        if (at % 3 == 0) {
          ASSERT_TRUE(file->Sync({}, nullptr).ok());
        }
      }
      ASSERT_TRUE(file->Close({}, nullptr).ok());
      EXPECT_EQ(ReadAll(*files, name) == content, true) << name;
      EXPECT_EQ(ReadAll(*Files(objects_), name) == content, true) << name;
    }
  }
}

TEST_F(ObjectFiles, ReadAnyRange) {
  const auto files = Files(objects_);
  const std::string content = Pattern(2 * kChunkBytes + 1000, 1);
  const auto file = Create(*files, "store/a.sst");
  ASSERT_TRUE(Append(*file, content).ok());
  ASSERT_TRUE(file->Close({}, nullptr).ok());
  std::unique_ptr<rocksdb::FSRandomAccessFile> reader;
  ASSERT_TRUE(files->NewRandomAccessFile("store/a.sst", {}, &reader, nullptr).ok());
  std::string scratch(content.size() + 10, '\0');
  for (const std::uint64_t offset :
       {std::uint64_t{0}, kChunkBytes - 1, kChunkBytes, 2 * kChunkBytes + 999,
        std::uint64_t{content.size()}, std::uint64_t{content.size() + 5}}) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{2},
                                    static_cast<std::size_t>(kChunkBytes) + 1, content.size()}) {
      rocksdb::Slice got;
      ASSERT_TRUE(reader->Read(offset, bytes, {}, &got, scratch.data(), nullptr).ok());
      const std::string wanted = offset > content.size() ? "" : content.substr(offset, bytes);
      EXPECT_EQ(got.ToString() == wanted, true) << offset << " " << bytes;
    }
  }
}

TEST_F(ObjectFiles, RenameReplacesAndDeleteForgets) {
  const auto files = Files(objects_);
  for (const std::string name : {"store/CURRENT", "store/1.dbtmp"}) {
    const auto file = Create(*files, name);
    ASSERT_TRUE(Append(*file, name).ok());
    ASSERT_TRUE(file->Close({}, nullptr).ok());
  }
  ASSERT_TRUE(files->RenameFile("store/1.dbtmp", "store/CURRENT", {}, nullptr).ok());
  EXPECT_EQ(ReadAll(*files, "store/CURRENT"), "store/1.dbtmp");
  EXPECT_TRUE(files->FileExists("store/1.dbtmp", {}, nullptr).IsNotFound());
  std::vector<std::string> names;
  ASSERT_TRUE(files->GetChildren("store", {}, &names, nullptr).ok());
  EXPECT_EQ(names, std::vector<std::string>{"CURRENT"});
  ASSERT_TRUE(files->DeleteFile("store/CURRENT", {}, nullptr).ok());
  EXPECT_TRUE(files->DeleteFile("store/CURRENT", {}, nullptr).IsNotFound());
  EXPECT_TRUE(files->FileExists("store", {}, nullptr).IsNotFound());
}

TEST_F(ObjectFiles, CutIsRemembered) {
  auto files = Files(objects_);
  const auto file = Create(*files, "store/1.log");
  ASSERT_TRUE(Append(*file, "0123456789").ok());
  EXPECT_FALSE(files->Truncate("store/1.log", 4, {}, nullptr).ok());  // Still open.
  ASSERT_TRUE(file->Close({}, nullptr).ok());
  EXPECT_FALSE(files->Truncate("store/1.log", 11, {}, nullptr).ok());
  ASSERT_TRUE(files->Truncate("store/1.log", 4, {}, nullptr).ok());
  EXPECT_EQ(ReadAll(*files, "store/1.log"), "0123");
  EXPECT_EQ(ReadAll(*Files(objects_), "store/1.log"), "0123");
}

// The former leader sleeps anywhere between two writes, with one of them on its way.
TEST_F(ObjectFiles, FormerLeaderWritesNothing) {
  for (const std::uint64_t before : {std::uint64_t{10}, kChunkBytes - 5, kChunkBytes}) {
    SCOPED_TRACE(before);
    Client old_client(objects_);
    const auto old_files = Files(old_client);
    const std::string synced = Pattern(before, 7);
    const auto log = Create(*old_files, "store/5.log");
    ASSERT_TRUE(Append(*log, synced).ok());
    ASSERT_TRUE(log->Sync({}, nullptr).ok());

    const auto new_files = Files(objects_);
    EXPECT_EQ(ReadAll(*new_files, "store/5.log") == synced, true);
    // Whatever it tries now is refused, with nobody in between to fence it.
    ASSERT_TRUE(Append(*log, "too late").ok());
    EXPECT_TRUE(log->Sync({}, nullptr).IsIOFenced());
    std::unique_ptr<rocksdb::FSWritableFile> another;
    EXPECT_TRUE(old_files->NewWritableFile("store/6.log", {}, &another, nullptr).IsIOFenced());
    EXPECT_TRUE(old_files->DeleteFile("store/5.log", {}, nullptr).IsIOFenced());
    EXPECT_EQ(ReadAll(*Files(objects_), "store/5.log") == synced, true);
    ASSERT_TRUE(Files(objects_)->DeleteFile("store/5.log", {}, nullptr).ok());
  }
}

// A process took the lead, slept before it opened the files, and wakes up when another one leads.
TEST_F(ObjectFiles, StaleTakerTakesNothingFromItsSuccessor) {
  const auto first = Files(objects_);
  const auto old_log = Create(*first, "store/4.log");
  ASSERT_TRUE(Append(*old_log, "old").ok());
  ASSERT_TRUE(old_log->Sync({}, nullptr).ok());
  const std::uint64_t stale = TakeLead(objects_);
  const auto live = Files(objects_);
  const auto log = Create(*live, "store/5.log");
  ASSERT_TRUE(Append(*log, "first,").ok());
  ASSERT_TRUE(log->Sync({}, nullptr).ok());
  const auto opened = ObjectFileSystem::Open(objects_, stale);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable);
  ASSERT_TRUE(Append(*log, "second").ok());
  EXPECT_TRUE(log->Sync({}, nullptr).ok());
  EXPECT_EQ(ReadAll(*Files(objects_), "store/5.log"), "first,second");
}

// The same, asleep anywhere between two changes that it makes on opening.
TEST_F(ObjectFiles, StaleTakerThatSleepsWhileItSealsTakesNothing) {
  for (const bool live_seals_first : {true, false}) {
    SCOPED_TRACE(live_seals_first);
    const auto first = Files(objects_);
    const auto old_log = Create(*first, "store/4.log");
    ASSERT_TRUE(Append(*old_log, "old").ok());
    ASSERT_TRUE(old_log->Sync({}, nullptr).ok());
    Client stale_client(objects_);
    const std::uint64_t stale = TakeLead(objects_);
    stale_client.Sleep();
    std::thread opening([&] {
      const auto opened = ObjectFileSystem::Open(stale_client, stale);
      EXPECT_FALSE(opened.has_value());
    });
    while (stale_client.waiting_count() == 0) {
      std::this_thread::yield();
    }
    const std::uint64_t epoch = TakeLead(objects_);
    if (!live_seals_first) {
      stale_client.Wake();
      opening.join();
    }
    const auto live = ObjectFileSystem::Open(objects_, epoch);
    ASSERT_TRUE(live.has_value()) << live.error().message;
    EXPECT_EQ(ReadAll(**live, "store/4.log"), "old");
    if (live_seals_first) {
      stale_client.Wake();
      opening.join();
    }
    ObjectStore::Map attributes;
    const auto entry = [&] {
      ObjectStore::Map entries;
      EXPECT_TRUE(objects_.Entries(kDirectoryObject, entries).ok());
      return ParseFileEntry(entries["store/4.log"]);
    }();
    ASSERT_TRUE(entry.has_value());
    ASSERT_TRUE(objects_.Attributes(ChunkObject(entry->inode, 0), attributes).ok());
    EXPECT_EQ(attributes[kWriterAttribute], PrintNumber(epoch)) << "the newest seal stays";
    ASSERT_TRUE((*live)->DeleteFile("store/4.log", {}, nullptr).ok());
  }
}

// A write on its way when the lead changes either counts for the new leader, or fails for the old.
TEST_F(ObjectFiles, WriteOnItsWayCountsForBothOrNeither) {
  Client old_client(objects_);
  const auto old_files = Files(old_client);
  const auto log = Create(*old_files, "store/5.log");
  ASSERT_TRUE(Append(*log, "first,").ok());
  ASSERT_TRUE(log->Sync({}, nullptr).ok());
  old_client.Sleep();
  ASSERT_TRUE(Append(*log, "second").ok());
  std::thread syncing([&] { EXPECT_TRUE(log->Sync({}, nullptr).IsIOFenced()); });
  while (old_client.waiting_count() == 0) {
    std::this_thread::yield();
  }
  const auto new_files = Files(objects_);
  EXPECT_EQ(ReadAll(*new_files, "store/5.log"), "first,");
  old_client.Wake();
  syncing.join();
  EXPECT_EQ(ReadAll(*Files(objects_), "store/5.log"), "first,");
}

// A process dies at every change that it makes, one after the other; the next one finds what the
// first had synced, and a prefix of the rest.
TEST_F(ObjectFiles, KeepWhatWasSyncedWhereverTheWriterDies) {
  const std::uint64_t seed = TestSeed();
  std::mt19937_64 random(seed);
  const std::string content = Pattern(2 * kChunkBytes + 500'000, seed);
  std::uint64_t deaths = 0;
  for (std::uint64_t at = 1;; ++at) {
    const std::uint64_t epoch = TakeLead(objects_);
    Client client(objects_);
    auto files = ObjectFileSystem::Open(client, epoch);
    ASSERT_TRUE(files.has_value());
    client.DieAt(at, random() % 2 == 0);
    std::size_t appended = 0;
    std::size_t synced = 0;
    std::unique_ptr<rocksdb::FSWritableFile> log;
    const std::string name = "store/" + std::to_string(at) + ".log";
    if ((*files)->NewWritableFile(name, {}, &log, nullptr).ok()) {
      while (appended < content.size() && !client.is_dead()) {
        const std::size_t piece =
            std::min<std::size_t>(content.size() - appended, 1 + random() % 900'000);
        if (!Append(*log, content.substr(appended, piece)).ok()) {
          break;
        }
        appended += piece;
        if (log->Sync({}, nullptr).ok()) {
          synced = appended;
        }
      }
    }
    const bool died = client.is_dead();
    const auto next = Files(objects_);
    if (next->FileExists(name, {}, nullptr).ok()) {
      const std::string found = ReadAll(*next, name);
      EXPECT_GE(found.size(), synced) << "seed " << seed << " death " << at;
      EXPECT_EQ(found == content.substr(0, found.size()), true) << "seed " << seed << " at " << at;
    } else {
      EXPECT_EQ(synced, 0u);
    }
    if (!died) {
      break;
    }
    ++deaths;
  }
  EXPECT_GE(deaths, 5u);
}

// The same with the whole store on it: what was durable is there, and every batch as a whole.
TEST_F(ObjectFiles, StoreKeepsWhatWasDurableWhereverItsProcessDies) {
  const std::uint64_t seed = TestSeed();
  std::mt19937_64 random(seed);
  std::map<std::string, std::string> durable;  // Both keys of a pair have one value.
  std::uint64_t deaths = 0;
  for (int life = 0; life < 25; ++life) {
    Client client(objects_);
    const std::uint64_t epoch = TakeLead(objects_);
    client.DieAt(1 + random() % 60, random() % 2 == 0);
    auto opened = OpenSharedStore(
        client, {.epoch = epoch, .block_cache_bytes = 1u << 20, .known_features = {}});
    std::map<std::string, std::string> maybe;
    for (int step = 0; opened && step < 40; ++step) {
      const std::string name = std::to_string(random() % 10);
      const std::vector<std::string> keys = {storage::MakeKey(1, 1, "a" + name),
                                             storage::MakeKey(1, 2, "b" + name)};
      const std::string value = std::to_string(life) + "." + std::to_string(step);
      const auto ticket =
          (*opened)->Transact(keys, [&](storage::Transaction& transaction) -> Status {
            transaction.Put(keys[0], value);
            transaction.Put(keys[1], value);
            return {};
          });
      if (!ticket) {
        break;
      }
      maybe[name] = value;
      if (!(*opened)->WaitDurable(*ticket)) {
        break;
      }
      durable[name] = value;
      maybe.erase(name);
    }
    deaths += client.is_dead() ? 1 : 0;
    if (opened) {
      opened->reset();
    }
    auto next = OpenSharedStore(
        objects_,
        {.epoch = TakeLead(objects_), .block_cache_bytes = 1u << 20, .known_features = {}});
    ASSERT_TRUE(next.has_value()) << next.error().message << " seed " << seed << " life " << life;
    for (int i = 0; i < 10; ++i) {
      const std::string name = std::to_string(i);
      const auto a = storage::Get(**next, storage::MakeKey(1, 1, "a" + name));
      const auto b = storage::Get(**next, storage::MakeKey(1, 2, "b" + name));
      EXPECT_EQ(a, b) << "seed " << seed;
      const bool known =
          a == (durable.contains(name) ? std::optional(durable[name]) : std::nullopt);
      EXPECT_TRUE(known || (maybe.contains(name) && a == maybe[name]))
          << "seed " << seed << " life " << life << " key " << name << " has "
          << a.value_or("nothing");
      if (a) {
        durable[name] = *a;
      }
    }
  }
  EXPECT_GE(deaths, 5u);
}

// Fills the store with so many items, each in a table file of its own.
void WriteFiles(ObjectStore& objects, std::uint32_t count) {
  {
    auto made = OpenSharedStore(objects, {.epoch = TakeLead(objects), .known_features = {}});
    ASSERT_TRUE(made.has_value()) << made.error().message;
  }
  const auto files = Files(objects);
  const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
  rocksdb::Options options = storage::MakeSharedRocksOptions({.path = "store"});
  options.env = env.get();
  options.target_file_size_base = 1;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, "store", &opened).ok());
  const std::unique_ptr<rocksdb::DB> db(opened);
  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_TRUE(db->Put({}, storage::MakeKey(1, i, "key"), Pattern(5'000, i)).ok());
  }
  rocksdb::CompactRangeOptions compaction;
  compaction.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db->CompactRange(compaction, nullptr, nullptr).ok());
  ASSERT_TRUE(db->Close().ok());
}

// Everybody waits while the next leader opens the store.
TEST_F(ObjectFiles, OpeningReadsNoMoreTheMoreFilesThereAre) {
  std::map<std::uint32_t, std::uint64_t> reads;
  for (const std::uint32_t count : {40u, 400u}) {
    ObjectStore& objects = ObjectsNamed(name_.path() + std::to_string(count));
    WriteFiles(objects, count);
    ObjectStore::Map entries;
    ASSERT_TRUE(objects.Entries(kDirectoryObject, entries).ok());
    ASSERT_GE(std::ranges::count_if(
                  entries, [](const auto& entry) { return entry.first.ends_with(".sst"); }),
              count / 2);
    Client client(objects);
    auto store = OpenSharedStore(client, {.epoch = TakeLead(objects), .known_features = {}});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    reads[count] = client.read_count();
    for (std::uint32_t i = 0; i < count; i += 13) {
      EXPECT_EQ(storage::Get(**store, storage::MakeKey(1, i, "key")), Pattern(5'000, i));
    }
  }
  EXPECT_LE(reads[400], reads[40] + 20);
}

TEST_F(ObjectFiles, ObjectsTellTheTime) {
  constexpr std::int64_t kMinuteMs = 60'000;
  std::int64_t time_ms = 0;
  const ObjectStatus told = objects_.Time(time_ms);
  ASSERT_TRUE(told.ok()) << told.what;
  std::int64_t again_ms = 0;
  ASSERT_TRUE(objects_.Time(again_ms).ok());
  EXPECT_GE(again_ms, time_ms);
  if (OnRados()) {
    EXPECT_LT(std::abs(time_ms - Clock::System().NowMs()), kMinuteMs);
  }
}

// A leader whose log fails lets go of the lead, and the next one finds everything that was durable.
TEST_F(ObjectFiles, LeaderWhoseLogFailsStepsDown) {
  Client client(objects_);
  Lease lease(client, {.self = {"a", "a:1", ""}});
  const auto taken = lease.TryTake();
  ASSERT_TRUE(taken && *taken);
  auto store = OpenSharedStore(client, {.epoch = **taken, .known_features = {}});
  ASSERT_TRUE(store.has_value()) << store.error().message;
  const std::vector<std::string> keys = {storage::MakeKey(1, 1, "a")};
  const auto put = [&](const std::string& value) -> Status {
    PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                        (*store)->Transact(keys, [&](storage::Transaction& transaction) -> Status {
                          transaction.Put(keys[0], value);
                          return {};
                        }));
    return (*store)->WaitDurable(ticket);
  };
  ASSERT_TRUE(put("durable").has_value());
  client.FailData();
  EXPECT_FALSE(put("lost").has_value());
  std::promise<void> lost;
  lease.WatchHealth([&] { return LeadHealth(**store); });
  lease.Keep([&](const std::string&) { lost.set_value(); });
  lost.get_future().wait();
  Lease next(objects_, {.self = {"b", "b:1", ""}});
  const auto followed = next.TryTake();
  ASSERT_TRUE(followed && *followed) << "the lead is free at once";
  auto opened = OpenSharedStore(objects_, {.epoch = **followed, .known_features = {}});
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_EQ(storage::Get(**opened, keys[0]), "durable");
  lease.WatchHealth({});
}

}  // namespace
}  // namespace prejoin::cluster
