#include "model/prove/predictor.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "model/data/dataset.h"
#include "model/data/item_render.h"
#include "model/plan/plan_estimate.h"

namespace prejoin::model {

// In a namespace with a name, because Predictor::PredictedTable has members of these types.
namespace predicted {

using Key = std::vector<AttributeValue>;

struct KeyLess {
  bool operator()(const Key& a, const Key& b) const {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
      const int order = CompareValues(&a[i], &b[i]);
      if (order != 0) return order < 0;
    }
    return a.size() < b.size();
  }
};

// The base table or an index: entries in key order.
struct PredictedView {
  std::vector<std::string> partition;
  std::vector<std::string> sort;
  std::vector<std::string> base_keys;  // Of an index: what makes its entries unique.
  bool project_all = true;
  std::vector<std::string> projected;
  // Views that keep whole items share them.
  std::map<Key, std::shared_ptr<const Item>, KeyLess> entries;

  // False when the item has not all key attributes: it is not in a sparse index.
  bool KeyOf(const Item& item, Key& key) const {
    for (const auto* names : {&partition, &sort, &base_keys}) {
      for (const std::string& name : *names) {
        const AttributeValue* value = item.Find(name);
        if (value == nullptr) return false;
        key.push_back(*value);
      }
    }
    return true;
  }

  Item Project(const Item& item) const {
    if (project_all) return item;
    Item out;
    for (const std::string& name : projected) {
      if (const AttributeValue* value = item.Find(name)) out.Set(name, *value);
    }
    return out;
  }
};

}  // namespace predicted

using predicted::Key;
using predicted::KeyLess;
using predicted::PredictedView;

namespace {

double WriteUnitsOf(std::size_t bytes) {
  return std::max(1.0,
                  std::ceil(static_cast<double>(bytes) / static_cast<double>(kWriteUnitBytes)));
}

// One rule of the service: 1 to enter, leave or change, 2 to move, 0 if nothing that the index
// keeps has changed.
double ApplyToView(PredictedView& view, const std::optional<Item>& old_item,
                   const std::optional<Item>& new_item) {
  Key old_key;
  Key new_key;
  const bool was_in = old_item && view.KeyOf(*old_item, old_key);
  const bool is_in = new_item && view.KeyOf(*new_item, new_key);
  const bool moved =
      was_in && is_in && (KeyLess()(old_key, new_key) || KeyLess()(new_key, old_key));
  const Item old_entry = was_in ? view.Project(*old_item) : Item();
  const Item new_entry = is_in ? view.Project(*new_item) : Item();
  if (was_in && is_in && !moved && old_entry == new_entry) return 0;
  double units = 0;
  if (was_in && (!is_in || moved)) {
    view.entries.erase(old_key);
    units += WriteUnitsOf(PredictItemBytes(old_entry));
  }
  if (is_in) {
    const std::size_t replaced = was_in && !moved ? PredictItemBytes(old_entry) : 0;
    units += WriteUnitsOf(std::max(PredictItemBytes(new_entry), replaced));
    view.entries[new_key] = std::make_shared<const Item>(new_entry);
  }
  return units;
}

bool SortHolds(const KeyQuery& query, const AttributeValue& value) {
  switch (query.test) {
    case SortTest::kNone:
      return true;
    case SortTest::kEqual:
      return value == query.low;
    case SortTest::kBeginsWith:
      return value.string() != nullptr && query.low.string() != nullptr &&
             value.string()->starts_with(*query.low.string());
    case SortTest::kBetween:
      return CompareValues(&value, &query.low) >= 0 && CompareValues(&value, &query.high) <= 0;
    case SortTest::kAtLeast:
      return CompareValues(&value, &query.low) >= 0;
    case SortTest::kAtMost:
      return CompareValues(&value, &query.high) <= 0;
  }
  return false;
}

}  // namespace

struct Predictor::PredictedTable {
  std::vector<std::string> keys;
  std::map<std::string, PredictedView> views;  // "" is the table itself.

  Key KeyOf(const Item& item) const {
    Key key;
    for (const std::string& name : keys) {
      if (const AttributeValue* value = item.Find(name)) key.push_back(*value);
    }
    return key;
  }
};

Predictor::Predictor() = default;
Predictor::~Predictor() = default;

Predictor::PredictedTable* Predictor::Find(const std::string& table) const {
  const auto found = tables_.find(table);
  return found == tables_.end() ? nullptr : found->second.get();
}

Status Predictor::CreateTable(const Model&, const Table& table) {
  auto predicted = std::make_unique<PredictedTable>();
  predicted->keys.push_back(table.partition.text);
  if (!table.sort.text.empty()) predicted->keys.push_back(table.sort.text);
  PredictedView base;
  base.partition = {table.partition.text};
  if (!table.sort.text.empty()) base.sort = {table.sort.text};
  predicted->views[""] = std::move(base);
  for (const Index& index : table.indexes) {
    PredictedView view;
    for (const Name& name : index.partition) view.partition.push_back(name.text);
    for (const Name& name : index.sort) view.sort.push_back(name.text);
    view.base_keys = predicted->keys;
    view.project_all = index.projection == ProjectionKind::kAll;
    for (const auto* names : {&view.partition, &view.sort, &view.base_keys}) {
      for (const std::string& name : *names) {
        if (std::find(view.projected.begin(), view.projected.end(), name) == view.projected.end())
          view.projected.push_back(name);
      }
    }
    for (const Name& name : index.include) view.projected.push_back(name.text);
    predicted->views[index.name.text] = std::move(view);
  }
  tables_[table.name.text] = std::move(predicted);
  return {};
}

Status Predictor::Load(const std::string& table, const std::vector<Item>& items) {
  PredictedTable* predicted = Find(table);
  if (predicted == nullptr) return ValidationError("no table " + table);
  PredictedView& base = predicted->views[""];
  for (const Item& item : items) {
    if (const auto found = base.entries.find(predicted->KeyOf(item)); found != base.entries.end()) {
      const Item old_item = *found->second;
      for (auto& [name, view] : predicted->views) ApplyToView(view, old_item, item);
      continue;
    }
    const auto whole = std::make_shared<const Item>(item);
    for (auto& [name, view] : predicted->views) {
      Key key;
      if (!view.KeyOf(item, key)) continue;
      view.entries.emplace(std::move(key), view.project_all
                                               ? whole
                                               : std::make_shared<const Item>(view.Project(item)));
    }
  }
  return {};
}

Result<ReadAnswer> Predictor::Get(const std::string& table, const Item& key, bool consistent) {
  return BatchGet(table, {key}, consistent);
}

Result<ReadAnswer> Predictor::BatchGet(const std::string& table, const std::vector<Item>& keys,
                                       bool consistent) {
  PredictedTable* predicted = Find(table);
  if (predicted == nullptr) return ValidationError("no table " + table);
  ReadAnswer answer;
  const PredictedView& base = predicted->views[""];
  for (const Item& key : keys) {
    const auto found = base.entries.find(predicted->KeyOf(key));
    std::size_t bytes = 0;
    if (found != base.entries.end()) {
      answer.items.push_back(*found->second);
      bytes = PredictItemBytes(*found->second);
    }
    answer.read_units += ReadUnits(static_cast<double>(bytes), consistent);
  }
  return answer;
}

Result<ReadAnswer> Predictor::Query(const KeyQuery& query) {
  PredictedTable* predicted = Find(query.table);
  if (predicted == nullptr || !predicted->views.contains(query.index))
    return ValidationError("no such table or index");
  const PredictedView& view = predicted->views[query.index];
  Key low;
  for (const auto& [name, value] : query.equal) low.push_back(value);
  const auto in_partition = [&](const Key& key) {
    return std::equal(low.begin(), low.end(), key.begin(),
                      [](const auto& a, const auto& b) { return a == b; });
  };
  std::vector<const std::pair<const Key, std::shared_ptr<const Item>>*> run;
  for (auto entry = view.entries.lower_bound(low);
       entry != view.entries.end() && in_partition(entry->first); ++entry) {
    if (entry->first.size() <= low.size() || SortHolds(query, entry->first[low.size()]))
      run.push_back(&*entry);
  }
  if (query.descending) std::reverse(run.begin(), run.end());
  std::size_t begin = 0;
  if (query.start_key) {
    Key start;
    view.KeyOf(*query.start_key, start);
    const auto before = [&](const auto* entry) {
      return query.descending ? !KeyLess()(entry->first, start) : !KeyLess()(start, entry->first);
    };
    while (begin < run.size() && before(run[begin])) ++begin;
  }
  ReadAnswer answer;
  std::size_t bytes = 0;
  const PredictedView& base = predicted->views[""];
  for (std::size_t i = begin; i < run.size(); ++i) {
    const Item& entry = *run[i]->second;
    answer.items.push_back(entry);
    if (query.all_attributes && !view.project_all) {
      // Each item is fetched, and rounded, by itself.
      answer.items.back() = *base.entries.at(predicted->KeyOf(entry));
      answer.read_units +=
          ReadUnits(static_cast<double>(PredictItemBytes(answer.items.back())), query.consistent);
    }
    bytes += PredictItemBytes(entry);
    const bool full = query.limit && answer.items.size() >= static_cast<std::size_t>(*query.limit);
    if (full || bytes >= kPageBytesMax) {
      answer.next_key = entry;
      break;
    }
  }
  answer.read_units += ReadUnits(static_cast<double>(bytes), query.consistent);
  return answer;
}

double Predictor::Apply(const ItemWrite& write, double factor) {
  PredictedTable* predicted = Find(write.table);
  PredictedView& base = predicted->views[""];
  std::optional<Item> old_item;
  if (const auto found = base.entries.find(predicted->KeyOf(write.key));
      found != base.entries.end())
    old_item = *found->second;
  const std::size_t old_bytes = old_item ? PredictItemBytes(*old_item) : 0;
  const std::size_t new_bytes = write.new_item ? PredictItemBytes(*write.new_item) : 0;
  double units = factor * WriteUnitsOf(std::max(old_bytes, new_bytes));
  last_write_units_[""] += units;
  for (auto& [name, view] : predicted->views) {
    const double index_units = factor * ApplyToView(view, old_item, write.new_item);
    if (name.empty()) continue;
    last_write_units_[name] += index_units;
    units += index_units;
  }
  return units;
}

Result<WriteAnswer> Predictor::Write(const ItemWrite& write) {
  last_write_units_.clear();
  PredictedTable* predicted = Find(write.table);
  if (predicted == nullptr) return ValidationError("no table " + write.table);
  const PredictedView& base = predicted->views[""];
  const auto found = base.entries.find(predicted->KeyOf(write.key));
  const Item* stored = found != base.entries.end() ? found->second.get() : nullptr;
  if (!MayWrite(write, stored)) {
    // A failed condition is charged like the write it prevented, on the item that is there.
    return WriteAnswer{true, WriteUnitsOf(stored != nullptr ? PredictItemBytes(*stored) : 0)};
  }
  return WriteAnswer{false, Apply(write, 1)};
}

Result<WriteAnswer> Predictor::WriteTogether(const std::vector<ItemWrite>& writes) {
  last_write_units_.clear();
  WriteAnswer answer;
  for (const ItemWrite& write : writes) {
    PredictedTable* predicted = Find(write.table);
    if (predicted == nullptr) return ValidationError("no table " + write.table);
    const auto& entries = predicted->views[""].entries;
    const auto found = entries.find(predicted->KeyOf(write.key));
    if (!MayWrite(write, found != entries.end() ? found->second.get() : nullptr))
      answer.refused = true;
  }
  if (answer.refused) return answer;
  for (const ItemWrite& write : writes) answer.write_units += Apply(write, 2);
  return answer;
}

std::map<std::string, Predictor::ViewSize> Predictor::Sizes(const std::string& table) const {
  std::map<std::string, ViewSize> sizes;
  const PredictedTable* predicted = Find(table);
  if (predicted == nullptr) return sizes;
  for (const auto& [name, view] : predicted->views) {
    ViewSize& size = sizes[name];
    size.entries = view.entries.size();
    for (const auto& [key, entry] : view.entries) size.bytes += PredictItemBytes(*entry);
  }
  return sizes;
}

}  // namespace prejoin::model
