// Our RocksDB settings. The reasons are at each setting in the .cc file and, for the large ones, in
// docs/adr/0002-rocksdb.md.
#ifndef PREJOIN_STORAGE_ROCKS_OPTIONS_H_
#define PREJOIN_STORAGE_ROCKS_OPTIONS_H_

#include <rocksdb/options.h>

#include "storage/store.h"

namespace prejoin::storage {

rocksdb::Options MakeRocksOptions(const RocksStoreOptions& options);

// The same for files that are not on this machine: each read is a round trip.
rocksdb::Options MakeSharedRocksOptions(const RocksStoreOptions& options);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_ROCKS_OPTIONS_H_
