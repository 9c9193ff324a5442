// RocksDB's own log of its work (LOG in the data directory), which nothing depends on.
#ifndef PREJOIN_STORAGE_INFO_LOG_H_
#define PREJOIN_STORAGE_INFO_LOG_H_

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <memory>
#include <utility>

#include "base/mutex.h"

namespace prejoin::storage {

// Writes a line for each message and forgets messages that the disk does not accept. RocksDB's logger does not forget: on a disk that is full,
// read-only or broken, Debian's build ends the process with an assertion at the second message. Thread-safe.
class InfoLog final : public rocksdb::Logger {
 public:
  explicit InfoLog(std::unique_ptr<rocksdb::FSWritableFile> file) : file_(std::move(file)) {}
  ~InfoLog() override { (void)Close(); }

  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override PJ_EXCLUDES(mutex_);
  std::size_t GetLogFileSize() const override { return bytes_.load(); }

 protected:
  rocksdb::Status CloseImpl() override PJ_EXCLUDES(mutex_);

 private:
  std::atomic<std::size_t> bytes_ = 0;
  Mutex mutex_;
  std::unique_ptr<rocksdb::FSWritableFile> file_ PJ_GUARDED_BY(mutex_);  // Null: closed.
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_INFO_LOG_H_
