// A file system that forgets, at a power failure, what was not synced.
#ifndef PREJOIN_TESTS_STORAGE_LOSSY_FILE_SYSTEM_H_
#define PREJOIN_TESTS_STORAGE_LOSSY_FILE_SYSTEM_H_

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "base/mutex.h"

namespace prejoin::storage {

// Passes everything on to the real one and notes, for each file written through it, how much of it
// is synced and whether its directory was synced since it was created. Thread-safe.
class LossyFileSystem : public rocksdb::FileSystemWrapper {
 public:
  LossyFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "LossyFileSystem"; }

  // From now on nothing reaches the disk any more; every write and sync fails.
  void CutPower();
  // Makes the disk look as after the power came back: files lose what was not synced, but for a
  // random part of it, which need not be the part that was written first; files whose directory was
  // not synced are gone. The store that was on it is closed.
  void Lose(std::mt19937& random);
  // The next sync of a log fails, once.
  void FailNextLogSync();
  // The next write into a log fails, once, as on a full disk.
  void FailNextLogWrite();
  // Which files find no room from now on.
  enum class Full { kNone, kLogs, kTables, kAll };
  void Fill(Full full);
  // What the next failing sync says.
  void FailNextLogSyncForWantOfRoom();

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& name, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* result,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options,
                                 std::uint64_t* free_bytes,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

 private:
  friend class LossyFile;
  friend class LossyDirectory;

  struct FileState {
    std::uint64_t written_bytes = 0;
    std::uint64_t synced_bytes = 0;
    bool in_directory = false;  // The directory was synced since the file was created.
  };

  rocksdb::IOStatus CheckPower() PJ_EXCLUDES(mutex_);
  bool HasRoom(const std::string& name) const PJ_REQUIRES(mutex_);

  Mutex mutex_;
  std::map<std::string, FileState> files_ PJ_GUARDED_BY(mutex_);
  bool has_power_ PJ_GUARDED_BY(mutex_) = true;
  bool fail_log_sync_ PJ_GUARDED_BY(mutex_) = false;
  bool fail_log_write_ PJ_GUARDED_BY(mutex_) = false;
  bool sync_lacks_room_ PJ_GUARDED_BY(mutex_) = false;
  Full full_ PJ_GUARDED_BY(mutex_) = Full::kNone;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_TESTS_STORAGE_LOSSY_FILE_SYSTEM_H_
