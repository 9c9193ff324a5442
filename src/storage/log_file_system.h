// Keeps RocksDB's logs in order on the disk, and keeps their errors for the store.
//
// A log reaches the disk before the next one gets its first byte. So only the newest log can have
// lost anything at a power failure, and a hole in an older one is damage (log_check.h). RocksDB
// itself leaves the older log to the next sync. The register learns of each log before anything in
// it is acknowledged (log_register.h).
//
// RocksDB never hears that a write into a log failed: when the syncer's write into the log fails
// while another thread appends to the same log, Debian's build ends the process with an assertion.
// The log accepts nothing after the gap, and FirstError tells the store, which asks before it calls
// anything durable. If only room was missing, the store brings what the logs hold to the disk in
// another way and continues with a new log (RocksStore::Recover). A sync that failed is final.
#ifndef PREJOIN_STORAGE_LOG_FILE_SYSTEM_H_
#define PREJOIN_STORAGE_LOG_FILE_SYSTEM_H_

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "storage/log_register.h"
#include "storage/store.h"

namespace prejoin::storage {

class LogState;

// Passes everything on to `target`, but for what is said above about logs (*.log). A disk quota or a
// limit on the size of files counts as a full disk, for all files. Thread-safe.
class LogFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  // `logs` outlives this object; null: logs are not registered.
  LogFileSystem(const std::shared_ptr<rocksdb::FileSystem>& target, SyncMode mode,
                LogRegister* logs)
      : FileSystemWrapper(target), mode_(mode), register_(logs) {}
  const char* Name() const override { return "PrejoinLogFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  // RocksDB's own log, which must not end the process when its disk fails (info_log.h).
  rocksdb::IOStatus NewLogger(const std::string& name, const rocksdb::IOOptions& options,
                              std::shared_ptr<rocksdb::Logger>* result,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

  // The first error of a log since the last call of BeginNewLogs; NoSpace only if all of them are.
  // Costs one load if there is none.
  rocksdb::IOStatus FirstError() PJ_EXCLUDES(mutex_) {
    return has_error_.load(std::memory_order_acquire) ? FirstErrorLocked()
                                                      : rocksdb::IOStatus::OK();
  }
  // Everything in the logs up to now is on the disk in table files, so they no longer are in front
  // of the next one. Nobody writes meanwhile. An error if the newest log itself has failed.
  rocksdb::IOStatus BeginNewLogs() PJ_EXCLUDES(mutex_);

 private:
  friend class LogState;

  rocksdb::IOStatus FirstErrorLocked() PJ_EXCLUDES(mutex_);
  void Remember(const rocksdb::IOStatus& status, std::uint64_t generation) PJ_EXCLUDES(mutex_);

  const SyncMode mode_;
  LogRegister* const register_;
  std::atomic<bool> has_error_ = false;

  Mutex mutex_;
  std::shared_ptr<LogState> newest_ PJ_GUARDED_BY(mutex_);
  // Grows with each BeginNewLogs. Errors of logs from before no longer count.
  std::uint64_t generation_ PJ_GUARDED_BY(mutex_) = 0;
  rocksdb::IOStatus first_error_ PJ_GUARDED_BY(mutex_) = rocksdb::IOStatus::OK();
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_LOG_FILE_SYSTEM_H_
