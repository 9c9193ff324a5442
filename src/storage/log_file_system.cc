#include "storage/log_file_system.h"

#include <errno.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/mutex.h"
#include "storage/info_log.h"

namespace prejoin::storage {
namespace {

using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// The growth of a log after which the register is told again. Each note costs a few syncs of small
// files.
constexpr std::uint64_t kNoteBytes = 8u << 20;

// RocksDB knows only one error number of a disk without room. The others it leaves in the text.
// Missing descriptors are like missing room: they come back, and no byte was lost to them.
IOStatus WithSpaceErrors(IOStatus status) {
  if (!status.IsIOError() || status.IsNoSpace()) {
    return status;
  }
  const std::string text = status.ToString();
  for (const int code : {EFBIG, EDQUOT, EMFILE, ENFILE}) {
    if (text.ends_with(std::generic_category().message(code))) {
      return IOStatus::NoSpace(text);
    }
  }
  return status;
}

// A disk that fails to sync is not believed again, whatever it says about the reason.
IOStatus AsFinal(const IOStatus& status) {
  return status.IsNoSpace() ? IOStatus::IOError(status.ToString()) : status;
}

// More than one sync covers as a rule. Beyond it, appends write.
constexpr std::size_t kKeptBytesMax = 4u << 20;

// The room that a log takes ahead of its bytes. RocksDB would take that of a whole memtable at once, and a file system in memory fills it with
// zeros: 20 to 30 ms for which every commit waits.
constexpr std::size_t kRoomAheadBytes = 4u << 20;

IOStatus FromError(const Error& error) {
  return error.code == ErrorCode::kUnavailable ? IOStatus::NoSpace(error.message)
                                               : IOStatus::IOError(error.message);
}

std::uint64_t NumberOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  std::uint64_t number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

}  // namespace

// A log's file, and what the log behind it has to know. Thread-safe.
//
// With syncs, nothing has to reach the file before the next sync, and RocksDB gives its buffer away under a mutex that every commit needs: a
// write to the file there holds up all of them. So the log keeps the bytes, and the sync writes them.
class LogState {
 public:
  LogState(LogFileSystem& system, std::string path, std::unique_ptr<FSWritableFile> file,
           std::uint64_t generation, std::shared_ptr<LogState> before)
      : system_(system),
        path_(std::move(path)),
        number_(NumberOf(path_)),
        file_(std::move(file)),
        generation_(generation),
        before_(std::move(before)) {}

  FSWritableFile& file() { return *file_; }

  IOStatus FirstError() PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return first_error_;
  }
  // Nothing may follow a gap, so the first error stays.
  void Remember(const IOStatus& status) PJ_EXCLUDES(mutex_) {
    if (status.ok()) {
      return;
    }
    {
      const MutexLock lock(mutex_);
      if (first_error_.ok()) {
        first_error_ = status;
      }
    }
    system_.Remember(status, generation_.load());
  }

  // Before bytes are written: the log before this one goes to the disk.
  IOStatus BeginAppend(const IOOptions& options, IODebugContext* debug) PJ_EXCLUDES(mutex_) {
    std::shared_ptr<LogState> before;
    bool is_first = false;
    {
      const MutexLock lock(mutex_);
      is_first = appended_bytes_ == 0;
      before = std::move(before_);
    }
    IOStatus status = before != nullptr ? before->SyncIfDirty(options, debug) : IOStatus::OK();
    // Without syncs this is the only moment to say that there is a log.
    if (status.ok() && is_first && system_.mode_ == SyncMode::kNone) {
      status = Note(0, options, debug);
    }
    return status;
  }

  // Behind BeginAppend.
  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug)
      PJ_EXCLUDES(file_mutex_, mutex_) {
    if (system_.mode_ == SyncMode::kAlways && Keep(data)) {
      return IOStatus::OK();
    }
    const MutexLock file_lock(file_mutex_);
    IOStatus status = WriteKept(options, debug);
    if (status.ok()) {
      file_->PrepareWrite(file_bytes_, data.size(), options, debug);
      status = file_->Append(data, options, debug);
    }
    if (status.ok()) {
      file_bytes_ += data.size();
      const MutexLock lock(mutex_);
      appended_bytes_ += data.size();
    }
    return status;
  }

  // With all logs before it.
  IOStatus SyncIfDirty(const IOOptions& options, IODebugContext* debug) PJ_EXCLUDES(mutex_) {
    std::shared_ptr<LogState> before;
    bool done = false;
    {
      const MutexLock lock(mutex_);
      before = std::move(before_);
      done = synced_bytes_ == appended_bytes_ || closed_;
    }
    if (before != nullptr) {
      Remember(before->SyncIfDirty(options, debug));
    }
    return done ? FirstError() : Sync(options, debug);
  }

  IOStatus Sync(const IOOptions& options, IODebugContext* debug) PJ_EXCLUDES(sync_mutex_, mutex_) {
    std::uint64_t covered_bytes = 0;
    IOStatus status;
    {
      const MutexLock file_lock(file_mutex_);
      if (IOStatus error = FirstError(); !error.ok()) {
        return error;
      }
      status = WithSpaceErrors(WriteKept(options, debug));
      covered_bytes = file_bytes_;
    }
    if (status.ok()) {
      const MutexLock sync_lock(sync_mutex_);
      if (IsClosed()) {
        return FirstError();  // Who closed it has synced all of it.
      }
      status = AsFinal(file_->Sync(options, debug));
    }
    if (status.ok()) {
      status = NoteSynced(covered_bytes, options, debug);
    }
    Remember(status);
    return FirstError();
  }

  // Syncs first: the log may be an obsolete one, but the next start looks at it too.
  IOStatus Close(const IOOptions& options, IODebugContext* debug) PJ_EXCLUDES(sync_mutex_, mutex_) {
    if (IsClosed()) {
      return IOStatus::OK();
    }
    Remember(SyncIfDirty(options, debug));
    // The log behind this one may be syncing it too: a descriptor that is gone would look like a disk that failed.
    const MutexLock sync_lock(sync_mutex_);
    {
      const MutexLock lock(mutex_);
      if (closed_) {
        return IOStatus::OK();
      }
      closed_ = true;
    }
    return file_->Close(options, debug);
  }

  // The content of the logs before this one is on the disk.
  void BeginChain(std::uint64_t generation) PJ_EXCLUDES(mutex_) {
    generation_ = generation;
    std::shared_ptr<LogState> before;
    const MutexLock lock(mutex_);
    before = std::move(before_);
  }

 private:
  bool IsClosed() PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return closed_;
  }

  // False if there are so many bytes already that they have to be written.
  bool Keep(const Slice& data) PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (kept_.size() + data.size() > kKeptBytesMax) {
      return false;
    }
    kept_.append(data.data(), data.size());
    appended_bytes_ += data.size();
    return true;
  }

  IOStatus WriteKept(const IOOptions& options, IODebugContext* debug) PJ_REQUIRES(file_mutex_)
      PJ_EXCLUDES(mutex_) {
    writing_.clear();
    {
      const MutexLock lock(mutex_);
      writing_.swap(kept_);
    }
    if (writing_.empty()) {
      return IOStatus::OK();
    }
    file_->PrepareWrite(file_bytes_, writing_.size(), options, debug);
    const IOStatus status = file_->Append(writing_, options, debug);
    if (status.ok()) {
      file_bytes_ += writing_.size();
    }
    return status;
  }

  IOStatus NoteSynced(std::uint64_t covered_bytes, const IOOptions& options, IODebugContext* debug)
      PJ_EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      synced_bytes_ = std::max(synced_bytes_, covered_bytes);
    }
    if (covered_bytes == 0 || system_.register_ == nullptr) {
      return IOStatus::OK();
    }
    bool is_known = false;
    bool is_enough = false;
    {
      const MutexLock lock(mutex_);
      is_known = noted_;
      is_enough = noted_ && covered_bytes - noted_bytes_ < kNoteBytes;
    }
    if (is_enough) {
      system_.register_->NoteSynced(number_, covered_bytes);
      return IOStatus::OK();
    }
    const IOStatus status = Note(covered_bytes, options, debug);
    // Acknowledged writes are no longer at stake once the register knows the log.
    return is_known ? IOStatus::OK() : status;
  }

  // The name has to be in the directory before the register says that it is.
  IOStatus Note(std::uint64_t bytes, const IOOptions& options, IODebugContext* debug)
      PJ_EXCLUDES(mutex_) {
    if (system_.register_ == nullptr) {
      return IOStatus::OK();
    }
    std::unique_ptr<rocksdb::FSDirectory> directory;
    IOStatus status = system_.target()->NewDirectory(path_.substr(0, path_.rfind('/')), options,
                                                     &directory, debug);
    if (status.ok()) {
      status = AsFinal(directory->Fsync(options, debug));
    }
    if (!status.ok()) {
      return status;
    }
    if (const Status noted = system_.register_->Note(number_, bytes); !noted) {
      return FromError(noted.error());
    }
    const MutexLock lock(mutex_);
    noted_ = true;
    noted_bytes_ = bytes;
    return IOStatus::OK();
  }

  LogFileSystem& system_;
  const std::string path_;
  const std::uint64_t number_;
  const std::unique_ptr<FSWritableFile> file_;
  std::atomic<std::uint64_t> generation_;

  // Held while bytes go to the file, so that they do so in order.
  Mutex file_mutex_;
  std::string writing_ PJ_GUARDED_BY(file_mutex_);
  std::uint64_t file_bytes_ PJ_GUARDED_BY(file_mutex_) = 0;

  // Held while the file is synced, and when it is closed.
  Mutex sync_mutex_;

  Mutex mutex_;  // Taken behind file_mutex_ and sync_mutex_.
  std::string kept_
      PJ_GUARDED_BY(mutex_);  // The last of the appended bytes, which are not in the file yet.
  std::shared_ptr<LogState> before_ PJ_GUARDED_BY(mutex_);  // Null: it is on the disk.
  IOStatus first_error_ PJ_GUARDED_BY(mutex_) = IOStatus::OK();
  std::uint64_t appended_bytes_ PJ_GUARDED_BY(mutex_) = 0;  // Those of kept_ too.
  std::uint64_t synced_bytes_ PJ_GUARDED_BY(mutex_) = 0;
  std::uint64_t noted_bytes_ PJ_GUARDED_BY(mutex_) = 0;
  bool noted_ PJ_GUARDED_BY(mutex_) = false;
  bool closed_ PJ_GUARDED_BY(mutex_) = false;
};

namespace {

class LogFile final : public rocksdb::FSWritableFileWrapper {
 public:
  explicit LogFile(std::shared_ptr<LogState> state)
      : FSWritableFileWrapper(&state->file()), state_(std::move(state)) {}
  ~LogFile() override { (void)state_->Close(IOOptions(), nullptr); }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = state_->FirstError();
    if (status.ok()) {
      status = state_->BeginAppend(options, debug);
    }
    if (status.ok()) {
      status = state_->Append(data, options, debug);
    }
    return Report(status);
  }
  // The checksum to verify is that of `data`, and nobody asks for one.
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  // The state takes room when it writes. RocksDB asks for it at each append, under the mutex that every commit needs.
  void PrepareWrite(std::size_t, std::size_t, const IOOptions&, IODebugContext*) override {}
  void SetPreallocationBlockSize(std::size_t size) override {
    FSWritableFileWrapper::SetPreallocationBlockSize(std::min(size, kRoomAheadBytes));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return Report(FSWritableFileWrapper::Flush(options, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return Synced(state_->Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Synced(state_->Sync(options, debug));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return Report(state_->Close(options, debug));
  }

 private:
  IOStatus Report(const IOStatus& status) {
    state_->Remember(WithSpaceErrors(status));
    return IOStatus::OK();
  }
  // For RocksDB, missing room is no error: it would refuse writes until it is resumed, and the store
  // knows better when that is.
  static IOStatus Synced(const IOStatus& status) {
    return status.IsNoSpace() ? IOStatus::OK() : status;
  }

  const std::shared_ptr<LogState> state_;
};

// Any other file.
class BoundedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return WithSpaceErrors(FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification,
                  IODebugContext* debug) override {
    return WithSpaceErrors(FSWritableFileOwnerWrapper::Append(data, options, verification, debug));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return WithSpaceErrors(FSWritableFileOwnerWrapper::Flush(options, debug));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return WithSpaceErrors(FSWritableFileOwnerWrapper::Close(options, debug));
  }
};

}  // namespace

IOStatus LogFileSystem::NewWritableFile(const std::string& name,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<FSWritableFile>* result,
                                        IODebugContext* debug) {
  std::unique_ptr<FSWritableFile> file;
  IOStatus status = WithSpaceErrors(target()->NewWritableFile(name, options, &file, debug));
  if (!status.ok()) {
    return status;
  }
  if (!name.ends_with(".log")) {
    *result = std::make_unique<BoundedFile>(std::move(file));
    return status;
  }
  const MutexLock lock(mutex_);
  newest_ =
      std::make_shared<LogState>(*this, name, std::move(file), generation_, std::move(newest_));
  *result = std::make_unique<LogFile>(newest_);
  return status;
}

IOStatus LogFileSystem::NewLogger(const std::string& name, const IOOptions& options,
                                  std::shared_ptr<rocksdb::Logger>* result, IODebugContext* debug) {
  rocksdb::FileOptions file_options;
  file_options.io_options = options;
  std::unique_ptr<FSWritableFile> file;
  const IOStatus status = target()->NewWritableFile(name, file_options, &file, debug);
  if (status.ok()) {
    *result = std::make_shared<InfoLog>(std::move(file));
  }
  return status;
}

IOStatus LogFileSystem::DeleteFile(const std::string& name, const IOOptions& options,
                                   IODebugContext* debug) {
  if (register_ != nullptr && name.ends_with(".log")) {
    register_->Forget(NumberOf(name));
  }
  return FileSystemWrapper::DeleteFile(name, options, debug);
}

IOStatus LogFileSystem::FirstErrorLocked() {
  const MutexLock lock(mutex_);
  return first_error_;
}

void LogFileSystem::Remember(const IOStatus& status, std::uint64_t generation) {
  const MutexLock lock(mutex_);
  if (generation != generation_) {
    return;  // The log is obsolete.
  }
  if (first_error_.ok() || (first_error_.IsNoSpace() && !status.IsNoSpace())) {
    first_error_ = status;
  }
  has_error_.store(true, std::memory_order_release);
}

IOStatus LogFileSystem::BeginNewLogs() {
  std::shared_ptr<LogState> newest;
  std::uint64_t generation = 0;
  {
    const MutexLock lock(mutex_);
    newest = newest_;
    generation = generation_ + 1;
    if (!first_error_.ok() && !first_error_.IsNoSpace()) {
      return first_error_;
    }
  }
  if (newest != nullptr) {
    if (const IOStatus status = newest->FirstError(); !status.ok()) {
      return status;
    }
    newest->BeginChain(generation);
  }
  const MutexLock lock(mutex_);
  generation_ = generation;
  first_error_ = IOStatus::OK();
  has_error_.store(false, std::memory_order_release);
  return IOStatus::OK();
}

}  // namespace prejoin::storage
