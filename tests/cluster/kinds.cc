// The storage contract (tests/storage) on shared objects.
#include "cluster/shared_store.h"
#include "tests/cluster/memory_objects.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

Result<std::unique_ptr<Store>> OpenShared(const std::string& path) {
  cluster::ObjectStore& objects = cluster::ObjectsNamed(path);
  return cluster::OpenSharedStore(
      objects,
      {.epoch = cluster::TakeLead(objects), .block_cache_bytes = 8u << 20, .known_features = {}});
}

}  // namespace

std::vector<Kind> KindsUnderTest() {
  return {{cluster::OnRados() ? "Rados" : "Objects", OpenShared}};
}

}  // namespace prejoin::storage
