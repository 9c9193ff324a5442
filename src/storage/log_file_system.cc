#include "storage/log_file_system.h"

#include <cstdint>
#include <utility>

#include "base/mutex.h"

namespace prejoin::storage {
namespace {

using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class LogFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  explicit LogFile(std::unique_ptr<FSWritableFile> target)
      : FSWritableFileOwnerWrapper(std::move(target)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  IODebugContext* debug) override {
    // Nothing may follow a gap.
    if (FirstError().ok()) {
      Remember(FSWritableFileOwnerWrapper::Append(data, options, debug));
    }
    return IOStatus::OK();
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification,
                  IODebugContext* debug) override {
    if (FirstError().ok()) {
      Remember(FSWritableFileOwnerWrapper::Append(data, options, verification, debug));
    }
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    Remember(FSWritableFileOwnerWrapper::Flush(options, debug));
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    Remember(FSWritableFileOwnerWrapper::Sync(options, debug));
    return FirstError();
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    Remember(FSWritableFileOwnerWrapper::Fsync(options, debug));
    return FirstError();
  }

 private:
  void Remember(IOStatus status) PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (first_error_.ok()) {
      first_error_ = std::move(status);
    }
  }
  IOStatus FirstError() PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return first_error_;
  }

  Mutex mutex_;
  IOStatus first_error_ PJ_GUARDED_BY(mutex_) = IOStatus::OK();
};

}  // namespace

IOStatus LogFileSystem::NewWritableFile(const std::string& name,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<FSWritableFile>* result,
                                        IODebugContext* debug) {
  std::unique_ptr<FSWritableFile> file;
  IOStatus status = target()->NewWritableFile(name, options, &file, debug);
  if (status.ok()) {
    *result = name.ends_with(".log") ? std::make_unique<LogFile>(std::move(file)) : std::move(file);
  }
  return status;
}

}  // namespace prejoin::storage
