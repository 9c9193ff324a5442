#include "tests/storage/stores.h"

namespace prejoin::storage {

std::vector<Kind> KindsUnderTest() {
  return {Kind::kMemory, Kind::kRocksSynced, Kind::kRocksUnsynced};
}

Result<std::unique_ptr<Store>> OpenKind(Kind kind, const std::string& path) {
  if (kind == Kind::kMemory) {
    return NewMemoryStore();
  }
  RocksStoreOptions options;
  options.path = path;
  options.sync = kind == Kind::kRocksSynced ? SyncMode::kAlways : SyncMode::kNone;
  options.block_cache_bytes = 8u << 20;
  return OpenRocksStore(options);
}

}  // namespace prejoin::storage
