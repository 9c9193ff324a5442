#include "tests/audit/planted_fault.h"

#include <algorithm>

#include "audit/finding.h"
#include "audit/item_check.h"
#include "model/data/dataset.h"
#include "model/schema/join.h"

namespace prejoin::audit {
namespace {

using model::ItemLayout;
using model::Model;
using model::StoredAttribute;
using model::StoredKind;
using model::TableItems;

// One place where a fault could be: an item, and an attribute of it.
struct Place {
  TableItems* table = nullptr;
  std::size_t item = 0;
  std::string attribute;

  Item& at() const { return table->items[item]; }
};

class Planter {
 public:
  Planter(const Model& model, FaultKind kind, std::vector<TableItems>& stored)
      : model_(model), kind_(kind), stored_(stored) {
    for (TableItems& table : stored_) {
      for (std::size_t i = 0; i < table.items.size(); ++i) {
        Collect(table, i);
      }
    }
  }

  std::optional<PlantedFault> Plant(std::mt19937_64& random) {
    if (places_.empty()) {
      return std::nullopt;
    }
    const Place place = places_[random() % places_.size()];
    PlantedFault fault{kind_, {}, *KeyOf(*place.table->table, place.at())};
    fault.what = place.table->entities[place.item] + " " + KeyText(fault.key) + ", " +
                 place.attribute + ", kind " + std::to_string(static_cast<int>(kind_));
    Damage(place);
    return fault;
  }

 private:
  void Collect(TableItems& table, std::size_t i) {
    const std::string& entity = table.entities[i];
    if (model::IsLock(entity)) {
      if (kind_ == FaultKind::kLostLock) {
        places_.push_back({&table, i, "lock"});
      }
      return;
    }
    const ItemLayout& layout = *model_.FindPlacement(entity).layout;
    const Item& item = table.items[i];
    for (const StoredAttribute& stored : layout.attributes) {
      const bool table_key = stored.name.text == table.table->partition.text ||
                             stored.name.text == table.table->sort.text;
      if (item.Find(stored.name.text) != nullptr && Fits(stored, table_key, table, i)) {
        places_.push_back({&table, i, stored.name.text});
      }
    }
    CollectOthers(table, i, entity);
    if (!layout.of.text.empty()) {
      CollectSecond(table, i, layout);
    }
  }

  // An item of a second layout, and what it shares with the first.
  void CollectSecond(TableItems& table, std::size_t i, const ItemLayout& layout) {
    if (kind_ == FaultKind::kLostLayout) {
      places_.push_back({&table, i, "item"});
    }
    if (kind_ != FaultKind::kStaleLayout) {
      return;
    }
    const ItemLayout& first = *model_.FindPlacement(layout.of.text).layout;
    for (const model::Attribute& attribute : model_.FindEntity(layout.entity.text)->attributes) {
      const std::string& name = attribute.name.text;
      if (!attribute.is_key && table.items[i].Find(name) != nullptr && !first.Omits(name)) {
        places_.push_back({&table, i, name});
      }
    }
  }

  bool Fits(const StoredAttribute& stored, bool table_key, const TableItems& table,
            std::size_t i) const {
    const bool key = stored.kind == StoredKind::kTemplate && !stored.key.natural;
    const bool list = stored.kind == StoredKind::kEmbedList;
    const AttributeValue& value = *table.items[i].Find(stored.name.text);
    switch (kind_) {
      case FaultKind::kMissingKey:
      case FaultKind::kMalformedKey:
        return key && !table_key;
      case FaultKind::kStaleKey:
        return key && !table_key && OtherKey({nullptr, 0, stored.name.text}, table, i).has_value();
      case FaultKind::kWrongTableKey:
        // An attribute that stands only in the key has nothing to be compared with.
        return key && table_key && !stored.key.Attributes().empty() &&
               OwnNames(stored, table.items[i]);
      case FaultKind::kLostCopy:
        return stored.kind == StoredKind::kCopy;
      case FaultKind::kDriftedCopy:
        return stored.kind == StoredKind::kCopy && !OnlyCopied(model_, stored.copy.entity.text);
      case FaultKind::kDuplicateRow:
        return key && stored.name == table.table->sort && OwnNames(stored, table.items[i]);
      case FaultKind::kWrongTotal:
        return stored.kind == StoredKind::kSum || stored.kind == StoredKind::kCount;
      case FaultKind::kLostEmbeddedRow:
        return list && model_.FindPlacement(stored.embedded.text) && !value.list()->empty();
      default:
        return false;
    }
  }

  void CollectOthers(TableItems& table, std::size_t i, const std::string& entity) {
    const model::Entity& declared = *model_.FindEntity(entity);
    for (const model::Attribute& attribute : declared.attributes) {
      const bool has = table.items[i].Find(attribute.name.text) != nullptr;
      if (kind_ == FaultKind::kDuplicateUnique && attribute.unique && has &&
          Others(table, i).size() > 1) {
        places_.push_back({&table, i, attribute.name.text});
      }
      if (kind_ == FaultKind::kBrokenGuard && has && Guarded(entity, attribute.name.text)) {
        places_.push_back({&table, i, attribute.name.text});
      }
    }
    if (kind_ == FaultKind::kLostSource && PointedAt(table.items[i], declared)) {
      places_.push_back({&table, i, "item"});
    }
  }

  static bool OwnNames(const StoredAttribute& stored, const Item& item) {
    return std::ranges::all_of(stored.key.Attributes(),
                               [&](const std::string& name) { return item.Find(name) != nullptr; });
  }

  bool Guarded(const std::string& entity, const std::string& attribute) const {
    for (const model::Write& write : model_.writes) {
      for (const model::WriteStep& step : write.steps) {
        for (const model::Increment& increment : step.increments) {
          if (step.entity.text == entity && increment.attribute.text == attribute &&
              !step.guard.empty()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  // Whether another item points at this one.
  bool PointedAt(const Item& item, const model::Entity& entity) const {
    for (const TableItems& table : stored_) {
      for (std::size_t i = 0; i < table.items.size(); ++i) {
        if (model::IsLock(table.entities[i]) || &table.items[i] == &item) {
          continue;
        }
        const model::Entity& from = *model_.FindEntity(table.entities[i]);
        const auto columns = model::JoinColumns(from, entity);
        if (columns.empty()) {
          continue;
        }
        const Model::Placement here = model_.FindPlacement(from.name.text);
        const Model::Placement there = model_.FindPlacement(entity.name.text);
        const model::Row row = RowOfStored(model_, here, table.items[i]);
        const model::Row target = RowOfStored(model_, there, item);
        if (std::ranges::all_of(columns, [&](const model::JoinColumn& column) {
              const AttributeValue* a = row.Find(column.from);
              const AttributeValue* b = target.Find(column.to);
              return a != nullptr && b != nullptr && *a == *b;
            })) {
          return true;
        }
      }
    }
    return false;
  }

  // All items of the entity of item `i`.
  static std::vector<std::size_t> Others(const TableItems& table, std::size_t i) {
    std::vector<std::size_t> all;
    for (std::size_t j = 0; j < table.items.size(); ++j) {
      if (table.entities[j] == table.entities[i]) {
        all.push_back(j);
      }
    }
    return all;
  }

  // The same attribute of another item of the entity, with another value.
  static std::optional<AttributeValue> OtherKey(const Place& place, const TableItems& table,
                                                std::size_t i) {
    const AttributeValue* own = table.items[i].Find(place.attribute);
    for (const std::size_t j : Others(table, i)) {
      const AttributeValue* other = table.items[j].Find(place.attribute);
      if (other != nullptr && !(*other == *own)) {
        return *other;
      }
    }
    return std::nullopt;
  }

  static AttributeValue Changed(const AttributeValue& value) {
    if (const Number* number = value.number()) {
      return AttributeValue(*Number::Add(*number, Number(1)));
    }
    return AttributeValue((value.string() != nullptr ? *value.string() : "") + "~other");
  }

  void Damage(const Place& place) {
    Item& item = place.at();
    const AttributeValue* found = item.Find(place.attribute);
    const AttributeValue value = found != nullptr ? *found : AttributeValue();
    std::vector<Item>& items = place.table->items;
    switch (kind_) {
      case FaultKind::kMissingKey:
      case FaultKind::kLostCopy:
        item.Remove(place.attribute);
        break;
      case FaultKind::kMalformedKey:
        item.Set(place.attribute, AttributeValue("!"));
        break;
      case FaultKind::kStaleKey:
        item.Set(place.attribute, *OtherKey(place, *place.table, place.item));
        break;
      case FaultKind::kWrongTableKey:
      case FaultKind::kDriftedCopy:
      case FaultKind::kWrongTotal:
      case FaultKind::kStaleLayout:
        item.Set(place.attribute, Changed(value));
        break;
      case FaultKind::kLostSource:
      case FaultKind::kLostLayout:
      case FaultKind::kLostLock:
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(place.item));
        place.table->entities.erase(place.table->entities.begin() +
                                    static_cast<std::ptrdiff_t>(place.item));
        break;
      case FaultKind::kDuplicateUnique: {
        const auto others = Others(*place.table, place.item);
        const std::size_t other = others[0] == place.item ? others[1] : others[0];
        item.Set(place.attribute, *items[other].Find(place.attribute));
        break;
      }
      case FaultKind::kBrokenGuard:
        item.Set(place.attribute, AttributeValue(9'999));
        break;
      case FaultKind::kDuplicateRow: {
        Item twin = item;
        twin.Set(place.attribute, Changed(value));
        items.push_back(std::move(twin));
        place.table->entities.push_back(place.table->entities[place.item]);
        break;
      }
      case FaultKind::kLostEmbeddedRow: {
        AttributeValue::List list = *value.list();
        list.pop_back();
        item.Set(place.attribute, AttributeValue(std::move(list)));
        break;
      }
    }
  }

  const Model& model_;
  const FaultKind kind_;
  std::vector<TableItems>& stored_;
  std::vector<Place> places_;
};

}  // namespace

std::optional<PlantedFault> PlantFault(const Model& model, FaultKind kind, std::mt19937_64& random,
                                       std::vector<TableItems>& stored) {
  return Planter(model, kind, stored).Plant(random);
}

}  // namespace prejoin::audit
