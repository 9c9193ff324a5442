#include "model/schema/model_json.h"

#include "json/indented_writer.h"

namespace prejoin::model {
namespace {

std::string PathText(const Path& path) {
  return path.entity.text.empty() ? path.attribute.text
                                  : path.entity.text + "." + path.attribute.text;
}

template <class Names>
void WriteNames(json::IndentedWriter& json, const char* field, const Names& names) {
  json.Name(field).BeginArray();
  for (const Name& name : names) {
    json.String(name.text);
  }
  json.EndArray();
}

// Members of maps are nested as deeply as the reader lets them.
void WriteAttribute(json::IndentedWriter& json, const Attribute& attribute) {
  json.BeginObject()
      .Field("name", attribute.name.text)
      .Field("type", AttributeTypeName(attribute.type));
  json.Field("averageBytes", AverageValueBytes(attribute))
      .Field("maximumBytes", MaximumValueBytes(attribute));
  if (attribute.is_key) {
    json.Field("key", true);
  }
  if (attribute.optional) {
    json.Field("optional", true);
  }
  if (attribute.presence) {
    json.Field("presence", *attribute.presence);
  }
  if (attribute.distinct > 0) {
    json.Field("distinct", attribute.distinct);
  }
  if (attribute.skew.given()) {
    json.Field("zipf", attribute.skew.zipf).Field("hottest", attribute.skew.hottest);
  }
  if (attribute.drift != Drift::kNotStated) {
    json.Field("grows", attribute.drift == Drift::kGrows);
  }
  if (attribute.unique) {
    json.Field("unique", true);
  }
  if (attribute.immutable) {
    json.Field("immutable", true);
  }
  if (attribute.changes_given) {
    json.Field("changesPerSecond", attribute.changes_per_second);
  }
  if (attribute.references) {
    json.Field("references", PathText(*attribute.references));
  }
  if (!attribute.values.empty()) {
    json.Name("values").BeginArray();
    for (const AttributeValue& value : attribute.values) {
      json.Value(value);
    }
    json.EndArray();
  }
  if (!attribute.shares.empty()) {
    json.Name("shares").BeginArray();
    for (const double share : attribute.shares) {
      json.Number(share);
    }
    json.EndArray();
  }
  if (!attribute.members.empty()) {
    json.Name("members").BeginArray();
    for (const Attribute& member : attribute.members) {
      WriteAttribute(json, member);
    }
    json.EndArray();
  }
  json.EndObject();
}

void WriteEntity(json::IndentedWriter& json, const Entity& entity) {
  json.BeginObject()
      .Field("name", entity.name.text)
      .Field("line", static_cast<double>(entity.name.at.line));
  if (entity.count_given) {
    json.Field("count", entity.count);
  }
  if (entity.count_fixed) {
    json.Field("countFixed", true);
  }
  if (entity.kept_days > 0) {
    json.Field("keptDays", entity.kept_days);
  }
  if (!entity.ttl.text.empty()) {
    json.Field("ttl", entity.ttl.text);
  }
  json.Name("attributes").BeginArray();
  for (const Attribute& attribute : entity.attributes) {
    WriteAttribute(json, attribute);
  }
  json.EndArray().EndObject();
}

const char* KindName(RelationshipKind kind) {
  switch (kind) {
    case RelationshipKind::kOneToOne:
      return "one-to-one";
    case RelationshipKind::kOneToMany:
      return "one-to-many";
    case RelationshipKind::kManyToMany:
      return "many-to-many";
    case RelationshipKind::kHierarchy:
      return "hierarchy";
  }
  return "";
}

void WriteRelationship(json::IndentedWriter& json, const Model& model,
                       const Relationship& relationship) {
  json.BeginObject()
      .Field("name", relationship.name.text)
      .Field("kind", KindName(relationship.kind));
  json.Field("from", relationship.from.text)
      .Field("to", relationship.to.text)
      .Field("through", relationship.through.text);
  WriteNames(json, "by", relationship.by);
  WriteNames(json, "levels", relationship.levels);
  json.Name("cardinalities").BeginArray();
  for (const Cardinality& cardinality : relationship.cardinalities) {
    json.BeginObject()
        .Field("entity", cardinality.entity.text)
        .Field("average", cardinality.average);
    if (!cardinality.by.empty()) {
      json.Name("by").BeginArray();
      for (const Name& name : cardinality.by) {
        json.String(name.text);
      }
      json.EndArray();
    }
    json.Field("bound", cardinality.bound).Field("zipf", cardinality.skew.zipf);
    json.Field("hottest", cardinality.skew.hottest).EndObject();
  }
  json.EndArray()
      .Field("changesPerSecond", relationship.changes_per_second)
      .Name("strategies")
      .BeginArray();
  for (const StrategyChoice& choice : model.strategies) {
    if (choice.relationship != relationship.name) {
      continue;
    }
    for (const Name& name : choice.strategies) {
      json.String(name.text);
    }
  }
  json.EndArray().EndObject();
}

void WriteOperand(json::IndentedWriter& json, const Operand& operand) {
  if (operand.parameter.empty()) {
    json.Name("value").Value(operand.literal);
  } else {
    json.Field("parameter", operand.parameter);
  }
}

void WriteCondition(json::IndentedWriter& json, const Condition& condition) {
  json.BeginObject()
      .Field("attribute", condition.attribute.text)
      .Field("comparison", ComparisonName(condition.comparison));
  json.Name("operands").BeginArray();
  for (const Operand& operand : condition.operands) {
    json.BeginObject();
    WriteOperand(json, operand);
    json.EndObject();
  }
  json.EndArray().EndObject();
}

// A value that a step writes: `status = "DONE"`.
void WriteSettings(json::IndentedWriter& json, const std::vector<Setting>& settings) {
  json.Name("values").BeginArray();
  for (const Setting& setting : settings) {
    json.BeginObject().Field("attribute", setting.attribute.text);
    WriteOperand(json, setting.value);
    json.EndObject();
  }
  json.EndArray();
}

void WriteSection(json::IndentedWriter& json, const Section& section) {
  json.BeginObject().Field("entity", section.entity.text);
  if (section.measure != Measure::kRows) {
    json.Field("answers", section.measure == Measure::kCount ? "count" : "sum");
  }
  if (!section.via.text.empty()) {
    json.Field("via", section.via.text);
  }
  json.Name("where").BeginArray();
  for (const Condition& condition : section.conditions) {
    WriteCondition(json, condition);
  }
  json.EndArray().Name("orderBy").BeginArray();
  for (const OrderKey& key : section.order) {
    json.BeginObject()
        .Field("attribute", key.attribute.text)
        .Field("descending", key.descending)
        .EndObject();
  }
  json.EndArray().Name("get").BeginArray();
  for (const Path& path : section.get) {
    json.String(PathText(path));
  }
  json.EndArray();
  if (section.returns) {
    json.Field("returns", *section.returns);
  }
  if (section.limit) {
    json.Field("limit", static_cast<double>(*section.limit));
  }
  json.EndObject();
}

void WritePattern(json::IndentedWriter& json, const Pattern& pattern) {
  json.BeginObject().Field("name", pattern.name.text).Field("title", pattern.title);
  json.Field("line", static_cast<double>(pattern.name.at.line))
      .Field("ratePerSecond", pattern.rate_per_second);
  if (pattern.peak_per_second > 0) {
    json.Field("peakPerSecond", pattern.peak_per_second);
  }
  if (!pattern.scan_reason.empty()) {
    json.Field("scanAllowed", pattern.scan_reason);
  }
  json.Field("fresh",
             pattern.freshness == Freshness::kStrong
                 ? "strong"
                 : (pattern.freshness == Freshness::kAfterWrite ? "after-write" : "eventual"));
  json.Name("parameters").BeginArray();
  for (const std::string& name : pattern.Parameters()) {
    json.String(name);
  }
  json.EndArray().Name("find").BeginArray();
  for (const Section& section : pattern.sections) {
    WriteSection(json, section);
  }
  json.EndArray().Name("examples").BeginArray();
  for (const Example& example : pattern.examples) {
    json.BeginObject().Name("arguments").BeginObject();
    for (const auto& [name, value] : example.arguments) {
      json.Name(name.text).Value(value);
    }
    json.EndObject();
    if (example.rows) {
      json.Field("rows", static_cast<double>(*example.rows));
    }
    json.EndObject();
  }
  json.EndArray().EndObject();
}

void WriteWrite(json::IndentedWriter& json, const Write& write) {
  json.BeginObject()
      .Field("name", write.name.text)
      .Field("title", write.title)
      .Field("ratePerSecond", write.rate_per_second);
  if (write.peak_per_second > 0) {
    json.Field("peakPerSecond", write.peak_per_second);
  }
  json.Field("together", write.together).Name("steps").BeginArray();
  for (const WriteStep& step : write.steps) {
    json.BeginObject().Field("kind", step.kind == WriteKind::kPut
                                         ? "put"
                                         : (step.kind == WriteKind::kUpdate ? "update" : "delete"));
    json.Field("entity", step.entity.text).Field("once", step.once);
    WriteNames(json, "set", step.set);
    WriteNames(json, "remove", step.remove);
    WriteNames(json, "with", step.cascade);
    if (step.kind == WriteKind::kPut && !(step.with.empty() && step.without.empty())) {
      WriteNames(json, "present", step.with);
      WriteNames(json, "absent", step.without);
    }
    if (!step.values.empty()) {
      WriteSettings(json, step.values);
    }
    for (const auto& [field, conditions] :
         {std::pair{"where", &step.where}, std::pair{"if", &step.guard}}) {
      json.Name(field).BeginArray();
      for (const Condition& condition : *conditions) {
        WriteCondition(json, condition);
      }
      json.EndArray();
    }
    if (step.times > 1) {
      json.Field("times", static_cast<double>(step.times));
    }
    if (!step.for_each.text.empty()) {
      json.Field("forEach", step.for_each.text);
    }
    json.EndObject();
  }
  json.EndArray().EndObject();
}

void WriteStored(json::IndentedWriter& json, const StoredAttribute& stored) {
  json.BeginObject().Field("name", stored.name.text);
  switch (stored.kind) {
    case StoredKind::kTemplate:
      json.Field("kind", stored.key.natural ? "attribute" : "template");
      json.Field("template", stored.key.natural ? stored.key.ToString()
                                                : stored.key.ToString().substr(
                                                      1, stored.key.ToString().size() - 2));
      break;
    case StoredKind::kCopy:
      json.Field("kind", "copy")
          .Field("of", PathText(stored.copy))
          .Field("keptBy", CopyUpkeepName(stored.upkeep));
      break;
    case StoredKind::kSum:
    case StoredKind::kCount:
      json.Field("kind", stored.kind == StoredKind::kSum ? "sum" : "count")
          .Field("of",
                 stored.kind == StoredKind::kSum ? PathText(stored.copy) : stored.copy.entity.text)
          .Field("keptBy", CopyUpkeepName(stored.upkeep));
      break;
    case StoredKind::kEmbedList:
    case StoredKind::kEmbedMap:
      json.Field("kind", stored.kind == StoredKind::kEmbedList ? "list" : "map")
          .Field("of", stored.embedded.text)
          .Field("by", stored.by.text);
      json.Name("members").BeginArray();
      for (const Path& path : stored.members) {
        json.String(PathText(path));
      }
      json.EndArray();
      break;
  }
  json.EndObject();
}

void WriteTable(json::IndentedWriter& json, const Table& table) {
  json.BeginObject()
      .Field("name", table.name.text)
      .Field("partition", table.partition.text)
      .Field("sort", table.sort.text);
  json.Field("typeAttribute", table.type_attribute.text).Name("indexes").BeginArray();
  for (const Index& index : table.indexes) {
    json.BeginObject().Field("name", index.name.text).Field("local", index.local);
    WriteNames(json, "partition", index.partition);
    WriteNames(json, "sort", index.sort);
    json.Field("projection",
               index.projection == ProjectionKind::kAll
                   ? "all"
                   : (index.projection == ProjectionKind::kKeys ? "keys" : "include"));
    WriteNames(json, "include", index.include);
    json.EndObject();
  }
  json.EndArray().Name("items").BeginArray();
  for (const ItemLayout& layout : table.items) {
    json.BeginObject().Field("entity", layout.entity.text);
    if (!layout.of.text.empty()) {
      json.Field("of", layout.of.text);
    }
    json.Name("attributes").BeginArray();
    for (const StoredAttribute& stored : layout.attributes) {
      WriteStored(json, stored);
    }
    json.EndArray();
    WriteNames(json, "without", layout.without);
    WriteNames(json, "uniqueByLock", layout.locks);
    json.EndObject();
  }
  json.EndArray().EndObject();
}

void WriteSample(json::IndentedWriter& json, const Sample& sample) {
  json.BeginObject().Field("entity", sample.entity.text).Name("rows").BeginArray();
  for (const SampleRow& row : sample.rows) {
    json.BeginObject();
    for (std::size_t i = 0; i < sample.columns.size(); ++i) {
      if (row.values[i]) {
        json.Name(sample.columns[i].text).Value(*row.values[i]);
      }
    }
    json.EndObject();
  }
  json.EndArray().EndObject();
}

}  // namespace

std::string ModelJson(const Model& model) {
  json::IndentedWriter json;
  json.BeginObject()
      .Field("format", "prejoin-model")
      .Field("version", 1.0)
      .Field("title", model.title);
  json.Name("entities").BeginArray();
  for (const Entity& entity : model.entities) {
    WriteEntity(json, entity);
  }
  json.EndArray().Name("relationships").BeginArray();
  for (const Relationship& relationship : model.relationships) {
    WriteRelationship(json, model, relationship);
  }
  json.EndArray().Name("patterns").BeginArray();
  for (const Pattern& pattern : model.patterns) {
    WritePattern(json, pattern);
  }
  json.EndArray().Name("writes").BeginArray();
  for (const Write& write : model.writes) {
    WriteWrite(json, write);
  }
  json.EndArray().Name("tables").BeginArray();
  for (const Table& table : model.tables) {
    WriteTable(json, table);
  }
  json.EndArray().Name("samples").BeginArray();
  for (const Sample& sample : model.samples) {
    WriteSample(json, sample);
  }
  return json.EndArray().EndObject().Finish();
}

}  // namespace prejoin::model
