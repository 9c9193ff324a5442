#include "model/layout/layout_editor.h"

#include <algorithm>
#include <utility>

#include "model/layout/key_spelling.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

NameSet KeySet(const Entity& entity) {
  const std::vector<std::string> keys = entity.KeyNames();
  return {keys.begin(), keys.end()};
}

}  // namespace

// ---- The tables as they are ----

bool LayoutEditor::TakesOthers(const Table& table, const Entity& entity) const {
  if (table.sort.text.empty() || entity.Find(table.partition.text) != nullptr ||
      entity.Find(table.sort.text) != nullptr) {
    return false;
  }
  return std::ranges::all_of(table.items, [&](const ItemLayout& layout) {
    const StoredAttribute* key = layout.Find(table.partition.text);
    return key != nullptr && !key->key.natural;
  });
}

const StoredAttribute* LayoutEditor::PartitionKey(const std::string& entity) {
  const ItemLayout* layout = FindLayout(entity);
  return layout != nullptr ? layout->Find(FindTable(entity)->partition.text) : nullptr;
}

const StoredAttribute* LayoutEditor::SortKey(const std::string& entity) {
  const ItemLayout* layout = FindLayout(entity);
  return layout != nullptr ? layout->Find(FindTable(entity)->sort.text) : nullptr;
}

NameSet LayoutEditor::PartitionNames(const std::string& entity) {
  const StoredAttribute* key = PartitionKey(entity);
  return key != nullptr ? NamesInKey(key->key) : NameSet();
}

const Index* LayoutEditor::IndexBy(const std::string& entity, const NameSet& names) {
  const ItemLayout* layout = FindLayout(entity);
  if (layout == nullptr) {
    return nullptr;
  }
  const Table& table = *FindTable(entity);
  for (const Index& index : table.indexes) {
    if (!HasOwnKeys(index, table)) {
      continue;
    }
    const StoredAttribute* key = layout->Find(index.partition[0].text);
    const StoredAttribute* sort = layout->Find(index.sort[0].text);
    if (key != nullptr && sort != nullptr && !key->key.natural && !sort->key.natural &&
        NamesInKey(key->key) == names) {
      return &index;
    }
  }
  return nullptr;
}

// ---- Keys ----

KeyTemplate LayoutEditor::OwnerKey(const Entity& entity, const Entity& owner) {
  const std::vector<JoinColumn> columns = JoinColumns(entity, owner);
  const StoredAttribute* spelled = PartitionKey(owner.name.text);
  if (spelled != nullptr && !spelled->key.natural && spelled->key.Shard() == nullptr &&
      NamesInKey(spelled->key) == KeySet(owner)) {
    KeyTemplate key = spelled->key;
    key.at = {};
    for (TemplatePart& part : key.parts) {
      const auto column = std::ranges::find(columns, part.attribute, &JoinColumn::to);
      if (!part.is_literal() && column != columns.end()) {
        part.attribute = column->from;
      }
    }
    return key;
  }
  std::string text = KeyWord(owner);
  for (const JoinColumn& column : columns) {
    text += "#" + PartText(*entity.Find(column.from));
  }
  return KeyOfText(text);
}

KeyTemplate LayoutEditor::CollectionSort(const Entity& entity, const NameSet& bound) {
  const auto lasts = [&](const std::string& name) {
    return WhyNotInKey(model_, entity, name).empty();
  };
  if (const Index* index = IndexBy(entity.name.text, bound)) {
    const KeyTemplate& there = FindLayout(entity.name.text)->Find(index->sort[0].text)->key;
    NameSet used = NamesInKey(there);
    if (std::ranges::all_of(used, lasts)) {
      used.insert(bound.begin(), bound.end());
      std::vector<std::string> rest = entity.KeyNames();
      std::erase_if(rest, [&](const std::string& name) { return used.contains(name); });
      return Extended(there, PartsText(entity, rest));
    }
  }
  return KeyOfText(CollectionSortText(model_, entity, bound));
}

// ---- Changes ----

// The item without its key templates. An entity that was in lists gets items of its own.
ItemLayout LayoutEditor::TakeItem(const Entity& entity) {
  ItemLayout bare;
  bare.entity = entity;
  if (Table* table = FindTable(entity.name.text)) {
    bare = *FindLayout(entity.name.text);
    std::erase_if(table->items, [&](const ItemLayout& one) { return one.entity == entity.name; });
    std::erase_if(bare.attributes, [](const StoredAttribute& stored) {
      return stored.kind == StoredKind::kTemplate;
    });
    return bare;
  }
  for (Table& table : model_.tables) {
    for (ItemLayout& layout : table.items) {
      std::erase_if(layout.attributes,
                    [&](const StoredAttribute& stored) { return stored.embedded == entity.name; });
    }
  }
  LockUniqueAttributes(entity, bare);
  return bare;
}

bool LayoutEditor::Rebase(const Entity& entity, const std::string& beside,
                          const KeyTemplate& partition, const KeyTemplate& sort) {
  Table* table = FindTable(beside);
  if (table == nullptr || !TakesOthers(*table, entity)) {
    table = FindTable(entity.name.text);
  }
  if (table == nullptr || !TakesOthers(*table, entity)) {
    if (table == nullptr) {
      table = FindTable(beside);
    }
    if (table != nullptr && table->sort.text.empty()) {
      return Refuse("table " + table->name.text +
                    " has no sort key, so items cannot share a partition key in it");
    }
    return Refuse("the keys of table " + (table != nullptr ? table->name.text : beside) +
                  " are attributes of its items, so it cannot hold items with other keys");
  }
  for (const KeyTemplate* key : {&partition, &sort}) {
    for (const std::string& name : NamesInKey(*key)) {
      if (std::string why = WhyNotInKey(model_, entity, name); !why.empty()) {
        return Refuse(std::move(why));
      }
    }
  }
  if (FindTable(entity.name.text) != table) {
    table->items.push_back(TakeItem(entity));
  }
  ItemLayout& layout = *FindLayout(entity.name.text);
  SetKey(layout, table->sort.text, sort);
  SetKey(layout, table->partition.text, partition);
  KeepOmissions(entity, layout);
  rebased_.emplace(entity.name.text, entity);
  return true;
}

// An attribute that is kept in keys only must still be in a key that every item has.
void LayoutEditor::KeepOmissions(const Entity& entity, ItemLayout& layout) const {
  NameSet spelled;
  for (const StoredAttribute& stored : layout.attributes) {
    if (stored.kind != StoredKind::kTemplate || stored.key.natural) {
      continue;
    }
    const NameSet names = NamesInKey(stored.key);
    const bool always = std::ranges::all_of(names, [&](const std::string& name) {
      return entity.Find(name) != nullptr && !entity.Find(name)->optional;
    });
    for (const TemplatePart& part : stored.key.parts) {
      if (always && !part.is_literal() && part.transform == TemplateTransform::kNone) {
        spelled.insert(part.attribute);
      }
    }
  }
  std::erase_if(layout.without, [&](const Name& name) { return !spelled.contains(name.text); });
}

void LayoutEditor::DropKeys(const Entity& entity, const Index& index) {
  ItemLayout& layout = *FindLayout(entity.name.text);
  const NameSet names = {index.partition[0].text, index.sort[0].text};
  std::erase_if(layout.attributes, [&](const StoredAttribute& stored) {
    return stored.kind == StoredKind::kTemplate && !stored.key.natural &&
           names.contains(stored.name.text);
  });
  KeepOmissions(entity, layout);
}

void LayoutEditor::AddIndexKeys(const Entity& entity, const KeyTemplate& partition,
                                const KeyTemplate& sort) {
  Table& table = *FindTable(entity.name.text);
  ItemLayout& layout = *FindLayout(entity.name.text);
  const Index* target = IndexToShare(model_, table, layout);
  if (target == nullptr) {
    target = &NewIndex(table);
  }
  layout.attributes.push_back(KeyAttribute(target->partition[0].text, partition));
  layout.attributes.push_back(KeyAttribute(target->sort[0].text, sort));
}

bool LayoutEditor::Place(const Entity& entity, const std::string& beside) {
  if (FindLayout(entity.name.text) != nullptr) {
    return true;
  }
  Table* table = FindTable(beside);
  if (table == nullptr || !TakesOthers(*table, entity)) {
    return Refuse("`" + entity.name.text + "` is stored nowhere by itself");
  }
  AddItem(*table, entity, KeyWord(entity) + PartsText(entity, entity.KeyNames()), KeyWord(entity));
  return true;
}

bool LayoutEditor::Embed(const Entity& entity, const std::vector<const Entity*>& holders) {
  for (const Entity* holder : holders) {
    if (!Place(*holder, entity.name.text)) {
      return false;
    }
    ItemLayout& layout = *FindLayout(holder->name.text);
    const auto in_it = [&](const StoredAttribute& one) { return one.embedded == entity.name; };
    if (std::ranges::none_of(layout.attributes, in_it)) {
      layout.attributes.push_back(MakeList(*holder, layout, entity));
    }
  }
  const auto is_it = [&](const Reference<Entity>& name) {
    return model_.RowsOf(name).name == entity.name;
  };
  for (Table& table : model_.tables) {
    std::erase_if(table.items, [&](const ItemLayout& layout) { return is_it(layout.entity); });
    std::erase_if(table.sort_claims, [&](const SortClaim& claim) {
      return is_it(claim.first) || is_it(claim.second);
    });
  }
  std::erase_if(model_.second_layouts,
                [&](const Entity& rows) { return rows.rows_of.text == entity.name.text; });
  return true;
}

// ---- What a change leaves to fix ----

void LayoutEditor::KeepRowsUnique(const Entity& rows) {
  if (ItemLayout* layout = FindLayout(rows.name.text)) {
    LockRowKeys(model_, *FindTable(rows.name.text), *layout);
  }
}

bool LayoutEditor::DropCopies(const std::string& holder, const std::string& original) {
  ItemLayout* layout = FindLayout(holder);
  const std::size_t copies =
      layout == nullptr ? 0 : std::erase_if(layout->attributes, [&](const StoredAttribute& stored) {
        return stored.kind == StoredKind::kCopy && stored.copy.entity.text == original;
      });
  return copies > 0 ||
         Refuse("a child names its parent: a Query finds the children without a list of their ids");
}

void LayoutEditor::DropEmpty() {
  for (Table& table : model_.tables) {
    std::erase_if(table.indexes, [&](const Index& index) {
      return std::ranges::none_of(table.items, [&](const ItemLayout& layout) {
        const auto has = [&](const Name& key) { return layout.Find(key.text) != nullptr; };
        return std::ranges::all_of(index.partition, has) && std::ranges::all_of(index.sort, has);
      });
    });
  }
  std::erase_if(model_.tables, [](const Table& table) { return table.items.empty(); });
}

}  // namespace prejoin::model
