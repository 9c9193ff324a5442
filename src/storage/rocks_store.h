// What the RocksDB store offers beyond store.h, for tests that replace the disk.
#ifndef PREJOIN_STORAGE_ROCKS_STORE_H_
#define PREJOIN_STORAGE_ROCKS_STORE_H_

#include <cstddef>
#include <memory>

#include "storage/store.h"

namespace rocksdb {
class Env;
}

namespace prejoin::storage {

struct RocksTestOptions {
  rocksdb::Env*
      env;  // Where RocksDB's files are; outlives the store. The marker stays on the real disk.
  std::size_t write_buffer_bytes;  // Small ones make log changes and flushes frequent.
};

Result<std::unique_ptr<Store>> OpenRocksStoreForTesting(const RocksStoreOptions& options,
                                                        const RocksTestOptions& test_options);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_ROCKS_STORE_H_
