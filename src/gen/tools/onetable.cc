// Schemas for OneTable. A schema is for one table, so there is a file for each.
#include "gen/infra/infra.h"
#include "gen/shape.h"
#include "gen/tools/tools.h"
#include "json/indented_writer.h"

namespace prejoin::gen {
namespace {

std::string OneTableType(AttributeType type) {
  constexpr ShapeWords kTypes = {"string", "number", "boolean", "binary",
                                 "array",  "object", "set",     "set"};
  return kTypes(ShapeOf(type));
}

// "STU#${id}", "${position:6:0}", as OneTable writes it; empty if it has no way to say it.
std::string OneTableTemplate(const StoredKey& key) {
  if (key.call.function == nullptr) {
    return "";
  }
  std::string out;
  for (const model::TemplatePart& part : key.call.function->parts) {
    switch (part.transform) {
      case model::TemplateTransform::kNone:
        out += part.is_literal() ? part.literal : "${" + part.attribute + "}";
        break;
      case model::TemplateTransform::kPad:
        out += "${" + part.attribute + ":" + std::to_string(part.argument) + ":0}";
        break;
      default:
        return "";
    }
  }
  return out;
}

void OneTableModel(const EntityCode& entity, json::IndentedWriter& json) {
  json.Name(entity.name).BeginObject();
  for (const StoredKey& key : entity.keys) {
    // A natural key is one of the fields below.
    if (key.call.function == nullptr) {
      continue;
    }
    json.Name(key.attribute).BeginObject();
    json.Field("type", "string");
    // Case folding and shards are the caller's: OneTable's templates have no functions.
    if (const std::string value = OneTableTemplate(key); !value.empty()) {
      json.Field("value", value);
    }
    json.EndObject();
  }
  for (const Field& field : entity.fields) {
    json.Name(field.name).BeginObject();
    json.Field("type", OneTableType(field.type));
    if (!field.optional) {
      json.Field("required", true);
    }
    if (!field.values.empty()) {
      json.Name("enum").BeginArray();
      for (const std::string& value : field.values) {
        json.String(value);
      }
      json.EndArray();
    }
    json.EndObject();
  }
  json.EndObject();
}

void OneTableIndex(const std::string& name, const KeySchema& schema,
                   const std::optional<Projection>& projection, bool local,
                   json::IndentedWriter& json) {
  json.Name(name).BeginObject();
  if (local) {
    json.Field("type", "local");
  }
  for (const KeySchemaElement& element : schema) {
    if (element.key_type == KeyType::kHash && local) {
      continue;
    }
    json.Field(element.key_type == KeyType::kHash ? "hash" : "sort", element.attribute_name);
  }
  if (projection && projection->type == ProjectionType::kKeysOnly) {
    json.Field("project", "keys");
  }
  if (projection && projection->non_key_attributes) {
    json.Name("project").BeginArray();
    for (const std::string& one : *projection->non_key_attributes) {
      json.String(one);
    }
    json.EndArray();
  }
  json.EndObject();
}

std::string OneTableSchema(const Program& program, const infra::TableSpec& spec) {
  json::IndentedWriter json;
  json.BeginObject();
  json.Field("format", "onetable:1.1.0");
  json.Field("version", "0.0.1");
  json.Field("description", tools::DescriptionText(program, {spec}));
  json.Name("indexes").BeginObject();
  OneTableIndex("primary", spec.input.key_schema, std::nullopt, false, json);
  for (const IndexSpecification& one : spec.Global()) {
    if (!tools::HasSeveralAttributes(one)) {
      OneTableIndex(one.index_name, one.key_schema, one.projection, false, json);
    }
  }
  for (const IndexSpecification& one : spec.Local()) {
    OneTableIndex(one.index_name, one.key_schema, one.projection, true, json);
  }
  json.EndObject();
  json.Name("models").BeginObject();
  std::string type_attribute;
  for (const EntityCode& entity : program.entities) {
    if (entity.table != spec.input.table_name) {
      continue;
    }
    OneTableModel(entity, json);
    type_attribute = entity.type_attribute;
  }
  json.EndObject();
  json.Name("params").BeginObject();
  if (!type_attribute.empty()) {
    json.Field("typeField", type_attribute);
  }
  json.Field("isoDates", true);
  json.EndObject().EndObject();
  return json.Finish();
}

}  // namespace

std::vector<GeneratedFile> GenerateOneTable(const Program& program) {
  std::vector<GeneratedFile> files;
  for (const infra::TableSpec& spec : infra::TableSpecs(program)) {
    files.push_back({spec.input.table_name + ".onetable.json", OneTableSchema(program, spec)});
  }
  return files;
}

}  // namespace prejoin::gen
