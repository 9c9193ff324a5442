#include "model/data/item_changes.h"

#include <map>

#include "model/data/item_render.h"

namespace prejoin::model {
namespace {

struct Placed {
  const Table* table;
  std::string entity;
  Item key;
  Item item;
};

std::map<std::string, Placed> ItemsByKey(const Model& model, const Dataset& data) {
  std::map<std::string, Placed> by_key;
  DataIndex index(data);
  for (TableItems& table : RenderAll(model, index)) {
    for (std::size_t i = 0; i < table.items.size(); ++i) {
      Item key;
      std::string text = table.table->name.text;
      for (const Name* name : {&table.table->partition, &table.table->sort}) {
        const AttributeValue* value =
            name->text.empty() ? nullptr : table.items[i].Find(name->text);
        if (value == nullptr) {
          continue;
        }
        key.Set(name->text, *value);
        text += '\x03' + ValueText(*value);
      }
      by_key.insert_or_assign(std::move(text), Placed{table.table, table.entities[i],
                                                      std::move(key), std::move(table.items[i])});
    }
  }
  return by_key;
}

}  // namespace

std::vector<ItemChange> ChangesBetween(const Model& model, const Dataset& before,
                                       const Dataset& after) {
  const auto old_items = ItemsByKey(model, before);
  const auto new_items = ItemsByKey(model, after);
  std::vector<ItemChange> changes;
  for (const auto& [key, old_item] : old_items) {
    if (!new_items.contains(key)) {
      changes.push_back(
          {old_item.table, old_item.entity, old_item.key, old_item.item, std::nullopt});
    }
  }
  for (const auto& [key, new_item] : new_items) {
    const auto found = old_items.find(key);
    if (found == old_items.end()) {
      changes.push_back(
          {new_item.table, new_item.entity, new_item.key, std::nullopt, new_item.item});
    } else if (!(found->second.item == new_item.item)) {
      changes.push_back(
          {new_item.table, new_item.entity, new_item.key, found->second.item, new_item.item});
    }
  }
  return changes;
}

}  // namespace prejoin::model
