// The seam to a store of named objects that many machines share. RADOS is one (src/rados); tests
// have one in memory that dies, pauses and refuses on demand.
//
// An object has bytes, attributes (few, small) and entries (many, in the order of their names). One
// Change is applied to one object as a whole or not at all; nothing spans two objects. Changes that
// one process starts on one object are applied in the order in which it started them.
#ifndef PREJOIN_CLUSTER_OBJECT_STORE_H_
#define PREJOIN_CLUSTER_OBJECT_STORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prejoin::cluster {

enum class ObjectCode {
  kOk,
  kMissing,   // There is no such object.
  kExists,    // There is one, and the change was to create it.
  kMismatch,  // An attribute does not have the expected value.
  kFenced,    // This process may no longer use the store.
  kFailed,    // Anything else; `what` says more.
};

struct ObjectStatus {
  ObjectCode code = ObjectCode::kOk;
  std::string what;

  bool ok() const { return code == ObjectCode::kOk; }
};

// Checks first, then everything else.
struct Change {
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  bool create = false;  // The object must not exist.
  Pairs expected;       // Attributes and the values that they must have.
  Pairs attributes;     // To be set.
  Pairs entries;        // To be set.
  std::vector<std::string> removed_entries;
  std::uint64_t offset = 0;
  std::string_view data;  // Written at `offset`. Copied before Start returns.
  bool remove = false;    // The object goes.
};

// Thread-safe.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  // Calls `done` once, from any thread, possibly before this returns. It must not block.
  virtual void Start(const std::string& object, const Change& change,
                     std::function<void(ObjectStatus)> done) = 0;
  // The same, and waits.
  ObjectStatus Apply(const std::string& object, const Change& change);

  // Up to `bytes` from `offset` on into `out`; `got` says how many there were.
  virtual ObjectStatus Read(const std::string& object, std::uint64_t offset, std::size_t bytes,
                            char* out, std::size_t& got) = 0;
  virtual ObjectStatus Size(const std::string& object, std::uint64_t& bytes) = 0;
  using Map = std::map<std::string, std::string>;
  virtual ObjectStatus Attributes(const std::string& object, Map& attributes) = 0;
  virtual ObjectStatus Entries(const std::string& object, Map& entries) = 0;
  // The names of all objects, in any order. Slow.
  virtual ObjectStatus List(const std::function<void(const std::string&)>& visit) = 0;

  // The time by the store's own clock, in milliseconds since 1970: one that all processes see alike.
  virtual ObjectStatus Time(std::int64_t& ms) = 0;

  // How the store knows this process, and how it can be told to refuse another one from now on. Fence
  // may wait for as long as the store has nobody to tell, but not for ever.
  virtual std::string OwnAddress() = 0;
  virtual ObjectStatus Fence(const std::string& address) = 0;
};

struct ObjectStoreOptions {
  std::string configuration;  // Path of ceph.conf.
  std::string user;           // Empty: client.admin.
  std::string pool;
  std::string space;  // Everything lies in it; another space is another world.
};

// The function that the module with the RADOS client exports under kOpenObjectStore: a new store, or null and a
// message. `interface` is the caller's kObjectStoreInterface.
using OpenObjectStoreFunction = ObjectStore*(int interface, const ObjectStoreOptions& options,
                                             std::string* error);
inline constexpr char kOpenObjectStore[] = "PrejoinOpenObjectStore";
inline constexpr int kObjectStoreInterface = 2;

}  // namespace prejoin::cluster

#endif  // PREJOIN_CLUSTER_OBJECT_STORE_H_
