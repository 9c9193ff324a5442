#include "gen/entity_steps.h"

#include <algorithm>
#include <set>

#include "gen/words.h"

namespace prejoin::gen {

void EntitySteps::Entity(const EntityCode& entity) {
  Type(entity);
  for (const KeyFunction& function : program_.key_functions) {
    if (function.entity == entity.name) {
      KeyMaker(function);
    }
  }
  if (entity.table.empty()) {
    return;
  }
  const TableCode& table = *program_.FindTable(entity.table);
  KeyObjectCode(entity, KeyPairs(entity, table));
  ItemCode(entity);
  FromItemCode(entity);
  if (table.layouts.size() > 1) {
    IsEntityCode(entity, table);
  }
}

void EntitySteps::AllLayouts() {
  for (const TableCode& table : program_.tables) {
    if (table.layouts.size() < 2) {
      continue;
    }
    BeginLayouts(table);
    for (const LayoutTest& layout : table.layouts) {
      std::vector<std::string> keys;
      for (const LayoutTest::Key& key : layout.keys) {
        keys.push_back(LayoutKey(key));
      }
      LayoutCode(layout, keys);
    }
    EndLayouts();
  }
}

std::vector<std::string> EntitySteps::KeyPairs(const EntityCode& entity,
                                               const TableCode& table) const {
  std::vector<std::string> pairs;
  for (const std::string& name : table.key) {
    std::string text = language_.Member(KeyRow(), name);
    for (const StoredKey& key : entity.keys) {
      if (key.attribute != name) {
        continue;
      }
      KeyCall call = key.call;
      // A caller that asks for a key has all of it.
      for (Value& argument : call.arguments) {
        argument.source.field.optional = false;
      }
      text = KeyText(language_, call, {KeyRow(), "item"});
    }
    pairs.push_back(language_.Pair(name, text));
  }
  return pairs;
}

std::vector<std::vector<std::string>> EntitySteps::PartChecks(const KeyFunction& function) const {
  std::vector<std::vector<std::string>> checks;
  for (const model::TemplatePart& part : function.parts) {
    const bool shard = part.transform == model::TemplateTransform::kShard;
    if (part.is_literal() || (shard && function.open_shard)) {
      continue;
    }
    model::TemplatePart checked = part;
    // The number of a shard is always sound; the value that it is made from must not be empty.
    if (shard) {
      checked.transform = model::TemplateTransform::kNone;
    }
    std::vector<std::string> check = {Quoted(part.attribute),
                                      PartCall(language_, checked, /*open_shard=*/false)};
    std::vector<std::string> rules;
    for (const std::string& rule : part.rules) {
      if (rule != "*" + part.next) {
        rules.push_back(Quoted(rule));
      }
    }
    if (!part.next.empty() || !rules.empty()) {
      check.push_back(Quoted(part.next));
    }
    check.insert(check.end(), rules.begin(), rules.end());
    if (std::ranges::find(checks, check) == checks.end()) {
      checks.push_back(std::move(check));
    }
  }
  return checks;
}

void EntitySteps::ItemMembers(const EntityCode& entity) {
  for (const StoredKey& key : entity.keys) {
    std::vector<Field> needed;
    std::set<std::string> seen;
    for (const Value& argument : key.call.arguments) {
      if (argument.source.field.optional && seen.insert(argument.name).second) {
        needed.push_back(argument.source.field);
      }
    }
    const std::string text = KeyText(language_, key.call);
    if (needed.empty() || key.call.function == nullptr) {
      Member(key.attribute, text);
    } else {
      SparseMember(key.attribute, needed, text);
    }
  }
  if (!entity.type_attribute.empty()) {
    Member(entity.type_attribute, Quoted(entity.type_value));
  }
  for (const Field& field : entity.plain) {
    Member(field.name, language_.Member("row", field.name));
  }
  for (const StoredCopy& copy : entity.copies) {
    Member(copy.attribute, CopyText(copy));
  }
  for (const StoredRows& rows : entity.rows) {
    Member(rows.attribute,
           rows.map ? language_.literals.empty_map("") : language_.literals.list(""));
  }
}

}  // namespace prejoin::gen
