#include "wire/recreate_table.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "json/copy.h"
#include "json/reader.h"
#include "json/writer.h"

namespace prejoin::wire {
namespace {

std::optional<json::Value> FindPresent(json::Value object, std::string_view name) {
  if (object.type() == json::Type::kObject) {
    for (const auto& [key, value] : object.fields()) {
      if (key == name && !value.is_null()) {
        return value;
      }
    }
  }
  return std::nullopt;
}

void CopyMembers(json::Value from, std::initializer_list<std::string_view> names,
                 json::ObjectWriter& object) {
  for (const std::string_view name : names) {
    if (const auto value = FindPresent(from, name)) {
      json::AppendCopy(*value, object.Name(name));
    }
  }
}

// A description shows throughput with figures of its own, and zeros for tables on demand.
void CopyThroughput(json::Value from, json::ObjectWriter& object) {
  const auto throughput = FindPresent(from, "ProvisionedThroughput");
  const auto read = throughput ? FindPresent(*throughput, "ReadCapacityUnits") : std::nullopt;
  const auto write = throughput ? FindPresent(*throughput, "WriteCapacityUnits") : std::nullopt;
  if (read && write && read->integer() > 0 && write->integer() > 0) {
    json::ObjectWriter entry(object.Name("ProvisionedThroughput"));
    entry.Integer("ReadCapacityUnits", read->integer());
    entry.Integer("WriteCapacityUnits", write->integer());
  }
}

void CopyIndexes(json::Value table, std::string_view name, json::ObjectWriter& object) {
  const auto indexes = FindPresent(table, name);
  if (!indexes || indexes->type() != json::Type::kArray || indexes->size() == 0) {
    return;
  }
  std::string& out = object.Name(name);
  json::AppendArray(indexes->elements(), out, [&](json::Value index) {
    json::ObjectWriter entry(out);
    CopyMembers(index,
                {"IndexName", "KeySchema", "VectorAttribute", "Dimensions", "DistanceFunction",
                 "SearchSchema", "Projection", "OnDemandThroughput"},
                entry);
    CopyThroughput(index, entry);
  });
}

Error NotATable() { return ValidationError("not the description of a table"); }

}  // namespace

Result<std::string> RecreateTableJson(std::string_view described) {
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(described));
  const auto table = FindPresent(document.root(), "Table");
  if (!table || !FindPresent(*table, "KeySchema")) {
    return NotATable();
  }
  std::string out;
  {
    json::ObjectWriter object(out);
    CopyMembers(*table, {"TableName", "AttributeDefinitions", "KeySchema"}, object);
    const auto billing = FindPresent(*table, "BillingModeSummary");
    const auto mode = billing ? FindPresent(*billing, "BillingMode") : std::nullopt;
    if (mode) {
      json::AppendCopy(*mode, object.Name("BillingMode"));
    }
    CopyThroughput(*table, object);
    CopyIndexes(*table, "LocalSecondaryIndexes", object);
    CopyIndexes(*table, "GlobalSecondaryIndexes", object);
    CopyIndexes(*table, "VectorIndexes", object);
    CopyMembers(*table, {"StreamSpecification", "OnDemandThroughput", "DeletionProtectionEnabled"},
                object);
    if (const auto summary = FindPresent(*table, "TableClassSummary")) {
      CopyMembers(*summary, {"TableClass"}, object);
    }
  }
  return out;
}

Result<std::string> RenameTableJson(std::string_view request, std::string_view table_name) {
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(request));
  if (document.root().type() != json::Type::kObject) {
    return NotATable();
  }
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String("TableName", table_name);
    for (const auto& [name, value] : document.root().fields()) {
      if (name != "TableName") {
        json::AppendCopy(value, object.Key(name));
      }
    }
  }
  return out;
}

}  // namespace prejoin::wire
