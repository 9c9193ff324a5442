#include "model/data/item_changes.h"

#include "model/data/item_render.h"

namespace prejoin::model {

std::string ItemPlace(const Table& table, const Item& item) {
  std::string place = table.name.text;
  for (const Name* name : {&table.partition, &table.sort}) {
    const AttributeValue* value = name->text.empty() ? nullptr : item.Find(name->text);
    if (value != nullptr) {
      place += '\x03' + ValueText(*value);
    }
  }
  return place;
}

ItemsByKey RenderByKey(const Model& model, const Dataset& data) {
  ItemsByKey by_key;
  DataIndex index(data);
  for (TableItems& table : RenderAll(model, index)) {
    for (std::size_t i = 0; i < table.items.size(); ++i) {
      Item key;
      for (const Name* name : {&table.table->partition, &table.table->sort}) {
        const AttributeValue* value =
            name->text.empty() ? nullptr : table.items[i].Find(name->text);
        if (value != nullptr) {
          key.Set(name->text, *value);
        }
      }
      std::string place = ItemPlace(*table.table, key);
      by_key.insert_or_assign(std::move(place),
                              PlacedItem{table.table, table.entities[i], std::move(key),
                                         std::move(table.items[i])});
    }
  }
  return by_key;
}

std::vector<ItemChange> ChangesBetween(const ItemsByKey& before, const ItemsByKey& after) {
  std::vector<ItemChange> changes;
  for (const auto& [place, old_item] : before) {
    if (!after.contains(place)) {
      changes.push_back(
          {old_item.table, old_item.entity, old_item.key, old_item.item, std::nullopt});
    }
  }
  for (const auto& [place, new_item] : after) {
    const auto found = before.find(place);
    if (found == before.end()) {
      changes.push_back(
          {new_item.table, new_item.entity, new_item.key, std::nullopt, new_item.item});
    } else if (!(found->second.item == new_item.item)) {
      changes.push_back(
          {new_item.table, new_item.entity, new_item.key, found->second.item, new_item.item});
    }
  }
  return changes;
}

std::vector<ItemChange> ChangesBetween(const Model& model, const Dataset& before,
                                       const Dataset& after) {
  return ChangesBetween(RenderByKey(model, before), RenderByKey(model, after));
}

}  // namespace prejoin::model
