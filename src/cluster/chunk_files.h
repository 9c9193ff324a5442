// A file of the ObjectFileSystem, as its reader and its writer see it: a row of chunk objects.
#ifndef PREJOIN_CLUSTER_CHUNK_FILES_H_
#define PREJOIN_CLUSTER_CHUNK_FILES_H_

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "cluster/object_store.h"

namespace prejoin::cluster {

// RocksDB's word for what happened to an object.
rocksdb::IOStatus ToIoStatus(const ObjectStatus& status, const std::string& object);

struct ChunkFile {
  ObjectStore* store;
  std::uint64_t inode;
  std::shared_ptr<std::atomic<std::uint64_t>> bytes;
};

enum class WriteOrder {
  kStrict,  // A write starts when the one before it is acknowledged.
  kAnyhow,  // Several chunks may be on their way.
};

struct ChunkWriterOptions {
  std::string epoch;  // The epoch of the writer.
  WriteOrder order;
  // Told the length once everything is written.
  std::function<rocksdb::IOStatus(std::uint64_t bytes)> closed;
};

std::unique_ptr<rocksdb::FSSequentialFile> ReadChunksInOrder(const ChunkFile& file);
std::unique_ptr<rocksdb::FSRandomAccessFile> ReadChunks(const ChunkFile& file);
std::unique_ptr<rocksdb::FSWritableFile> WriteChunks(const ChunkFile& file,
                                                     const ChunkWriterOptions& options);

}  // namespace prejoin::cluster

#endif  // PREJOIN_CLUSTER_CHUNK_FILES_H_
