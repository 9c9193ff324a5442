// The second opinion on costs: a small DynamoDB without an engine. A table is an ordered set of pointers to packed items for the base
// table and one for each index; an index that does not project everything is projected when it is read.
//
// Units follow the published rules and nothing of src/engine: a read rounds the sum of a page up to 4 KB (fetches from a local index one
// by one), a write rounds the larger of the old and the new item up to 1 KB, an index entry costs 1 to enter, leave or change and 2 to
// move, a transaction doubles all of it, a refused condition is charged on the stored item. Where prediction and measurement differ,
// one of the two programs is wrong.
#include "model/prove/predictor.h"

#include <absl/container/btree_set.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "model/data/dataset.h"
#include "model/data/item_render.h"
#include "model/plan/plan_estimate.h"
#include "model/prove/packed_item.h"

namespace prejoin::model {

// In a namespace with a name, because Predictor::PredictedTable has members of these types.
namespace predicted {

using Pointer = PackedItems::Pointer;
using NameNumbers = std::vector<std::uint32_t>;

// An item in a view. Partitions are in the order of their hashes, which settles most comparisons without a look at
// the item; entries of one partition in the order of their keys.
struct Entry {
  std::size_t hash = 0;
  Pointer item = nullptr;
};

// The beginning of a key: the partition's values, and perhaps some of the sort key's.
struct Probe {
  std::size_t hash = 0;
  std::vector<PackedValue> values;
};

struct EntryLess {
  using is_transparent = void;
  const NameNumbers* keys = nullptr;  // The keys of the view; borrowed from it.

  bool operator()(const Entry& a, const Entry& b) const {
    if (a.hash != b.hash) {
      return a.hash < b.hash;
    }
    if (a.item == b.item) {
      return false;
    }
    for (const std::uint32_t name : *keys) {
      const int order =
          ComparePacked(*PackedItems::Find(a.item, name), *PackedItems::Find(b.item, name));
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
  }
  bool operator()(const Entry& entry, const Probe& probe) const { return Order(entry, probe) < 0; }
  bool operator()(const Probe& probe, const Entry& entry) const { return Order(entry, probe) > 0; }

  int Order(const Entry& entry, const Probe& probe) const {
    if (entry.hash != probe.hash) {
      return entry.hash < probe.hash ? -1 : 1;
    }
    for (std::size_t i = 0; i < probe.values.size(); ++i) {
      const int order = ComparePacked(*PackedItems::Find(entry.item, (*keys)[i]), probe.values[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
};

std::size_t HashOf(std::size_t so_far, const PackedValue& value) {
  constexpr std::size_t kSpread = 0x9e3779b97f4a7c15;
  return (so_far ^ std::hash<std::string_view>()(value.bytes)) * kSpread +
         static_cast<std::size_t>(value.type);
}

// The base table or an index. Its entries are the whole items, and what it projects is taken from them when they are
// read: an index of a million rows is a million pointers.
struct PredictedView {
  std::size_t partition_size = 0;
  std::size_t own_key_size = 0;  // Partition and sort key, without the table's key after them.
  // Partition, sort, and of an index the table's key, which makes its entries unique.
  std::unique_ptr<NameNumbers> keys = std::make_unique<NameNumbers>();
  bool project_all = true;
  NameNumbers projected;
  absl::btree_set<Entry, EntryLess> entries{EntryLess{keys.get()}};

  // Nullopt when the item lacks a key attribute: it is not in a sparse index.
  std::optional<Entry> EntryOf(Pointer item) const {
    Entry entry{0, item};
    for (std::size_t i = 0; i < keys->size(); ++i) {
      const auto value = PackedItems::Find(item, (*keys)[i]);
      if (!value) {
        return std::nullopt;
      }
      if (i < partition_size) {
        entry.hash = HashOf(entry.hash, *value);
      }
    }
    return entry;
  }

  Item Project(const PackedItems& items, Pointer item) const {
    return project_all ? items.Unpack(item) : items.UnpackSome(item, projected);
  }
};

}  // namespace predicted

using predicted::Entry;
using predicted::Pointer;
using predicted::PredictedView;

namespace {

double WriteUnitsOf(std::size_t bytes) {
  return std::max(1.0,
                  std::ceil(static_cast<double>(bytes) / static_cast<double>(kWriteUnitBytes)));
}

// One rule of the service: 1 to enter, leave or change, 2 to move, 0 if nothing that the index
// keeps has changed. A null item is none.
double ApplyToView(PredictedView& view, const PackedItems& items, Pointer old_item,
                   Pointer new_item) {
  const auto was = old_item != nullptr ? view.EntryOf(old_item) : std::nullopt;
  const auto is = new_item != nullptr ? view.EntryOf(new_item) : std::nullopt;
  const auto less = view.entries.key_comp();
  const bool moved = was && is && (less(*was, *is) || less(*is, *was));
  if (was) {
    view.entries.erase(*was);
  }
  if (is) {
    view.entries.insert(*is);
  }
  const Item old_entry = was ? view.Project(items, old_item) : Item();
  const Item new_entry = is ? view.Project(items, new_item) : Item();
  if (was && is && !moved && old_entry == new_entry) {
    return 0;
  }
  double units = 0;
  if (was && (!is || moved)) {
    units += WriteUnitsOf(PredictItemBytes(old_entry));
  }
  if (is) {
    const std::size_t replaced = was && !moved ? PredictItemBytes(old_entry) : 0;
    units += WriteUnitsOf(std::max(PredictItemBytes(new_entry), replaced));
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
  PackedItems items;
  std::map<std::string, PredictedView> views;  // "" is the table itself.

  // The item under this key, which may be a whole item; null if there is none.
  Pointer Find(const Item& key) {
    const PredictedView& base = views[""];
    std::vector<std::string> packed;
    for (const std::string& name : key_names) {
      const AttributeValue* value = key.Find(name);
      if (value == nullptr) {
        return nullptr;
      }
      packed.push_back(PackValue(*value));
    }
    predicted::Probe probe;
    for (std::size_t i = 0; i < packed.size(); ++i) {
      probe.values.push_back(ViewValue(packed[i]));
      if (i < base.partition_size) {
        probe.hash = predicted::HashOf(probe.hash, probe.values.back());
      }
    }
    const auto found = base.entries.find(probe);
    return found == base.entries.end() ? nullptr : found->item;
  }

  std::optional<Item> Stored(const Item& key) {
    const Pointer found = Find(key);
    return found != nullptr ? std::optional(items.Unpack(found)) : std::nullopt;
  }

  std::vector<std::string> key_names;  // The keys of the table.
};

Predictor::Predictor() = default;
Predictor::~Predictor() = default;

Predictor::PredictedTable* Predictor::Find(const std::string& table) const {
  const auto found = tables_.find(table);
  return found == tables_.end() ? nullptr : found->second.get();
}

Status Predictor::CreateTable(const Model&, const Table& table) {
  auto predicted = std::make_unique<PredictedTable>();
  PackedItems& items = predicted->items;
  predicted->key_names.push_back(table.partition.text);
  if (!table.sort.text.empty()) {
    predicted->key_names.push_back(table.sort.text);
  }
  PredictedView& base = predicted->views[""];
  base.partition_size = 1;
  for (const std::string& name : predicted->key_names) {
    base.keys->push_back(items.NameNumber(name));
  }
  base.own_key_size = base.keys->size();
  for (const Index& index : table.indexes) {
    PredictedView& view = predicted->views[index.name.text];
    for (const auto* names : {&index.partition, &index.sort}) {
      for (const Name& name : *names) {
        view.keys->push_back(items.NameNumber(name.text));
      }
    }
    view.partition_size = index.partition.size();
    view.own_key_size = view.keys->size();
    view.keys->insert(view.keys->end(), base.keys->begin(), base.keys->end());
    view.project_all = index.projection == ProjectionKind::kAll;
    view.projected = *view.keys;
    for (const Name& name : index.include) {
      view.projected.push_back(items.NameNumber(name.text));
    }
  }
  tables_[table.name.text] = std::move(predicted);
  return {};
}

Status Predictor::Load(const std::string& table, const std::vector<Item>& items) {
  PredictedTable* predicted = Find(table);
  if (predicted == nullptr) {
    return ValidationError("no table " + table);
  }
  PredictedView& base = predicted->views[""];
  for (const Item& item : items) {
    const Pointer packed = predicted->items.Pack(item);
    const auto entry = base.EntryOf(packed);
    if (!entry) {
      continue;
    }
    const auto [at, added] = base.entries.insert(*entry);
    if (!added) {
      const Pointer replaced = at->item;
      for (auto& [name, view] : predicted->views) {
        ApplyToView(view, predicted->items, replaced, packed);
      }
      continue;
    }
    for (auto& [name, view] : predicted->views) {
      if (name.empty()) {
        continue;
      }
      if (const auto indexed = view.EntryOf(packed)) {
        view.entries.insert(*indexed);
      }
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
  if (predicted == nullptr) {
    return ValidationError("no table " + table);
  }
  ReadAnswer answer;
  for (const Item& key : keys) {
    std::size_t bytes = 0;
    if (const Pointer found = predicted->Find(key)) {
      answer.items.push_back(predicted->items.Unpack(found));
      bytes = PredictItemBytes(answer.items.back());
    }
    answer.read_units += ReadUnits(static_cast<double>(bytes), consistent);
  }
  return answer;
}

namespace {

// The entries that a query finds, in key order.
std::vector<Entry> EntriesOf(const PredictedView& view, const KeyQuery& query) {
  if (query.scan) {
    return {view.entries.begin(), view.entries.end()};
  }
  predicted::Probe partition;
  std::vector<std::string> packed;
  for (const auto& [name, value] : query.equal) {
    packed.push_back(PackValue(value));
  }
  for (std::size_t i = 0; i < packed.size(); ++i) {
    partition.values.push_back(ViewValue(packed[i]));
    if (i < view.partition_size) {
      partition.hash = predicted::HashOf(partition.hash, partition.values.back());
    }
  }
  const auto less = view.entries.key_comp();
  const std::size_t tested = query.equal.size();
  std::vector<Entry> found;
  for (auto entry = view.entries.lower_bound(partition);
       entry != view.entries.end() && !less(partition, *entry); ++entry) {
    const bool has_sort = tested < view.own_key_size && query.test != SortTest::kNone;
    if (!has_sort ||
        SortHolds(query, UnpackValue(*PackedItems::Find(entry->item, (*view.keys)[tested])))) {
      found.push_back(*entry);
    }
  }
  return found;
}

}  // namespace

Result<ReadAnswer> Predictor::Query(const KeyQuery& query) {
  PredictedTable* predicted = Find(query.table);
  if (predicted == nullptr || !predicted->views.contains(query.index)) {
    return ValidationError("no such table or index");
  }
  const PredictedView& view = predicted->views[query.index];
  std::vector<Entry> run = EntriesOf(view, query);
  if (query.descending) {
    std::reverse(run.begin(), run.end());
  }
  std::size_t begin = 0;
  if (query.start_key) {
    const auto start = view.EntryOf(predicted->items.Pack(*query.start_key));
    if (!start) {
      return ValidationError("the start key is not a key");
    }
    const auto less = view.entries.key_comp();
    const auto before = [&](const Entry& entry) {
      return query.descending ? !less(entry, *start) : !less(*start, entry);
    };
    while (begin < run.size() && before(run[begin])) {
      ++begin;
    }
  }
  ReadAnswer answer;
  std::size_t bytes = 0;
  for (std::size_t i = begin; i < run.size(); ++i) {
    Item entry = view.Project(predicted->items, run[i].item);
    bytes += PredictItemBytes(entry);
    const bool last = query.limit && i - begin + 1 >= static_cast<std::size_t>(*query.limit);
    const bool full = last || bytes >= kPageBytesMax;
    if (full) {
      answer.next_key = entry;
    }
    if (query.all_attributes && !view.project_all) {
      // Each item is fetched, and rounded, by itself.
      entry = predicted->items.Unpack(run[i].item);
      answer.read_units +=
          ReadUnits(static_cast<double>(PredictItemBytes(entry)), query.consistent);
    }
    answer.items.push_back(std::move(entry));
    if (full) {
      break;
    }
  }
  answer.read_units += ReadUnits(static_cast<double>(bytes), query.consistent);
  return answer;
}

double Predictor::Apply(const ItemWrite& write, double factor) {
  PredictedTable* predicted = Find(write.table);
  const Pointer old_item = predicted->Find(write.key);
  const Pointer new_item = write.new_item ? predicted->items.Pack(*write.new_item) : nullptr;
  const auto bytes = [&](Pointer item) {
    return item != nullptr ? PredictItemBytes(predicted->items.Unpack(item)) : 0;
  };
  // A transaction's factor is the table's alone.
  double units = factor * WriteUnitsOf(std::max(bytes(old_item), bytes(new_item)));
  last_write_units_[""] += units;
  for (auto& [name, view] : predicted->views) {
    const double index_units = ApplyToView(view, predicted->items, old_item, new_item);
    if (name.empty()) {
      continue;
    }
    last_write_units_[name] += index_units;
    units += index_units;
  }
  return units;
}

Result<WriteAnswer> Predictor::Write(const ItemWrite& write) {
  last_write_units_.clear();
  PredictedTable* predicted = Find(write.table);
  if (predicted == nullptr) {
    return ValidationError("no table " + write.table);
  }
  const std::optional<Item> stored = predicted->Stored(write.key);
  if (!MayWrite(write, stored ? &*stored : nullptr)) {
    // A failed condition is charged like the write it prevented, on the item that exists.
    return WriteAnswer{true, WriteUnitsOf(stored ? PredictItemBytes(*stored) : 0)};
  }
  return WriteAnswer{false, Apply(write, 1)};
}

Result<WriteAnswer> Predictor::WriteTogether(const std::vector<ItemWrite>& writes) {
  last_write_units_.clear();
  WriteAnswer answer;
  for (const ItemWrite& write : writes) {
    PredictedTable* predicted = Find(write.table);
    if (predicted == nullptr) {
      return ValidationError("no table " + write.table);
    }
    const std::optional<Item> stored = predicted->Stored(write.key);
    if (!MayWrite(write, stored ? &*stored : nullptr)) {
      answer.refused = true;
    }
  }
  if (answer.refused) {
    return answer;
  }
  for (const ItemWrite& write : writes) {
    answer.write_units += Apply(write, 2);
  }
  return answer;
}

std::map<std::string, Predictor::ViewSize> Predictor::Sizes(const std::string& table) const {
  std::map<std::string, ViewSize> sizes;
  const PredictedTable* predicted = Find(table);
  if (predicted == nullptr) {
    return sizes;
  }
  for (const auto& [name, view] : predicted->views) {
    ViewSize& size = sizes[name];
    size.entries = view.entries.size();
    for (const Entry& entry : view.entries) {
      size.bytes += PredictItemBytes(view.Project(predicted->items, entry.item));
    }
  }
  return sizes;
}

}  // namespace prejoin::model
