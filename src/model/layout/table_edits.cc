#include "model/layout/table_edits.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "model/layout/key_spelling.h"

namespace prejoin::model {
namespace {

std::string WithFirst(std::string text, bool upper) {
  if (!text.empty()) {
    const auto letter = static_cast<unsigned char>(text[0]);
    text[0] = static_cast<char>(upper ? std::toupper(letter) : std::tolower(letter));
  }
  return text;
}

std::string NameOfCopy(const Entity& holder, const Path& original, CopyNaming naming) {
  const std::string& owner = original.entity.text;
  const std::string& attribute = original.attribute.text;
  if (naming == CopyNaming::kWhole) {
    return WithFirst(owner, false) + WithFirst(attribute, true);
  }
  const bool capital =
      !holder.attributes.empty() &&
      std::isupper(static_cast<unsigned char>(holder.attributes[0].name.text[0])) != 0;
  return WithFirst(owner, capital) + (attribute.starts_with(owner) ? attribute.substr(owner.size())
                                                                   : WithFirst(attribute, true));
}

}  // namespace

ItemLayout* FindLayout(Model& model, std::string_view entity) {
  for (Table& table : model.tables) {
    for (ItemLayout& layout : table.items) {
      if (layout.entity.text == entity) {
        return &layout;
      }
    }
  }
  return nullptr;
}

Table* FindTable(Model& model, std::string_view entity) {
  for (Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      if (layout.entity.text == entity) {
        return &table;
      }
    }
  }
  return nullptr;
}

// ---- Items ----

ItemLayout& AddItem(Table& table, const Entity& entity, const std::string& partition,
                    const std::string& sort) {
  ItemLayout& layout = table.items.emplace_back();
  layout.entity = entity;
  layout.attributes.push_back(MakeStored(table.partition.text, partition));
  if (!table.sort.text.empty()) {
    layout.attributes.push_back(MakeStored(table.sort.text, sort));
  }
  return layout;
}

void LockUniqueAttributes(const Entity& entity, ItemLayout& layout) {
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.unique && !attribute.is_key && !IsComplex(attribute.type)) {
      layout.locks.push_back(attribute.name);
    }
  }
}

void LockRowKeys(const Model& model, const Table& table, ItemLayout& layout) {
  const std::vector<std::string> keys = model.At(layout.entity).KeyNames();
  if (keys.size() != 1) {
    return;
  }
  std::set<std::string> used;
  for (const Name* name : {&table.partition, &table.sort}) {
    if (const StoredAttribute* stored = layout.Find(name->text)) {
      used.merge(NamesInKey(stored->key));
    }
  }
  used.erase(keys[0]);
  const bool once = std::ranges::any_of(model.writes, [&](const Write& write) {
    return std::ranges::any_of(write.steps, [&](const WriteStep& step) {
      return step.once && step.entity == layout.entity;
    });
  });
  std::erase_if(layout.locks, [&](const Name& lock) { return lock.text == keys[0]; });
  if (once && !used.empty()) {
    layout.locks.push_back({keys[0], {}});
  }
}

void SetKey(ItemLayout& layout, const std::string& name, const KeyTemplate& key) {
  const auto old = std::ranges::find(layout.attributes, Name{name, {}}, &StoredAttribute::name);
  if (old != layout.attributes.end()) {
    *old = KeyAttribute(name, key);
  } else {
    layout.attributes.insert(layout.attributes.begin(), KeyAttribute(name, key));
  }
}

const StoredAttribute* FindCopy(const ItemLayout& layout, const Path& original) {
  const auto copy = std::ranges::find_if(layout.attributes, [&](const StoredAttribute& stored) {
    return stored.kind == StoredKind::kCopy && stored.copy.entity == original.entity &&
           stored.copy.attribute == original.attribute;
  });
  return copy != layout.attributes.end() ? &*copy : nullptr;
}

StoredAttribute MakeCopy(const Entity& holder, const Path& original, CopyUpkeep upkeep,
                         CopyNaming naming) {
  StoredAttribute copy;
  copy.name.text = NameOfCopy(holder, original, naming);
  while (holder.Find(copy.name.text) != nullptr) {
    copy.name.text += naming == CopyNaming::kWhole ? "_" : "Copy";
  }
  copy.kind = StoredKind::kCopy;
  copy.copy = original;
  copy.upkeep = upkeep;
  return copy;
}

StoredAttribute MakeList(const Entity& holder, const ItemLayout& layout, const Entity& rows) {
  StoredAttribute list;
  list.name.text = rows.name.text + "s";
  while (holder.Find(list.name.text) != nullptr || layout.Find(list.name.text) != nullptr) {
    list.name.text += "_";
  }
  list.kind = StoredKind::kEmbedList;
  list.embedded = rows;
  return list;
}

// ---- Indexes ----

bool HasOwnKeys(const Index& index, const Table& table) {
  return !index.local && index.partition.size() == 1 && index.sort.size() == 1 &&
         !(index.partition[0] == table.partition) && !(index.partition[0] == table.sort);
}

Index MakeIndex(const std::string& name, const std::string& partition, const std::string& sort) {
  Index index;
  index.name.text = name;
  index.partition = {{partition, {}}};
  index.sort = {{sort, {}}};
  index.projection = ProjectionKind::kKeys;
  index.projection_given = true;
  return index;
}

std::string FreeIndexName(const Table& table) {
  for (int number = 1;; ++number) {
    const std::string name = "GSI" + std::to_string(number);
    const bool taken = std::ranges::any_of(table.items, [&](const ItemLayout& layout) {
      return layout.Find(name + "PK") != nullptr || layout.Find(name + "SK") != nullptr;
    });
    if (!taken && table.FindIndex(name) == nullptr) {
      return name;
    }
  }
}

Index& NewIndex(Table& table) {
  const std::string name = FreeIndexName(table);
  return table.indexes.emplace_back(MakeIndex(name, name + "PK", name + "SK"));
}

Index* IndexToShare(const Model& model, Table& table, const ItemLayout& layout) {
  const auto is_free = [&](const Name& key) {
    return layout.Find(key.text) == nullptr &&
           std::ranges::none_of(table.items, [&](const ItemLayout& item) {
             return model.RowsOf(item.entity).Find(key.text) != nullptr;
           });
  };
  const auto shared = std::ranges::find_if(table.indexes, [&](const Index& index) {
    return HasOwnKeys(index, table) && is_free(index.partition[0]) && is_free(index.sort[0]);
  });
  return shared != table.indexes.end() ? &*shared : nullptr;
}

void Project(Index& index, std::span<const std::string> attributes) {
  index.projection = ProjectionKind::kKeys;
  index.projection_given = true;
  index.include.clear();
  Widen(index, attributes);
}

void Widen(Index& index, std::span<const std::string> attributes) {
  if (index.projection == ProjectionKind::kAll || attributes.empty()) {
    return;
  }
  index.projection = ProjectionKind::kInclude;
  for (const std::string& attribute : attributes) {
    const Name name{attribute, {}};
    if (std::ranges::find(index.include, name) == index.include.end()) {
      index.include.push_back(name);
    }
  }
}

}  // namespace prejoin::model
