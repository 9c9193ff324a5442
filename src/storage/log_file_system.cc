#include "storage/log_file_system.h"

#include <cstdint>
#include <utility>

#include "base/mutex.h"

namespace prejoin::storage {

using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

// A log's file, and what the log behind it has to know. Thread-safe.
class LogState {
 public:
  LogState(std::unique_ptr<FSWritableFile> file, std::shared_ptr<LogState> before)
      : file_(std::move(file)), before_(std::move(before)) {}

  FSWritableFile& file() { return *file_; }

  IOStatus FirstError() PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return first_error_;
  }
  // Nothing may follow a gap, so the first error stays.
  void Remember(const IOStatus& status) PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (first_error_.ok()) {
      first_error_ = status;
    }
  }

  // Before a byte is written: the log in front of this one goes to the disk.
  IOStatus BeginAppend(const IOOptions& options, IODebugContext* debug) PJ_EXCLUDES(mutex_) {
    std::shared_ptr<LogState> before;
    {
      const MutexLock lock(mutex_);
      dirty_ = true;
      before = std::move(before_);
    }
    return before != nullptr ? before->SyncIfDirty(options, debug) : IOStatus::OK();
  }

  // With all logs in front of it.
  IOStatus SyncIfDirty(const IOOptions& options, IODebugContext* debug) PJ_EXCLUDES(mutex_) {
    std::shared_ptr<LogState> before;
    bool done = false;
    {
      const MutexLock lock(mutex_);
      before = std::move(before_);
      done = !dirty_ || closed_;
    }
    if (before != nullptr) {
      Remember(before->SyncIfDirty(options, debug));
    }
    return done ? FirstError() : Sync(options, debug);
  }

  IOStatus Sync(const IOOptions& options, IODebugContext* debug) PJ_EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      dirty_ = false;  // An append from now on makes it so again.
    }
    Remember(file_->Sync(options, debug));
    return FirstError();
  }

  // Syncs first: the log may be an obsolete one, but the next start looks at it too.
  IOStatus Close(const IOOptions& options, IODebugContext* debug) PJ_EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      if (closed_) {
        return IOStatus::OK();
      }
    }
    Remember(SyncIfDirty(options, debug));
    {
      const MutexLock lock(mutex_);
      closed_ = true;
    }
    return file_->Close(options, debug);
  }

 private:
  const std::unique_ptr<FSWritableFile> file_;

  Mutex mutex_;
  std::shared_ptr<LogState> before_ PJ_GUARDED_BY(mutex_);  // Null: it is on the disk.
  IOStatus first_error_ PJ_GUARDED_BY(mutex_) = IOStatus::OK();
  bool dirty_ PJ_GUARDED_BY(mutex_) = false;
  bool closed_ PJ_GUARDED_BY(mutex_) = false;
};

namespace {

class LogFile final : public rocksdb::FSWritableFileWrapper {
 public:
  LogFile(std::shared_ptr<LogState> state, LogErrors errors)
      : FSWritableFileWrapper(&state->file()), state_(std::move(state)), errors_(errors) {}
  ~LogFile() override { (void)state_->Close(IOOptions(), nullptr); }

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  IODebugContext* debug) override {
    return Write(options, debug,
                 [&] { return FSWritableFileWrapper::Append(data, options, debug); });
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification,
                  IODebugContext* debug) override {
    return Write(options, debug,
                 [&] { return FSWritableFileWrapper::Append(data, options, verification, debug); });
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return Report(FSWritableFileWrapper::Flush(options, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return state_->Sync(options, debug);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return state_->Sync(options, debug);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return state_->Close(options, debug);
  }

 private:
  template <class Step>
  IOStatus Write(const IOOptions& options, IODebugContext* debug, Step step) {
    IOStatus status = state_->FirstError();
    if (status.ok()) {
      status = state_->BeginAppend(options, debug);
    }
    return Report(status.ok() ? step() : status);
  }
  IOStatus Report(const IOStatus& status) {
    state_->Remember(status);
    return errors_ == LogErrors::kAtOnce ? status : IOStatus::OK();
  }

  const std::shared_ptr<LogState> state_;
  const LogErrors errors_;
};

}  // namespace

IOStatus LogFileSystem::NewWritableFile(const std::string& name,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<FSWritableFile>* result,
                                        IODebugContext* debug) {
  std::unique_ptr<FSWritableFile> file;
  IOStatus status = target()->NewWritableFile(name, options, &file, debug);
  if (!status.ok() || !name.ends_with(".log")) {
    *result = std::move(file);
    return status;
  }
  const MutexLock lock(mutex_);
  newest_ = std::make_shared<LogState>(std::move(file), std::move(newest_));
  *result = std::make_unique<LogFile>(newest_, errors_);
  return status;
}

}  // namespace prejoin::storage
