// The second half of the cross-check: sorted facts arrive group by group, and all facts of a group are about one row or one unique value.
// The definition comes first, so each other fact is compared with it at once, and nothing else is kept but what the end of the group
// needs: sums, the lists and layouts that were seen.
#include <algorithm>
#include <optional>

#include "audit/cross_check.h"
#include "audit/fact.h"
#include "audit/fix_request.h"
#include "audit/second_layouts.h"
#include "model/data/item_render.h"
#include "value/encoding.h"

namespace prejoin::audit {
namespace {

using model::Row;
using model::StoredAttribute;

bool Same(const AttributeValue* a, const AttributeValue* b) {
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

std::string Shown(const AttributeValue* value) {
  return value != nullptr ? ShownValue(*value) : "nothing";
}

}  // namespace

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
