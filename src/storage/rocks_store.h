// The parts of the RocksDB store that are not behind store.h: repair, and tests that replace the disk.
#ifndef PREJOIN_STORAGE_ROCKS_STORE_H_
#define PREJOIN_STORAGE_ROCKS_STORE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
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

// Runs `work` on the store as it is on the disk: nothing is changed, not even an unfinished end of
// the newest log. Nobody else can open the directory meanwhile. `cell`: see CheckStoreDirectory.
Status ReadRocksStore(const std::string& path, FunctionRef<Status(Store&)> work,
                      std::string_view cell = {});

// A table file whose blocks do not fit their checksums, or that cannot be read at all.
struct DamagedFile {
  std::string file;
  std::string what;
};
// Reads every block of every table file. `progress` gets how many are done, of how many. Changes
// nothing.
Result<std::vector<DamagedFile>> CheckTableFiles(
    const std::string& path, FunctionRef<void(std::size_t, std::size_t)> progress,
    std::string_view cell = {});

struct RocksRepair {
  std::string current;              // The manifest that CURRENT was made to name; empty: it did.
  std::optional<LogBreak> logs;     // The place where the logs were cut; nullopt: they were in order.
  std::vector<DamagedFile> tables;  // Nothing was done about them.
};
// Goes back to the last sound state of a directory whose logs are damaged (log_check.h), and looks
// for damage in its tables.
Result<RocksRepair> RepairRocksStore(const std::string& path);

struct RocksTestOptions {
  rocksdb::Env*
      env;  // The location of RocksDB's files; outlives the store. The marker stays on the real disk.
  std::size_t write_buffer_bytes;  // Small ones make log changes and flushes frequent.
};

Result<std::unique_ptr<Store>> OpenRocksStoreForTesting(const RocksStoreOptions& options,
                                                        const RocksTestOptions& test_options);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_ROCKS_STORE_H_
