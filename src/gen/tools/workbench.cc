// Models for NoSQL Workbench.
#include <algorithm>

#include "gen/infra/infra.h"
#include "gen/shape.h"
#include "gen/tools/tools.h"
#include "json/indented_writer.h"
#include "model/data/item_render.h"

namespace prejoin::gen {
namespace {

void WorkbenchKeys(const infra::TableSpec& spec, const KeySchema& schema,
                   json::IndentedWriter& json) {
  json.Name("KeyAttributes").BeginObject();
  for (const KeySchemaElement& element : schema) {
    json.Name(element.key_type == KeyType::kHash ? "PartitionKey" : "SortKey").BeginObject();
    json.Field("AttributeName", element.attribute_name);
    for (const AttributeDefinition& one : spec.input.attribute_definitions) {
      if (one.attribute_name == element.attribute_name)
        json.Field("AttributeType", infra::ScalarText(one.type));
    }
    json.EndObject();
  }
  json.EndObject();
}

std::string WorkbenchType(AttributeType type) {
  switch (ShapeOf(type)) {
    case Shape::kNumber:
      return "N";
    case Shape::kBool:
      return "BOOL";
    case Shape::kBinary:
      return "B";
    case Shape::kList:
      return "L";
    case Shape::kMap:
      return "M";
    case Shape::kTextSet:
      return "SS";
    case Shape::kNumberSet:
      return "NS";
    case Shape::kText:
      return "S";
  }
  return "S";
}

// "STU#<id>": what a key is made of, for people.
std::string AliasText(const StoredKey& key) {
  if (key.call.function == nullptr) return key.attribute;
  std::string out;
  for (const model::TemplatePart& part : key.call.function->parts)
    out += part.is_literal() ? part.literal : "<" + part.attribute + ">";
  return out;
}

// A typed value: {"S": "text"}, {"M": {…}}.
void WorkbenchValue(const AttributeValue& value, json::IndentedWriter& json) {
  json.BeginObject();
  json.Name(TypeName(value.type()));
  if (value.number() != nullptr) {
    json.String(value.number()->ToString());
  } else if (value.list() != nullptr) {
    json.BeginArray();
    for (const AttributeValue& one : *value.list()) WorkbenchValue(one, json);
    json.EndArray();
  } else if (value.map() != nullptr) {
    json.BeginObject();
    for (const auto& [name, one] : *value.map()) {
      json.Name(name);
      WorkbenchValue(one, json);
    }
    json.EndObject();
  } else if (value.number_set() != nullptr) {
    json.BeginArray();
    for (const Number& one : *value.number_set()) json.String(one.ToString());
    json.EndArray();
  } else if (value.string_set() != nullptr) {
    json.BeginArray();
    for (const std::string& one : *value.string_set()) json.String(one);
    json.EndArray();
  } else {
    json.Value(value);
  }
  json.EndObject();
}

// The items of the sample; of one entity, if it is named.
void WorkbenchData(const model::TableItems& items, const std::string& entity,
                   json::IndentedWriter& json) {
  json.Name("TableData").BeginArray();
  for (std::size_t i = 0; i < items.items.size(); ++i) {
    if (!entity.empty() && items.entities[i] != entity) continue;
    json.BeginObject();
    for (const auto& [name, value] : items.items[i]) {
      json.Name(name);
      WorkbenchValue(value, json);
    }
    json.EndObject();
  }
  json.EndArray();
}

void WorkbenchAttributes(const Program& program, const TableCode& table,
                         const infra::TableSpec& spec, json::IndentedWriter& json) {
  std::vector<std::pair<std::string, std::string>> others;
  const auto add = [&](const std::string& name, const std::string& type) {
    for (const AttributeDefinition& key : spec.input.attribute_definitions) {
      if (key.attribute_name == name) return;
    }
    for (const auto& known : others) {
      if (known.first == name) return;
    }
    others.emplace_back(name, type);
  };
  for (const EntityCode& entity : program.entities) {
    if (entity.table != table.name) continue;
    for (const Field& field : entity.plain) add(field.name, WorkbenchType(field.type));
    for (const StoredCopy& copy : entity.copies)
      add(copy.attribute, WorkbenchType(copy.field.type));
    for (const StoredRows& rows : entity.rows) add(rows.attribute, rows.map ? "M" : "L");
    if (!entity.type_attribute.empty()) add(entity.type_attribute, "S");
  }
  json.Name("NonKeyAttributes").BeginArray();
  for (const auto& [name, type] : others) {
    json.BeginObject();
    json.Field("AttributeName", name);
    json.Field("AttributeType", type);
    json.EndObject();
  }
  json.EndArray();
}

// Facets are Workbench's word for the kinds of items in a table.
void WorkbenchFacets(const Program& program, const TableCode& table, const model::TableItems& items,
                     json::IndentedWriter& json) {
  json.Name("TableFacets").BeginArray();
  for (const EntityCode& entity : program.entities) {
    if (entity.table != table.name) continue;
    json.BeginObject();
    json.Field("FacetName", entity.name);
    json.Name("KeyAttributeAlias").BeginObject();
    for (std::size_t i = 0; i < table.key.size() && i < entity.keys.size(); ++i)
      json.Field(i == 0 ? "PartitionKeyAlias" : "SortKeyAlias", AliasText(entity.keys[i]));
    json.EndObject();
    json.Name("NonKeyAttributes").BeginArray();
    for (const Field& field : entity.plain) {
      if (std::find(table.key.begin(), table.key.end(), field.name) == table.key.end())
        json.String(field.name);
    }
    json.EndArray();
    WorkbenchData(items, entity.name, json);
    json.EndObject();
  }
  json.EndArray();
}

void WorkbenchIndexes(const char* name, const infra::TableSpec& spec,
                      const std::vector<IndexSpecification>& indexes, json::IndentedWriter& json) {
  json.Name(name).BeginArray();
  for (const IndexSpecification& index : indexes) {
    if (tools::HasSeveralAttributes(index)) continue;
    json.BeginObject();
    json.Field("IndexName", index.index_name);
    WorkbenchKeys(spec, index.key_schema, json);
    const Projection projection = index.projection.value_or(Projection());
    json.Name("Projection").BeginObject();
    json.Field("ProjectionType", infra::ProjectionText(projection));
    if (projection.non_key_attributes) {
      json.Name("NonKeyAttributes").BeginArray();
      for (const std::string& one : *projection.non_key_attributes) json.String(one);
      json.EndArray();
    }
    json.EndObject();
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace

std::vector<GeneratedFile> GenerateWorkbench(const Program& program) {
  const std::vector<infra::TableSpec> specs = infra::TableSpecs(program);
  const model::Dataset sample = model::SampleData(*program.model);
  model::DataIndex index(sample);
  const std::vector<model::TableItems> all = model::RenderAll(*program.model, index);
  json::IndentedWriter json;
  json.BeginObject();
  json.Field("ModelName", program.title);
  json.Name("ModelMetadata").BeginObject();
  json.Field("Author", "prejoin");
  json.Field("Description", tools::DescriptionText(program, specs));
  json.Field("AWSService", "Amazon DynamoDB");
  json.Field("Version", "3.0");
  json.EndObject();
  json.Name("DataModel").BeginArray();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    json.BeginObject();
    json.Field("TableName", specs[i].input.table_name);
    WorkbenchKeys(specs[i], specs[i].input.key_schema, json);
    WorkbenchAttributes(program, program.tables[i], specs[i], json);
    const model::TableItems& items = *std::find_if(
        all.begin(), all.end(),
        [&](const model::TableItems& one) { return one.table == program.tables[i].table; });
    WorkbenchFacets(program, program.tables[i], items, json);
    WorkbenchData(items, "", json);
    WorkbenchIndexes("GlobalSecondaryIndexes", specs[i], specs[i].Global(), json);
    if (!specs[i].Local().empty())
      WorkbenchIndexes("LocalSecondaryIndexes", specs[i], specs[i].Local(), json);
    json.Field("BillingMode", "PAY_PER_REQUEST");
    json.Name("DataAccess").BeginObject().Name("MySql").BeginObject().EndObject().EndObject();
    json.EndObject();
  }
  json.EndArray().EndObject();
  return {{program.module + ".workbench.json", json.Finish()}};
}

namespace tools {

bool HasSeveralAttributes(const IndexSpecification& index) {
  std::size_t hash = 0;
  for (const KeySchemaElement& element : index.key_schema)
    hash += element.key_type == KeyType::kHash ? 1 : 0;
  return hash > 1 || index.key_schema.size() - hash > 1;
}

std::string DescriptionText(const Program& program, const std::vector<infra::TableSpec>& specs) {
  std::string text = HeaderText(program);
  for (const infra::TableSpec& spec : specs) {
    for (const IndexSpecification& index : spec.Global()) {
      if (HasSeveralAttributes(index))
        text += " Index " + index.index_name + " of " + spec.input.table_name +
                " is left out: its keys have several attributes.";
    }
  }
  return text;
}

}  // namespace tools
}  // namespace prejoin::gen
