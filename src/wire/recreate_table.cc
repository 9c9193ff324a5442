#include "wire/recreate_table.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "wire/json_copy.h"
#include "wire/json_reader.h"
#include "wire/json_writer.h"

namespace prejoin::wire {
namespace {

std::optional<JsonValue> Find(JsonValue object, std::string_view name) {
  if (object.type() == JsonType::kObject) {
    for (const auto& [key, value] : object.fields()) {
      if (key == name && !value.is_null()) {
        return value;
      }
    }
  }
  return std::nullopt;
}

void CopyMembers(JsonValue from, std::initializer_list<std::string_view> names,
                 ObjectWriter& object) {
  for (const std::string_view name : names) {
    if (const auto value = Find(from, name)) {
      AppendJson(*value, object.Name(name));
    }
  }
}

// A description shows throughput with figures of its own, and zeros for tables on demand.
void CopyThroughput(JsonValue from, ObjectWriter& object) {
  const auto throughput = Find(from, "ProvisionedThroughput");
  const auto read = throughput ? Find(*throughput, "ReadCapacityUnits") : std::nullopt;
  const auto write = throughput ? Find(*throughput, "WriteCapacityUnits") : std::nullopt;
  if (read && write && read->integer() > 0 && write->integer() > 0) {
    ObjectWriter entry(object.Name("ProvisionedThroughput"));
    entry.Integer("ReadCapacityUnits", read->integer());
    entry.Integer("WriteCapacityUnits", write->integer());
  }
}

void CopyIndexes(JsonValue table, std::string_view name, ObjectWriter& object) {
  const auto indexes = Find(table, name);
  if (!indexes || indexes->type() != JsonType::kArray || indexes->size() == 0) {
    return;
  }
  std::string& out = object.Name(name);
  AppendJsonArray(indexes->elements(), out, [&](JsonValue index) {
    ObjectWriter entry(out);
    CopyMembers(index, {"IndexName", "KeySchema", "Projection", "OnDemandThroughput"}, entry);
    CopyThroughput(index, entry);
  });
}

Error NotATable() { return ValidationError("not the description of a table"); }

}  // namespace

Result<std::string> RecreateTableJson(std::string_view described) {
  PJ_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(described));
  const auto table = Find(document.root(), "Table");
  if (!table || !Find(*table, "KeySchema")) {
    return NotATable();
  }
  std::string out;
  {
    ObjectWriter object(out);
    CopyMembers(*table, {"TableName", "AttributeDefinitions", "KeySchema"}, object);
    const auto billing = Find(*table, "BillingModeSummary");
    const auto mode = billing ? Find(*billing, "BillingMode") : std::nullopt;
    if (mode) {
      AppendJson(*mode, object.Name("BillingMode"));
    }
    CopyThroughput(*table, object);
    CopyIndexes(*table, "LocalSecondaryIndexes", object);
    CopyIndexes(*table, "GlobalSecondaryIndexes", object);
    CopyMembers(*table, {"StreamSpecification", "OnDemandThroughput", "DeletionProtectionEnabled"},
                object);
    if (const auto summary = Find(*table, "TableClassSummary")) {
      CopyMembers(*summary, {"TableClass"}, object);
    }
  }
  return out;
}

Result<std::string> RenameTableJson(std::string_view request, std::string_view table_name) {
  PJ_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(request));
  if (document.root().type() != JsonType::kObject) {
    return NotATable();
  }
  std::string out;
  {
    ObjectWriter object(out);
    object.String("TableName", table_name);
    for (const auto& [name, value] : document.root().fields()) {
      if (name != "TableName") {
        AppendJson(value, object.Key(name));
      }
    }
  }
  return out;
}

}  // namespace prejoin::wire
