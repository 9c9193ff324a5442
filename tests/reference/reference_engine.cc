#include "tests/reference/reference_engine.h"

#include <algorithm>
#include <cmath>

namespace prejoin::reference {
namespace {

constexpr std::size_t kPageBytes = 1024 * 1024;
constexpr std::size_t kItemBytes = 400 * 1024;

double WriteUnits(std::size_t bytes) {
  return std::max(1.0, std::ceil(static_cast<double>(bytes) / 1024));
}

bool IsEmpty(const AttributeValue& value) {
  return (value.string() && value.string()->empty()) || (value.binary() && value.binary()->empty());
}

bool TermHolds(const KeyTerm& term, const AttributeValue& value) {
  if (term.op == "BETWEEN") {
    return Compare(value, term.value) >= 0 && Compare(value, term.high) <= 0;
  }
  if (term.op == "begins_with") {
    return value.string() ? value.string()->starts_with(*term.value.string())
                          : value.binary()->starts_with(*term.value.binary());
  }
  const int order = Compare(value, term.value);
  return (term.op == "=" && order == 0) || (term.op == "<" && order < 0) ||
         (term.op == "<=" && order <= 0) || (term.op == ">" && order > 0) ||
         (term.op == ">=" && order >= 0);
}

Item Only(const Item& item, const std::vector<std::string>& names) {
  Item part;
  for (const std::string& name : names) {
    if (const AttributeValue* value = item.Find(name)) {
      part.Set(name, *value);
    }
  }
  return part;
}

}  // namespace

double Units::Total() const {
  double total = table;
  for (const auto* indexes : {&local, &global}) {
    for (const auto& [name, units] : *indexes) {
      total += units;
    }
  }
  return total;
}

void Units::Add(const Units& other, double table_factor) {
  table += other.table * table_factor;
  for (const auto& [name, units] : other.local) {
    local[name] += units;
  }
  for (const auto& [name, units] : other.global) {
    global[name] += units;
  }
}

double ReadUnits(std::size_t bytes, Reading reading) {
  const double blocks = std::max(1.0, std::ceil(static_cast<double>(bytes) / 4096));
  return reading == Reading::kEventual ? blocks / 2
         : reading == Reading::kStrong ? blocks
                                       : blocks * 2;
}

Table::Table(const CreateTableInput& schema) : schema_(schema) {
  for (const AttributeDefinition& definition : schema.attribute_definitions) {
    types_[definition.attribute_name] = definition.type;
  }
}

bool Table::IsKey(const std::string& attribute) const {
  return std::ranges::find(schema_.key_schema, attribute, &KeySchemaElement::attribute_name) !=
         schema_.key_schema.end();
}

std::vector<const IndexSpecification*> Table::Indexes() const {
  std::vector<const IndexSpecification*> all;
  for (const auto* indexes : {&schema_.local_indexes, &schema_.global_indexes}) {
    if (*indexes) {
      for (const IndexSpecification& index : **indexes) {
        all.push_back(&index);
      }
    }
  }
  return all;
}

const IndexSpecification* Table::FindIndex(const std::string& index_name) const {
  for (const IndexSpecification* index : Indexes()) {
    if (index->index_name == index_name) {
      return index;
    }
  }
  return nullptr;
}

bool Table::IsLocal(const std::string& index_name) const {
  return schema_.local_indexes &&
         std::ranges::find(*schema_.local_indexes, index_name, &IndexSpecification::index_name) !=
             schema_.local_indexes->end();
}

const Item* Table::Find(const Item& key) const {
  const auto found = items_.find(KeyValues(key));
  return found == items_.end() ? nullptr : &found->second;
}

Table::Key Table::KeyValues(const Item& item) const {
  Key key;
  for (const KeySchemaElement& element : schema_.key_schema) {
    key.push_back(*item.Find(element.attribute_name));
  }
  return key;
}

Item Table::KeyOf(const Item& item) const {
  Item key;
  for (const KeySchemaElement& element : schema_.key_schema) {
    key.Set(element.attribute_name, *item.Find(element.attribute_name));
  }
  return key;
}

void Table::AddIndex(const IndexSpecification& index,
                     const std::vector<AttributeDefinition>& definitions) {
  if (!schema_.global_indexes) {
    schema_.global_indexes.emplace();
  }
  schema_.global_indexes->push_back(index);
  for (const AttributeDefinition& definition : definitions) {
    if (types_.emplace(definition.attribute_name, definition.type).second) {
      schema_.attribute_definitions.push_back(definition);
    }
  }
}

void Table::DropIndex(const std::string& index_name) {
  std::erase_if(*schema_.global_indexes,
                [&](const IndexSpecification& index) { return index.index_name == index_name; });
  // An attribute that is no key any more has no type any more.
  std::erase_if(schema_.attribute_definitions, [&](const AttributeDefinition& definition) {
    const std::string& name = definition.attribute_name;
    bool used = IsKey(name);
    for (const IndexSpecification* index : Indexes()) {
      used =
          used || std::ranges::find(index->key_schema, name, &KeySchemaElement::attribute_name) !=
                      index->key_schema.end();
    }
    if (!used) {
      types_.erase(name);
    }
    return !used;
  });
}

void Table::Put(const Item& item) { items_[KeyValues(item)] = item; }
void Table::Remove(const Item& key) { items_.erase(KeyValues(key)); }

// Values that are there, and are not what they were, must be fit to be index keys.
bool Table::IndexKeysFit(const Item& item, const Item* old_item) const {
  for (const IndexSpecification* index : Indexes()) {
    for (const KeySchemaElement& element : index->key_schema) {
      const std::string& name = element.attribute_name;
      const AttributeValue* value = item.Find(name);
      if (value == nullptr || IsKey(name)) {
        continue;
      }
      const AttributeValue* old_value = old_item ? old_item->Find(name) : nullptr;
      if (old_value != nullptr && *old_value == *value) {
        continue;
      }
      const std::size_t most = element.key_type == KeyType::kHash ? 2048 : 1024;
      if (!HasType(*value, types_.at(name)) || IsEmpty(*value) || SizeBytes(*value) > most) {
        return false;
      }
    }
  }
  return true;
}

bool Table::SetsEmptyIndexKey(const Write& write) const {
  for (const IndexSpecification* index : Indexes()) {
    for (const KeySchemaElement& element : index->key_schema) {
      const std::string& name = element.attribute_name;
      if (IsKey(name)) {
        continue;
      }
      const AttributeValue* put = write.item_or_key.Find(name);
      if (put != nullptr && IsEmpty(*put)) {
        return true;
      }
      for (const Action& action : write.update.value_or(Update())) {
        if (action.kind == Action::Kind::kSet && action.target.attribute == name &&
            IsEmpty(action.value)) {
          return true;
        }
      }
    }
  }
  return false;
}

WriteOutcome Table::Plan(const Write& write) const {
  WriteOutcome outcome;
  const Item* current = Find(write.item_or_key);
  if (write.action == TransactAction::kPut && !IndexKeysFit(write.item_or_key, nullptr)) {
    outcome.error = ErrorCode::kValidation;
    return outcome;
  }
  if (current != nullptr) {
    outcome.old_item = *current;
  }
  if (write.condition && !Holds(*write.condition, current ? *current : Item())) {
    outcome.error = ErrorCode::kConditionalCheckFailed;
    return outcome;
  }
  const std::size_t old_size = current ? SizeBytes(*current) : 0;
  switch (write.action) {
    case TransactAction::kConditionCheck:
      outcome.units.table = WriteUnits(old_size);
      return outcome;
    case TransactAction::kDelete:
      break;
    case TransactAction::kPut:
      outcome.new_item = write.item_or_key;
      break;
    case TransactAction::kUpdate: {
      const auto removes = [](const Action& action) {
        return action.kind == Action::Kind::kRemove;
      };
      if (current == nullptr && write.update && !write.update->empty() &&
          std::ranges::all_of(*write.update, removes)) {
        break;  // Nothing is made only to remove something from it.
      }
      const Item old_item = current ? *current : write.item_or_key;
      auto updated = Apply(write.update.value_or(Update()), old_item);
      if (!updated || !IndexKeysFit(updated->item, &old_item) ||
          SizeBytes(updated->item) > kItemBytes) {
        outcome.error = ErrorCode::kValidation;
        return outcome;
      }
      outcome.new_item = std::move(updated->item);
      outcome.touched_old = std::move(updated->touched_old);
      outcome.touched_new = std::move(updated->touched_new);
      break;
    }
  }
  const std::size_t new_size = outcome.new_item ? SizeBytes(*outcome.new_item) : 0;
  outcome.units.table = WriteUnits(std::max(old_size, new_size));
  PriceIndexes(current, outcome.new_item ? &*outcome.new_item : nullptr, outcome.units);
  return outcome;
}

void Table::PriceIndexes(const Item* old_item, const Item* new_item, Units& units) const {
  for (const IndexSpecification* index : Indexes()) {
    const auto before = old_item ? EntryOf(*index, *old_item) : std::nullopt;
    const auto after = new_item ? EntryOf(*index, *new_item) : std::nullopt;
    double price = 0;
    bool same_place = before.has_value() && after.has_value();
    for (const KeySchemaElement& element : index->key_schema) {
      const std::string& name = element.attribute_name;
      same_place = same_place && *before->Find(name) == *after->Find(name);
    }
    if (same_place) {
      price = *before == *after ? 0 : WriteUnits(std::max(SizeBytes(*before), SizeBytes(*after)));
    } else {
      price = (before ? WriteUnits(SizeBytes(*before)) : 0) +
              (after ? WriteUnits(SizeBytes(*after)) : 0);
    }
    if (price > 0) {
      (IsLocal(index->index_name) ? units.local : units.global)[index->index_name] = price;
    }
  }
}

bool Table::Projects(const IndexSpecification& index, const std::string& attribute) const {
  const auto& included = index.projection->non_key_attributes;
  return index.projection->type == ProjectionType::kAll || IsKey(attribute) ||
         std::ranges::find(index.key_schema, attribute, &KeySchemaElement::attribute_name) !=
             index.key_schema.end() ||
         (included && std::ranges::find(*included, attribute) != included->end());
}

std::optional<Item> Table::EntryOf(const IndexSpecification& index, const Item& item) const {
  for (const KeySchemaElement& element : index.key_schema) {
    const AttributeValue* value = item.Find(element.attribute_name);
    const std::size_t most = element.key_type == KeyType::kHash ? 2048 : 1024;
    if (value == nullptr || !HasType(*value, types_.at(element.attribute_name)) ||
        IsEmpty(*value) || (value->number() == nullptr && SizeBytes(*value) > most)) {
      return std::nullopt;
    }
  }
  Item entry;
  for (const auto& [name, value] : item) {
    if (Projects(index, name)) {
      entry.Set(name, value);
    }
  }
  return entry;
}

std::vector<Entry> Table::Entries(const std::optional<std::string>& index_name) const {
  std::vector<Entry> entries;
  if (!index_name) {
    for (const auto& [key, item] : items_) {
      entries.push_back({item, &item});
    }
    return entries;
  }
  const IndexSpecification& index = *FindIndex(*index_name);
  for (const auto& [key, item] : items_) {
    if (auto entry = EntryOf(index, item)) {
      entries.push_back({*std::move(entry), &item});
    }
  }
  const auto sort_key = [&](const Entry& entry) {
    Key key;
    for (const KeySchemaElement& element : index.key_schema) {
      if (element.key_type == KeyType::kRange) {
        key.push_back(*entry.entry.Find(element.attribute_name));
      }
    }
    return key;
  };
  // Stable: items_ has them in the order of the table's keys.
  std::ranges::stable_sort(entries, KeyLess(), sort_key);
  return entries;
}

std::vector<Entry> Table::Matching(const Read& read) const {
  std::vector<Entry> entries = Entries(read.index);
  std::erase_if(entries, [&](const Entry& entry) {
    return !std::ranges::all_of(read.terms, [&](const KeyTerm& term) {
      return TermHolds(term, *entry.entry.Find(term.attribute));
    });
  });
  if (!read.forward) {
    std::ranges::reverse(entries);
  }
  return entries;
}

// `fetch`: a local index lacks something that is asked for.
std::optional<ErrorCode> Table::CheckRead(const Read& read, bool& fetch) const {
  const IndexSpecification* index = read.index ? FindIndex(*read.index) : nullptr;
  const KeySchema& keys = index ? index->key_schema : schema_.key_schema;
  std::vector<std::string> wanted;
  if (read.filter) {
    CollectAttributes(*read.filter, wanted);
    for (const std::string& name : wanted) {
      if (!read.terms.empty() &&
          std::ranges::find(keys, name, &KeySchemaElement::attribute_name) != keys.end()) {
        return ErrorCode::kValidation;
      }
    }
  }
  if (!index) {
    return std::nullopt;
  }
  const auto lacks = [&](const std::string& name) { return !Projects(*index, name); };
  const bool lacks_filter = std::ranges::any_of(wanted, lacks);
  const bool lacks_projection = read.projection && std::ranges::any_of(*read.projection, lacks);
  const bool lacks_all =
      read.select == Select::kAllAttributes && index->projection->type != ProjectionType::kAll;
  if (lacks_filter && !read.terms.empty()) {
    return ErrorCode::kValidation;
  }
  if (IsLocal(index->index_name)) {
    fetch = lacks_projection || lacks_all;
    return std::nullopt;
  }
  return read.consistent || lacks_projection || lacks_all ? std::optional(ErrorCode::kValidation)
                                                          : std::nullopt;
}

Page Table::ReadPage(const Read& read, std::size_t skip) const {
  Page page;
  bool fetch = false;
  page.error = CheckRead(read, fetch);
  if (page.error) {
    return page;
  }
  const Reading reading = read.consistent ? Reading::kStrong : Reading::kEventual;
  const std::vector<Entry> entries = Matching(read);
  std::size_t bytes = 0;
  for (std::size_t i = skip; i < entries.size(); ++i) {
    const Item& seen = fetch ? *entries[i].item : entries[i].entry;
    ++page.scanned;
    bytes += SizeBytes(entries[i].entry);
    if (fetch) {
      page.units.table += ReadUnits(SizeBytes(*entries[i].item), reading);
    }
    if (!read.filter || Holds(*read.filter, seen)) {
      ++page.count;
      if (read.select != Select::kCount) {
        page.items.push_back(read.projection ? Only(seen, *read.projection) : seen);
      }
    }
    // A query for the whole key of a table finds one item, and has no further pages.
    const bool finds_one = !read.terms.empty() && !read.index && schema_.key_schema.size() == 1;
    if (!finds_one && (page.scanned == read.limit || bytes >= kPageBytes)) {
      page.last_key = KeyOf(entries[i].entry);
      if (read.index) {
        for (const KeySchemaElement& element : FindIndex(*read.index)->key_schema) {
          page.last_key->Set(element.attribute_name,
                             *entries[i].entry.Find(element.attribute_name));
        }
      }
      break;
    }
  }
  const double price = ReadUnits(bytes, reading);
  if (!read.index) {
    page.units.table += price;
  } else {
    (IsLocal(*read.index) ? page.units.local : page.units.global)[*read.index] = price;
  }
  return page;
}

}  // namespace prejoin::reference
