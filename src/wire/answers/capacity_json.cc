#include "wire/answers/capacity_json.h"

#include "json/item_json.h"
#include "json/writer.h"

namespace prejoin::wire {
namespace {

void WriteUnits(const CapacityUnits& units, UnitDetail detail, json::ObjectWriter& object) {
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

void WriteIndexUnits(std::string_view name, const std::map<std::string, CapacityUnits>& indexes,
                     UnitDetail detail, json::ObjectWriter& object) {
  if (indexes.empty()) {
    return;
  }
  json::ObjectWriter map(object.Name(name));
  for (const auto& [index, units] : indexes) {
    json::ObjectWriter entry(map.Key(index));
    WriteUnits(units, detail, entry);
  }
}

void AppendMetrics(const ItemCollectionMetrics& metrics, std::string& out) {
  json::ObjectWriter object(out);
  json::AppendItem(Item{{metrics.partition_key_name, metrics.partition_key}},
                   object.Name("ItemCollectionKey"));
  json::AppendArray(
      std::initializer_list<double>{metrics.size_estimate_gb_low, metrics.size_estimate_gb_high},
      object.Name("SizeEstimateRangeGB"), [&](double size) { json::AppendDouble(size, out); });
}

}  // namespace

void AppendCapacity(const ConsumedCapacity& capacity, UnitDetail detail, std::string& out) {
  json::ObjectWriter object(out);
  object.String("TableName", capacity.table_name);
  WriteUnits(capacity.total, detail, object);
  if (capacity.table.has_value()) {
    json::ObjectWriter table(object.Name("Table"));
    WriteUnits(*capacity.table, detail, table);
  }
  WriteIndexUnits("LocalSecondaryIndexes", capacity.local_indexes, detail, object);
  WriteIndexUnits("GlobalSecondaryIndexes", capacity.global_indexes, detail, object);
  if (!capacity.vector_indexes.empty()) {
    json::ObjectWriter map(object.Name("VectorIndexes"));
    for (const auto& [index, bytes] : capacity.vector_indexes) {
      json::ObjectWriter entry(map.Key(index));
      entry.Integer("VectorWriteRequestBytes", bytes);
    }
  }
}

void WriteCapacity(const std::optional<ConsumedCapacity>& capacity, json::ObjectWriter& answer) {
  if (capacity.has_value()) {
    AppendCapacity(*capacity, UnitDetail::kSum, answer.Name("ConsumedCapacity"));
  }
}

void WriteCapacities(const std::vector<ConsumedCapacity>& capacities, UnitDetail detail,
                     json::ObjectWriter& answer) {
  if (capacities.empty()) {
    return;
  }
  std::string& out = answer.Name("ConsumedCapacity");
  json::AppendArray(capacities, out, [&](const ConsumedCapacity& capacity) {
    AppendCapacity(capacity, detail, out);
  });
}

void WriteCollectionMetrics(const std::optional<ItemCollectionMetrics>& metrics,
                            json::ObjectWriter& answer) {
  if (metrics.has_value()) {
    AppendMetrics(*metrics, answer.Name("ItemCollectionMetrics"));
  }
}

void WriteCollectionMetrics(
    const std::map<std::string, std::vector<ItemCollectionMetrics>>& metrics,
    json::ObjectWriter& answer) {
  if (metrics.empty()) {
    return;
  }
  json::ObjectWriter tables(answer.Name("ItemCollectionMetrics"));
  for (const auto& [table, collections] : metrics) {
    std::string& out = tables.Key(table);
    json::AppendArray(collections, out,
                      [&](const ItemCollectionMetrics& one) { AppendMetrics(one, out); });
  }
}

}  // namespace prejoin::wire
