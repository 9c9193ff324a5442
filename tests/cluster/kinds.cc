// The storage contract (tests/storage) on shared objects.
#include "cluster/shared_store.h"
#include "tests/cluster/memory_objects.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {

std::vector<Kind> KindsUnderTest() { return {cluster::OnRados() ? Kind::kRados : Kind::kObjects}; }

Result<std::unique_ptr<Store>> OpenKind(Kind, const std::string& path) {
  cluster::ObjectStore& objects = cluster::ObjectsNamed(path);
  return cluster::OpenSharedStore(
      objects,
      {.epoch = cluster::TakeLead(objects), .block_cache_bytes = 8u << 20, .known_features = {}});
}

}  // namespace prejoin::storage
