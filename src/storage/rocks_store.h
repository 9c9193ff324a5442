// The parts of the RocksDB store that are not behind store.h: repair, and tests that replace the disk.
#ifndef PREJOIN_STORAGE_ROCKS_STORE_H_
#define PREJOIN_STORAGE_ROCKS_STORE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "prejoin/result.h"
#include "storage/log_check.h"
#include "storage/store.h"

namespace rocksdb {
class Env;
class FileSystem;
}  // namespace rocksdb

namespace prejoin::storage {

// As OpenRocksStore, with all files, the marker included, in `files` instead of on this machine.
Result<std::unique_ptr<Store>> OpenRocksStoreOn(const RocksStoreOptions& options,
                                                const std::shared_ptr<rocksdb::FileSystem>& files);

// Goes back to the last sound state of a directory whose logs are damaged (log_check.h). Nullopt:
// there is nothing to repair.
Result<std::optional<LogBreak>> RepairRocksStore(const std::string& path);

struct RocksTestOptions {
  rocksdb::Env*
      env;  // Where RocksDB's files are; outlives the store. The marker stays on the real disk.
  std::size_t write_buffer_bytes;  // Small ones make log changes and flushes frequent.
};

Result<std::unique_ptr<Store>> OpenRocksStoreForTesting(const RocksStoreOptions& options,
                                                        const RocksTestOptions& test_options);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_ROCKS_STORE_H_
