#include "cluster/shared_store.h"

#include "cluster/object_file_system.h"
#include "storage/rocks_store.h"

namespace prejoin::cluster {
namespace {

constexpr char kFolder[] = "store";

}  // namespace

Result<std::unique_ptr<storage::Store>> OpenSharedStore(ObjectStore& objects,
                                                        const SharedStoreOptions& options) {
  PJ_ASSIGN_OR_RETURN(const auto files, ObjectFileSystem::Open(objects, options.epoch));
  return storage::OpenRocksStoreOn({.path = kFolder,
                                    .sync = storage::SyncMode::kAlways,
                                    .block_cache_bytes = options.block_cache_bytes,
                                    .known_features = options.known_features},
                                   files);
}

Status LeadHealth(const storage::Store& store) {
  Status health = store.Health();
  return health || health.error().code != ErrorCode::kCorruption ? health : Status();
}

}  // namespace prejoin::cluster
