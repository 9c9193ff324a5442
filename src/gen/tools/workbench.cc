// Models for NoSQL Workbench.
#include <algorithm>
#include <set>
#include <utility>

#include "gen/infra/infra.h"
#include "gen/shape.h"
#include "gen/tools/tools.h"
#include "json/indented_writer.h"
#include "model/data/item_render.h"
#include "model/schema/total.h"

namespace prejoin::gen {
namespace {

void WorkbenchKeys(const infra::TableSpec& spec, const KeySchema& schema,
                   json::IndentedWriter& json) {
  json.Name("KeyAttributes").BeginObject();
  for (const KeySchemaElement& element : schema) {
    json.Name(element.key_type == KeyType::kHash ? "PartitionKey" : "SortKey").BeginObject();
    json.Field("AttributeName", element.attribute_name);
    for (const AttributeDefinition& one : spec.input.attribute_definitions) {
      if (one.attribute_name == element.attribute_name) {
        json.Field("AttributeType", infra::ScalarText(one.type));
      }
    }
    json.EndObject();
  }
  json.EndObject();
}

std::string WorkbenchType(AttributeType type) {
  constexpr ShapeWords kTypes = {"S", "N", "BOOL", "B", "L", "M", "SS", "NS"};
  return kTypes(ShapeOf(type));
}

// "STU#<id>", "LINE#<number pad 4>": what a key is made of, for people, and for our own importer.
std::string AliasText(const StoredKey& key) {
  if (key.call.function == nullptr) {
    return key.attribute;
  }
  std::string out;
  for (const model::TemplatePart& part : key.call.function->parts) {
    if (part.is_literal()) {
      out += part.literal;
      continue;
    }
    model::KeyTemplate one;
    one.parts.push_back(part);
    const std::string quoted = one.ToString();  // "{number pad 4}"
    out += "<" + quoted.substr(2, quoted.size() - 4) + ">";
  }
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
    for (const AttributeValue& one : *value.list()) {
      WorkbenchValue(one, json);
    }
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
    for (const Number& one : *value.number_set()) {
      json.String(one.ToString());
    }
    json.EndArray();
  } else if (value.string_set() != nullptr) {
    json.BeginArray();
    for (const std::string& one : *value.string_set()) {
      json.String(one);
    }
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
    if (!entity.empty() && items.entities[i] != entity) {
      continue;
    }
    json.BeginObject();
    for (const auto& [name, value] : items.items[i]) {
      json.Name(name);
      WorkbenchValue(value, json);
    }
    json.EndObject();
  }
  json.EndArray();
}

// The type of a list or map of rows, or of a sum that is kept.
std::string RowsType(const Program& program, const EntityCode& entity, const StoredRows& rows) {
  const auto placement = program.model->FindPlacement(entity.name);
  const model::StoredAttribute* stored =
      placement ? placement.layout->Find(rows.attribute) : nullptr;
  const bool figure = stored != nullptr && model::IsTotal(*stored);
  return figure ? "N" : rows.map ? "M" : "L";
}

// The attributes of an item beside its keys: name and type.
std::vector<std::pair<std::string, std::string>> AttributesOf(const Program& program,
                                                              const EntityCode& entity) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Field& field : entity.plain) {
    all.emplace_back(field.name, WorkbenchType(field.type));
  }
  for (const StoredCopy& copy : entity.copies) {
    all.emplace_back(copy.attribute, WorkbenchType(copy.field.type));
  }
  for (const StoredRows& rows : entity.rows) {
    all.emplace_back(rows.attribute, RowsType(program, entity, rows));
  }
  if (!entity.type_attribute.empty()) {
    all.emplace_back(entity.type_attribute, "S");
  }
  return all;
}

// The attributes of the keys that the file has: indexes with several attributes are left out of it.
std::set<std::string> WrittenKeys(const infra::TableSpec& spec) {
  std::set<std::string> names;
  const auto add = [&](const KeySchema& schema) {
    for (const KeySchemaElement& element : schema) {
      names.insert(element.attribute_name);
    }
  };
  add(spec.input.key_schema);
  for (const std::vector<IndexSpecification>& indexes : {spec.Global(), spec.Local()}) {
    for (const IndexSpecification& index : indexes) {
      if (!tools::HasSeveralAttributes(index)) {
        add(index.key_schema);
      }
    }
  }
  return names;
}

void WorkbenchAttributes(const Program& program, const TableCode& table,
                         const infra::TableSpec& spec, json::IndentedWriter& json) {
  std::vector<std::pair<std::string, std::string>> others;
  const std::set<std::string> keys = WrittenKeys(spec);
  const auto add = [&](const std::string& name, const std::string& type) {
    if (keys.contains(name)) {
      return;
    }
    for (const auto& known : others) {
      if (known.first == name) {
        return;
      }
    }
    others.emplace_back(name, type);
  };
  for (const EntityCode* entity : tools::ItemsOf(program, table.name)) {
    for (const auto& [name, type] : AttributesOf(program, *entity)) {
      add(name, type);
    }
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
  for (const EntityCode* one_kind : tools::ItemsOf(program, table.name)) {
    const EntityCode& entity = *one_kind;
    json.BeginObject();
    json.Field("FacetName", entity.name);
    json.Name("KeyAttributeAlias").BeginObject();
    for (std::size_t i = 0; i < table.key.size(); ++i) {
      const auto key = std::find_if(entity.keys.begin(), entity.keys.end(),
                                    [&](const auto& one) { return one.attribute == table.key[i]; });
      // A key that is simply an attribute has no template.
      json.Field(i == 0 ? "PartitionKeyAlias" : "SortKeyAlias",
                 key == entity.keys.end() ? table.key[i] : AliasText(*key));
    }
    json.EndObject();
    json.Name("NonKeyAttributes").BeginArray();
    for (const auto& [name, type] : AttributesOf(program, entity)) {
      if (std::find(table.key.begin(), table.key.end(), name) == table.key.end()) {
        json.String(name);
      }
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
    if (tools::HasSeveralAttributes(index)) {
      continue;
    }
    json.BeginObject();
    json.Field("IndexName", index.index_name);
    WorkbenchKeys(spec, index.key_schema, json);
    const Projection projection = index.projection.value_or(Projection());
    json.Name("Projection").BeginObject();
    json.Field("ProjectionType", infra::ProjectionText(projection));
    if (projection.non_key_attributes) {
      json.Name("NonKeyAttributes").BeginArray();
      for (const std::string& one : *projection.non_key_attributes) {
        json.String(one);
      }
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
    if (!specs[i].Local().empty()) {
      WorkbenchIndexes("LocalSecondaryIndexes", specs[i], specs[i].Local(), json);
    }
    json.Field("BillingMode", "PAY_PER_REQUEST");
    json.Name("DataAccess").BeginObject().Name("MySql").BeginObject().EndObject().EndObject();
    json.EndObject();
  }
  json.EndArray().EndObject();
  return {{program.module + ".workbench.json", json.Finish()}};
}

namespace tools {

std::vector<const EntityCode*> ItemsOf(const Program& program, const std::string& table) {
  std::vector<const EntityCode*> kinds;
  for (const auto* entities : {&program.entities, &program.second_layouts}) {
    for (const EntityCode& entity : *entities) {
      if (entity.table == table) {
        kinds.push_back(&entity);
      }
    }
  }
  return kinds;
}

bool IsIn(const EntityCode& entity, const IndexSpecification& index) {
  return std::all_of(
      index.key_schema.begin(), index.key_schema.end(), [&](const KeySchemaElement& element) {
        const std::string& name = element.attribute_name;
        return std::any_of(entity.plain.begin(), entity.plain.end(),
                           [&](const Field& field) { return field.name == name; }) ||
               std::any_of(entity.keys.begin(), entity.keys.end(),
                           [&](const StoredKey& key) { return key.attribute == name; });
      });
}

bool HasSeveralAttributes(const IndexSpecification& index) {
  std::size_t hash = 0;
  for (const KeySchemaElement& element : index.key_schema) {
    hash += element.key_type == KeyType::kHash ? 1 : 0;
  }
  return hash > 1 || index.key_schema.size() - hash > 1;
}

std::string DescriptionText(const Program& program, const std::vector<infra::TableSpec>& specs) {
  std::string text = HeaderText(program);
  for (const infra::TableSpec& spec : specs) {
    for (const IndexSpecification& index : spec.Global()) {
      if (HasSeveralAttributes(index)) {
        text += " Index " + index.index_name + " of " + spec.input.table_name +
                " is left out: its keys have several attributes.";
      }
    }
  }
  return text;
}

}  // namespace tools
}  // namespace prejoin::gen
