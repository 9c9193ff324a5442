#include "gen/infra/infra.h"
#include "gen/words.h"
#include "json/indented_writer.h"

namespace prejoin::gen {
namespace {

using infra::TableSpec;

void SchemaJson(const KeySchema& schema, json::IndentedWriter& json) {
  json.Name("KeySchema").BeginArray();
  for (const KeySchemaElement& element : schema) {
    json.BeginObject();
    json.Field("AttributeName", element.attribute_name);
    json.Field("KeyType", infra::KeyTypeText(element.key_type));
    json.EndObject();
  }
  json.EndArray();
}

void IndexesJson(const char* name, const std::vector<IndexSpecification>& indexes,
                 json::IndentedWriter& json) {
  if (indexes.empty()) {
    return;
  }
  json.Name(name).BeginArray();
  for (const IndexSpecification& index : indexes) {
    json.BeginObject();
    json.Field("IndexName", index.index_name);
    SchemaJson(index.key_schema, json);
    json.Name("Projection").BeginObject();
    const Projection projection = index.projection.value_or(Projection());
    json.Field("ProjectionType", infra::ProjectionText(projection));
    if (projection.non_key_attributes) {
      json.Name("NonKeyAttributes").BeginArray();
      for (const std::string& attribute : *projection.non_key_attributes) {
        json.String(attribute);
      }
      json.EndArray();
    }
    json.EndObject();
    json.EndObject();
  }
  json.EndArray();
}

void PropertiesJson(const Program& program, const TableSpec& spec, json::IndentedWriter& json) {
  json.Field("TableName", spec.input.table_name);
  json.Field("BillingMode", "PAY_PER_REQUEST");
  json.Name("AttributeDefinitions").BeginArray();
  for (const AttributeDefinition& one : spec.input.attribute_definitions) {
    json.BeginObject();
    json.Field("AttributeName", one.attribute_name);
    json.Field("AttributeType", infra::ScalarText(one.type));
    json.EndObject();
  }
  json.EndArray();
  SchemaJson(spec.input.key_schema, json);
  IndexesJson("LocalSecondaryIndexes", spec.Local(), json);
  IndexesJson("GlobalSecondaryIndexes", spec.Global(), json);
  json.Name("PointInTimeRecoverySpecification").BeginObject();
  json.Field("PointInTimeRecoveryEnabled", true);
  json.EndObject();
  if (spec.stream) {
    json.Name("StreamSpecification").BeginObject();
    json.Field("StreamViewType", "NEW_AND_OLD_IMAGES");
    json.EndObject();
  }
  if (!spec.ttl.empty()) {
    json.Name("TimeToLiveSpecification").BeginObject();
    json.Field("AttributeName", spec.ttl);
    json.Field("Enabled", true);
    json.EndObject();
  }
  json.Name("Tags").BeginArray().BeginObject();
  json.Field("Key", "model");
  json.Field("Value", program.module);
  json.EndObject().EndArray();
}

}  // namespace

std::vector<GeneratedFile> GenerateCloudFormation(const Program& program) {
  json::IndentedWriter json;
  json.BeginObject();
  json.Field("AWSTemplateFormatVersion", "2010-09-09");
  json.Field("Description", HeaderText(program));
  json.Name("Resources").BeginObject();
  for (const TableSpec& spec : infra::TableSpecs(program)) {
    json.Name(PascalCase(spec.input.table_name) + "Table").BeginObject();
    json.Field("Type", "AWS::DynamoDB::Table");
    json.Field("DeletionPolicy", "Retain");
    json.Field("UpdateReplacePolicy", "Retain");
    json.Name("Properties").BeginObject();
    PropertiesJson(program, spec, json);
    json.EndObject().EndObject();
  }
  json.EndObject().EndObject();
  return {{program.module + ".template.json", json.Finish()}};
}

}  // namespace prejoin::gen
