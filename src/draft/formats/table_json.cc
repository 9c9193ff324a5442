// CreateTable requests, DescribeTable answers and CloudFormation templates.
#include <set>

#include "base/parse_number.h"
#include "draft/formats/formats.h"
#include "draft/json_fields.h"
#include "draft/names.h"
#include "model/schema/figure_limits.h"

namespace prejoin::draft {
namespace {

// A global index may have several attributes of each kind: HASH and RANGE then come repeatedly.
void ReadKeySchema(std::optional<json::Value> schema, std::vector<std::string>& partition,
                   std::vector<std::string>& sort) {
  for (const json::Value key : ElementsOf(schema)) {
    const std::string name = ToName(TextOf(key, "AttributeName"));
    (TextOf(key, "KeyType") == "RANGE" ? sort : partition).push_back(name);
  }
}

void ReadIndexes(json::Value description, std::string_view member, bool local, DraftTable& table) {
  for (const json::Value value : ElementsOf(Member(description, member))) {
    DraftIndex index;
    index.name = ToName(TextOf(value, "IndexName"));
    index.local = local;
    ReadKeySchema(Member(value, "KeySchema"), index.partition, index.sort);
    const auto projection = Member(value, "Projection");
    const std::string type = TextOf(projection, "ProjectionType");
    if (type.empty() && !table.name.empty()) {
      table.notes.push_back("The projection of " + index.name +
                            " is not stated, which CreateTable rejects; `project all` is assumed.");
    }
    index.projection = type == "INCLUDE" ? "include" : type == "KEYS_ONLY" ? "keys" : "all";
    for (const std::string& name : TextsOf(Member(projection, "NonKeyAttributes"))) {
      index.include.push_back(ToName(name));
    }
    if (!index.partition.empty()) {
      table.indexes.push_back(std::move(index));
    }
  }
}

bool IsTableResource(json::Value resource) {
  const std::string type = TextOf(resource, "Type");
  return type == "AWS::DynamoDB::Table" || type == "AWS::DynamoDB::GlobalTable" ||
         type == "AWS::Serverless::SimpleTable";
}

// SAM's short form: one key, of which only name and type are said.
void ReadSimpleKey(std::optional<json::Value> properties, TableKeys& keys) {
  const auto primary = Member(properties, "PrimaryKey");
  const std::string name = TextOf(primary, "Name");
  DraftAttribute attribute;
  attribute.name = name.empty() ? "id" : ToName(name);
  attribute.type = TypeOfLetter(TextOf(primary, "Type"));
  attribute.key = true;
  keys.table.partition = attribute.name;
  keys.entity.attributes = {std::move(attribute)};
}

}  // namespace

std::string TypeOfLetter(std::string_view letter) {
  const std::string lower = Lowered(letter);
  if (lower == "n" || lower == "number" || lower == "integer" || lower == "decimal" ||
      lower == "float") {
    return "number";
  }
  if (lower == "b" || lower == "binary" || lower == "buffer" || lower == "arraybuffer" ||
      lower == "bs") {
    return "binary";
  }
  if (lower == "bool" || lower == "boolean") {
    return "bool";
  }
  if (lower == "l" || lower == "list" || lower == "array" || lower == "tuple") {
    return "list";
  }
  if (lower == "m" || lower == "map" || lower == "object" || lower == "record" || lower == "any" ||
      lower == "anyof" || lower == "custom" || lower == "item") {
    return "map";
  }
  if (lower == "ss" || lower == "set" || lower == "string_set") {
    return "text-set";
  }
  if (lower == "ns" || lower == "number_set") {
    return "number-set";
  }
  if (lower == "date") {
    return "time";
  }
  return "text";
}

TableKeys ReadTableKeys(json::Value description) {
  TableKeys keys;
  keys.table.name = ToName(TextOf(description, "TableName"));
  std::vector<std::string> partition;
  std::vector<std::string> sort;
  ReadKeySchema(Member(description, "KeySchema"), partition, sort);
  if (!partition.empty()) {
    keys.table.partition = partition[0];
  }
  if (!sort.empty()) {
    keys.table.sort = sort[0];
  }
  ReadIndexes(description, "LocalSecondaryIndexes", true, keys.table);
  ReadIndexes(description, "GlobalSecondaryIndexes", false, keys.table);
  for (const json::Value value : ElementsOf(Member(description, "AttributeDefinitions"))) {
    DraftAttribute attribute;
    attribute.name = ToName(TextOf(value, "AttributeName"));
    attribute.type = TypeOfLetter(TextOf(value, "AttributeType"));
    attribute.key = attribute.name == keys.table.partition || attribute.name == keys.table.sort;
    attribute.optional = !attribute.key;
    keys.entity.attributes.push_back(std::move(attribute));
  }
  // Keys whose types nobody stated.
  for (const std::string& name : keys.table.KeyAttributes()) {
    if (!name.empty() && keys.entity.Find(name) == nullptr) {
      keys.table.notes.push_back("AttributeDefinitions does not have " + name +
                                 ", which CreateTable rejects; text is assumed.");
      DraftAttribute attribute;
      attribute.name = name;
      attribute.key = name == keys.table.partition || name == keys.table.sort;
      attribute.optional = !attribute.key;
      keys.entity.attributes.push_back(std::move(attribute));
    }
  }
  const auto count = ParseDecimal(TextOf(description, "ItemCount"));
  if (count && *count >= 0 && *count <= model::kFigureMax) {
    keys.entity.count = *count;
  }
  return keys;
}

void AddEntityOfKeys(TableKeys keys, Draft& draft) {
  std::set<std::string> names;
  for (const DraftEntity& entity : draft.entities) {
    names.insert(entity.name);
  }
  keys.entity.name = UniqueName(ToEntityName(keys.table.name), names);
  // Every key attribute must be one of the entity, also where the file defines no type for it.
  for (const std::string& name : keys.table.KeyAttributes()) {
    if (keys.entity.Find(name) != nullptr) {
      continue;
    }
    DraftAttribute attribute;
    attribute.name = name;
    attribute.key = name == keys.table.partition || name == keys.table.sort;
    attribute.optional = !attribute.key;
    keys.entity.attributes.push_back(std::move(attribute));
  }
  for (const DraftIndex& index : keys.table.indexes) {
    for (const std::string& name : index.include) {
      if (keys.entity.Find(name) != nullptr) {
        continue;
      }
      DraftAttribute attribute;
      attribute.name = name;
      attribute.optional = true;
      attribute.note = "projected; its type is not known";
      keys.entity.attributes.push_back(std::move(attribute));
    }
  }
  if (IsGenericKeyName(keys.table.partition)) {
    keys.entity.notes.push_back("The keys are called " + keys.table.partition +
                                (keys.table.sort.empty() ? "" : " and " + keys.table.sort) +
                                ", so this table probably holds several entities: `prejoin infer` "
                                "finds them in its items.");
  }
  keys.table.items.push_back({keys.entity.name, {}, {}, {}});
  draft.entities.push_back(std::move(keys.entity));
  draft.tables.push_back(std::move(keys.table));
}

namespace {

void AddTimeToLive(std::optional<json::Value> properties, DraftEntity& entity) {
  const std::string name =
      ToName(TextOf(Member(properties, "TimeToLiveSpecification"), "AttributeName"));
  if (TextOf(Member(properties, "TimeToLiveSpecification"), "AttributeName").empty() ||
      entity.Find(name) != nullptr) {
    return;
  }
  DraftAttribute attribute;
  attribute.name = name;
  attribute.type = "number";
  attribute.size = 10;
  attribute.optional = true;
  attribute.note = "time to live: add `ttl " + name + " kept 30 days`, with the days that it is";
  entity.attributes.push_back(std::move(attribute));
}

Result<Draft> ReadTemplate(json::Value resources) {
  Draft draft;
  for (const NamedValue& resource : MembersOf(resources)) {
    if (!IsTableResource(resource.value)) {
      continue;
    }
    const auto properties = Member(resource.value, "Properties");
    TableKeys keys;
    if (properties) {
      keys = ReadTableKeys(*properties);
    }
    // A name that a function computes was resolved before, or is not known: then the resource's own stands for it.
    if (TextOf(properties, "TableName").empty()) {
      keys.table.name = ToName(resource.name);
    }
    if (TextOf(resource.value, "Type") == "AWS::Serverless::SimpleTable") {
      ReadSimpleKey(properties, keys);
    }
    AddTimeToLive(properties, keys.entity);
    if (!keys.table.partition.empty()) {
      AddEntityOfKeys(std::move(keys), draft);
    } else {
      draft.notes.push_back("Resource " + resource.name + " has no key that could be read.");
    }
  }
  if (draft.tables.empty()) {
    return ValidationError("there is no table with a key: neither AWS::DynamoDB::Table nor aws_dynamodb_table has one");
  }
  draft.notes.push_back("From a CloudFormation template.");
  return draft;
}

}  // namespace

Result<Draft> ReadTableJson(json::Value root) {
  Draft draft;
  if (const auto resources = Member(root, "Resources")) {
    return ReadTemplate(*resources);
  }
  // Serverless wraps a template.
  if (const auto resources = Member(root, {"resources", "Resources"})) {
    return ReadTemplate(*resources);
  }
  const auto wrapped = Member(root, "Table");
  TableKeys keys = ReadTableKeys(wrapped ? *wrapped : root);
  if (keys.table.partition.empty()) {
    return ValidationError("the table has no KeySchema");
  }
  if (TextOf(wrapped ? wrapped : std::optional(root), "TableName").empty()) {
    keys.table.name = "Table";
  }
  draft.title = keys.table.name;
  draft.notes.push_back("From a description of the table.");
  const json::Value description = wrapped ? *wrapped : root;
  const bool described = Member(description, "TableStatus") || Member(description, "TableArn");
  if (!described && !Member(description, "BillingMode") && !Member(description, "ProvisionedThroughput")) {
    keys.table.notes.push_back("The request states neither BillingMode nor ProvisionedThroughput, which CreateTable rejects.");
  }
  AddEntityOfKeys(std::move(keys), draft);
  return draft;
}

}  // namespace prejoin::draft
