// The same load with other keys: a hot key is divided among shards, or has copies.
#ifndef PREJOIN_SIMULATE_CHANGE_KEYS_H_
#define PREJOIN_SIMULATE_CHANGE_KEYS_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/tracking/resource_name.h"
#include "simulate/workload.h"

namespace prejoin::simulate {

struct KeyChange {
  enum class Kind {
    kShards,  // Items of one partition key are divided by their other keys; a read asks every shard.
    kParts,   // One item is divided: a write goes to one part at random, and a read asks every part.
    kCopies,  // An item has copies: a write goes to all of them, and a read to one at random.
    kIndexCopies,  // There are more indexes with the same keys: a read goes to one at random.
  };
  Kind kind = Kind::kShards;
  engine::ResourceName resource;  // kShards: a table or global index. kIndexCopies: a global index. Otherwise a table.
  int count = 2;          // The number of shards, parts, copies or indexes.
  std::vector<std::string> keys;  // kParts and kCopies: the partition keys, as reports show them.
};

// Nullopt: these keys cannot be changed without the model, as copies under a number; or there would be too many indexes or requests.
std::optional<Workload> WithKeys(const Workload& workload, const KeyChange& change);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_CHANGE_KEYS_H_
