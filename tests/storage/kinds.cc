#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

template <SyncMode kSync>
Result<std::unique_ptr<Store>> OpenRocks(const std::string& path) {
  RocksStoreOptions options;
  options.path = path;
  options.sync = kSync;
  options.block_cache_bytes = 8u << 20;
  return OpenRocksStore(options);
}

Result<std::unique_ptr<Store>> OpenMemory(const std::string&) { return NewMemoryStore(); }

}  // namespace

std::vector<Kind> KindsUnderTest() {
  return {{"Memory", OpenMemory, Keeps::kNothing},
          {"RocksSynced", OpenRocks<SyncMode::kAlways>},
          {"RocksUnsynced", OpenRocks<SyncMode::kNone>}};
}

}  // namespace prejoin::storage
