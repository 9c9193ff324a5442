// The folder that a store lies in, for what is not RocksDB's own business: the marker and the look
// through the logs before RocksDB reads them.
#ifndef PREJOIN_STORAGE_STORE_FOLDER_H_
#define PREJOIN_STORAGE_STORE_FOLDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/result.h"

namespace rocksdb {
class FileSystem;
}

namespace prejoin::storage {

// Single thread; nobody else changes the folder meanwhile.
class StoreFolder {
 public:
  explicit StoreFolder(std::string path) : path_(std::move(path)) {}
  virtual ~StoreFolder() = default;
  StoreFolder(const StoreFolder&) = delete;
  StoreFolder& operator=(const StoreFolder&) = delete;

  // As messages name it.
  const std::string& path() const { return path_; }

  struct Entry {
    std::string name;
    std::uint64_t bytes = 0;  // 0 if it is not a file.
  };
  // Does nothing if it is there.
  virtual Status Create() = 0;
  // Keeps everybody but the owner out, where the folder knows owners.
  virtual void Protect() {}
  virtual Result<std::vector<Entry>> List() = 0;
  virtual bool Has(const std::string& name) = 0;
  // The file's first bytes, `bytes_max` at the most.
  virtual Result<std::string> Read(const std::string& name, std::size_t bytes_max) = 0;
  // All or nothing: the new content replaces the old one in a single step, and is durable.
  virtual Status Replace(const std::string& name, std::string_view content) = 0;
  // Shortens a file, if `bytes` is given, and waits until all of it is durable.
  virtual Status Cut(const std::string& name, std::optional<std::uint64_t> bytes) = 0;

 private:
  const std::string path_;
};

// A directory of this machine.
std::unique_ptr<StoreFolder> DiskFolder(const std::string& path);
// A directory of another file system.
std::unique_ptr<StoreFolder> FolderOf(std::shared_ptr<rocksdb::FileSystem> files,
                                      const std::string& path);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_STORE_FOLDER_H_
