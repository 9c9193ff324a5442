// Opening a data directory, or refusing to: every file that must be there is looked for before RocksDB, which takes some missing ones for new ones.
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "storage/damage_report.h"
#include "storage/log_check.h"
#include "storage/opened_rocks.h"
#include "storage/rocks_options.h"
#include "storage/rocks_store.h"
#include "storage/store_directory.h"

namespace prejoin::storage {
namespace {

constexpr std::string_view kManifestPrefix = "MANIFEST-";
constexpr std::size_t kCurrentBytesMax = 4096;

Error Refusal(const std::string& path, const std::string& what, const std::string& advice) {
  return {ErrorCode::kCorruption,
          "cannot open " + path + ": " + what + ". Nothing was changed. " + advice};
}

Error OpenError(const std::string& path, const rocksdb::Status& status) {
  const std::string text = status.ToString();
  if (text.find("lock hold by current process") != std::string::npos) {
    return {ErrorCode::kUnavailable, path + " is already open in this process"};
  }
  if (text.find("While lock file") != std::string::npos) {
    return {ErrorCode::kUnavailable, path + " is in use by another process"};
  }
  const std::string file = FileNamedIn(text);
  const bool missing = text.find("No such file") != std::string::npos;
  if (!file.empty() && (missing || status.IsCorruption())) {
    return Refusal(
        path, "the file " + file + " is " + (missing ? "missing" : "damaged") + " (" + text + ")",
        "Restore the file, or the whole directory from a copy.");
  }
  Error error = ToError(status);
  if (status.IsInvalidArgument() && text.find("does not exist") != std::string::npos) {
    error.code = ErrorCode::kCorruption;
  }
  error.message = "cannot open " + path + ": " + text;
  return error;
}

// Runs `work` while no process has the directory open.
Status WhileLocked(const std::string& path, rocksdb::Env& env, FunctionRef<Status()> work) {
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::Status locked = env.LockFile(path + "/LOCK", &lock);
  if (!locked.ok()) {
    return OpenError(path, locked);
  }
  Status done = work();
  const rocksdb::Status unlocked = env.UnlockFile(lock);
  if (done && !unlocked.ok()) {
    return ToError(unlocked);
  }
  return done;
}

Result<std::vector<std::string>> ManifestsIn(StoreFolder& folder) {
  PJ_ASSIGN_OR_RETURN(const auto entries, folder.List());
  std::vector<std::string> names;
  for (const StoreFolder::Entry& entry : entries) {
    if (entry.name.starts_with(kManifestPrefix)) {
      names.push_back(entry.name);
    }
  }
  std::ranges::sort(names);
  return names;
}

// The manifest that CURRENT names and that exists; empty if it does not.
std::string CurrentManifest(StoreFolder& folder) {
  auto name = folder.Has("CURRENT") ? folder.Read("CURRENT", kCurrentBytesMax) : std::string();
  if (!name || !name->starts_with(kManifestPrefix) || !name->ends_with('\n')) {
    return {};
  }
  name->pop_back();
  return folder.Has(*name) ? *std::move(name) : std::string();
}

// RocksDB's two files that lead to all others. Whether a manifest is whole RocksDB finds out itself.
Status CheckCurrent(StoreFolder& folder) {
  if (!CurrentManifest(folder).empty()) {
    return {};
  }
  PJ_ASSIGN_OR_RETURN(const std::vector<std::string> manifests, ManifestsIn(folder));
  if (manifests.empty()) {
    return Refusal(folder.path(), "the MANIFEST file, which lists the data, is missing",
                   "Restore it, or the whole directory from a copy.");
  }
  return Refusal(
      folder.path(),
      std::string("the file CURRENT is ") + (folder.Has("CURRENT") ? "damaged" : "missing"),
      "Restore it, or let it name " + manifests.back() + " again with: prejoin repair " +
          folder.path());
}

enum class Logs { kRegistered, kUnregistered };

// Before RocksDB opens the directory; nobody else has it open.
Status Prepare(StoreFolder& folder, DirectoryState state, Logs logs, OpenedRocks& opened) {
  if (state == DirectoryState::kReady) {
    PJ_RETURN_IF_ERROR(CheckCurrent(folder));
  }
  PJ_RETURN_IF_ERROR(PrepareLogs(folder));
  if (logs == Logs::kRegistered) {
    PJ_ASSIGN_OR_RETURN(LogSizes sizes, RegisterLogs(folder));
    opened.logs = std::make_unique<LogRegister>(folder, std::move(sizes));
  }
  return {};
}

Result<std::unique_ptr<Store>> Open(const RocksStoreOptions& options, rocksdb::Options rocks,
                                    std::unique_ptr<StoreFolder> folder, Logs logs) {
  PJ_ASSIGN_OR_RETURN(const DirectoryState state,
                      ClaimStoreDirectory(*folder, options.known_features));
  OpenedRocks opened;
  PJ_RETURN_IF_ERROR(
      WhileLocked(options.path, *rocks.env, [&] { return Prepare(*folder, state, logs, opened); }));
  rocks.create_if_missing = state == DirectoryState::kCreating;
  opened.files =
      std::make_shared<LogFileSystem>(rocks.env->GetFileSystem(), options.sync, opened.logs.get());
  opened.env = rocksdb::NewCompositeEnv(opened.files);
  rocks.env = opened.env.get();
  opened.background = std::make_shared<BackgroundErrors>();
  rocks.listeners.push_back(opened.background);
  rocks.listeners.push_back(opened.iterators);
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(rocks, options.path, &db);
  opened.db.reset(db);
  if (!status.ok()) {
    return OpenError(options.path, status);
  }
  if (state == DirectoryState::kCreating) {
    PJ_RETURN_IF_ERROR(MarkStoreDirectoryReady(*folder));
  }
  opened.folder = std::move(folder);
  return NewRocksStore(options, std::move(opened));
}

}  // namespace

Result<std::unique_ptr<Store>> OpenRocksStore(const RocksStoreOptions& options) {
  return Open(options, MakeRocksOptions(options), DiskFolder(options.path), Logs::kRegistered);
}

Result<std::unique_ptr<Store>> OpenRocksStoreOn(const RocksStoreOptions& options,
                                                const std::shared_ptr<rocksdb::FileSystem>& files) {
  rocksdb::Options rocks = MakeSharedRocksOptions(options);
  const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
  rocks.env = env.get();
  return Open(options, std::move(rocks), FolderOf(files, options.path), Logs::kUnregistered);
}

Result<std::unique_ptr<Store>> OpenRocksStoreForTesting(const RocksStoreOptions& options,
                                                        const RocksTestOptions& test_options) {
  rocksdb::Options rocks = MakeRocksOptions(options);
  rocks.env = test_options.env;
  rocks.write_buffer_size = test_options.write_buffer_bytes;
  return Open(options, std::move(rocks), DiskFolder(options.path), Logs::kRegistered);
}

Status ReadRocksStore(const std::string& path, FunctionRef<Status(Store&)> work,
                      std::string_view cell) {
  std::unique_ptr<StoreFolder> folder = DiskFolder(path);
  PJ_RETURN_IF_ERROR(CheckStoreDirectory(*folder, cell));
  return WhileLocked(path, *rocksdb::Env::Default(), [&]() -> Status {
    PJ_RETURN_IF_ERROR(CheckCurrent(*folder));
    RocksStoreOptions options{.path = path, .sync = SyncMode::kNone};
    rocksdb::Options rocks = MakeRocksOptions(options);
    rocks.info_log_level = rocksdb::InfoLogLevel::FATAL_LEVEL;
    OpenedRocks opened;
    opened.files =
        std::make_shared<LogFileSystem>(rocks.env->GetFileSystem(), options.sync, nullptr);
    opened.env = rocksdb::NewCompositeEnv(opened.files);
    opened.background = std::make_shared<BackgroundErrors>();
    rocksdb::DB* db = nullptr;
    const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(rocks, path, &db);
    opened.db.reset(db);
    if (!status.ok()) {
      return OpenError(path, status);
    }
    opened.folder = std::move(folder);
    const std::unique_ptr<Store> store =
        NewRocksStore(options, std::move(opened), /*only_read=*/true);
    return work(*store);
  });
}

Result<std::vector<DamagedFile>> CheckTableFiles(
    const std::string& path, FunctionRef<void(std::size_t, std::size_t)> progress,
    std::string_view cell) {
  const std::unique_ptr<StoreFolder> folder = DiskFolder(path);
  PJ_RETURN_IF_ERROR(CheckStoreDirectory(*folder, cell));
  PJ_ASSIGN_OR_RETURN(auto entries, folder->List());
  std::erase_if(entries,
                [](const StoreFolder::Entry& entry) { return !entry.name.ends_with(".sst"); });
  std::ranges::sort(entries, {}, &StoreFolder::Entry::name);
  const rocksdb::Options rocks = MakeRocksOptions({.path = path, .block_cache_bytes = 1u << 20});
  std::vector<DamagedFile> damaged;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    progress(i, entries.size());
    const rocksdb::Status status =
        rocksdb::VerifySstFileChecksum(rocks, rocksdb::EnvOptions(), path + "/" + entries[i].name);
    if (!status.ok()) {
      damaged.push_back({entries[i].name, status.ToString()});
    }
  }
  return damaged;
}

namespace {

Status RepairCurrent(StoreFolder& folder, RocksRepair& repair) {
  if (!CurrentManifest(folder).empty()) {
    return {};
  }
  PJ_ASSIGN_OR_RETURN(const std::vector<std::string> manifests, ManifestsIn(folder));
  // With several, nobody can tell which of them was current.
  if (manifests.size() != 1) {
    return CheckCurrent(folder);
  }
  repair.current = manifests.front();
  return folder.Replace("CURRENT", repair.current + "\n");
}

Status Repair(const std::string& path, RocksRepair& repair) {
  PJ_RETURN_IF_ERROR(RepairCurrent(*DiskFolder(path), repair));
  PJ_ASSIGN_OR_RETURN(repair.logs, RepairLogs(path));
  PJ_ASSIGN_OR_RETURN(repair.tables, CheckTableFiles(path, [](std::size_t, std::size_t) {}));
  return {};
}

}  // namespace

Result<RocksRepair> RepairRocksStore(const std::string& path) {
  PJ_RETURN_IF_ERROR(CheckStoreDirectory(*DiskFolder(path)));
  RocksRepair repair;
  PJ_RETURN_IF_ERROR(
      WhileLocked(path, *rocksdb::Env::Default(), [&] { return Repair(path, repair); }));
  return repair;
}

}  // namespace prejoin::storage
