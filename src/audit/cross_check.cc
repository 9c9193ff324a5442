// Every item is turned into facts: "this row is stored here", "this row is pointed at from there, with these copies",
// "this row's total gets 5 more", "this unique value is used here". A fact begins with the row or value that it is about.
// Sorted, all facts about one row stand together, its definition first, so one pass with the memory of one definition
// compares any number of items; fact_sorter.h keeps the sorting in bounds.
//
// A group is named "r", the entity and the key of a row, or "u", the entity, the attribute and the value. A fact is a
// letter, which puts definitions first, and an encoded item with members of one letter.
#include "audit/cross_check.h"

#include <algorithm>
#include <optional>

#include "audit/fact.h"
#include "audit/fix_request.h"
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

bool Same(const AttributeValue* a, const AttributeValue* b) {
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

std::string Shown(const AttributeValue* value) {
  return value != nullptr ? ShownValue(*value) : "nothing";
}

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

// All facts about one row or one unique value, in order.
class CrossCheck::Group {
 public:
  Group(const CrossCheck& owner, std::string_view name, const ReportFinding& report)
      : owner_(owner), name_(name), report_(report) {
    const std::size_t end = name_.find('\0', 2);
    about_row_ = name_[0] == 'r';
    entity_ = name_.substr(2, end - 2);
    rest_ = name_.substr(end + 1);
    facts_ = &owner_.entities_.at(entity_);
  }

  const std::string& name() const { return name_; }

  void Take(std::string_view payload) {
    const Item fact = ItemView(payload.substr(1)).Decode();
    switch (payload[0]) {
      case kDefinition:
        return about_row_ ? TakeRow(fact) : TakeUnique(fact);
      case kEmbedded:
        return TakeEmbedded(fact);
      case kShare:
        return TakeShare(fact);
      case kLock:
        return TakeLock(fact);
      case kSecond:
        return TakeSecond(fact);
      default:
        return TakeReference(fact);
    }
  }

  void End() {
    if (about_row_) {
      EndRow();
    } else if (definition_ && owner_.options_.complete && !locked_) {
      if (const Item& lock = MapOf(*definition_, kLockItem); !lock.empty()) {
        const std::string attribute = rest_.substr(0, rest_.find('\0'));
        Report(FindingKind::kMissingLock, *definition_, attribute,
               attribute + " " + UniqueText() + " has no lock item " + KeyText(lock) +
                   ", so a second row can use the same value",
               PutNewItem(TableOf(*definition_), lock, lock));
      }
    }
  }

 private:
  // As requests call it.
  std::string TableOf(const Item& fact) const {
    return owner_.options_.stored_name.empty() ? TextOf(fact, kTable) : owner_.options_.stored_name;
  }
  std::string UniqueText() const { return "\"" + rest_.substr(rest_.find('\0') + 1) + "\""; }

  Finding Make(FindingKind kind, const Item& fact, const std::string& attribute,
               std::string message) const {
    Finding finding;
    finding.kind = kind;
    finding.table = TextOf(fact, kTable);
    finding.key = MapOf(fact, kKey);
    finding.entity = fact.Find(kFrom) != nullptr ? TextOf(fact, kFrom) : entity_;
    finding.attribute = attribute;
    finding.message = std::move(message);
    return finding;
  }
  void Report(FindingKind kind, const Item& fact, const std::string& attribute, std::string message,
              std::optional<Fix> fix = std::nullopt) const {
    Finding finding = Make(kind, fact, attribute, std::move(message));
    finding.fix = std::move(fix);
    report_(std::move(finding));
  }

  void TakeRow(const Item& fact) {
    if (!definition_) {
      definition_ = fact;
      return;
    }
    Report(FindingKind::kDuplicateRow, fact, {},
           "the same " + entity_ + " as the item " + KeyText(MapOf(*definition_, kKey)));
  }

  void TakeUnique(const Item& fact) {
    if (!definition_) {
      definition_ = fact;
      return;
    }
    const std::string attribute = rest_.substr(0, rest_.find('\0'));
    Report(FindingKind::kDuplicateValue, fact, attribute,
           attribute + " " + UniqueText() + " is also the value of the item " +
               KeyText(MapOf(*definition_, kKey)));
  }

  void TakeLock(const Item& fact) {
    locked_ = true;
    if (definition_ || !owner_.options_.complete) {
      return;
    }
    Report(FindingKind::kOrphanLock, fact, rest_.substr(0, rest_.find('\0')),
           "no " + entity_ + " has this value, and the lock item prevents a new one from using it",
           DeleteStored(TableOf(fact), MapOf(fact, kKey)));
  }

  void TakeEmbedded(const Item& fact) {
    const std::string list = TextOf(fact, kList);
    const std::string attribute = list.substr(list.find('.') + 1);
    if (++lists_[list] > 1) {
      Report(FindingKind::kDuplicateRow, fact, attribute,
             "the same " + entity_ + " is in " + list + " twice");
    }
    const Item* source = definition_ ? &*definition_ : embedded_ ? &*embedded_ : nullptr;
    if (source == nullptr) {
      if (facts_->placement && owner_.options_.complete) {
        Report(FindingKind::kOrphan, fact, attribute,
               attribute + " holds a " + entity_ + " that has no item");
      }
      embedded_ = fact;
      return;
    }
    for (const auto& [name, value] : MapOf(fact, kValues)) {
      const AttributeValue* original = MapOf(*source, kValues).Find(name);
      if (Same(&value, original)) {
        continue;
      }
      Report(FindingKind::kDrift, fact, attribute,
             attribute + " has " + name + " " + ShownValue(value) + "; the item " +
                 KeyText(MapOf(*source, kKey)) + " has " + Shown(original));
    }
  }

  void TakeShare(const Item& fact) {
    Number& sum = sums_.try_emplace(TextOf(fact, kName), Number(0)).first->second;
    if (const auto added = Number::Add(sum, *fact.Find(kAmount)->number())) {
      sum = *added;
    }
  }

  void TakeSecond(const Item& fact) {
    const std::string layout = TextOf(fact, kFrom);
    if (++seconds_[layout] > 1) {
      Report(FindingKind::kDuplicateRow, fact, {},
             "the same " + entity_ + " is stored as " + layout + " twice");
    }
    if (!definition_) {
      if (owner_.options_.complete) {
        Report(FindingKind::kOrphan, fact, {}, "of a " + entity_ + " that has no item of its own");
      }
      return;
    }
    const EntityFacts& facts = owner_.entities_.at(layout);
    for (Finding& finding : CompareLayout(owner_.model_, facts.placement, MapOf(fact, kWhole),
                                          MapOf(*definition_, kValues), TableOf(fact))) {
      Report(finding.kind, fact, finding.attribute, std::move(finding.message),
             std::move(finding.fix));
    }
  }

  // Layouts that the row should have as well.
  void EndSeconds() const {
    for (const model::Model::Placement& layout : owner_.model_.LayoutsOf(entity_)) {
      const std::string& name = layout.layout->entity.text;
      if (name == entity_ || seconds_.contains(name) || !owner_.entities_.at(name).placement) {
        continue;
      }
      const std::string& table = owner_.options_.stored_name;
      auto missing = MissingInLayout(owner_.model_, layout, MapOf(*definition_, kValues),
                                     table.empty() ? layout.table->name.text : table);
      if (missing) {
        Report(missing->kind, *definition_, {}, std::move(missing->message),
               std::move(missing->fix));
      }
    }
  }

  void TakeReference(const Item& fact) {
    const std::string from = TextOf(fact, kFrom);
    const EntityFacts& facts = owner_.entities_.at(from);
    const auto link = std::ranges::find_if(facts.links, [&](const Link& one) {
      return one.to == facts_->entity && one.columns[0].from == TextOf(fact, kBy);
    });
    if (!owner_.Stored(*facts_->entity)) {
      return TakeCopies(fact, *link);
    }
    const bool exists = definition_ || (!facts_->placement && embedded_);
    if (!exists) {
      // Where the row has a second layout, the first layout reports it.
      if (!owner_.options_.complete || facts.entity->rows_of.given()) {
        return;
      }
      std::string names;
      for (const model::JoinColumn& column : link->columns) {
        names += (names.empty() ? "" : ", ") + column.from;
      }
      Report(FindingKind::kOrphan, fact, link->columns[0].from,
             names + ": it references a " + entity_ + " that is not stored");
      return;
    }
    const Item& source = MapOf(definition_ ? *definition_ : *embedded_, kValues);
    for (const auto& [name, value] : MapOf(fact, kForeign)) {
      if (Same(&value, source.Find(name))) {
        continue;
      }
      Report(FindingKind::kDrift, fact, name,
             entity_ + "." + name + " is stored as " + ShownValue(value) + "; " + entity_ +
                 " has " + Shown(source.Find(name)));
    }
    for (const StoredAttribute* copy : link->copies) {
      CompareCopy(fact, *copy, source);
    }
  }

  // If only copies mention a row, the first of them is what the others are compared with.
  void TakeCopies(const Item& fact, const Link& link) {
    for (const StoredAttribute* copy : link.copies) {
      const AttributeValue* kept = MapOf(fact, kCopies).Find(copy->name.text);
      if (kept == nullptr) {
        continue;
      }
      const auto [first, added] =
          copies_.try_emplace(copy->copy.attribute.text, std::pair(*kept, fact));
      if (added || first->second.first == *kept) {
        continue;
      }
      Report(FindingKind::kDrift, fact, copy->name.text,
             copy->name.text + " is " + ShownValue(*kept) + "; the item " +
                 KeyText(MapOf(first->second.second, kKey)) + " has, for the same " + entity_ +
                 ", " + ShownValue(first->second.first));
    }
  }

  void CompareCopy(const Item& fact, const StoredAttribute& copy, const Item& source) const {
    const std::string& name = copy.name.text;
    const AttributeValue* kept = MapOf(fact, kCopies).Find(name);
    const AttributeValue* original = source.Find(copy.copy.attribute.text);
    if (Same(kept, original)) {
      return;
    }
    Report(kept == nullptr ? FindingKind::kLostCopy : FindingKind::kDrift, fact, name,
           name + " is " + (kept == nullptr ? "missing" : ShownValue(*kept)) + "; " + entity_ +
               " has " + Shown(original),
           MendCopy(fact, name, kept, original));
  }

  Fix MendCopy(const Item& fact, const std::string& name, const AttributeValue* kept,
               const AttributeValue* original) const {
    const Item& key = MapOf(fact, kKey);
    Item before = MapOf(fact, kWhole);
    if (before.empty() && kept != nullptr) {
      before.Set(name, *kept);
    }
    Item after = before;
    if (original != nullptr) {
      after.Set(name, *original);
    } else {
      after.Remove(name);
    }
    const EntityFacts& facts = owner_.entities_.at(TextOf(fact, kFrom));
    if (fact.Find(kWhole) != nullptr) {
      const Row row = RowOfStored(owner_.model_, facts.placement, before);
      for (const StoredAttribute& stored : facts.placement.layout->attributes) {
        if (std::ranges::count(stored.key.Attributes(), name) == 0) {
          continue;
        }
        const auto rendered = model::RenderKey(stored.key, [&](std::string_view attribute) {
          const AttributeValue* value = row.Find(attribute);
          return value != nullptr ? value : after.Find(attribute);
        });
        after.Remove(stored.name.text);
        if (rendered) {
          after.Set(stored.name.text, *rendered);
        }
      }
    }
    const auto new_key = KeyOf(*facts.placement.table, after);
    return ChangeItem(TableOf(fact), key, fact.Find(kWhole) != nullptr && new_key ? *new_key : key,
                      before, after);
  }

  void EndRow() {
    if (!owner_.options_.complete) {
      return;
    }
    if (definition_) {
      for (const StoredAttribute* total : facts_->totals) {
        CompareTotal(total->name.text);
      }
      EndSeconds();
    }
    const Item* source = definition_ ? &*definition_ : embedded_ ? &*embedded_ : nullptr;
    const AttributeValue* expected = source != nullptr ? source->Find(kExpectedLists) : nullptr;
    if (expected == nullptr || expected->list() == nullptr) {
      return;
    }
    for (const AttributeValue& list : *expected->list()) {
      if (lists_.contains(*list.string())) {
        continue;
      }
      Report(FindingKind::kLostCopy, *source, {}, "a copy is missing in " + *list.string());
    }
  }

  void CompareTotal(const std::string& name) const {
    const auto found = sums_.find(name);
    const AttributeValue expected(found != sums_.end() ? found->second : Number(0));
    const AttributeValue* stored = MapOf(*definition_, kTotals).Find(name);
    if (Same(stored, &expected)) {
      return;
    }
    Item before;
    if (stored != nullptr) {
      before.Set(name, *stored);
    }
    const Item& key = MapOf(*definition_, kKey);
    Report(FindingKind::kWrongTotal, *definition_, name,
           name + " is " + Shown(stored) + "; the rows give " + ShownValue(expected),
           ChangeItem(TableOf(*definition_), key, key, before, {{name, expected}}));
  }

  const CrossCheck& owner_;
  const std::string name_;
  const ReportFinding& report_;
  bool about_row_ = false;
  std::string entity_;
  std::string rest_;  // The row's key; or the attribute, a zero byte and the value.
  const EntityFacts* facts_ = nullptr;
  std::optional<Item> definition_;
  std::optional<Item> embedded_;
  std::map<std::string, int> lists_;
  std::map<std::string, int> seconds_;  // Items of each second layout.
  // Attribute → its value and the fact that says so.
  std::map<std::string, std::pair<AttributeValue, Item>> copies_;
  std::map<std::string, Number> sums_;
  bool locked_ = false;
};

Status CrossCheck::Finish(const ReportFinding& report) {
  std::optional<Group> group;
  PJ_RETURN_IF_ERROR(sorter_.Each([&](std::string_view name, std::string_view payload) -> Status {
    if (!group || group->name() != name) {
      if (group) {
        group->End();
      }
      group.emplace(*this, name, report);
    }
    group->Take(payload);
    return {};
  }));
  if (group) {
    group->End();
  }
  return {};
}

}  // namespace prejoin::audit
