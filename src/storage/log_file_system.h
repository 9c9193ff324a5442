// Keeps RocksDB's logs in order on the disk, and holds their errors back until the next sync.
//
// A log reaches the disk before the next one gets its first byte. So only the newest log can have
// lost anything at a power failure, and a hole in an older one is damage (log_check.h). RocksDB
// itself leaves the older log to the next sync.
//
// We promise durability only after a sync, so that is where an error has to surface. RocksDB cannot
// take an earlier one: when the syncer's write into the log fails while another thread appends to
// the same log, Debian's build ends the process with an assertion.
#ifndef PREJOIN_STORAGE_LOG_FILE_SYSTEM_H_
#define PREJOIN_STORAGE_LOG_FILE_SYSTEM_H_

#include <rocksdb/file_system.h>

#include <memory>
#include <string>

#include "base/mutex.h"

namespace prejoin::storage {

class LogState;

// When an error of a log is reported.
enum class LogErrors {
  kAtOnce,
  kAtSync,  // The log looks fine until it is synced; its syncs fail from then on.
};

// Passes everything on to `target`, but for what is said above about logs (*.log). Thread-safe.
class LogFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  LogFileSystem(const std::shared_ptr<rocksdb::FileSystem>& target, LogErrors errors)
      : FileSystemWrapper(target), errors_(errors) {}
  const char* Name() const override { return "PrejoinLogFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;

 private:
  const LogErrors errors_;

  Mutex mutex_;
  std::shared_ptr<LogState> newest_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_LOG_FILE_SYSTEM_H_
