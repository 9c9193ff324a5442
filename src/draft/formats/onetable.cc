// OneTable schemas (onetable:1.1.0). Its value templates are nearly ours: `user#${email}`,
// `${position:6:0}` for padding, `${_type}` for the model's name.
#include <algorithm>
#include <map>

#include "draft/formats/formats.h"
#include "draft/formats/nested_type.h"
#include "draft/json_fields.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

struct Conversion {
  std::string text;  // As it follows the `=`; empty if it could not be read.
  std::vector<std::string> variables;
};

// Field of a model → the attribute that OneTable stores it in.
using StoredNames = std::map<std::string, std::string>;

Conversion ConvertTemplate(const std::string& value, const std::string& model,
                           const std::string& type_field, const StoredNames& stored) {
  Conversion out;
  std::string text;
  std::size_t at = 0;
  while (at < value.size()) {
    const std::size_t open = value.find("${", at);
    text += value.substr(at, open == std::string::npos ? open : open - at);
    if (open == std::string::npos) {
      break;
    }
    const std::size_t close = value.find('}', open);
    if (close == std::string::npos) {
      return {};
    }
    const std::string inner = value.substr(open + 2, close - open - 2);
    const std::string field = inner.substr(0, inner.find(':'));
    const auto known = stored.find(field);
    const std::string name = known == stored.end() ? field : known->second;
    if (name == type_field || name == "_type") {
      text += model;
    } else if (!IsName(name)) {
      return {};  // A member of an object, such as ${address.zip}.
    } else {
      out.variables.push_back(name);
      const std::size_t colon = inner.find(':');
      std::string width;
      if (colon != std::string::npos) {
        width = inner.substr(colon + 1, inner.find(':', colon + 1) - colon - 1);
      }
      text += "{" + name + (width.empty() ? "" : " pad " + width) + "}";
    }
    at = close + 1;
  }
  out.text = "\"" + text + "\"";
  return out;
}

DraftAttribute ReadField(const std::string& name, json::Value field, bool iso_dates,
                         DraftEntity& entity) {
  DraftAttribute attribute;
  attribute.name = name;
  const std::string type = Lowered(TextOf(field, "type"));
  attribute.type = NestedType(field, "schema", TypeOfLetter(type.empty() ? "string" : type));
  if (type == "date" && !iso_dates) {
    attribute.type = "number";
  }
  attribute.optional = !FlagOf(field, "required");
  attribute.unique = FlagOf(field, "unique");
  for (const std::string& value : TextsOf(Member(field, "enum"))) {
    attribute.values.push_back(value);
  }
  if (attribute.type != "text") {
    attribute.values.clear();
  }
  if (const std::string mapped = TextOf(field, "map"); mapped.find('.') != std::string::npos) {
    entity.notes.push_back("`" + name + "` is packed into `" + mapped +
                           "`; this model stores it under its own name.");
  }
  if (FlagOf(field, "crypt")) {
    attribute.note = "encrypted by OneTable";
  }
  return attribute;
}

class OneTableReader {
 public:
  OneTableReader(json::Value root, Draft& draft) : root_(root), draft_(draft) {}

  void ReadIndexes() {
    for (const NamedValue& one : MembersOf(Member(root_, "indexes"))) {
      const std::string hash = ToName(TextOf(one.value, "hash"));
      const std::string sort = TextOf(one.value, "sort");
      if (one.name == "primary") {
        table_.partition = hash;
        table_.sort = sort.empty() ? "" : ToName(sort);
        continue;
      }
      DraftIndex index;
      index.name = ToName(one.name);
      index.local = TextOf(one.value, "type") == "local" || TextOf(one.value, "hash").empty();
      index.partition = {hash};
      if (!sort.empty()) {
        index.sort = {ToName(sort)};
      }
      const std::vector<std::string> project = TextsOf(Member(one.value, "project"));
      if (project.size() == 1 && project[0] == "keys") {
        index.projection = "keys";
      } else if (!project.empty() && project[0] != "all") {
        index.projection = "include";
        index.include = project;
      }
      table_.indexes.push_back(std::move(index));
    }
  }

  void ReadModels() {
    const auto params = Member(root_, "params");
    type_field_ = TextOf(params, "typeField");
    if (type_field_.empty()) {
      type_field_ = "_type";
    }
    table_.type_attribute = type_field_;
    table_.name = "Table";
    for (const NamedValue& model : MembersOf(Member(root_, "models"))) {
      ReadModel(model.name, model.value, TextOf(params, "isoDates") == "true",
                FlagOf(params, "timestamps"));
    }
    draft_.tables.push_back(std::move(table_));
  }

 private:
  void ReadModel(const std::string& name, json::Value fields, bool iso_dates, bool timestamps) {
    if (!IsName(name)) {
      draft_.notes.push_back("The model `" + name + "` cannot be a name here and was left out.");
      return;
    }
    DraftEntity entity;
    entity.name = name;
    DraftItem item{name, {}, {}, {}};
    std::vector<std::string> key_variables;
    const std::vector<std::string> keys = table_.KeyAttributes();
    StoredNames stored;
    for (const NamedValue& field : MembersOf(fields)) {
      const std::string mapped = TextOf(field.value, "map");
      if (IsName(mapped)) {
        stored[field.name] = mapped;
      }
    }
    for (NamedValue field : MembersOf(fields)) {
      if (const auto mapped = stored.find(field.name); mapped != stored.end()) {
        field.name = mapped->second;
      }
      const std::string value = TextOf(field.value, "value");
      const bool is_key = std::find(keys.begin(), keys.end(), field.name) != keys.end();
      const bool in_table_key = field.name == table_.partition || field.name == table_.sort;
      if (!IsName(field.name)) {
        entity.notes.push_back("The field `" + field.name + "` was left out.");
        continue;
      }
      if (field.name == type_field_) {
        continue;
      }
      const Conversion key =
          value.empty() ? Conversion{} : ConvertTemplate(value, name, type_field_, stored);
      if (is_key && !key.text.empty()) {
        item.keys.emplace_back(field.name, key.text);
        if (in_table_key) {
          key_variables.insert(key_variables.end(), key.variables.begin(), key.variables.end());
        }
        continue;
      }
      DraftAttribute attribute = ReadField(field.name, field.value, iso_dates, entity);
      if (!value.empty()) {
        attribute.note = "computed by OneTable: " + value;
      }
      if (is_key && in_table_key) {
        key_variables.push_back(field.name);
      }
      entity.attributes.push_back(std::move(attribute));
    }
    if (timestamps) {
      for (const char* stamp : {"created", "updated"}) {
        if (entity.Find(stamp) != nullptr) {
          continue;
        }
        DraftAttribute attribute;
        attribute.name = stamp;
        attribute.type = iso_dates ? "time" : "number";
        attribute.optional = true;
        entity.attributes.push_back(std::move(attribute));
      }
    }
    MarkKeys(key_variables, entity);
    table_.items.push_back(std::move(item));
    draft_.entities.push_back(std::move(entity));
  }

  static void MarkKeys(const std::vector<std::string>& variables, DraftEntity& entity) {
    for (const std::string& name : variables) {
      DraftAttribute* attribute = entity.Find(name);
      if (attribute == nullptr) {
        DraftAttribute added;
        added.name = name;
        added.note = "named in a key template only";
        entity.attributes.push_back(std::move(added));
        attribute = &entity.attributes.back();
      }
      attribute->key = true;
      attribute->optional = false;
    }
    std::stable_partition(entity.attributes.begin(), entity.attributes.end(),
                          [](const DraftAttribute& one) { return one.key; });
  }

  const json::Value root_;
  Draft& draft_;
  DraftTable table_;
  std::string type_field_;
};

// OneTable's `items` are whole items with their type.
void ReadItems(json::Value root, Draft& draft) {
  const std::string& type_field = draft.tables[0].type_attribute;
  for (const json::Value value : ElementsOf(Member(root, "items"))) {
    const std::string type = TextOf(value, type_field);
    if (draft.FindEntity(type) == nullptr) {
      continue;
    }
    auto sample = std::find_if(draft.samples.begin(), draft.samples.end(),
                               [&](const DraftSample& one) { return one.entity == type; });
    if (sample == draft.samples.end()) {
      draft.samples.push_back({type, {}});
      sample = draft.samples.end() - 1;
    }
    sample->rows.push_back(ReadLooseItem(value));
  }
}

}  // namespace

Result<Draft> ReadOneTable(json::Value root) {
  Draft draft;
  draft.title = TextOf(root, "description");
  draft.notes.push_back("From a OneTable schema, " + TextOf(root, "format") +
                        ". OneTable does not name the table: give it its name below.");
  OneTableReader reader(root, draft);
  reader.ReadIndexes();
  reader.ReadModels();
  if (draft.tables[0].partition.empty()) {
    return ValidationError("the schema has no index called `primary` with a hash");
  }
  if (draft.entities.empty()) {
    return ValidationError("the schema has no models");
  }
  for (const NamedValue& query : MembersOf(Member(root, "queries"))) {
    draft.end_notes.push_back(
        "Saved query `" + query.name + "` on " + TextOf(query.value, "model") + ", index " +
        TextOf(query.value, "index") + ": write it as a pattern if the application asks it.");
  }
  ReadItems(root, draft);
  return draft;
}

}  // namespace prejoin::draft
