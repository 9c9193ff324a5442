#include "wire/capacity_json.h"

#include "wire/item_json.h"

namespace prejoin::wire {
namespace {

void WriteUnits(const CapacityUnits& units, UnitDetail detail, ObjectWriter& object) {
  object.Double("CapacityUnits", units.total);
  if (detail == UnitDetail::kReadAndWrite) {
    if (units.read > 0) {
      object.Double("ReadCapacityUnits", units.read);
    }
    if (units.write > 0) {
      object.Double("WriteCapacityUnits", units.write);
    }
  }
}

void WriteIndexes(std::string_view name, const std::map<std::string, CapacityUnits>& indexes,
                  UnitDetail detail, ObjectWriter& object) {
  if (indexes.empty()) {
    return;
  }
  ObjectWriter map(object.Name(name));
  for (const auto& [index, units] : indexes) {
    ObjectWriter entry(map.Key(index));
    WriteUnits(units, detail, entry);
  }
}

void AppendMetrics(const ItemCollectionMetrics& metrics, std::string& out) {
  ObjectWriter object(out);
  AppendItem(Item{{metrics.partition_key_name, metrics.partition_key}},
             object.Name("ItemCollectionKey"));
  AppendJsonArray(
      std::initializer_list<double>{metrics.size_estimate_gb_low, metrics.size_estimate_gb_high},
      object.Name("SizeEstimateRangeGB"), [&](double size) { AppendJsonDouble(size, out); });
}

}  // namespace

void AppendCapacity(const ConsumedCapacity& capacity, UnitDetail detail, std::string& out) {
  ObjectWriter object(out);
  object.String("TableName", capacity.table_name);
  WriteUnits(capacity.total, detail, object);
  if (capacity.table.has_value()) {
    ObjectWriter table(object.Name("Table"));
    WriteUnits(*capacity.table, detail, table);
  }
  WriteIndexes("LocalSecondaryIndexes", capacity.local_indexes, detail, object);
  WriteIndexes("GlobalSecondaryIndexes", capacity.global_indexes, detail, object);
}

void WriteCapacity(const std::optional<ConsumedCapacity>& capacity, ObjectWriter& answer) {
  if (capacity.has_value()) {
    AppendCapacity(*capacity, UnitDetail::kSum, answer.Name("ConsumedCapacity"));
  }
}

void WriteCapacities(const std::vector<ConsumedCapacity>& capacities, UnitDetail detail,
                     ObjectWriter& answer) {
  if (capacities.empty()) {
    return;
  }
  std::string& out = answer.Name("ConsumedCapacity");
  AppendJsonArray(capacities, out,
                  [&](const ConsumedCapacity& capacity) { AppendCapacity(capacity, detail, out); });
}

void WriteCollectionMetrics(const std::optional<ItemCollectionMetrics>& metrics,
                            ObjectWriter& answer) {
  if (metrics.has_value()) {
    AppendMetrics(*metrics, answer.Name("ItemCollectionMetrics"));
  }
}

void WriteCollectionMetrics(
    const std::map<std::string, std::vector<ItemCollectionMetrics>>& metrics,
    ObjectWriter& answer) {
  if (metrics.empty()) {
    return;
  }
  ObjectWriter tables(answer.Name("ItemCollectionMetrics"));
  for (const auto& [table, collections] : metrics) {
    std::string& out = tables.Key(table);
    AppendJsonArray(collections, out,
                    [&](const ItemCollectionMetrics& one) { AppendMetrics(one, out); });
  }
}

}  // namespace prejoin::wire
