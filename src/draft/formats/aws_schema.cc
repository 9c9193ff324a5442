// The schema.json of AWS's DynamoDB assistant: tables with entities, key templates and access
// patterns. It is nearest to our own model, but for cardinalities and rates, which it has not.
#include <algorithm>
#include <map>
#include <set>

#include "draft/formats/formats.h"
#include "draft/json_fields.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

// `USER#{user_id}` → itself in quotes; `{user_id}` alone too. Gives the variables.
std::string Template(const std::string& text, std::vector<std::string>& variables) {
  std::size_t at = 0;
  while ((at = text.find('{', at)) != std::string::npos) {
    const std::size_t end = text.find_first_of(":}", at);
    if (end == std::string::npos) {
      break;
    }
    variables.push_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return "\"" + text + "\"";
}

class AwsEntityReader {
 public:
  AwsEntityReader(const std::string& name, json::Value value, DraftTable& table, Draft& draft,
                  std::set<std::string>& pattern_names)
      : value_(value), table_(table), draft_(draft), pattern_names_(pattern_names) {
    entity_.name = ToName(name);
    item_.entity = entity_.name;
  }

  void Read() {
    for (const json::Value field : ElementsOf(Member(value_, "fields"))) {
      DraftAttribute attribute;
      attribute.name = TextOf(field, "name");
      if (!IsName(attribute.name)) {
        continue;
      }
      attribute.type = TypeOfLetter(TextOf(field, "type"));
      if (attribute.type == "list" || TextOf(field, "type") == "array") {
        attribute.type = "list";
      }
      attribute.optional = !FlagOf(field, "required");
      entity_.attributes.push_back(std::move(attribute));
    }
    AddKey(table_.partition, TextOf(value_, "pk_template"), true);
    AddKey(table_.sort, TextOf(value_, "sk_template"), true);
    for (const json::Value mapping : ElementsOf(Member(value_, "gsi_mappings"))) {
      for (const DraftIndex& index : table_.indexes) {
        if (index.name != ToName(TextOf(mapping, "name"))) {
          continue;
        }
        AddIndexKeys(index.partition, TextsOf(Member(mapping, "pk_template")));
        AddIndexKeys(index.sort, TextsOf(Member(mapping, "sk_template")));
      }
    }
    for (const json::Value pattern : ElementsOf(Member(value_, "access_patterns"))) {
      AddPattern(pattern);
    }
    std::stable_partition(entity_.attributes.begin(), entity_.attributes.end(),
                          [](const DraftAttribute& one) { return one.key; });
    table_.items.push_back(std::move(item_));
    draft_.entities.push_back(std::move(entity_));
  }

 private:
  void Need(const std::string& name, bool key) {
    DraftAttribute* attribute = entity_.Find(name);
    if (attribute == nullptr) {
      DraftAttribute added;
      added.name = name;
      added.note = "named in a key template only";
      entity_.attributes.push_back(std::move(added));
      attribute = &entity_.attributes.back();
      item_.without.push_back(name);
    }
    if (key) {
      attribute->key = true;
      attribute->optional = false;
    }
  }

  void AddKey(const std::string& key, const std::string& text, bool in_table_key) {
    if (key.empty() || text.empty()) {
      return;
    }
    std::vector<std::string> variables;
    const std::string quoted = Template(text, variables);
    for (const std::string& variable : variables) {
      Need(variable, in_table_key);
    }
    variables_[key] = variables;
    // A key that is simply the attribute of its name needs no template, and a number must have none.
    if (text == "{" + key + "}") {
      return;
    }
    const bool alone = variables.size() == 1 && text == "{" + variables[0] + "}";
    item_.keys.emplace_back(
        key, alone && entity_.Find(variables[0])->type == "number" ? variables[0] : quoted);
  }

  void AddIndexKeys(const std::vector<std::string>& keys, const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < std::min(keys.size(), texts.size()); ++i) {
      const bool known = std::any_of(item_.keys.begin(), item_.keys.end(),
                                     [&](const auto& one) { return one.first == keys[i]; });
      if (!known) {
        AddKey(keys[i], texts[i], false);
      }
    }
  }

  void AddPattern(json::Value value) {
    const std::string operation = TextOf(value, "operation");
    DraftPattern pattern;
    pattern.name = TextOf(value, "name");
    if (pattern.name.empty()) {
      pattern.name = "P" + TextOf(value, "pattern_id");
    }
    pattern.name = UniqueName(ToName(pattern.name), pattern_names_);
    pattern.title = TextOf(value, "description");
    const std::string& name = entity_.name;
    if (operation == "PutItem" || operation == "UpdateItem" || operation == "DeleteItem") {
      pattern.is_write = true;
      pattern.lines = {(operation == "DeleteItem" ? "delete " : "put ") + name};
      if (operation == "UpdateItem") {
        pattern.lines = {"put " + name};
      }
      if (operation == "UpdateItem") {
        pattern.notes.push_back("The schema does not say what this update sets.");
      }
    } else if (operation == "GetItem" || operation == "Query" || operation == "BatchGetItem") {
      std::string where;
      for (const std::string& variable : Variables(operation, TextOf(value, "index_name"))) {
        where += (where.empty() ? " where " : " and ") + variable + " = :" + variable;
      }
      if (where.empty()) {
        return;
      }
      pattern.lines = {"find " + name + where};
      if (FlagOf(value, "consistent_read")) {
        pattern.lines.push_back("fresh strong");
      }
      for (const char* left_out : {"range_condition", "filter_expression"}) {
        if (Member(value, left_out)) {
          pattern.notes.push_back("Its " + std::string(left_out) +
                                  " was not read: " + TextOf(value, left_out));
        }
      }
    } else {
      pattern.notes.push_back(pattern.name + " \"" + pattern.title + "\" is a " + operation +
                              " and was left out.");
      draft_.end_notes.push_back(pattern.notes[0]);
      return;
    }
    draft_.patterns.push_back(std::move(pattern));
  }

  std::vector<std::string> Variables(const std::string& operation, const std::string& index_name) {
    std::vector<std::string> keys;
    if (index_name.empty()) {
      keys = {table_.partition};
      if (operation != "Query") {
        keys.push_back(table_.sort);
      }
    }
    for (const DraftIndex& index : table_.indexes) {
      if (index.name == ToName(index_name)) {
        keys = index.partition;
      }
    }
    std::vector<std::string> all;
    for (const std::string& key : keys) {
      for (const std::string& variable : variables_[key]) {
        if (std::find(all.begin(), all.end(), variable) == all.end()) {
          all.push_back(variable);
        }
      }
    }
    return all;
  }

  const json::Value value_;
  DraftTable& table_;
  Draft& draft_;
  std::set<std::string>& pattern_names_;
  DraftEntity entity_;
  DraftItem item_;
  std::map<std::string, std::vector<std::string>> variables_;
};

DraftTable ReadTableConfig(json::Value value) {
  DraftTable table;
  const auto config = Member(value, "table_config");
  table.name = ToName(TextOf(config, "table_name"));
  table.partition = ToName(TextOf(config, "partition_key"));
  if (const std::string sort = TextOf(config, "sort_key"); !sort.empty()) {
    table.sort = ToName(sort);
  }
  for (const json::Value one : ElementsOf(Member(value, "gsi_list"))) {
    DraftIndex index;
    index.name = ToName(TextOf(one, "name"));
    index.partition = TextsOf(Member(one, "partition_key"));
    index.sort = TextsOf(Member(one, "sort_key"));
    const std::string projection = TextOf(one, "projection");
    index.projection = projection == "KEYS_ONLY" ? "keys"
                       : projection == "INCLUDE" ? "include"
                                                 : "all";
    index.include = TextsOf(Member(one, "included_attributes"));
    if (!index.partition.empty()) {
      table.indexes.push_back(std::move(index));
    }
  }
  return table;
}

}  // namespace

Result<Draft> ReadAwsSchema(json::Value root) {
  Draft draft;
  draft.notes.push_back("From AWS's schema.json. It has no counts and no rates: add them.");
  std::set<std::string> pattern_names;
  for (const json::Value value : ElementsOf(Member(root, "tables"))) {
    DraftTable table = ReadTableConfig(value);
    if (table.partition == "unnamed") {
      continue;
    }
    for (const NamedValue& entity : MembersOf(Member(value, "entities"))) {
      AwsEntityReader(entity.name, entity.value, table, draft, pattern_names).Read();
    }
    draft.tables.push_back(std::move(table));
  }
  for (const json::Value one : ElementsOf(Member(root, "cross_table_access_patterns"))) {
    draft.end_notes.push_back("Across tables, left out: " + TextOf(one, "name") + " " +
                              TextOf(one, "description"));
  }
  if (draft.entities.empty()) {
    return ValidationError("the schema has no entities");
  }
  return draft;
}

}  // namespace prejoin::draft
