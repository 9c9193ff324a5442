// ElectroDB schemas, as `JSON.stringify(entity.schema.model ? entity.schema : model)` gives them: one,
// a list, or an object of them. ElectroDB makes the keys itself:
//
//   pk  $service#label_value#…            sk  $entity_version#label_value#…
//   with a collection                     sk  $collection#entity_version#label_value#…
//   in a clustered index                  sk  $collection#label_value#…#entity_version
//   in an index without a sort key        pk  $service$entity_version#label_value#…
//
// in small letters unless `casing` says otherwise. Models of the first form (service and entity at
// the top) have the version in the pk: $service_version and $entity.
#include <algorithm>
#include <map>
#include <string>

#include "draft/formats/formats.h"
#include "draft/formats/nested_type.h"
#include "draft/json_fields.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

std::string Cased(std::string_view text, const std::string& casing) {
  if (casing == "upper") {
    return Uppered(text);
  }
  return casing == "none" ? std::string(text) : Lowered(text);
}

class ElectroReader {
 public:
  ElectroReader(json::Value schema, Draft& draft) : schema_(schema), draft_(draft) {
    const auto model = Member(schema, "model");
    beta_ = !model || model->type() != json::Type::kObject;
    const auto names = beta_ ? std::optional(schema) : model;
    service_ = TextOf(names, "service");
    name_ = TextOf(names, "entity");
    version_ = TextOf(names, "version");
    table_name_ = TextOf(schema, "table");
  }

  Status Read() {
    if (name_.empty() || !IsName(name_)) {
      return ValidationError("an entity has no name that is allowed in a model");
    }
    entity_.name = name_;
    ReadAttributes();
    item_.entity = name_;
    for (const NamedValue& index : MembersOf(Member(schema_, "indexes"))) {
      ReadIndex(index);
    }
    if (!has_table_key_) {
      return ValidationError("`" + name_ + "` has no index without `index`");
    }
    std::stable_partition(entity_.attributes.begin(), entity_.attributes.end(),
                          [](const DraftAttribute& one) { return one.key; });
    DraftTable& table = Table();
    table.items.push_back(std::move(item_));
    draft_.entities.push_back(std::move(entity_));
    return {};
  }

 private:
  struct Key {
    std::string field;
    std::string text;  // After the `=`; empty for an attribute of that name.
    std::vector<std::string> variables;
  };

  void ReadAttributes() {
    for (const NamedValue& one : MembersOf(Member(schema_, "attributes"))) {
      DraftAttribute attribute;
      const std::string field = TextOf(one.value, "field");
      attribute.name = field.empty() ? one.name : field;
      fields_[one.name] = attribute.name;
      labels_[one.name] = TextOf(one.value, "label");
      if (!IsName(attribute.name)) {
        entity_.notes.push_back("The attribute `" + one.name + "` was left out.");
        continue;
      }
      const auto type = Member(one.value, "type");
      if (type && type->type() == json::Type::kArray) {
        attribute.values = TextsOf(type);
        if (std::erase(attribute.values, "") > 0) {
          attribute.note = "may be \"\" in ElectroDB";
        }
      } else {
        attribute.type = NestedType(one.value, "properties", TypeOfLetter(TextOf(type)));
        if (TextOf(type) == "set" && TextOf(one.value, "items") == "number") {
          attribute.type = "number-set";
        }
      }
      ReadPadding(one.value, attribute);
      attribute.optional = !FlagOf(one.value, "required");
      if (attribute.name != one.name) {
        attribute.note = "`" + one.name + "` in ElectroDB";
      }
      entity_.attributes.push_back(std::move(attribute));
    }
  }

  // `padding` counts in keys only.
  void ReadPadding(json::Value value, DraftAttribute& attribute) {
    const auto padding = Member(value, "padding");
    if (!padding) {
      return;
    }
    const auto length = Member(padding, "length");
    const bool is_number = length && length->type() == json::Type::kInteger;
    const std::string width = is_number ? length->number_text() : "";
    if (attribute.type == "number" && !width.empty() && TextOf(padding, "char") == "0") {
      pads_[attribute.name] = width;
    } else {
      entity_.notes.push_back("The padding of `" + attribute.name + "` in keys was left out: only numbers are padded, with 0.");
    }
  }

  std::string TypeOf(const std::string& field) const {
    const DraftAttribute* attribute = entity_.Find(field);
    return attribute != nullptr ? attribute->type : "text";
  }

  std::string Placeholder(const std::string& field, const std::string& casing) const {
    const bool text = TypeOf(field) == "text";
    if (const auto pad = pads_.find(field); pad != pads_.end()) {
      return "{" + field + " pad " + pad->second + "}";
    }
    // An attribute stored only in a key has the case that it has there.
    const bool only_there =
        std::find(item_.without.begin(), item_.without.end(), field) != item_.without.end();
    const bool none = casing == "none" || !text || only_there;
    return "{" + field + (none ? "" : casing == "upper" ? " upper" : " lower") + "}";
  }

  std::string Field(const std::string& attribute) const {
    const auto found = fields_.find(attribute);
    return found == fields_.end() ? attribute : found->second;
  }

  // An attribute whose value is stored only inside a key of the same name gets a name of its own.
  void PartFromKey(const std::string& field) {
    DraftAttribute* attribute = entity_.Find(field);
    if (attribute == nullptr) {
      return;
    }
    for (auto& [name, stored] : fields_) {
      if (stored == field) {
        stored = field + "Value";
      }
    }
    attribute->name = field + "Value";
    attribute->note = "only in the key " + field;
    item_.without.push_back(attribute->name);
  }

  // A template of the user's own: "USER#${id}".
  Key CustomKey(const std::string& own, const std::string& casing, Key key) const {
    std::size_t at = 0;
    std::string text;
    while (at < own.size()) {
      const std::size_t open = own.find("${", at);
      text += Cased(own.substr(at, open == std::string::npos ? open : open - at), casing);
      if (open == std::string::npos) {
        break;
      }
      const std::size_t close = std::min(own.find('}', open), own.size());
      const std::string field = Field(own.substr(open + 2, close - open - 2));
      key.variables.push_back(field);
      text += Placeholder(field, casing);
      at = close + 1;
    }
    key.text = "\"" + text + "\"";
    return key;
  }

  Key ReadKey(std::optional<json::Value> value, const std::string& prefix,
              const std::string& postfix = "") {
    Key key;
    key.field = ToName(TextOf(value, "field"));
    const std::string casing = TextOf(value, "casing");
    const std::vector<std::string> composite = TextsOf(Member(value, "composite"));
    if (const std::string own = TextOf(value, "template"); !own.empty()) {
      PartFromKey(key.field);
      return CustomKey(own, casing, std::move(key));
    }
    // An attribute that is stored under the key's own name is the key.
    if (composite.size() == 1 && Field(composite[0]) == key.field) {
      key.variables = {key.field};
      return key;
    }
    std::string text = Cased(prefix, casing);
    for (const std::string& attribute : composite) {
      const auto given = labels_.find(attribute);
      const std::string label =
          given == labels_.end() || given->second.empty() ? attribute : given->second;
      const std::string field = Field(attribute);
      text += "#" + Cased(label, casing) + "_" + Placeholder(field, casing);
      key.variables.push_back(field);
    }
    key.text = "\"" + text + Cased(postfix, casing) + "\"";
    return key;
  }

  void ReadIndex(const NamedValue& index) {
    const auto pk = Member(index.value, "pk");
    const auto sk = Member(index.value, "sk");
    const std::string name = TextOf(index.value, "index");
    if (TextOf(index.value, "type") == "composite") {
      ReadCompositeIndex(name, pk, sk);
      return;
    }
    std::string collection;
    for (const std::string& one : TextsOf(Member(index.value, "collection"))) {
      collection += collection.empty() ? "$" + one : "#" + one;
    }
    const std::string scope = TextOf(index.value, "scope");
    const std::string service =
        "$" + service_ + (beta_ ? "_" + version_ : "") + (scope.empty() ? "" : "_" + scope);
    const std::string entity = name_ + (beta_ ? "" : "_" + version_);
    const Key partition = ReadKey(pk, sk ? service : service + "$" + entity);
    Key sort;
    if (sk) {
      const std::string own = collection.empty() ? "$" + entity : "#" + entity;
      // A clustered index sorts the entities of a collection by their values, not by their names.
      sort = TextOf(index.value, "type") == "clustered" ? ReadKey(sk, collection, own)
                                                        : ReadKey(sk, collection + own);
    }
    DraftTable& table = Table();
    if (name.empty()) {
      has_table_key_ = true;
      table.partition = partition.field;
      table.sort = sort.field;
      for (const auto* key : {&partition, static_cast<const Key*>(&sort)}) {
        for (const std::string& variable : key->variables) {
          MarkKey(variable);
        }
      }
    } else {
      AddIndex(table, {ToName(name),
                       false,
                       {partition.field},
                       sort.field.empty() ? std::vector<std::string>{}
                                          : std::vector<std::string>{sort.field},
                       "all",
                       {}});
    }
    for (const Key* key : {&partition, static_cast<const Key*>(&sort)}) {
      const bool known = std::any_of(item_.keys.begin(), item_.keys.end(),
                                     [&](const auto& one) { return one.first == key->field; });
      if (!key->field.empty() && !key->text.empty() && !known) {
        item_.keys.emplace_back(key->field, key->text);
      }
    }
  }

  // Natural multi-attribute keys.
  void ReadCompositeIndex(const std::string& name, std::optional<json::Value> pk,
                          std::optional<json::Value> sk) {
    DraftIndex index;
    index.name = ToName(name);
    for (const std::string& one : TextsOf(Member(pk, "composite"))) {
      index.partition.push_back(Field(one));
    }
    for (const std::string& one : TextsOf(Member(sk, "composite"))) {
      index.sort.push_back(Field(one));
    }
    if (!name.empty()) {
      AddIndex(Table(), std::move(index));
    }
  }

  void MarkKey(const std::string& field) {
    if (DraftAttribute* attribute = entity_.Find(field)) {
      attribute->key = true;
      attribute->optional = false;
    }
  }

  static void AddIndex(DraftTable& table, DraftIndex index) {
    for (const DraftIndex& one : table.indexes) {
      if (one.name == index.name) {
        return;
      }
    }
    table.indexes.push_back(std::move(index));
  }

  DraftTable& Table() {
    const std::string name = ToName(table_name_.empty() ? service_ : table_name_);
    for (DraftTable& table : draft_.tables) {
      if (table.name == name) {
        return table;
      }
    }
    DraftTable table;
    table.name = name;
    table.type_attribute = "__edb_e__";
    draft_.tables.push_back(std::move(table));
    return draft_.tables.back();
  }

  const json::Value schema_;
  Draft& draft_;
  bool beta_ = false;
  bool has_table_key_ = false;
  std::string service_;
  std::string name_;
  std::string version_;
  std::string table_name_;
  std::map<std::string, std::string> fields_;
  std::map<std::string, std::string> labels_;
  std::map<std::string, std::string> pads_;  // Widths of numbers in keys.
  DraftEntity entity_;
  DraftItem item_;
};

bool IsSchema(json::Value value) {
  return Member(value, "attributes").has_value() && Member(value, "indexes").has_value();
}

}  // namespace

Result<Draft> ReadElectroDb(json::Value root) {
  Draft draft;
  draft.notes.push_back(
      "From ElectroDB. It also stores __edb_v__, the entity's version; functions such as get, set "
      "and condition are not in the JSON.");
  std::vector<json::Value> schemas;
  if (IsSchema(root)) {
    schemas.push_back(root);
  }
  for (const json::Value one : ElementsOf(root)) {
    schemas.push_back(one);
  }
  if (schemas.empty()) {
    const auto entities = Member(root, "entities");
    for (const NamedValue& one : MembersOf(entities ? entities : std::optional(root))) {
      schemas.push_back(one.value);
    }
  }
  for (const json::Value schema : schemas) {
    const auto nested = Member(schema, "schema");
    const json::Value actual = !IsSchema(schema) && nested ? *nested : schema;
    if (!IsSchema(actual)) {
      continue;
    }
    PJ_RETURN_IF_ERROR(ElectroReader(actual, draft).Read());
  }
  if (draft.entities.empty()) {
    return ValidationError("there is no ElectroDB schema in it");
  }
  return draft;
}

}  // namespace prejoin::draft
