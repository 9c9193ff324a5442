#include "model/plan/propose.h"

#include <algorithm>
#include <cctype>

#include "model/plan/expectation.h"
#include "model/plan/planner.h"
#include "model/plan/section_access.h"

namespace prejoin::model {
namespace {

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// The prefix under which an attribute already stands in some template: STU# for studentId.
std::string PrefixOf(const Model& model, const std::string& entity, const std::string& attribute) {
  const Entity* owner = model.FindEntity(entity);
  const Attribute* found = owner != nullptr ? owner->Find(attribute) : nullptr;
  const std::string target =
      found != nullptr && found->references ? found->references->entity.text : entity;
  const std::string target_attribute =
      found != nullptr && found->references ? found->references->attribute.text : attribute;
  const Model::Placement placement = model.FindPlacement(target);
  if (placement) {
    const StoredAttribute* key = placement.layout->Find(placement.table->partition.text);
    if (key != nullptr && key->key.parts.size() == 2 &&
        key->key.parts[1].attribute == target_attribute)
      return key->key.parts[0].literal;
  }
  // An ordinary attribute gives its own name.
  const bool plain = found != nullptr && !found->references && !found->is_key;
  return Upper(plain ? attribute : target) + "#";
}

StoredAttribute MakeStored(const std::string& name, const std::string& text) {
  StoredAttribute stored;
  stored.name.text = name;
  std::vector<Diagnostic> ignored;
  stored.key = ParseKeyTemplate(text, {}, ignored);
  return stored;
}

struct NewKeys {
  std::string partition;
  std::string sort;
};

NewKeys KeysFor(const Model& model, const Section& section, const std::string& entity) {
  NewKeys keys;
  const Entity& rows = *model.FindEntity(entity);
  std::vector<std::string> used;
  for (const Condition& condition : section.conditions) {
    if (condition.comparison != Comparison::kEqual) continue;
    keys.partition += (keys.partition.empty() ? "" : "#") +
                      PrefixOf(model, entity, condition.attribute.text) + "{" +
                      condition.attribute.text + "}";
    used.push_back(condition.attribute.text);
  }
  std::vector<std::string> order;
  for (const OrderKey& key : section.order) order.push_back(key.attribute.text);
  for (const Condition& condition : section.conditions) {
    if (condition.comparison != Comparison::kEqual) order.push_back(condition.attribute.text);
  }
  for (const std::string& key : rows.KeyNames()) order.push_back(key);
  for (const std::string& name : order) {
    if (std::find(used.begin(), used.end(), name) != used.end()) continue;
    used.push_back(name);
    const Attribute* attribute = rows.Find(name);
    const bool number = attribute != nullptr && attribute->type == AttributeType::kNumber;
    if (keys.sort.empty()) {
      keys.sort = attribute != nullptr && attribute->references ? PrefixOf(model, entity, name)
                                                                : Upper(entity) + "#";
    } else {
      keys.sort += "#";
    }
    keys.sort += "{" + name + (number ? " pad 10" : "") + "}";
  }
  if (keys.sort.empty()) keys.sort = Upper(entity);
  return keys;
}

}  // namespace

std::string ProposeChange(const Model& model, const Pattern& pattern) {
  for (const Section& section : pattern.sections) {
    if (section.has_or) return "write two `find` lines, or `attribute in (…)`";
    if (!FindAccesses(model, section, false).empty()) continue;
    const std::string& entity = section.via.text.empty() ? section.entity.text : section.via.text;
    const Model::Placement placement = model.FindPlacement(entity);
    if (!placement)
      return "store `" + entity + "` as items of its own: item " + entity + " { … } in a table";
    const NewKeys keys = KeysFor(model, section, entity);
    if (keys.partition.empty()) {
      return "a Query needs a partition key: list all `" + entity +
             "` from a sharded index, GSI1PK = \"" + Upper(entity) + "#{shard 8 of " +
             model.FindEntity(entity)->KeyNames().front() +
             "}\", or state what they are looked up by";
    }
    // An index where the entity has no keys yet costs nothing to share.
    Model changed = model;
    for (Table& table : changed.tables) {
      if (table.name != placement.table->name) continue;
      std::string index_name;
      std::string partition_name;
      std::string sort_name;
      bool shared = false;
      for (const Index& index : table.indexes) {
        if (index.local || index.partition.size() != 1 || index.sort.size() != 1) continue;
        if (AppearsIn(model, entity,
                      View{placement.table, placement.table->FindIndex(index.name.text)}))
          continue;
        index_name = index.name.text;
        partition_name = index.partition[0].text;
        sort_name = index.sort[0].text;
        shared = true;
        break;
      }
      if (!shared) {
        index_name = "GSI" + std::to_string(table.indexes.size() + 1);
        partition_name = index_name + "PK";
        sort_name = index_name + "SK";
        Index index;
        index.name.text = index_name;
        index.partition = {{partition_name, {}}};
        index.sort = {{sort_name, {}}};
        table.indexes.push_back(std::move(index));
      }
      for (ItemLayout& layout : table.items) {
        if (layout.entity.text != entity) continue;
        layout.attributes.push_back(MakeStored(partition_name, keys.partition));
        layout.attributes.push_back(MakeStored(sort_name, keys.sort));
      }
      std::string text = shared ? "give " + entity + " keys in " + index_name
                                : "add to the table: index " + index_name + " partition " +
                                      partition_name + " sort " + sort_name +
                                      " project all; and to item " + entity;
      text += ": " + partition_name + " = \"" + keys.partition + "\", " + sort_name + " = \"" +
              keys.sort + "\"";
      return PlanPattern(changed, *changed.FindPattern(pattern.name.text)).served
                 ? text
                 : text + " (one part of what it needs)";
    }
  }
  return "";
}

}  // namespace prejoin::model
