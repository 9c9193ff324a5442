// A table's replicas in other regions (docs/adr/0040-global-tables.md). Part of a version of the table, and stored with it.
#ifndef PREJOIN_ENGINE_TABLE_REPLICATION_H_
#define PREJOIN_ENGINE_TABLE_REPLICATION_H_

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prejoin::engine {

// Another table of the group, to which this one sends its changes.
struct ReplicaTarget {
  std::string region;
  std::uint32_t number = 0;     // In the keys of its notes. No other target gets it again.
  bool joined = false;          // Its table exists, and all members know it.
  bool filled = false;          // It was sent every item once.
  std::int64_t sourced_ms = 0;  // When this table made the replica; 0: another member did.
  // Settings that it has yet to take over: "ttl", "settings", "index/NAME", "vector/NAME".
  std::set<std::string> owed;
};

struct Replication {
  std::string group;   // The same for all members: the id of the table that made the first replica.
  std::string region;  // The table's own.
  std::uint32_t stamp_space = 0;
  std::uint32_t log_space = 0;
  std::uint32_t next_target = 1;
  bool filling = false;  // The table is CREATING until every member has sent what it has.
  std::vector<ReplicaTarget> targets;  // In the order in which they joined.

  const ReplicaTarget* Find(std::string_view target_region) const {
    const auto found = std::ranges::find(targets, target_region, &ReplicaTarget::region);
    return found == targets.end() ? nullptr : &*found;
  }
  ReplicaTarget* Find(std::string_view target_region) {
    const auto found = std::ranges::find(targets, target_region, &ReplicaTarget::region);
    return found == targets.end() ? nullptr : &*found;
  }
  ReplicaTarget& Add(std::string target_region) {
    targets.push_back({.region = std::move(target_region), .number = next_target++});
    return targets.back();
  }
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_REPLICATION_H_
