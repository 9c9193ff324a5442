// Capacity units, by AWS's rounding rules.
#ifndef PREJOIN_ENGINE_ITEM_CAPACITY_H_
#define PREJOIN_ENGINE_ITEM_CAPACITY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/table/table.h"
#include "prejoin/operations.h"

namespace prejoin::engine {

enum class Consistency { kEventual, kStrong, kTransactional };

inline Consistency ConsistencyOf(std::optional<bool> consistent_read) {
  return consistent_read.value_or(false) ? Consistency::kStrong : Consistency::kEventual;
}

// Units for reading `bytes` at once: a GetItem, or one page of a Query. Reading nothing costs the
// minimum.
double ReadUnits(std::size_t bytes, Consistency consistency);
// Units for writing an item or index entry of this size.
double WriteUnits(std::size_t bytes);

// Adds up what one request consumed on one table.
class CapacityMeter {
 public:
  enum class Kind { kRead, kWrite };

  CapacityMeter(const Table& table, Kind kind) : table_(&table), kind_(kind) {}

  void AddTable(double units) { table_units_ += units; }
  void AddIndex(const Index& index, double units);
  void AddVectorIndex(const std::string& name, std::int64_t bytes) { vector_bytes_[name] += bytes; }

  // Nullopt for kNone.
  std::optional<ConsumedCapacity> Report(ReturnConsumedCapacity wanted) const;

 private:
  struct IndexUnits {
    std::string name;
    bool global;
    double units;
  };

  const Table* table_;  // Borrowed from the operation, which holds the table.
  Kind kind_;
  double table_units_ = 0;
  std::vector<IndexUnits> index_units_;  // A few at the most, so a search is short.
  std::map<std::string, std::int64_t> vector_bytes_;
};

// The meters of a request that uses several tables.
class TableMeters {
 public:
  explicit TableMeters(CapacityMeter::Kind kind) : kind_(kind) {}
  CapacityMeter& Of(const TablePtr& table);
  // In order of the tables' names; nothing for kNone.
  std::vector<ConsumedCapacity> Report(ReturnConsumedCapacity wanted) const;

 private:
  CapacityMeter::Kind kind_;
  std::vector<TablePtr> tables_;  // Keeps alive what the meters borrow.
  std::map<std::string, CapacityMeter> meters_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_CAPACITY_H_
