#include "cluster/object_store.h"

#include <future>

namespace prejoin::cluster {

ObjectStatus ObjectStore::Apply(const std::string& object, const Change& change) {
  std::promise<ObjectStatus> promise;
  std::future<ObjectStatus> future = promise.get_future();
  Start(object, change, [&](ObjectStatus status) { promise.set_value(std::move(status)); });
  return future.get();
}

}  // namespace prejoin::cluster
