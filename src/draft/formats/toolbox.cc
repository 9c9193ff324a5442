// DynamoDB-Toolbox: the DTOs of entities, each with its table. Keys that are computed by functions
// (links) are not in a DTO, so they stay attributes here.
#include <algorithm>
#include <set>

#include "draft/formats/formats.h"
#include "draft/json_fields.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

std::string KeyName(std::optional<json::Value> key) { return TextOf(key, "name"); }

DraftTable ReadTable(std::optional<json::Value> dto) {
  DraftTable table;
  const std::string name =
      TextOf(dto, "name").empty() ? TextOf(dto, "tableName") : TextOf(dto, "name");
  table.name = name.empty() ? "Table" : ToName(name);
  table.partition = ToName(KeyName(Member(dto, "partitionKey")));
  if (const std::string sort = KeyName(Member(dto, "sortKey")); !sort.empty()) {
    table.sort = ToName(sort);
  }
  table.type_attribute = TextOf(dto, "entityAttributeSavedAs");
  if (table.type_attribute.empty()) {
    table.type_attribute = "_et";
  }
  for (const NamedValue& one : MembersOf(Member(dto, "indexes"))) {
    DraftIndex index;
    index.name = ToName(one.name);
    index.local = TextOf(one.value, "type") == "local";
    for (const NamedValue& key : MembersOf(one.value)) {
      if (key.name != "partitionKey" && key.name != "sortKey") {
        continue;
      }
      (key.name == "sortKey" ? index.sort : index.partition).push_back(ToName(KeyName(key.value)));
    }
    for (const json::Value key : ElementsOf(Member(one.value, "partitionKeys"))) {
      index.partition.push_back(ToName(KeyName(key)));
    }
    for (const json::Value key : ElementsOf(Member(one.value, "sortKeys"))) {
      index.sort.push_back(ToName(KeyName(key)));
    }
    if (index.local || !index.partition.empty()) {
      table.indexes.push_back(std::move(index));
    }
  }
  return table;
}

// Attributes come as an object in newer versions, as a list with names in older ones.
std::vector<NamedValue> AttributesOf(std::optional<json::Value> schema) {
  const auto attributes = Member(schema, "attributes");
  std::vector<NamedValue> all = MembersOf(attributes);
  for (const json::Value one : ElementsOf(attributes)) {
    all.push_back({TextOf(one, "name"), one});
  }
  return all;
}

DraftAttribute ReadAttribute(const NamedValue& one) {
  DraftAttribute attribute;
  const std::string saved_as = TextOf(one.value, "savedAs");
  attribute.name = saved_as.empty() ? one.name : saved_as;
  const std::string type = TextOf(one.value, "type");
  attribute.type = TypeOfLetter(type);
  if (type == "set" && TextOf(Member(one.value, "elements"), "type") == "number") {
    attribute.type = "number-set";
  }
  attribute.key = FlagOf(one.value, "key");
  attribute.optional = TextOf(one.value, "required") == "never";
  if (attribute.type == "text") {
    attribute.values = TextsOf(Member(one.value, "enum"));
  }
  if (attribute.name != one.name) {
    attribute.note = "`" + one.name + "` in DynamoDB-Toolbox";
  }
  return attribute;
}

DraftTable& TableOf(DraftTable table, Draft& draft) {
  for (DraftTable& one : draft.tables) {
    if (one.name == table.name) {
      return one;
    }
  }
  draft.tables.push_back(std::move(table));
  return draft.tables.back();
}

void ReadEntity(json::Value dto, std::optional<json::Value> shared_table, Draft& draft) {
  const auto own_table = Member(dto, "table");
  DraftTable& table = TableOf(ReadTable(own_table ? own_table : shared_table), draft);
  DraftEntity entity;
  std::string name = TextOf(dto, "entityName");
  if (name.empty()) {
    name = TextOf(dto, "name");
  }
  entity.name = ToName(name);
  for (const NamedValue& one : AttributesOf(Member(dto, "schema"))) {
    DraftAttribute attribute = ReadAttribute(one);
    if (!IsName(attribute.name) || entity.Find(attribute.name) != nullptr) {
      entity.notes.push_back("The attribute `" + one.name + "` was left out.");
    } else if (attribute.name != table.type_attribute) {
      entity.attributes.push_back(std::move(attribute));
    }
  }
  const bool has_keys = entity.Find(table.partition) != nullptr &&
                        (table.sort.empty() || entity.Find(table.sort) != nullptr);
  for (const std::string& key : {table.partition, table.sort}) {
    if (key.empty() || entity.Find(key) != nullptr) {
      continue;
    }
    DraftAttribute attribute;
    attribute.name = key;
    attribute.key = true;
    attribute.note = "computed by a function that is not in the DTO: write its template";
    entity.attributes.insert(entity.attributes.begin(), std::move(attribute));
  }
  if (!has_keys) {
    // The computed key identifies the item; what it is made of is not known.
    for (DraftAttribute& attribute : entity.attributes) {
      attribute.key = attribute.name == table.partition || attribute.name == table.sort;
    }
  }
  std::stable_partition(entity.attributes.begin(), entity.attributes.end(),
                        [](const DraftAttribute& one) { return one.key; });
  table.items.push_back({entity.name, {}, {}, {}});
  draft.entities.push_back(std::move(entity));
}

}  // namespace

Result<Draft> ReadToolbox(json::Value root) {
  Draft draft;
  draft.notes.push_back("From DynamoDB-Toolbox DTOs; links and other functions are not in them.");
  std::vector<json::Value> entities = ElementsOf(root);
  const auto list = Member(root, "entities");
  for (const json::Value one : ElementsOf(list)) {
    entities.push_back(one);
  }
  for (const NamedValue& one : MembersOf(list)) {
    entities.push_back(one.value);
  }
  if (entities.empty()) {
    entities.push_back(root);
  }
  for (const json::Value one : entities) {
    if (Member(one, "schema")) {
      ReadEntity(one, Member(root, "table"), draft);
    }
  }
  if (draft.entities.empty() || draft.tables[0].partition == "unnamed") {
    return ValidationError("there is no entity DTO with a table in it");
  }
  return draft;
}

}  // namespace prejoin::draft
