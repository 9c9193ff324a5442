#include "migrate/rows.h"

#include <algorithm>
#include <set>
#include <utility>

#include "audit/item_check.h"
#include "model/data/item_render.h"
#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::migrate {
namespace {

using model::Entity;
using model::Model;
using model::Row;
using model::StoredAttribute;
using model::StoredKind;

bool IsEmbedding(const StoredAttribute& stored) {
  return stored.kind == StoredKind::kEmbedList || stored.kind == StoredKind::kEmbedMap;
}

// Attributes that the old design makes or declares; everything else an item has is the application's own.
Item ExtrasOf(const Model& before, const Model::Placement& placement, const Item& item) {
  const Entity& entity = before.At(placement.layout->entity);
  std::set<std::string> keys = {placement.table->partition.text, placement.table->sort.text,
                                placement.table->type_attribute.text};
  for (const model::Index& index : placement.table->indexes) {
    for (const model::Name& name : index.partition) {
      keys.insert(name.text);
    }
    for (const model::Name& name : index.sort) {
      keys.insert(name.text);
    }
  }
  Item extras;
  for (const auto& [name, value] : item) {
    const bool known = keys.contains(name) || entity.Find(name) != nullptr ||
                       placement.layout->Find(name) != nullptr;
    if (!known) {
      extras.Set(name, value);
    }
  }
  return extras;
}

}  // namespace

RowReader::RowReader(const Model& before, const Model& after, evolve::EntitySources sources)
    : before_(before), after_(after), sources_(std::move(sources)) {}

const model::ItemLayout* RowReader::LayoutOf(const model::Table& table, const Item& item) const {
  const std::string entity = model::EntityOfItem(before_, table, item);
  for (const model::ItemLayout& layout : table.items) {
    if (layout.entity.text == entity) {
      return &layout;
    }
  }
  return nullptr;
}

std::optional<std::vector<SourceRow>> RowReader::RowsOf(const model::Table& table,
                                                        const Item& item) const {
  std::vector<SourceRow> out;
  if (audit::LockOf(table, item)) {
    return out;
  }
  const model::ItemLayout* layout = LayoutOf(table, item);
  if (layout == nullptr) {
    return std::nullopt;
  }
  const Model::Placement placement{&table, layout};
  const Row row = audit::RowOfStored(before_, placement, item);
  Emit(layout->entity.text, row, ExtrasOf(before_, placement, item), out);
  for (const StoredAttribute& stored : layout->attributes) {
    if (!IsEmbedding(stored) || before_.FindPlacement(stored.embedded.text)) {
      continue;
    }
    for (const Row& inner : model::EmbeddedRows(before_, placement, stored, item)) {
      Emit(stored.embedded.text, inner, {}, out);
    }
  }
  EmitCopied(placement, row, item, out);
  return out;
}

void RowReader::EmitCopied(const Model::Placement& placement, const Row& row, const Item& item,
                           std::vector<SourceRow>& out) const {
  const Entity& entity = before_.At(placement.layout->entity);
  for (const Entity& to : before_.entities) {
    const auto columns = model::JoinColumns(entity, to);
    if (columns.empty() || !audit::OnlyCopied(before_, to.name.text)) {
      continue;
    }
    Row copied;
    for (const model::JoinColumn& column : columns) {
      if (const AttributeValue* value = row.Find(column.from)) {
        copied.Set(column.to, *value);
      }
    }
    for (const StoredAttribute& stored : placement.layout->attributes) {
      const AttributeValue* value = item.Find(stored.name.text);
      if (stored.kind == StoredKind::kCopy && stored.copy.entity == to.name && value != nullptr) {
        copied.Set(stored.copy.attribute.text, *value);
      }
    }
    if (copied.size() > columns.size()) {
      Emit(to.name.text, copied, {}, out);
    }
  }
}

void RowReader::Emit(const std::string& old_entity, const Row& row, const Item& extras,
                     std::vector<SourceRow>& out) const {
  const auto found = sources_.find(old_entity);
  if (found == sources_.end()) {
    return;
  }
  for (const model::Reference<Entity>& name : found->second) {
    SourceRow source{name, {}, name.text == old_entity ? extras : Item()};
    for (const model::Attribute& attribute : after_.At(name).attributes) {
      if (const AttributeValue* value = row.Find(attribute.name.text)) {
        source.row.Set(attribute.name.text, *value);
      }
    }
    out.push_back(std::move(source));
  }
}

}  // namespace prejoin::migrate
