// An item is recognised first, then compared with what the model makes of it. Recognition: its label, if the key fits that entity too;
// else the entity whose templates read the key, if fewer required attributes are missing under it. From the item a row is read (attributes,
// and what only is in keys), the row is rendered again, and each stored attribute is compared with the rendered one. `fixed` collects
// what the item should be; facts about other items (copies, totals, references) are left to cross_check.cc.
//
// A promise is a bound that every write keeps by its condition: `people += 1 if people < 50` promises 50 at most, unless another write
// moves the attribute without a condition (Voided).
#include "audit/item_check.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

#include "model/data/item_render.h"
#include "model/plan/section_access.h"
#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::audit {
namespace {

using model::Attribute;
using model::Comparison;
using model::Entity;
using model::ItemLayout;
using model::KeyTemplate;
using model::Model;
using model::Row;
using model::StoredAttribute;
using model::StoredKind;
using model::Table;
using model::TemplatePart;

std::array<const model::Name*, 2> KeyNamesOf(const Table& table) {
  return {&table.partition, &table.sort};
}

bool IsTableKey(const Table& table, std::string_view name) {
  return name == table.partition.text || name == table.sort.text;
}

bool KeyFits(const Table& table, const ItemLayout& layout, const Item& key) {
  return std::ranges::all_of(KeyNamesOf(table), [&](const model::Name* name) {
    if (name->text.empty()) {
      return true;
    }
    const AttributeValue* value = key.Find(name->text);
    const StoredAttribute* stored = layout.Find(name->text);
    if (value == nullptr || stored == nullptr) {
      return false;
    }
    if (stored->key.natural) {
      return true;
    }
    return value->string() != nullptr && model::ReadKey(stored->key, *value->string()).has_value();
  });
}

// Counts the attributes that the entity must have and this item lacks.
std::size_t Lacking(const Model& model, const ItemLayout& layout, const Item& item) {
  const Entity& entity = model.At(layout.entity);
  return static_cast<std::size_t>(
      std::ranges::count_if(entity.attributes, [&](const Attribute& attribute) {
        return !attribute.optional && !layout.Omits(attribute.name.text) &&
               item.Find(attribute.name.text) == nullptr;
      }));
}

// Decides by the label, where the key fits it too; by the key, where the attributes fit that one better.
const ItemLayout* LayoutOf(const Model& model, const Table& table, const Item& item,
                           const Item& key) {
  const auto named = [&](std::string_view entity) -> const ItemLayout* {
    for (const ItemLayout& layout : table.items) {
      if (layout.entity.text == entity) {
        return &layout;
      }
    }
    return nullptr;
  };
  const ItemLayout* labelled = nullptr;
  const AttributeValue* label =
      table.type_attribute.text.empty() ? nullptr : item.Find(table.type_attribute.text);
  if (label != nullptr && label->string() != nullptr) {
    for (const ItemLayout& layout : table.items) {
      if (model::TypeValue(table, layout.entity.text) == *label->string()) {
        labelled = &layout;
      }
    }
  }
  if (labelled != nullptr && KeyFits(table, *labelled, key)) {
    return labelled;
  }
  const ItemLayout* by_key = named(model::EntityOfItem(model, table, key));
  if (labelled == nullptr || by_key == nullptr) {
    return labelled != nullptr ? labelled : by_key;
  }
  return Lacking(model, *by_key, item) < Lacking(model, *labelled, item) ? by_key : labelled;
}

std::optional<Number> PlusBy(const Number& number, double by) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.12g", by);
  const auto step = Number::Parse(text);
  if (!step) {
    return std::nullopt;
  }
  const auto sum = Number::Add(number, *step);
  return sum ? std::optional<Number>(*sum) : std::nullopt;
}

// The greatest or least value of a guarded counter; nullopt if the guard does not bound it.
std::optional<Promise> PromiseOf(const model::WriteStep& step, const model::Increment& increment) {
  for (const model::Condition& guard : step.guard) {
    const bool up = increment.by > 0;
    const bool below =
        guard.comparison == Comparison::kLess || guard.comparison == Comparison::kLessOrEqual;
    const bool above =
        guard.comparison == Comparison::kGreater || guard.comparison == Comparison::kGreaterOrEqual;
    if (guard.attribute.text != increment.attribute.text || !(up ? below : above)) {
      continue;
    }
    const Number* limit =
        guard.operands[0].parameter.empty() ? guard.operands[0].literal.number() : nullptr;
    const auto bound = limit != nullptr ? PlusBy(*limit, increment.by) : std::nullopt;
    if (bound) {
      return Promise{increment.attribute.text, guard.comparison, *bound, {}};
    }
  }
  return std::nullopt;
}

bool Moves(const model::WriteStep& step, const Promise& promise, bool up) {
  for (const model::Increment& increment : step.increments) {
    if (increment.attribute.text == promise.attribute) {
      return (increment.by > 0) == up && !PromiseOf(step, increment);
    }
  }
  return std::ranges::any_of(
      step.set, [&](const model::Name& name) { return name.text == promise.attribute; });
}

// True if some write moves the attribute that way without a condition.
bool Voided(const Model& model, const std::string& entity, const Promise& promise, bool up) {
  for (const model::Write& write : model.writes) {
    for (const model::WriteStep& step : write.steps) {
      if (step.kind == model::WriteKind::kUpdate && step.entity.text == entity &&
          Moves(step, promise, up)) {
        return true;
      }
    }
  }
  return false;
}

bool Holds(const Promise& promise, const Number& value) {
  const auto order = value <=> promise.bound;
  switch (promise.comparison) {
    case Comparison::kLess:
      return order < 0;
    case Comparison::kLessOrEqual:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

Finding& Report(CheckedItem& checked, FindingKind kind, const std::string& attribute,
                std::string message) {
  Finding& finding = checked.findings.emplace_back();
  finding.kind = kind;
  finding.table = checked.placement.table->name.text;
  finding.key = checked.key;
  if (checked.placement) {
    finding.entity = checked.placement.layout->entity.text;
  }
  finding.attribute = attribute;
  finding.message = std::move(message);
  return finding;
}

// Begins with a year and a separator or a digit: what sorts as time passes.
bool IsMoment(std::string_view text) {
  constexpr std::size_t kYearDigits = 4;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return text.size() >= kYearDigits && std::ranges::all_of(text.substr(0, kYearDigits), is_digit);
}

void CheckType(const Attribute& attribute, const AttributeValue& value, CheckedItem& checked) {
  const std::string& name = attribute.name.text;
  const model::AttributeTypeTraits& traits = model::TraitsOf(attribute.type);
  if (value.type() != traits.stored) {
    Report(checked, FindingKind::kWrongAttribute, name,
           name + " is of type " + std::string(TypeName(value.type())) + "; " +
               std::string(traits.word) + " is stored as " + std::string(TypeName(traits.stored)));
  } else if (!attribute.values.empty() &&
             std::ranges::find(attribute.values, value) == attribute.values.end()) {
    Report(checked, FindingKind::kWrongAttribute, name,
           name + " is " + ShownValue(value) + ", which is not one of its values");
  } else if (traits.moment && !IsMoment(*value.string())) {
    Report(checked, FindingKind::kWrongAttribute, name,
           name + " is " + ShownValue(value) + ", which is not a valid " +
               std::string(traits.word) +
               ": it must begin with a year, like 2026-01-31, to sort correctly");
  } else if (const std::string fault = model::MemberFault(attribute, value); !fault.empty()) {
    Report(checked, FindingKind::kWrongAttribute, name, fault);
  }
}

bool IsTotal(const ItemLayout& layout, std::string_view name) {
  const StoredAttribute* stored = layout.Find(name);
  return stored != nullptr && model::IsTotal(*stored);
}

// A copy of a value that is stored nowhere else cannot be compared, but it must exist.
void CheckLostCopy(const Model& model, const StoredAttribute& stored, CheckedItem& checked) {
  const Entity& source = model.At(stored.copy.entity);
  const Attribute* attribute = source.Find(stored.copy.attribute.text);
  if (attribute == nullptr || attribute->optional || !OnlyCopied(model, source.name.text)) {
    return;
  }
  const Entity& entity = model.At(checked.placement.layout->entity);
  for (const model::JoinColumn& column : model::JoinColumns(entity, source)) {
    if (checked.row.Find(column.from) == nullptr) {
      return;
    }
  }
  Report(checked, FindingKind::kLostCopy, stored.name.text,
         stored.name.text + ", a copy of " + source.name.text + "." + attribute->name.text +
             ", is missing");
}

// The key with what the item says about it. Parts that cut or fold an attribute which the item does not keep are taken as they stand:
// `{geohash first 6}` of an item without a geohash. Nullopt if the template does not read the key, or lacks another attribute.
std::optional<AttributeValue> KeyAsFarAsKnown(const ItemLayout& layout, const KeyTemplate& key,
                                              const std::string& text,
                                              const model::AttributeLookup& lookup) {
  KeyTemplate known = key;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < known.parts.size(); ++i) {
    TemplatePart& part = known.parts[i];
    if (part.is_literal() || part.gives_back() || !layout.Omits(part.attribute) ||
        lookup(part.attribute) != nullptr) {
      continue;
    }
    part = TemplatePart();
    part.attribute =
        "part " + std::to_string(i);  // No attribute's name: two parts may cut the same one.
    taken.insert(part.attribute);
  }
  const auto read = taken.empty() ? std::nullopt : model::ReadKey(known, text);
  if (!read) {
    return std::nullopt;
  }
  std::map<std::string, AttributeValue> values;
  for (const std::string& name : taken) {
    values.emplace(name, AttributeValue(read->at(name)));
  }
  return model::RenderKey(known, [&](std::string_view name) {
    const auto value = values.find(std::string(name));
    return value != values.end() ? &value->second : lookup(name);
  });
}

void CompareKey(const StoredAttribute& stored, const AttributeValue* value,
                const model::AttributeLookup& lookup, CheckedItem& checked) {
  const std::string& name = stored.name.text;
  // A value that the key cannot hold needs a person: neither another key nor none would be right.
  if (const std::string why = model::WhyNoKey(stored.key, lookup); !why.empty()) {
    Report(checked, FindingKind::kMalformedKey, name,
           name + " is " + (value != nullptr ? ShownValue(*value) : "missing") +
               " and is ambiguous as part of a key: " + why);
    return;
  }
  std::optional<AttributeValue> expected = model::RenderKey(stored.key, lookup);
  if (value == nullptr && !expected) {
    return;
  }
  if (!expected && value->string() != nullptr) {
    expected = KeyAsFarAsKnown(*checked.placement.layout, stored.key, *value->string(), lookup);
  }
  if (value != nullptr && expected && *value == *expected) {
    return;
  }
  if (!expected) {
    std::string absent;
    for (const std::string& attribute : stored.key.Attributes()) {
      if (checked.row.Find(attribute) == nullptr) {
        absent += (absent.empty() ? "" : ", ") + attribute;
      }
    }
    const bool table_key = IsTableKey(*checked.placement.table, name);
    Report(checked, table_key ? FindingKind::kMalformedKey : FindingKind::kSurplusKey, name,
           name + " is " + ShownValue(*value) +
               (table_key ? ", which does not match " + stored.key.ToString()
                          : "; the key should be absent, because " +
                                (absent.empty() ? "an attribute of it" : absent) + " is"));
    if (!table_key) {
      checked.mended.Remove(name);
    }
    return;
  }
  checked.mended.Set(name, *expected);
  if (value == nullptr) {
    Report(checked, FindingKind::kMissingKey, name,
           name + " is missing; it should be " + ShownValue(*expected));
    return;
  }
  const bool fits = stored.key.natural ||
                    (value->string() != nullptr && model::ReadKey(stored.key, *value->string()));
  Report(checked, fits ? FindingKind::kStaleKey : FindingKind::kMalformedKey, name,
         name + " is " + ShownValue(*value) + "; the attributes give " + ShownValue(*expected));
}

}  // namespace

bool OnlyCopied(const Model& model, std::string_view entity) {
  if (model.FindPlacement(entity)) {
    return false;
  }
  return std::ranges::none_of(model.tables, [&](const Table& table) {
    return std::ranges::any_of(table.items, [&](const ItemLayout& layout) {
      return std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
        return stored.embedded.text == entity;
      });
    });
  });
}

std::optional<Item> KeyOf(const Table& table, const Item& item) {
  Item key;
  for (const model::Name* name : KeyNamesOf(table)) {
    if (name->text.empty()) {
      continue;
    }
    const AttributeValue* value = item.Find(name->text);
    if (value == nullptr) {
      return std::nullopt;
    }
    key.Set(name->text, *value);
  }
  return key;
}

std::optional<LockName> LockOf(const Table& table, const Item& item) {
  const AttributeValue* value = item.Find(table.partition.text);
  const std::string* text = value != nullptr ? value->string() : nullptr;
  if (text == nullptr || !text->starts_with("UNIQUE#")) {
    return std::nullopt;
  }
  for (const ItemLayout& layout : table.items) {
    for (const model::Name& name : layout.locks) {
      const std::string prefix = model::LockPrefix(layout.entity.text, name.text);
      if (text->starts_with(prefix)) {
        return LockName{&layout, name.text, text->substr(prefix.size())};
      }
    }
  }
  return std::nullopt;
}

Row RowOfStored(const Model& model, const Model::Placement& placement, const Item& item) {
  const Row any = model::RowOfItem(model, placement, item);
  const auto key = KeyOf(*placement.table, item);
  const Row from_key = key ? model::RowOfItem(model, placement, *key) : Row();
  Row row;
  for (const Attribute& attribute : model.At(placement.layout->entity).attributes) {
    const AttributeValue* value = item.Find(attribute.name.text);
    if (value == nullptr) {
      value = from_key.Find(attribute.name.text);
    }
    // An index key whose attribute is absent says nothing: it may be the key that is wrong.
    if (value == nullptr && (!attribute.optional || placement.layout->Omits(attribute.name.text))) {
      value = any.Find(attribute.name.text);
    }
    if (value != nullptr) {
      row.Set(attribute.name.text, *value);
    }
  }
  return row;
}

ItemChecker::ItemChecker(const Model& model) : model_(model) {
  for (const model::Write& write : model.writes) {
    for (const model::WriteStep& step : write.steps) {
      if (step.kind != model::WriteKind::kUpdate) {
        continue;
      }
      for (const model::Increment& increment : step.increments) {
        auto promise = PromiseOf(step, increment);
        if (!promise || Voided(model, step.entity.text, *promise, increment.by > 0)) {
          continue;
        }
        promise->write = write.name.text;
        promises_[step.entity.text].push_back(*std::move(promise));
      }
    }
  }
}

CheckedItem ItemChecker::Check(const Table& table, const Item& item) const {
  CheckedItem checked;
  checked.placement.table = &table;
  const auto key = KeyOf(table, item);
  if (!key) {
    Report(checked, FindingKind::kUnknownItem, table.partition.text,
           "the item lacks the table's key");
    return checked;
  }
  checked.key = *key;
  checked.lock = LockOf(table, item);
  if (checked.lock) {
    return checked;
  }
  checked.placement.layout = LayoutOf(model_, table, item, checked.key);
  if (!checked.placement) {
    Report(checked, FindingKind::kUnknownItem, {},
           "the item matches no `item` of table " + table.name.text);
    return checked;
  }
  checked.mended = item;
  checked.row = RowOfStored(model_, checked.placement, item);
  CheckKeys(item, checked);
  CheckLabel(item, checked);
  CheckAttributes(item, checked);
  CheckPromises(checked);
  return checked;
}

void ItemChecker::CheckKeys(const Item& item, CheckedItem& checked) const {
  const ItemLayout& layout = *checked.placement.layout;
  const model::AttributeLookup lookup = [&](std::string_view name) {
    const AttributeValue* value = checked.row.Find(name);
    if (value != nullptr) {
      return value;
    }
    const StoredAttribute* stored = layout.Find(name);
    return stored != nullptr && stored->kind == StoredKind::kCopy ? item.Find(name) : nullptr;
  };
  for (const StoredAttribute& stored : layout.attributes) {
    const AttributeValue* value = item.Find(stored.name.text);
    if (stored.kind == StoredKind::kTemplate) {
      CompareKey(stored, value, lookup, checked);
    } else if (stored.kind == StoredKind::kCopy && value == nullptr) {
      CheckLostCopy(model_, stored, checked);
    } else if (value != nullptr && ((stored.kind == StoredKind::kEmbedList && !value->list()) ||
                                    (stored.kind == StoredKind::kEmbedMap && !value->map()))) {
      Report(checked, FindingKind::kWrongAttribute, stored.name.text,
             stored.name.text + " is " + ShownValue(*value) + " instead of a list of " +
                 stored.embedded.text);
    }
  }
}

void ItemChecker::CheckLabel(const Item& item, CheckedItem& checked) const {
  const Table& table = *checked.placement.table;
  const std::string& name = table.type_attribute.text;
  if (name.empty()) {
    return;
  }
  const AttributeValue expected(model::TypeValue(table, checked.placement.layout->entity.text));
  const AttributeValue* value = item.Find(name);
  if (value != nullptr && *value == expected) {
    return;
  }
  checked.mended.Set(name, expected);
  Report(checked, value == nullptr ? FindingKind::kMissingAttribute : FindingKind::kWrongAttribute,
         name,
         name + (value == nullptr ? " is missing" : " is " + ShownValue(*value)) +
             "; the item's entity is " + checked.placement.layout->entity.text);
}

void ItemChecker::CheckAttributes(const Item& item, CheckedItem& checked) const {
  const ItemLayout& layout = *checked.placement.layout;
  for (const Attribute& attribute : model_.At(layout.entity).attributes) {
    const std::string& name = attribute.name.text;
    if (const AttributeValue* value = item.Find(name)) {
      CheckType(attribute, *value, checked);
      continue;
    }
    const AttributeValue* known = checked.row.Find(name);
    const bool may_lack = layout.Omits(name) || IsTotal(layout, name);
    // A value that is kept in keys only is lost with them.
    if (known == nullptr && !attribute.optional && layout.Omits(name) &&
        model::CanRead(model_, layout.entity, name, {checked.placement.table, nullptr})) {
      Report(checked, FindingKind::kMissingAttribute, name,
             name + " is missing: only a key that the item lacks contains it");
    }
    if (may_lack || (attribute.optional && known == nullptr)) {
      continue;
    }
    if (known != nullptr) {
      checked.mended.Set(name, *known);
    }
    Report(checked, FindingKind::kMissingAttribute, name,
           name + " is missing" +
               (known != nullptr ? "; the keys give " + ShownValue(*known) : std::string()));
  }
}

void ItemChecker::CheckPromises(CheckedItem& checked) const {
  const auto found = promises_.find(model_.RowsOf(checked.placement.layout->entity.text));
  if (found == promises_.end()) {
    return;
  }
  for (const Promise& promise : found->second) {
    const AttributeValue* value = checked.row.Find(promise.attribute);
    if (value == nullptr || value->number() == nullptr || Holds(promise, *value->number())) {
      continue;
    }
    Report(checked, FindingKind::kBrokenGuard, promise.attribute,
           promise.attribute + " is " + ShownValue(*value) + "; the condition of the write " +
               promise.write + " keeps it " +
               std::string(model::ComparisonName(promise.comparison)) + " " +
               promise.bound.ToString());
  }
}

}  // namespace prejoin::audit
