#include "tests/storage/lossy_file_system.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace prejoin::storage {

using rocksdb::FileOptions;
using rocksdb::FSDirectory;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

constexpr std::uint64_t kSectorBytes = 512;

// A file written through the lossy file system, which outlives it.
class LossyFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  LossyFile(LossyFileSystem& system, std::string name, std::unique_ptr<FSWritableFile> target)
      : FSWritableFileOwnerWrapper(std::move(target)), system_(system), name_(std::move(name)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  IODebugContext* debug) override {
    // Under the lock, so that no byte gets behind the power failure.
    const MutexLock lock(system_.mutex_);
    if (!system_.has_power_) {
      return IOStatus::IOError("no power");
    }
    if (system_.fail_log_write_ && name_.ends_with(".log")) {
      system_.fail_log_write_ = false;
      return IOStatus::NoSpace("disk full");
    }
    if (!system_.HasRoom(name_)) {
      // A part of it still fits.
      const rocksdb::Slice part(data.data(), data.size() / 2);
      system_.files_[name_].written_bytes += part.size();
      (void)FSWritableFileOwnerWrapper::Append(part, options, debug);
      return IOStatus::NoSpace("disk full");
    }
    system_.files_[name_].written_bytes += data.size();
    return FSWritableFileOwnerWrapper::Append(data, options, debug);
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo&, IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    std::uint64_t covered_bytes = 0;
    {
      const MutexLock lock(system_.mutex_);
      if (system_.fail_log_sync_ && name_.ends_with(".log")) {
        system_.fail_log_sync_ = false;
        return system_.sync_lacks_room_ ? IOStatus::NoSpace("sync failed")
                                        : IOStatus::IOError("sync failed");
      }
      covered_bytes = system_.files_[name_].written_bytes;
    }
    // Not under the lock: writers may append meanwhile, and that is not covered.
    const IOStatus status = FSWritableFileOwnerWrapper::Flush(options, debug);
    const MutexLock lock(system_.mutex_);
    if (!system_.has_power_) {
      return IOStatus::IOError("no power");
    }
    if (status.ok()) {
      system_.files_[name_].synced_bytes = covered_bytes;
    }
    return status;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Sync(options, debug);
  }
  IOStatus RangeSync(std::uint64_t, std::uint64_t, const IOOptions&, IODebugContext*) override {
    return system_.CheckPower();
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    const MutexLock lock(system_.mutex_);
    if (!system_.has_power_) {
      return IOStatus::IOError("no power");
    }
    system_.files_[name_].written_bytes = size;
    return FSWritableFileOwnerWrapper::Truncate(size, options, debug);
  }

 private:
  LossyFileSystem& system_;
  const std::string name_;
};

class LossyDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  LossyDirectory(LossyFileSystem& system, std::string name, std::unique_ptr<FSDirectory> target)
      : FSDirectoryWrapper(std::move(target)), system_(system), name_(std::move(name)) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    const MutexLock lock(system_.mutex_);
    if (!system_.has_power_) {
      return IOStatus::IOError("no power");
    }
    for (auto& [name, state] : system_.files_) {
      state.in_directory |= name.starts_with(name_);
    }
    return IOStatus::OK();
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions&) override {
    return Fsync(options, debug);
  }

 private:
  LossyFileSystem& system_;
  const std::string name_;
};

IOStatus LossyFileSystem::CheckPower() {
  const MutexLock lock(mutex_);
  return has_power_ ? IOStatus::OK() : IOStatus::IOError("no power");
}

void LossyFileSystem::CutPower() {
  const MutexLock lock(mutex_);
  has_power_ = false;
}

void LossyFileSystem::FailNextLogSync() {
  const MutexLock lock(mutex_);
  fail_log_sync_ = true;
}

void LossyFileSystem::FailNextLogSyncForWantOfRoom() {
  const MutexLock lock(mutex_);
  fail_log_sync_ = sync_lacks_room_ = true;
}

void LossyFileSystem::Fill(Full full) {
  const MutexLock lock(mutex_);
  full_ = full;
}

bool LossyFileSystem::HasRoom(const std::string& name) const {
  return full_ == Full::kNone || (full_ == Full::kLogs && !name.ends_with(".log")) ||
         (full_ == Full::kTables && !name.ends_with(".sst"));
}

IOStatus LossyFileSystem::GetFreeSpace(const std::string&, const IOOptions&,
                                       std::uint64_t* free_bytes, IODebugContext*) {
  const MutexLock lock(mutex_);
  *free_bytes = full_ == Full::kNone ? std::uint64_t{1} << 40 : 0;
  return IOStatus::OK();
}

void LossyFileSystem::FailNextLogWrite() {
  const MutexLock lock(mutex_);
  fail_log_write_ = true;
}

// A disk writes what nobody has synced in any order: sectors that it did not get to read as zeros.
void LoseSectors(const std::string& name, std::uint64_t begin, std::uint64_t end,
                 std::mt19937& random) {
  std::fstream file(name, std::ios::binary | std::ios::in | std::ios::out);
  const std::string zeros(kSectorBytes, '\0');
  for (std::uint64_t sector = begin / kSectorBytes * kSectorBytes; sector < end;
       sector += kSectorBytes) {
    const std::uint64_t from = std::max(sector, begin);
    const std::uint64_t to = std::min(sector + kSectorBytes, end);
    if (random() % 3 == 0) {
      file.seekp(static_cast<std::streamoff>(from));
      file.write(zeros.data(), static_cast<std::streamsize>(to - from));
    }
  }
}

void LossyFileSystem::Lose(std::mt19937& random) {
  const MutexLock lock(mutex_);
  for (const auto& [name, state] : files_) {
    if (!std::filesystem::exists(name)) {
      continue;
    }
    if (!state.in_directory) {
      std::filesystem::remove(name);
      continue;
    }
    const std::uint64_t unsynced_bytes = state.written_bytes - state.synced_bytes;
    const std::uint64_t kept_bytes = state.synced_bytes + random() % (unsynced_bytes + 1);
    std::filesystem::resize_file(name, kept_bytes);
    if (random() % 2 == 0) {
      LoseSectors(name, state.synced_bytes, kept_bytes, random);
    }
  }
  files_.clear();
  has_power_ = true;
}

IOStatus LossyFileSystem::NewWritableFile(const std::string& name, const FileOptions& options,
                                          std::unique_ptr<FSWritableFile>* result,
                                          IODebugContext* debug) {
  const MutexLock lock(mutex_);
  if (!has_power_) {
    return IOStatus::IOError("no power");
  }
  std::unique_ptr<FSWritableFile> file;
  IOStatus status = target()->NewWritableFile(name, options, &file, debug);
  if (status.ok()) {
    files_[name] = {};
    *result = std::make_unique<LossyFile>(*this, name, std::move(file));
  }
  return status;
}

IOStatus LossyFileSystem::NewDirectory(const std::string& name, const IOOptions& options,
                                       std::unique_ptr<FSDirectory>* result,
                                       IODebugContext* debug) {
  std::unique_ptr<FSDirectory> directory;
  IOStatus status = target()->NewDirectory(name, options, &directory, debug);
  if (status.ok()) {
    *result = std::make_unique<LossyDirectory>(*this, name, std::move(directory));
  }
  return status;
}

IOStatus LossyFileSystem::DeleteFile(const std::string& name, const IOOptions& options,
                                     IODebugContext* debug) {
  const MutexLock lock(mutex_);
  if (!has_power_) {
    return IOStatus::IOError("no power");
  }
  files_.erase(name);
  return target()->DeleteFile(name, options, debug);
}

IOStatus LossyFileSystem::RenameFile(const std::string& from, const std::string& to,
                                     const IOOptions& options, IODebugContext* debug) {
  const MutexLock lock(mutex_);
  if (!has_power_) {
    return IOStatus::IOError("no power");
  }
  if (const auto at = files_.find(from); at != files_.end()) {
    // The name it replaces was there before, so the directory has one of the two.
    files_[to] = at->second;
    files_[to].in_directory = true;
    files_.erase(from);
  }
  return target()->RenameFile(from, to, options, debug);
}

}  // namespace prejoin::storage
