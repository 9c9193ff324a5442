// The RADOS client, which lives in a module of its own beside the program.
#ifndef PREJOIN_CLUSTER_LOAD_MODULE_H_
#define PREJOIN_CLUSTER_LOAD_MODULE_H_

#include <memory>

#include "cluster/object_store.h"
#include "prejoin/result.h"

namespace prejoin::cluster {

// Loads the module and connects. The error says what to install if it is missing.
Result<std::unique_ptr<ObjectStore>> OpenRados(const ObjectStoreOptions& options);

}  // namespace prejoin::cluster

#endif  // PREJOIN_CLUSTER_LOAD_MODULE_H_
