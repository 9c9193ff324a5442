// Between opening RocksDB (rocks_open.cc) and the store that works on it (rocks_store.cc).
#ifndef PREJOIN_STORAGE_OPENED_ROCKS_H_
#define PREJOIN_STORAGE_OPENED_ROCKS_H_

#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <memory>

#include "prejoin/result.h"
#include "storage/background_errors.h"
#include "storage/kept_iterators.h"
#include "storage/log_file_system.h"
#include "storage/log_register.h"
#include "storage/store.h"
#include "storage/store_folder.h"

namespace prejoin::storage {

// The resources of an open store.
struct OpenedRocks {
  std::unique_ptr<StoreFolder> folder;
  std::unique_ptr<LogRegister> logs;  // Null: logs are not registered.
  std::shared_ptr<LogFileSystem> files;
  std::unique_ptr<rocksdb::Env> env;  // Of `files`.
  std::shared_ptr<BackgroundErrors> background;
  std::shared_ptr<KeptIterators> iterators = std::make_shared<KeptIterators>();
  std::unique_ptr<rocksdb::DB> db;  // Last: it uses all of them.
};

std::unique_ptr<Store> NewRocksStore(const RocksStoreOptions& options, OpenedRocks rocks,
                                     bool only_read = false);

// kUnavailable: it may pass.
Error ToError(const rocksdb::Status& status);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_OPENED_ROCKS_H_
