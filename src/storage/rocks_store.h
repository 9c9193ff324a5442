// What the RocksDB store offers beyond store.h, for tests that replace the disk.
#ifndef PREJOIN_STORAGE_ROCKS_STORE_H_
#define PREJOIN_STORAGE_ROCKS_STORE_H_

#include <memory>

#include "storage/store.h"

namespace rocksdb {
class Env;
}

namespace prejoin::storage {

// As OpenRocksStore, with RocksDB's files in `env`, which outlives the store. The marker stays on
// the real disk.
Result<std::unique_ptr<Store>> OpenRocksStoreForTesting(const RocksStoreOptions& options,
                                                        rocksdb::Env& env);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_ROCKS_STORE_H_
