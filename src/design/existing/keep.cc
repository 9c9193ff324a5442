#include "design/existing/keep.h"

#include "model/layout/key_shape.h"

namespace prejoin::design {
namespace {

using model::ItemLayout;
using model::Model;
using model::StoredAttribute;
using model::StoredKind;
using model::Table;

bool IsTableKeyOf(const Table& table, const std::string& name) {
  return name == table.partition.text || name == table.sort.text;
}

KeyShape ShapeOf(const AssembleOptions& assemble, const ItemLayout& layout) {
  const StoredAttribute* sort = layout.Find(assemble.sort_name);
  return model::ShapeOf(layout.Find(assemble.partition_name)->key,
                        sort != nullptr ? &sort->key : nullptr);
}

Layout LayoutAsChoice(const AssembleOptions& assemble, const ItemLayout& kept) {
  Layout layout;
  layout.key = ShapeOf(assemble, kept);
  for (const StoredAttribute& stored : kept.attributes) {
    if (stored.kind == StoredKind::kEmbedList) {
      ListChoice list{stored.embedded.text, {}};
      for (const model::Path& path : stored.members) {
        list.members.push_back((path.entity.text.empty() ? "" : path.entity.text + ".") +
                               path.attribute.text);
      }
      layout.lists.push_back(std::move(list));
    }
    if (stored.kind == StoredKind::kCopy) {
      layout.copies.insert(stored.copy.entity.text + "." + stored.copy.attribute.text);
    }
  }
  return layout;
}

// The item without what belongs to indexes.
Result<ItemLayout> BareItem(const Model& model, const Table& table, const ItemLayout& layout) {
  const std::string& entity = layout.entity.text;
  ItemLayout bare = layout;
  bare.attributes.clear();
  bare.without.clear();
  for (const StoredAttribute& stored : layout.attributes) {
    if (stored.kind == StoredKind::kEmbedMap) {
      return ValidationError(entity +
                             " cannot be kept: it holds rows in a map, and only lists are "
                             "in the space of designs");
    }
    if (stored.kind != StoredKind::kTemplate) {
      bare.attributes.push_back(stored);
      continue;
    }
    if (!IsTableKeyOf(table, stored.name.text)) {
      continue;
    }
    for (const std::string& name : stored.key.Attributes()) {
      const model::Attribute* attribute = model.AtName(entity).Find(name);
      if (attribute == nullptr || (stored.key.natural && model::IsNumber(attribute->type))) {
        return ValidationError(entity + " cannot be kept: " + stored.name.text + " = " +
                               stored.key.ToString() + " is no text of its own attributes");
      }
      if (layout.Omits(name)) {
        bare.without.push_back({name, {}});
      }
    }
    bare.attributes.push_back(stored);
  }
  return bare;
}

}  // namespace

Status KeepParts(const Model& model, const std::vector<std::string>& names,
                 AssembleOptions& assemble) {
  const Table* from = nullptr;
  for (const std::string& name : names) {
    bool found = false;
    for (const Table& table : model.tables) {
      for (const ItemLayout& layout : table.items) {
        if (table.name.text != name && layout.entity.text != name) {
          continue;
        }
        found = true;
        if (!layout.of.text.empty()) {
          return ValidationError("`item " + layout.entity.text + " of " + layout.of.text +
                                 "`: a second layout cannot be kept yet");
        }
        if (from != nullptr && from != &table) {
          return ValidationError("items of two tables are to be kept; the design has one table");
        }
        from = &table;
        PJ_ASSIGN_OR_RETURN(assemble.kept[layout.entity.text], BareItem(model, table, layout));
      }
    }
    if (!found) {
      return ValidationError("nothing to keep: the file has neither a table nor items of " + name);
    }
  }
  if (from == nullptr) {
    return {};
  }
  if (from->sort.text.empty() && assemble.kept.size() < model.entities.size()) {
    return ValidationError("table " + from->name.text +
                           " has no sort key, so it cannot hold anything else");
  }
  assemble.table_name = from->name.text;
  assemble.partition_name = from->partition.text;
  assemble.sort_name = from->sort.text;
  assemble.type_attribute = from->type_attribute.text;
  assemble.type_upper = from->type_upper;
  for (const auto& [entity, layout] : assemble.kept) {
    assemble.kept_keys.emplace(model::PartitionMeaning(model, entity, ShapeOf(assemble, layout)),
                               layout.Find(assemble.partition_name)->key);
  }
  return {};
}

void KeepCandidates(const AssembleOptions& assemble, Candidates& candidates) {
  for (const auto& [entity, kept] : assemble.kept) {
    const Layout layout = LayoutAsChoice(assemble, kept);
    candidates[entity].layouts = {layout};
    // Rows in a kept list have no items of their own.
    for (const ListChoice& list : layout.lists) {
      Layout inside;
      inside.own_items = false;
      candidates[list.entity].layouts = {inside};
    }
  }
}

}  // namespace prejoin::design
