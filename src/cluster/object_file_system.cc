#include "cluster/object_file_system.h"

#include <rocksdb/env.h>

#include <utility>

#include "cluster/chunk_files.h"

namespace prejoin::cluster {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

Error OutrunError() {
  return {ErrorCode::kUnavailable, "another gateway leads now, since this one took the lead"};
}

Error ObjectError(const std::string& object, const ObjectStatus& status) {
  const bool outrun = status.code == ObjectCode::kMismatch || status.code == ObjectCode::kFenced;
  return {outrun ? ErrorCode::kUnavailable : ErrorCode::kIo, object + ": " + status.what};
}

class SilentLogger final : public rocksdb::Logger {
 public:
  using Logger::Logv;
  void Logv(const char*, va_list) override {}
  std::size_t GetLogFileSize() const override { return 0; }
};

class NameLock final : public rocksdb::FileLock {
 public:
  explicit NameLock(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }

 private:
  const std::string name_;
};

// Every change of the directory is durable when it returns.
class SyncedDirectory final : public rocksdb::FSDirectory {
 public:
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
};

}  // namespace

Result<std::shared_ptr<ObjectFileSystem>> ObjectFileSystem::Open(ObjectStore& store,
                                                                 std::uint64_t epoch) {
  std::shared_ptr<ObjectFileSystem> files(new ObjectFileSystem(store, epoch));
  PJ_RETURN_IF_ERROR(files->Load());
  return files;
}

Status ObjectFileSystem::CheckEpoch() {
  ObjectStore::Map attributes;
  if (const ObjectStatus read = store_.Attributes(kDirectoryObject, attributes); !read.ok()) {
    return ObjectError(kDirectoryObject, read);
  }
  return attributes[kEpochAttribute] == PrintNumber(epoch_) ? Status() : OutrunError();
}

Status ObjectFileSystem::Load() {
  PJ_RETURN_IF_ERROR(CheckEpoch());
  ObjectStore::Map entries;
  if (const ObjectStatus read = store_.Entries(kDirectoryObject, entries); !read.ok()) {
    return ObjectError(kDirectoryObject, read);
  }
  Change::Pairs sealed;
  for (const auto& [name, text] : entries) {
    const auto entry = ParseFileEntry(text);
    if (!entry) {
      return Error{ErrorCode::kCorruption, "the directory's entry of " + name + " is damaged"};
    }
    if (EpochOf(entry->inode) > epoch_) {
      return OutrunError();
    }
    std::uint64_t bytes = 0;
    if (entry->bytes) {
      bytes = *entry->bytes;
    } else {
      PJ_ASSIGN_OR_RETURN(bytes, Seal(entry->inode));
      sealed.emplace_back(name, PrintFileEntry({entry->inode, bytes}));
    }
    const MutexLock lock(mutex_);
    files_[name] = {entry->inode, true, std::make_shared<std::atomic<std::uint64_t>>(bytes)};
  }
  if (sealed.empty()) {
    return {};
  }
  const MutexLock lock(directory_mutex_);
  const IOStatus noted = ChangeDirectory(sealed, {});
  return noted.ok() ? Status() : Error{ErrorCode::kUnavailable, noted.ToString()};
}

// Goes from chunk to chunk. Where there is none, it makes an empty one, so that the former leader
// cannot; if it was faster, there is one now, and the walk continues. In a chunk that is not full the
// way ends, because a writer begins the next one only after a full one.
Result<std::uint64_t> ObjectFileSystem::Seal(std::uint64_t inode) {
  const std::string epoch = PrintNumber(epoch_);
  for (std::uint64_t chunk = 0;; ++chunk) {
    const std::string object = ChunkObject(inode, chunk);
    Change barrier;
    barrier.create = true;
    barrier.attributes = {{kWriterAttribute, epoch}};
    const ObjectStatus created = store_.Apply(object, barrier);
    if (created.ok()) {
      return chunk * kChunkBytes;
    }
    if (created.code != ObjectCode::kExists) {
      return ObjectError(object, created);
    }
    PJ_RETURN_IF_ERROR(SealChunk(inode, object));
    std::uint64_t bytes = 0;
    if (const ObjectStatus read = store_.Size(object, bytes); !read.ok()) {
      return ObjectError(object, read);
    }
    if (bytes < kChunkBytes) {
      return chunk * kChunkBytes + bytes;
    }
  }
}

// Nearly always the chunk has the epoch of who made the file. Another one is that of a leader who began to
// seal it and died, or of one who outran this process.
Status ObjectFileSystem::SealChunk(std::uint64_t inode, const std::string& object) {
  const std::string epoch = PrintNumber(epoch_);
  std::string known = PrintNumber(EpochOf(inode));
  while (known < epoch) {
    Change seal;
    seal.expected = {{kWriterAttribute, known}};
    seal.attributes = {{kWriterAttribute, epoch}};
    const ObjectStatus sealed = store_.Apply(object, seal);
    if (sealed.ok()) {
      return {};
    }
    if (sealed.code != ObjectCode::kMismatch) {
      return ObjectError(object, sealed);
    }
    ObjectStore::Map attributes;
    if (const ObjectStatus read = store_.Attributes(object, attributes); !read.ok()) {
      return ObjectError(object, read);
    }
    const auto found = ParseNumber(attributes[kWriterAttribute]);
    if (!found) {
      return Error{ErrorCode::kCorruption, object + " does not say who may write into it"};
    }
    known = PrintNumber(*found);
  }
  return known == epoch ? Status() : OutrunError();
}

IOStatus ObjectFileSystem::ChangeDirectory(const Change::Pairs& entries,
                                           const std::vector<std::string>& removed) {
  Change change;
  change.expected = {{kEpochAttribute, PrintNumber(epoch_)}};
  change.entries = entries;
  change.removed_entries = removed;
  return ToIoStatus(store_.Apply(kDirectoryObject, change), kDirectoryObject);
}

IOStatus ObjectFileSystem::Find(const std::string& name, File* file) {
  const MutexLock lock(mutex_);
  const auto found = files_.find(name);
  if (found == files_.end()) {
    return IOStatus::NotFound(name);
  }
  *file = found->second;
  return IOStatus::OK();
}

IOStatus ObjectFileSystem::NewSequentialFile(const std::string& name, const rocksdb::FileOptions&,
                                             std::unique_ptr<rocksdb::FSSequentialFile>* result,
                                             IODebugContext*) {
  File file;
  IOStatus status = Find(name, &file);
  if (status.ok()) {
    *result = ReadChunksInOrder({&store_, file.inode, file.bytes});
  }
  return status;
}

IOStatus ObjectFileSystem::NewRandomAccessFile(const std::string& name, const rocksdb::FileOptions&,
                                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                                               IODebugContext*) {
  File file;
  IOStatus status = Find(name, &file);
  if (status.ok()) {
    *result = ReadChunks({&store_, file.inode, file.bytes});
  }
  return status;
}

IOStatus ObjectFileSystem::NewWritableFile(const std::string& name, const rocksdb::FileOptions&,
                                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                                           IODebugContext*) {
  const MutexLock directory_lock(directory_mutex_);
  const std::uint64_t inode = MakeInode(epoch_, next_inode_++);
  IOStatus status = ChangeDirectory({{name, PrintFileEntry({inode, std::nullopt})}}, {});
  if (!status.ok()) {
    return status;
  }
  File file{inode, false, std::make_shared<std::atomic<std::uint64_t>>(0)};
  {
    const MutexLock lock(mutex_);
    const auto old = files_.find(name);
    if (old != files_.end()) {
      RemoveChunks(old->second);
    }
    files_[name] = file;
  }
  const WriteOrder order = name.ends_with(".sst") ? WriteOrder::kAnyhow : WriteOrder::kStrict;
  *result = WriteChunks({&store_, inode, file.bytes},
                        {PrintNumber(epoch_), order, [this, name, inode](std::uint64_t bytes) {
                           return NoteClosed(name, inode, bytes);
                         }});
  return status;
}

IOStatus ObjectFileSystem::NoteClosed(const std::string& name, std::uint64_t inode,
                                      std::uint64_t bytes) {
  const MutexLock directory_lock(directory_mutex_);
  File file;
  if (!Find(name, &file).ok() || file.inode != inode) {
    return IOStatus::OK();
  }
  IOStatus status = ChangeDirectory({{name, PrintFileEntry({inode, bytes})}}, {});
  if (status.ok()) {
    const MutexLock lock(mutex_);
    files_[name].closed = true;
  }
  return status;
}

IOStatus ObjectFileSystem::NewDirectory(const std::string&, const IOOptions&,
                                        std::unique_ptr<rocksdb::FSDirectory>* result,
                                        IODebugContext*) {
  *result = std::make_unique<SyncedDirectory>();
  return IOStatus::OK();
}

IOStatus ObjectFileSystem::FileExists(const std::string& name, const IOOptions& options,
                                      IODebugContext* debug) {
  File file;
  bool is_folder = false;
  (void)IsDirectory(name, options, &is_folder, debug);
  return is_folder ? IOStatus::OK() : Find(name, &file);
}

IOStatus ObjectFileSystem::IsDirectory(const std::string& path, const IOOptions&, bool* is_folder,
                                       IODebugContext*) {
  const MutexLock lock(mutex_);
  const auto first = files_.lower_bound(path + "/");
  *is_folder = first != files_.end() && first->first.starts_with(path + "/");
  return IOStatus::OK();
}

IOStatus ObjectFileSystem::GetChildren(const std::string& folder, const IOOptions&,
                                       std::vector<std::string>* result, IODebugContext*) {
  result->clear();
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  const MutexLock lock(mutex_);
  for (auto at = files_.lower_bound(prefix); at != files_.end() && at->first.starts_with(prefix);
       ++at) {
    const std::string name = at->first.substr(prefix.size());
    const std::string child = name.substr(0, name.find('/'));
    if (result->empty() || result->back() != child) {
      result->push_back(child);
    }
  }
  return IOStatus::OK();
}

IOStatus ObjectFileSystem::DeleteFile(const std::string& name, const IOOptions&, IODebugContext*) {
  const MutexLock directory_lock(directory_mutex_);
  File file;
  IOStatus status = Find(name, &file);
  if (status.ok()) {
    status = ChangeDirectory({}, {name});
  }
  if (status.ok()) {
    RemoveChunks(file);
    const MutexLock lock(mutex_);
    files_.erase(name);
  }
  return status;
}

// The chunks after the new end stay until the file is deleted; nobody reads them.
IOStatus ObjectFileSystem::Truncate(const std::string& name, std::size_t bytes, const IOOptions&,
                                    IODebugContext*) {
  const MutexLock directory_lock(directory_mutex_);
  File file;
  IOStatus status = Find(name, &file);
  if (!status.ok()) {
    return status;
  }
  if (!file.closed || bytes > file.bytes->load()) {
    return IOStatus::InvalidArgument(name, "only a closed file can be truncated, never extended");
  }
  status = ChangeDirectory({{name, PrintFileEntry({file.inode, bytes})}}, {});
  if (status.ok()) {
    file.bytes->store(bytes);
  }
  return status;
}

IOStatus ObjectFileSystem::RenameFile(const std::string& from, const std::string& to,
                                      const IOOptions&, IODebugContext*) {
  const MutexLock directory_lock(directory_mutex_);
  File file;
  IOStatus status = Find(from, &file);
  if (!status.ok()) {
    return status;
  }
  if (!file.closed) {
    return IOStatus::InvalidArgument(from, "is still being written");
  }
  status = ChangeDirectory({{to, PrintFileEntry({file.inode, file.bytes->load()})}}, {from});
  if (status.ok()) {
    const MutexLock lock(mutex_);
    const auto old = files_.find(to);
    if (old != files_.end()) {
      RemoveChunks(old->second);
    }
    files_.erase(from);
    files_[to] = file;
  }
  return status;
}

IOStatus ObjectFileSystem::GetFileSize(const std::string& name, const IOOptions&,
                                       std::uint64_t* bytes, IODebugContext*) {
  File file;
  IOStatus status = Find(name, &file);
  *bytes = status.ok() ? file.bytes->load() : 0;
  return status;
}

IOStatus ObjectFileSystem::GetFileModificationTime(const std::string& name, const IOOptions&,
                                                   std::uint64_t* time, IODebugContext*) {
  File file;
  *time = 0;
  return Find(name, &file);
}

// Between processes the lease decides; this is between two stores of one process.
IOStatus ObjectFileSystem::LockFile(const std::string& name, const IOOptions&,
                                    rocksdb::FileLock** lock, IODebugContext*) {
  const MutexLock guard(mutex_);
  if (!locks_.insert(name).second) {
    return IOStatus::IOError("lock hold by current process: " + name);
  }
  *lock = std::make_unique<NameLock>(name).release();
  return IOStatus::OK();
}

IOStatus ObjectFileSystem::UnlockFile(rocksdb::FileLock* lock, const IOOptions&, IODebugContext*) {
  const std::unique_ptr<NameLock> ours(static_cast<NameLock*>(lock));
  const MutexLock guard(mutex_);
  locks_.erase(ours->name());
  return IOStatus::OK();
}

IOStatus ObjectFileSystem::NewLogger(const std::string&, const IOOptions&,
                                     std::shared_ptr<rocksdb::Logger>* result, IODebugContext*) {
  *result = std::make_shared<SilentLogger>();
  return IOStatus::OK();
}

// In the background: the file is gone already. Nothing refers to a file that a crash leaves here, and `prejoin
// cluster repair` removes it.
void ObjectFileSystem::RemoveChunks(const File& file) {
  Change removal;
  removal.remove = true;
  // One more than it has bytes for: the barrier of Seal.
  for (std::uint64_t chunk = 0; chunk <= file.bytes->load() / kChunkBytes + 1; ++chunk) {
    store_.Start(ChunkObject(file.inode, chunk), removal, [](const ObjectStatus&) {});
  }
}

}  // namespace prejoin::cluster
