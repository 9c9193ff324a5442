// Every item is turned into facts: "this row is stored here", "this row is pointed at from there, with these copies",
// "this row's total gets 5 more", "this unique value is used here". A fact begins with the row or value that it is about.
// Sorted, all facts about one row stand together, its definition first, so one pass with the memory of one definition
// compares any number of items; fact_sorter.h keeps the sorting in bounds.
//
// A group is named "r", the entity and the key of a row, or "u", the entity, the attribute and the value. A fact is a
// letter, which puts definitions first, and an encoded item with members of one letter.
#include "audit/cross_check.h"

#include <algorithm>

#include "audit/fact.h"
#include "audit/references.h"
#include "audit/second_layouts.h"
#include "model/data/item_render.h"
#include "model/schema/total.h"
#include "value/encoding.h"

namespace prejoin::audit {
namespace {

using model::Entity;
using model::Row;
using model::StoredAttribute;
using model::StoredKind;

bool IsEmbedding(const StoredAttribute& stored) {
  return stored.kind == StoredKind::kEmbedList || stored.kind == StoredKind::kEmbedMap;
}

Item Picked(const Row& row, const std::set<std::string>& names) {
  Item out;
  for (const std::string& name : names) {
    if (const AttributeValue* value = row.Find(name)) {
      out.Set(name, *value);
    }
  }
  return out;
}

}  // namespace

CrossCheck::CrossCheck(const model::Model& model, CrossCheckOptions options)
    : model_(model), options_(std::move(options)), sorter_(options_.memory_bytes) {
  for (const auto* entities : {&model.entities, &model.second_layouts}) {
    for (const Entity& entity : *entities) {
      EntityFacts& facts = entities_[entity.name.text];
      facts.entity = &entity;
      facts.placement = model.FindPlacement(entity.name.text);
      if (facts.placement && !options_.tables.contains(facts.placement.table->name.text)) {
        facts.placement = {};
      }
    }
  }
  for (const Entity& entity : model.entities) {
    Prepare(entity);
  }
  for (const Entity& layout : model.second_layouts) {
    PrepareSecond(layout);
  }
  if (!options_.complete) {
    not_checked_.emplace_back(
        "findings that compare items with each other (orphans, lost copies, totals, lock items), "
        "because only a sample was read");
  }
}

bool CrossCheck::Stored(const Entity& entity) const {
  const EntityFacts& facts = entities_.at(entity.name.text);
  return facts.placement || !facts.lists.empty();
}

void CrossCheck::Prepare(const Entity& entity) {
  EntityFacts& facts = entities_.at(entity.name.text);
  for (const model::Attribute& attribute : entity.attributes) {
    if (attribute.unique) {
      facts.unique.push_back(attribute.name.text);
    }
  }
  const model::ItemLayout* layout = facts.placement.layout;
  for (const Entity& to : model_.entities) {
    std::vector<Link> links;
    for (auto& columns : ReferencesTo(entity, to)) {
      links.push_back({&to, std::move(columns), {}, false, links.empty()});
    }
    if (links.empty()) {
      continue;
    }
    Link& link = links.front();
    for (std::size_t i = 0; layout != nullptr && i < layout->attributes.size(); ++i) {
      const StoredAttribute& stored = layout->attributes[i];
      if (stored.kind != StoredKind::kCopy || stored.copy.entity.text != to.name.text) {
        continue;
      }
      link.copies.push_back(&stored);
      entities_.at(to.name.text).provided.insert(stored.copy.attribute.text);
      link.key_from_copy = link.key_from_copy ||
                           std::ranges::any_of(layout->attributes, [&](const StoredAttribute& key) {
                             return std::ranges::count(key.key.Attributes(), stored.name.text) > 0;
                           });
    }
    for (Link& one : links) {
      facts.links.push_back(std::move(one));
    }
  }
  if (layout == nullptr) {
    return;
  }
  for (const model::Name& lock : layout->locks) {
    if (std::ranges::count(facts.unique, lock.text) == 0) {
      facts.unique.push_back(lock.text);
    }
  }
  for (const StoredAttribute& stored : layout->attributes) {
    if (IsEmbedding(stored)) {
      EntityFacts& inner = entities_.at(stored.embedded.text);
      inner.lists.push_back({entity, stored.name.text});
      for (const model::Path& path : model::EmbeddedMembers(model_, entity, stored)) {
        const bool own = path.entity.text.empty() || path.entity.text == stored.embedded.text;
        entities_.at(own ? stored.embedded.text : path.entity.text)
            .provided.insert(path.attribute.text);
      }
    } else if (model::IsTotal(stored)) {
      facts.totals.push_back(&stored);
      const Entity& child = model_.At(stored.copy.entity);
      entities_.at(child.name.text)
          .shares.push_back({&entity, model::JoinColumns(child, entity), &stored});
    }
  }
}

// Its copies are compared like any; its attributes, with those of the first layout.
void CrossCheck::PrepareSecond(const Entity& layout) {
  Prepare(layout);
  EntityFacts& facts = entities_.at(layout.name.text);
  std::erase_if(facts.links, [](const Link& link) { return link.copies.empty(); });
  for (const model::Attribute& attribute : layout.attributes) {
    entities_.at(layout.rows_of.text).provided.insert(attribute.name.text);
  }
}

Status CrossCheck::AddSecond(const EntityFacts& facts, const PlacedRow& placed) {
  PJ_RETURN_IF_ERROR(AddLinks(facts, placed));
  const std::string tuple = model::TupleText(placed.row, facts.entity->KeyNames());
  if (tuple.empty() || !entities_.at(facts.entity->rows_of.text).placement) {
    return {};
  }
  Item fact = placed.Place();
  fact.Set(kFrom, AttributeValue(facts.entity->name.text));
  fact.Set(kWhole, AttributeValue(*placed.item));
  return sorter_.Add(RowGroup(facts.entity->rows_of.text, tuple), kSecond + EncodeItem(fact));
}

Status CrossCheck::Add(const CheckedItem& checked, const Item& item) {
  if (checked.lock) {
    Item fact{{kTable, AttributeValue(checked.placement.table->name.text)},
              {kKey, AttributeValue(checked.key)}};
    return sorter_.Add(UniqueGroup(checked.lock->layout->entity.text, checked.lock->attribute,
                                   checked.lock->value),
                       kLock + EncodeItem(fact));
  }
  const EntityFacts& facts = entities_.at(checked.placement.layout->entity.text);
  if (facts.entity->rows_of.given()) {
    return AddSecond(facts, {checked, checked.row, &item});
  }
  PJ_RETURN_IF_ERROR(AddRow(facts, {checked, checked.row, &item}));
  return AddEmbedded(checked, item);
}

Status CrossCheck::AddRow(const EntityFacts& facts, const PlacedRow& placed) {
  PJ_RETURN_IF_ERROR(AddDefinition(facts, placed));
  PJ_RETURN_IF_ERROR(AddLinks(facts, placed));
  // Rows of a list that have items of their own are counted there.
  if (placed.item == nullptr && facts.placement) {
    return {};
  }
  PJ_RETURN_IF_ERROR(AddShares(facts, placed));
  return AddUnique(facts, placed);
}

Item CrossCheck::PlacedRow::Place() const {
  return {{kTable, AttributeValue(checked.placement.table->name.text)},
          {kKey, AttributeValue(checked.key)}};
}

Status CrossCheck::AddDefinition(const EntityFacts& facts, const PlacedRow& placed) {
  const std::string tuple = model::TupleText(placed.row, facts.entity->KeyNames());
  if (placed.item == nullptr || tuple.empty()) {
    return {};
  }
  Item fact = placed.Place();
  fact.Set(kValues, AttributeValue(Picked(placed.row, facts.provided)));
  Item totals;
  for (const StoredAttribute* total : facts.totals) {
    if (const AttributeValue* value = placed.item->Find(total->name.text)) {
      totals.Set(total->name.text, *value);
    }
  }
  fact.Set(kTotals, AttributeValue(std::move(totals)));
  fact.Set(kExpectedLists, ExpectedLists(model_, *facts.entity, placed.row, facts.lists));
  return sorter_.Add(RowGroup(facts.entity->name.text, tuple), kDefinition + EncodeItem(fact));
}

Status CrossCheck::AddLinks(const EntityFacts& facts, const PlacedRow& placed) {
  const Item* item = placed.item;
  for (const Link& link : facts.links) {
    const std::string target = TargetTuple(placed.row, *link.to, link.columns);
    Item foreign;
    for (const std::string& name : entities_.at(link.to->name.text).provided) {
      if (const AttributeValue* value = placed.row.Find(link.to->name.text + "." + name);
          value != nullptr && link.first) {
        foreign.Set(name, *value);
      }
    }
    const bool owned_elsewhere = item == nullptr && facts.placement;
    const bool comparable =
        Stored(*link.to) || (!link.copies.empty() && OnlyCopied(model_, link.to->name.text));
    if (target.empty() || !comparable || (owned_elsewhere && foreign.empty())) {
      continue;
    }
    Item fact = placed.Place();
    fact.Set(kFrom, AttributeValue(facts.entity->name.text));
    fact.Set(kBy, AttributeValue(link.columns[0].from));
    Item copies;
    for (const StoredAttribute* copy : link.copies) {
      const AttributeValue* value = item != nullptr ? item->Find(copy->name.text) : nullptr;
      if (value != nullptr) {
        copies.Set(copy->name.text, *value);
      }
    }
    fact.Set(kCopies, AttributeValue(std::move(copies)));
    fact.Set(kForeign, AttributeValue(std::move(foreign)));
    if (item != nullptr && link.key_from_copy) {
      fact.Set(kWhole, AttributeValue(*item));
    }
    PJ_RETURN_IF_ERROR(
        sorter_.Add(RowGroup(link.to->name.text, target), kReference + EncodeItem(fact)));
  }
  return {};
}

Status CrossCheck::AddShares(const EntityFacts& facts, const PlacedRow& placed) {
  for (const Share& share : facts.shares) {
    const std::string target = TargetTuple(placed.row, *share.parent, share.columns);
    const AttributeValue* value = placed.row.Find(share.total->copy.attribute.text);
    const bool sum = share.total->kind == StoredKind::kSum;
    if (target.empty() || (sum && (value == nullptr || value->number() == nullptr))) {
      continue;
    }
    const Item fact{{kName, AttributeValue(share.total->name.text)},
                    {kAmount, sum ? *value : AttributeValue(1)}};
    PJ_RETURN_IF_ERROR(
        sorter_.Add(RowGroup(share.parent->name.text, target), kShare + EncodeItem(fact)));
  }
  return {};
}

Status CrossCheck::AddUnique(const EntityFacts& facts, const PlacedRow& placed) {
  for (const std::string& name : facts.unique) {
    const AttributeValue* value = placed.row.Find(name);
    model::TemplatePart part;
    part.attribute = name;
    const auto text = value != nullptr ? model::RenderPart(part, *value) : std::nullopt;
    if (!text) {
      continue;
    }
    Item fact = placed.Place();
    if (facts.placement) {
      model::ItemLayout one_lock;
      one_lock.entity = facts.placement.layout->entity;
      for (const model::Name& lock : facts.placement.layout->locks) {
        if (lock.text == name) {
          one_lock.locks.push_back(lock);
        }
      }
      for (Item& lock : model::RenderLocks({facts.placement.table, &one_lock}, placed.row)) {
        fact.Set(kLockItem, AttributeValue(std::move(lock)));
      }
    }
    PJ_RETURN_IF_ERROR(sorter_.Add(UniqueGroup(facts.entity->name.text, name, *text),
                                   kDefinition + EncodeItem(fact)));
  }
  return {};
}

Status CrossCheck::AddEmbedded(const CheckedItem& checked, const Item& item) {
  for (const StoredAttribute& stored : checked.placement.layout->attributes) {
    if (!IsEmbedding(stored)) {
      continue;
    }
    const EntityFacts& facts = entities_.at(stored.embedded.text);
    const Entity& entity = *facts.entity;
    for (const Row& row : model::EmbeddedRows(model_, checked.placement, stored, item)) {
      const std::string tuple = model::TupleText(row, entity.KeyNames());
      if (!tuple.empty()) {
        Item fact{
            {kTable, AttributeValue(checked.placement.table->name.text)},
            {kKey, AttributeValue(checked.key)},
            {kList, AttributeValue(checked.placement.layout->entity.text + "." + stored.name.text)},
            {kValues, AttributeValue(Picked(row, facts.provided))}};
        fact.Set(kExpectedLists, ExpectedLists(model_, entity, row, facts.lists));
        PJ_RETURN_IF_ERROR(
            sorter_.Add(RowGroup(entity.name.text, tuple), kEmbedded + EncodeItem(fact)));
      }
      PJ_RETURN_IF_ERROR(AddRow(facts, {checked, row, nullptr}));
    }
  }
  return {};
}

}  // namespace prejoin::audit
