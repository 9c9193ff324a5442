#include "model/advise/layout_editor.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <utility>

#include "model/cost/cost.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

constexpr double kNoMoney = 1e-9;

NameSet KeySet(const Entity& entity) {
  const std::vector<std::string> keys = entity.KeyNames();
  return {keys.begin(), keys.end()};
}

// An index whose keys are attributes that items carry for it alone.
bool HasOwnKeys(const Index& index, const Table& table) {
  return !index.local && index.partition.size() == 1 && index.sort.size() == 1 &&
         !(index.partition[0] == table.partition) && !(index.partition[0] == table.sort);
}

void SetKey(ItemLayout& layout, const std::string& name, const KeyTemplate& key) {
  StoredAttribute stored;
  stored.name.text = name;
  stored.key = key;
  for (StoredAttribute& one : layout.attributes) {
    if (one.name.text != name) {
      continue;
    }
    one = std::move(stored);
    return;
  }
  layout.attributes.insert(layout.attributes.begin(), std::move(stored));
}

}  // namespace

NameSet NamesInKey(const KeyTemplate& key) {
  NameSet names;
  for (const TemplatePart& part : key.parts) {
    if (!part.is_literal() && part.transform != TemplateTransform::kShard) {
      names.insert(part.label());
    }
  }
  return names;
}

KeyTemplate KeyOfText(const std::string& text) { return MakeStored("", text).key; }

KeyTemplate Extended(const KeyTemplate& key, const std::string& more) {
  const std::string quoted = key.ToString();
  return KeyOfText((key.empty() ? "" : quoted.substr(1, quoted.size() - 2)) + more);
}

std::string PartText(const Attribute& attribute) {
  return "{" + attribute.name.text + (IsNumber(attribute.type) ? " pad 10}" : "}");
}

NameSet NamesOf(const Entity& entity, const Entity& owner) {
  NameSet names;
  for (const JoinColumn& column : JoinColumns(entity, owner)) {
    names.insert(column.from);
  }
  return names;
}

// ---- The tables as they are ----

ItemLayout* LayoutEditor::FindLayout(const std::string& entity) {
  for (Table& table : model_.tables) {
    for (ItemLayout& layout : table.items) {
      if (layout.entity.text == entity) {
        return &layout;
      }
    }
  }
  return nullptr;
}

Table* LayoutEditor::FindTable(const std::string& entity) {
  for (Table& table : model_.tables) {
    for (const ItemLayout& layout : table.items) {
      if (layout.entity.text == entity) {
        return &table;
      }
    }
  }
  return nullptr;
}

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
  std::string text = absl::AsciiStrToUpper(owner.name.text);
  for (const JoinColumn& column : columns) {
    text += "#" + PartText(*entity.Find(column.from));
  }
  return KeyOfText(text);
}

// A write sets the attribute, or it may be absent: it cannot be part of a table's key.
std::string LayoutEditor::WhyNoKey(const Entity& entity, const std::string& name) const {
  const Attribute* attribute = entity.Find(name);
  if (attribute == nullptr) {
    return "";
  }
  if (attribute->optional) {
    return "`" + name + "` is optional, and every item needs its whole key";
  }
  if (attribute->is_key) {
    return "";
  }
  for (const Write& write : model_.writes) {
    for (const WriteStep& step : write.steps) {
      const auto is = [&](const Name& one) { return one.text == name; };
      if (step.entity == entity.name &&
          (std::ranges::any_of(step.set, is) || std::ranges::any_of(step.remove, is))) {
        return "`" + write.name.text + "` changes `" + name + "`, which would be part of the key";
      }
    }
  }
  return "";
}

// The attributes that the busiest pattern with an order sorts by.
std::vector<std::string> LayoutEditor::WantedOrder(const Entity& entity) const {
  const Section* busiest = nullptr;
  double rate = -1;
  for (const Pattern& pattern : model_.patterns) {
    for (const Section& section : pattern.sections) {
      if (!(section.entity == entity.name) || !section.via.text.empty() || section.order.empty() ||
          pattern.rate_per_second <= rate) {
        continue;
      }
      busiest = &section;
      rate = pattern.rate_per_second;
    }
  }
  std::vector<std::string> names;
  if (busiest == nullptr) {
    return names;
  }
  for (const OrderKey& key : busiest->order) {
    names.push_back(key.attribute.text);
  }
  return names;
}

KeyTemplate LayoutEditor::CollectionSort(const Entity& entity, const NameSet& bound) {
  const auto lasts = [&](const std::string& name) { return WhyNoKey(entity, name).empty(); };
  KeyTemplate sort = KeyOfText(absl::AsciiStrToUpper(entity.name.text));
  NameSet used = bound;
  std::vector<std::string> names = WantedOrder(entity);
  if (const Index* index = IndexBy(entity.name.text, bound)) {
    const KeyTemplate& there = FindLayout(entity.name.text)->Find(index->sort[0].text)->key;
    if (std::ranges::all_of(NamesInKey(there), lasts)) {
      sort = Extended(there, "");
      used.merge(NamesInKey(there));
      names.clear();
    }
  }
  for (const std::string& key : entity.KeyNames()) {
    names.push_back(key);
  }
  for (const std::string& name : names) {
    if (entity.Find(name) == nullptr || !lasts(name) || !used.insert(name).second) {
      continue;
    }
    sort = Extended(sort, "#" + PartText(*entity.Find(name)));
  }
  return sort;
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
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.unique && !attribute.is_key && !IsComplex(attribute.type)) {
      bare.locks.push_back(attribute.name);
    }
  }
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
      if (std::string why = WhyNoKey(entity, name); !why.empty()) {
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
  Index* target = nullptr;
  for (Index& index : table.indexes) {
    if (!HasOwnKeys(index, table)) {
      continue;
    }
    const auto is_free = [&](const Name& key) {
      return layout.Find(key.text) == nullptr && entity.Find(key.text) == nullptr;
    };
    if (!is_free(index.partition[0]) || !is_free(index.sort[0])) {
      continue;
    }
    target = &index;
    break;
  }
  if (target == nullptr) {
    target = &NewIndex(table);
  }
  StoredAttribute stored;
  stored.name.text = target->partition[0].text;
  stored.key = partition;
  layout.attributes.push_back(stored);
  stored.name.text = target->sort[0].text;
  stored.key = sort;
  layout.attributes.push_back(std::move(stored));
}

Index& LayoutEditor::NewIndex(Table& table) {
  Index index;
  for (int n = 1; index.name.text.empty(); ++n) {
    const std::string name = "GSI" + std::to_string(n);
    const bool taken = std::ranges::any_of(table.items, [&](const ItemLayout& layout) {
      return layout.Find(name + "PK") != nullptr || layout.Find(name + "SK") != nullptr;
    });
    if (!taken && table.FindIndex(name) == nullptr) {
      index.name.text = name;
    }
  }
  index.partition = {{index.name.text + "PK", {}}};
  index.sort = {{index.name.text + "SK", {}}};
  index.projection = ProjectionKind::kKeys;
  index.projection_given = true;
  table.indexes.push_back(std::move(index));
  return table.indexes.back();
}

// ---- What a change leaves to fix ----

void LayoutEditor::KeepRowsUnique(const Entity& rows) {
  const std::string& entity = rows.name.text;
  ItemLayout* layout = FindLayout(entity);
  const std::vector<std::string> keys = rows.KeyNames();
  if (layout == nullptr || keys.size() != 1) {
    return;
  }
  NameSet used = PartitionNames(entity);
  if (const StoredAttribute* sort = SortKey(entity)) {
    used.merge(NamesInKey(sort->key));
  }
  used.erase(keys[0]);
  const bool once = std::ranges::any_of(model_.writes, [&](const Write& write) {
    return std::ranges::any_of(write.steps, [&](const WriteStep& step) {
      return step.once && step.entity.text == entity;
    });
  });
  std::erase_if(layout->locks, [&](const Name& lock) { return lock.text == keys[0]; });
  if (once && !used.empty()) {
    layout->locks.push_back({keys[0], {}});
  }
}

// The bill of a model; nothing if it does not serve what this one serves.
std::optional<double> LayoutEditor::BillWithout(const Model& model) const {
  const std::vector<Plan> plans = PlanAll(model);
  const std::vector<Plan> now = PlanAll(model_);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (now[i].served && (!plans[i].served || (now[i].strong && !plans[i].strong))) {
      return std::nullopt;
    }
  }
  return EstimateCost(model, plans, Prices()).money_per_month;
}

void LayoutEditor::DropRepeatedKeys(const Entity& rows) {
  const std::string& entity = rows.name.text;
  const Index* index = IndexBy(entity, PartitionNames(entity));
  if (index == nullptr) {
    return;
  }
  LayoutEditor without(model_);
  without.DropKeys(rows, *index);
  const std::optional<double> bill = BillWithout(without.model_);
  if (bill && *bill <= *BillWithout(model_) + kNoMoney) {
    model_ = std::move(without.model_);
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
