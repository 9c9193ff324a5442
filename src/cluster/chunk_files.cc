// A file is a row of objects of kChunkBytes each; only the last one is shorter. The file's length is kept by its owner (ChunkFile::bytes),
// so a read never asks the store how long an object is.
//
// The writer collects appends in a buffer and starts a write for each full chunk. Tables of RocksDB may have several on their
// way; a log, the manifest and all other files have one, because a later record must not be there without an earlier one.
// Sync writes the rest and waits for all. Each write creates
// its chunk with the writer's epoch or asserts that epoch, so a gateway that lost the lead cannot add a byte: the store refuses, and
// RocksDB sees IOFenced. The first error stays; nothing is written after it.
#include "cluster/chunk_files.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <utility>

#include "base/mutex.h"
#include "cluster/layout.h"

namespace prejoin::cluster {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// Chunks on their way at once, of a file whose order does not matter.
constexpr std::size_t kWritesInFlightMax = 4;

// Reads what there is of [offset, offset + bytes) into `out`.
IOStatus ReadRange(const ChunkFile& file, std::uint64_t offset, std::size_t bytes, char* out,
                   std::size_t* got) {
  *got = 0;
  const std::uint64_t end = file.bytes->load();
  bytes = offset >= end ? 0 : std::min<std::uint64_t>(bytes, end - offset);
  while (*got < bytes) {
    const std::uint64_t at = offset + *got;
    const std::size_t piece = std::min<std::uint64_t>(bytes - *got, kChunkBytes - at % kChunkBytes);
    const std::string object = ChunkObject(file.inode, at / kChunkBytes);
    std::size_t piece_got = 0;
    const ObjectStatus status =
        file.store->Read(object, at % kChunkBytes, piece, out + *got, piece_got);
    if (!status.ok() && status.code != ObjectCode::kMissing) {
      return ToIoStatus(status, object);
    }
    if (piece_got != piece) {
      return IOStatus::Corruption(object + " is shorter than the file");
    }
    *got += piece;
  }
  return IOStatus::OK();
}

class RandomReader final : public rocksdb::FSRandomAccessFile {
 public:
  explicit RandomReader(ChunkFile file) : file_(std::move(file)) {}

  IOStatus Read(std::uint64_t offset, std::size_t bytes, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    std::size_t got = 0;
    IOStatus status = ReadRange(file_, offset, bytes, scratch, &got);
    *result = Slice(scratch, got);
    return status;
  }

 private:
  const ChunkFile file_;
};

// Single thread. Reads a piece ahead: a log is asked for in blocks of 32 KiB.
class OrderedReader final : public rocksdb::FSSequentialFile {
 public:
  explicit OrderedReader(ChunkFile file) : file_(std::move(file)) {}

  IOStatus Read(std::size_t bytes, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    std::size_t got = 0;
    while (got < bytes) {
      if (at_ < ahead_begin_ || at_ >= ahead_begin_ + ahead_.size()) {
        ahead_begin_ = at_;
        ahead_.resize(kAheadBytes);
        std::size_t ahead_bytes = 0;
        IOStatus status = ReadRange(file_, at_, kAheadBytes, ahead_.data(), &ahead_bytes);
        ahead_.resize(ahead_bytes);
        if (!status.ok()) {
          return status;
        }
        if (ahead_.empty()) {
          break;
        }
      }
      const std::size_t skip = at_ - ahead_begin_;
      const std::size_t piece = std::min(bytes - got, ahead_.size() - skip);
      std::memcpy(scratch + got, ahead_.data() + skip, piece);
      got += piece;
      at_ += piece;
    }
    *result = Slice(scratch, got);
    return IOStatus::OK();
  }
  IOStatus Skip(std::uint64_t bytes) override {
    at_ += bytes;
    return IOStatus::OK();
  }

 private:
  static constexpr std::size_t kAheadBytes = std::size_t{1} << 20;

  const ChunkFile file_;
  std::uint64_t at_ = 0;
  std::uint64_t ahead_begin_ = 0;
  std::string ahead_;
};

// Shared with the writes on their way, which may outlive the writer. Thread-safe.
struct InFlight {
  Mutex mutex;
  std::condition_variable ended;
  std::size_t count PJ_GUARDED_BY(mutex) = 0;
  IOStatus first_error PJ_GUARDED_BY(mutex) = IOStatus::OK();
};

// Thread-safe: RocksDB syncs a log while it appends to it.
class ChunkWriter final : public rocksdb::FSWritableFile {
 public:
  ChunkWriter(ChunkFile file, ChunkWriterOptions options)
      : file_(std::move(file)), options_(std::move(options)) {}
  ~ChunkWriter() override { (void)Close({}, nullptr); }

  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    MutexLock lock(state_->mutex);
    if (!state_->first_error.ok()) {
      return state_->first_error;
    }
    buffer_.append(data.data(), data.size());
    return buffer_.size() >= kChunkBytes ? WriteOut(lock, kChunkBytes) : IOStatus::OK();
  }
  using FSWritableFile::Append;

  // Nothing is promised before a sync.
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    MutexLock lock(state_->mutex);
    IOStatus status = WriteOut(lock, 1);
    while (state_->count > 0) {
      lock.Wait(state_->ended);
    }
    return status.ok() ? state_->first_error : status;
  }

  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    {
      const MutexLock lock(state_->mutex);
      if (closed_) {
        return IOStatus::OK();
      }
      closed_ = true;
    }
    IOStatus status = Sync(options, debug);
    return status.ok() ? options_.closed(file_.bytes->load()) : status;
  }

  bool IsSyncThreadSafe() const override { return true; }
  std::uint64_t GetFileSize(const IOOptions&, IODebugContext*) override {
    const MutexLock lock(state_->mutex);
    return file_.bytes->load() + buffer_.size();
  }

 private:
  // Starts writes while at least `bytes_min` are waiting for one.
  IOStatus WriteOut(MutexLock& lock, std::size_t bytes_min) PJ_NO_THREAD_SAFETY_ANALYSIS {
    const std::size_t others_max =
        options_.order == WriteOrder::kStrict ? 0 : kWritesInFlightMax - 1;
    while (true) {
      while (state_->count > others_max) {
        lock.Wait(state_->ended);
      }
      if (!state_->first_error.ok()) {
        return state_->first_error;
      }
      if (buffer_.size() < bytes_min) {
        return IOStatus::OK();
      }
      StartWrite();
    }
  }

  // Under the mutex, so that writes start in their order. Nothing in it waits for the store.
  void StartWrite() PJ_NO_THREAD_SAFETY_ANALYSIS {
    const std::uint64_t at = file_.bytes->load();
    const std::size_t piece =
        std::min<std::uint64_t>(buffer_.size(), kChunkBytes - at % kChunkBytes);
    Change change;
    if (at % kChunkBytes == 0) {
      change.create = true;
      change.attributes = {{kWriterAttribute, options_.epoch}};
    } else {
      change.expected = {{kWriterAttribute, options_.epoch}};
    }
    change.offset = at % kChunkBytes;
    const std::string bytes = buffer_.substr(0, piece);
    change.data = bytes;
    buffer_.erase(0, piece);
    file_.bytes->store(at + piece);
    ++state_->count;
    const std::string object = ChunkObject(file_.inode, at / kChunkBytes);
    state_->mutex.unlock();
    file_.store->Start(object, change, [state = state_, object](const ObjectStatus& status) {
      const MutexLock lock(state->mutex);
      --state->count;
      if (!status.ok() && state->first_error.ok()) {
        state->first_error = ToIoStatus(status, object);
      }
      state->ended.notify_all();
    });
    state_->mutex.lock();
  }

  const ChunkFile file_;
  const ChunkWriterOptions options_;
  const std::shared_ptr<InFlight> state_ = std::make_shared<InFlight>();
  // Guarded by the mutex of state_.
  std::string buffer_;
  bool closed_ = false;
};

}  // namespace

IOStatus ToIoStatus(const ObjectStatus& status, const std::string& object) {
  switch (status.code) {
    case ObjectCode::kOk:
      return IOStatus::OK();
    case ObjectCode::kMismatch:
    case ObjectCode::kExists:
    case ObjectCode::kFenced:
      return IOStatus::IOFenced(object, "another gateway leads now: " + status.what);
    case ObjectCode::kMissing:
    case ObjectCode::kFailed:
      break;
  }
  return IOStatus::IOError(object, status.what);
}

std::unique_ptr<rocksdb::FSSequentialFile> ReadChunksInOrder(const ChunkFile& file) {
  return std::make_unique<OrderedReader>(file);
}

std::unique_ptr<rocksdb::FSRandomAccessFile> ReadChunks(const ChunkFile& file) {
  return std::make_unique<RandomReader>(file);
}

std::unique_ptr<rocksdb::FSWritableFile> WriteChunks(const ChunkFile& file,
                                                     const ChunkWriterOptions& options) {
  return std::make_unique<ChunkWriter>(file, options);
}

}  // namespace prejoin::cluster
