// A table as the engine works with it: description, key layout, indexes and where they are stored.
//
// A Table is immutable. A change of the table (UpdateTable) publishes a new version; a caller that
// still works with the old one keeps it alive, and the catalog can wait for its end (Table::retired),
// or for the end of its writers alone, before it builds on the new one.
#ifndef PREJOIN_ENGINE_TABLE_TABLE_H_
#define PREJOIN_ENGINE_TABLE_TABLE_H_

#include <atomic>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "engine/stream/sequence_number.h"
#include "engine/table/replication.h"
#include "engine/table/stats.h"
#include "engine/vector/vector_index.h"
#include "expr/key_condition.h"
#include "prejoin/result.h"
#include "prejoin/table.h"
#include "prejoin/table_settings.h"

namespace prejoin::engine {

using KeyAttributes = std::vector<expr::KeyAttribute>;  // HASH parts first, then RANGE parts.

class KeyAccesses;

// The state of Contributor Insights, and since when they are on.
struct InsightsSetting {
  bool enabled = false;
  InsightsMode mode = InsightsMode::kAccessedAndThrottledKeys;
  std::int64_t changed_ms = 0;
};

struct Index {
  IndexDescription description;
  bool global = false;
  std::uint32_t space = 0;
  KeyAttributes keys;
  // The attributes of an entry: index keys, table keys and INCLUDE attributes, ascending.
  // Unused for ALL.
  std::vector<std::string> projected;
  std::shared_ptr<Stats> stats;
  // False at the beginning of an index build: writers take entries out but put none in. See
  // index_build.h.
  bool accepts_entries = true;
  std::optional<InsightsSetting> insights;  // Nullopt: never set.
  std::shared_ptr<KeyAccesses> accesses;    // Null: not counted.

  const std::string& name() const { return description.index_name; }
  bool projects_all() const { return description.projection.type == ProjectionType::kAll; }
  bool Projects(std::string_view attribute_name) const;
};

class Stream;

// Items of the table expire by this attribute (engine/ttl/expiry.h).
struct Expiry {
  std::string attribute_name;
  std::uint32_t space = 0;  // The space of the entries that say when an item expires.
  bool building = false;    // Entries of older items are still being made.
  // False at the beginning: writers take entries out but put none in, as in an index build.
  bool accepts_entries = true;
};

// Old images of the table's items are kept (engine/history/history.h).
struct History {
  std::uint32_t space = 0;
  SequenceNumber start = 0;  // States from here on can be read; 0: not yet known.
};

// Point-in-time recovery.
struct Recovery {
  int days = 0;
  SequenceNumber since = 0;  // Not before history->start.
};

// The spaces of a table and its history. Spaces, not a version of the table: a long read must not hold up
// requests that wait for the end of a version.
struct KeptTable {
  std::uint32_t space = 0;
  std::uint32_t history_space = 0;
};

// A moment of another table, from which this one is being filled (engine/history/restore.h).
struct RestoreSource {
  std::string table_name;
  KeptTable table;
  SequenceNumber number = 0;
};

struct Table {
  TableDescription description;  // Without live figures: see Describe.
  std::map<std::string, std::string> tags;
  std::optional<ResourcePolicy> resource_policy;
  std::map<std::string, ResourcePolicy> stream_policies;  // Keyed by the stream's label.
  std::optional<InsightsSetting> insights;                // Nullopt: never set.
  std::shared_ptr<KeyAccesses> accesses;                  // Null: not counted.
  std::uint32_t space = 0;
  // Holds the size of each item collection; 0 for a table without local indexes, whose collections
  // have no limit.
  std::uint32_t collection_space = 0;
  KeyAttributes keys;
  std::vector<Index> indexes;  // Local ones first.
  std::vector<VectorIndex> vector_indexes;
  std::shared_ptr<Stats> stats;
  std::shared_ptr<Stream> stream;  // Null: changes are not recorded.
  std::optional<Expiry> expiry;    // Nullopt: nothing expires.
  std::int64_t expiry_changed_ms = 0;
  std::optional<History> history;  // Nullopt: nobody needs the table's past.
  std::optional<Recovery> recovery;
  std::optional<Replication> replication;  // Nullopt: no other region has the table.
  std::optional<RestoreSource> restoring;  // Nobody but the restore may use the table yet.

  // Set when the last user of this version lets go of it.
  std::promise<void> retired;
  Table() = default;
  Table(const Table&) = delete;
  ~Table() { retired.set_value(); }

  const std::string& name() const { return description.table_name; }
  const Index* FindIndex(std::string_view index_name) const;
  const VectorIndex* FindVectorIndex(std::string_view index_name) const;
  bool IsKey(std::string_view attribute_name) const;
  bool HasLocalIndexes() const { return collection_space != 0; }
};

using TablePtr = std::shared_ptr<const Table>;

// Fills in what follows from the description: `keys`, and each index's `keys` and `projected`.
// kCorruption for a description that no checked request makes.
Status ResolveKeys(Table& table);

// Begins or ends counting accesses as `insights` says, of table and indexes. Keeps counts that go
// on. Needs resolved keys.
void ResolveInsights(Table& table);

// UPDATING also while writers that do not know the table's new stream are still at work.
TableStatus StatusOf(const Table& table);

// True if items can be read and written: a table that is being created or deleted is not found.
inline bool HasItems(const Table& table) {
  return table.description.status == TableStatus::kActive ||
         table.description.status == TableStatus::kUpdating;
}

// The description with the figures and the status of this moment.
TableDescription Describe(const Table& table);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_TABLE_H_
