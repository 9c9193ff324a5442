// Holds errors of RocksDB's log back until the next sync.
//
// We promise durability only after a sync, so that is where an error has to surface. RocksDB does
// not stand an earlier one: when the syncer's write into the log fails while another thread appends
// to the same log, Debian's build ends the process with an assertion.
#ifndef PREJOIN_STORAGE_LOG_FILE_SYSTEM_H_
#define PREJOIN_STORAGE_LOG_FILE_SYSTEM_H_

#include <rocksdb/file_system.h>

#include <memory>
#include <string>

namespace prejoin::storage {

// Passes everything on to `target`, except that a log (*.log) that could not be written looks fine
// until it is synced; its syncs fail from then on. Thread-safe.
class LogFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit LogFileSystem(const std::shared_ptr<rocksdb::FileSystem>& target)
      : FileSystemWrapper(target) {}
  const char* Name() const override { return "PrejoinLogFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_LOG_FILE_SYSTEM_H_
