// RocksDB's files in an ObjectStore.
//
// The directory object has an entry for each file; a file's bytes lie in chunk objects, named after
// its inode. To create, rename or delete a file is one change of the directory object, so it happens
// as a whole. A file is written once, from front to end, by one process, and its entry gets its
// length when it is closed.
//
// One process at a time may write: the leader, whose epoch is in the directory object. Each
// change of the directory expects that epoch. Each chunk carries the epoch of who created it, and
// each further write into it expects that. A new leader raises the epoch of the directory, after
// which the former one can create nothing, and then seals each file that was being written: it puts
// its own epoch into the file's chunks and creates the next chunk itself. A write of the former
// leader that is still on its way then either came before the seal, and the new leader sees it, or
// is refused, and was never acknowledged. That holds however long a process sleeps between any two
// steps, and needs no clock.
//
// The same goes for a process that took the lead, slept before it opened the files, and wakes up when
// another one leads: it refuses to open once the directory has another epoch, or a file of a newer one,
// and puts its epoch only into chunks that have a lower one. So it can take nothing from its successor.
//
// A log or manifest reaches the store strictly in order, one write at a time: the next one starts
// when the last one is acknowledged. So what is there of it after a crash is a prefix of it, and
// holds everything that was synced. Tables (.sst) are written several chunks at a time: nobody looks
// at one that was not synced as a whole.
#ifndef PREJOIN_CLUSTER_OBJECT_FILE_SYSTEM_H_
#define PREJOIN_CLUSTER_OBJECT_FILE_SYSTEM_H_

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "cluster/layout.h"
#include "cluster/object_store.h"
#include "prejoin/result.h"

namespace prejoin::cluster {

// Thread-safe.
class ObjectFileSystem final : public rocksdb::FileSystem {
 public:
  // Reads the directory and seals what a former leader was writing. The caller has put `epoch` into
  // the directory object (lease.h). `store` outlives this object.
  static Result<std::shared_ptr<ObjectFileSystem>> Open(ObjectStore& store, std::uint64_t epoch);

  const char* Name() const override { return "PrejoinObjectFileSystem"; }
  static const char* kClassName() { return "PrejoinObjectFileSystem"; }

  rocksdb::IOStatus NewSequentialFile(const std::string& name, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* result,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& name,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                                        rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& name, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* result,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus FileExists(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetChildren(const std::string& folder, const rocksdb::IOOptions& options,
                                std::vector<std::string>* result,
                                rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Truncate(const std::string& name, size_t bytes,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFileSize(const std::string& name, const rocksdb::IOOptions& options,
                                std::uint64_t* bytes, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFileModificationTime(const std::string& name,
                                            const rocksdb::IOOptions& options, std::uint64_t* time,
                                            rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LockFile(const std::string& name, const rocksdb::IOOptions& options,
                             rocksdb::FileLock** lock, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus UnlockFile(rocksdb::FileLock* lock, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  // Folders are only beginnings of names.
  rocksdb::IOStatus CreateDir(const std::string&, const rocksdb::IOOptions&,
                              rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus CreateDirIfMissing(const std::string&, const rocksdb::IOOptions&,
                                       rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus DeleteDir(const std::string&, const rocksdb::IOOptions&,
                              rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus IsDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                bool* is_folder, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetTestDirectory(const rocksdb::IOOptions&, std::string*,
                                     rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::NotSupported("test directory");
  }
  // RocksDB's own messages go nowhere: errors come back to its caller.
  rocksdb::IOStatus NewLogger(const std::string& name, const rocksdb::IOOptions& options,
                              std::shared_ptr<rocksdb::Logger>* result,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetAbsolutePath(const std::string& path, const rocksdb::IOOptions&,
                                    std::string* result, rocksdb::IODebugContext*) override {
    *result = path;
    return rocksdb::IOStatus::OK();
  }

  // For the writer of a file: its length is final. Nothing happens if the file is gone.
  rocksdb::IOStatus NoteClosed(const std::string& name, std::uint64_t inode, std::uint64_t bytes);

 private:
  // A file as this process knows it.
  struct File {
    std::uint64_t inode = 0;
    bool closed = false;
    std::shared_ptr<std::atomic<std::uint64_t>> bytes;  // Grows while it is written.
  };

  ObjectFileSystem(ObjectStore& store, std::uint64_t epoch) : store_(store), epoch_(epoch) {}
  Status Load();
  // An error unless the directory still has this process' epoch.
  Status CheckEpoch();
  // The final size of the file; nobody can write into it any more.
  Result<std::uint64_t> Seal(std::uint64_t inode);
  // Puts this process' epoch into the chunk, which is there, unless it has a higher one: then an error.
  Status SealChunk(std::uint64_t inode, const std::string& object);
  rocksdb::IOStatus ChangeDirectory(const Change::Pairs& entries,
                                    const std::vector<std::string>& removed)
      PJ_REQUIRES(directory_mutex_);
  rocksdb::IOStatus Find(const std::string& name, File* file) PJ_EXCLUDES(mutex_);
  void RemoveChunks(const File& file);

  ObjectStore& store_;
  const std::uint64_t epoch_;

  // Held over a change of the directory object, so that two changes of one file cannot overtake
  // each other on their way. Such changes are rare: no request waits for one.
  Mutex directory_mutex_;
  std::uint64_t next_inode_ PJ_GUARDED_BY(directory_mutex_) = 1;

  Mutex mutex_;
  std::map<std::string, File> files_ PJ_GUARDED_BY(mutex_);
  std::set<std::string> locks_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::cluster

#endif  // PREJOIN_CLUSTER_OBJECT_FILE_SYSTEM_H_
