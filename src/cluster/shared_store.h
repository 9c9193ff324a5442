// The store of a cluster, as its leader opens it.
#ifndef PREJOIN_CLUSTER_SHARED_STORE_H_
#define PREJOIN_CLUSTER_SHARED_STORE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cluster/object_store.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::cluster {

struct SharedStoreOptions {
  std::uint64_t epoch = 0;  // That Lease::TryTake gave.
  std::size_t block_cache_bytes = 256u << 20;
  std::vector<std::string> known_features;
};

// `objects` outlives the store.
Result<std::unique_ptr<storage::Store>> OpenSharedStore(ObjectStore& objects,
                                                        const SharedStoreOptions& options);

// For Lease::WatchHealth: an error once the store can no longer write and another gateway may have more luck
// with it. A damaged file is damaged for all of them, so the lead stays where it is, and reads of
// everything else continue.
Status LeadHealth(const storage::Store& store);

}  // namespace prejoin::cluster

#endif  // PREJOIN_CLUSTER_SHARED_STORE_H_
