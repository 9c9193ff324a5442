#include "model/schema/key_refusals.h"

#include <algorithm>

namespace prejoin::model {
namespace {

// The forms that every date and time begins with.
constexpr std::string_view kDateForm = "0000-00-00";
constexpr std::string_view kTimeForm = "0000-00-00T00:00:00";

// The key attributes of a table or of one of its indexes.
struct ViewKeys {
  std::vector<const Name*> partition;
  std::vector<const Name*> sort;
};

std::vector<ViewKeys> KeysOf(const Table& table) {
  std::vector<ViewKeys> keys(1);
  keys[0].partition.push_back(&table.partition);
  if (!table.sort.text.empty()) {
    keys[0].sort.push_back(&table.sort);
  }
  for (const Index& index : table.indexes) {
    ViewKeys& one = keys.emplace_back();
    for (const Name& name : index.partition) {
      one.partition.push_back(&name);
    }
    for (const Name& name : index.sort) {
      one.sort.push_back(&name);
    }
  }
  return keys;
}

const KeyTemplate* TemplateOf(const ItemLayout& layout, const Name& name) {
  const StoredAttribute* stored = layout.Find(name.text);
  return stored != nullptr && stored->kind == StoredKind::kTemplate ? &stored->key : nullptr;
}

// False only if the texts in front already differ.
bool MayBeEqual(const KeyTemplate& a, const KeyTemplate& b) {
  const std::string one = a.LeadingLiteral();
  const std::string other = b.LeadingLiteral();
  return a.natural || b.natural || one.starts_with(other) || other.starts_with(one);
}

bool MayShareCollection(const ViewKeys& keys, const ItemLayout& a, const ItemLayout& b) {
  return std::ranges::all_of(keys.partition, [&](const Name* name) {
    const KeyTemplate* one = TemplateOf(a, *name);
    const KeyTemplate* other = TemplateOf(b, *name);
    return one != nullptr && other != nullptr && MayBeEqual(*one, *other);
  });
}

void AddRule(TemplatePart& part, char how, const std::string& text) {
  std::string rule = how + text;
  if (!text.empty() && std::ranges::find(part.rules, rule) == part.rules.end()) {
    part.rules.push_back(std::move(rule));
  }
}

// The text behind part `i`; empty where the template ends or another attribute follows.
std::string TextBehind(const KeyTemplate& key, std::size_t i) {
  return i + 1 < key.parts.size() ? key.parts[i + 1].literal : "";
}

// A text that another template has behind the same part. `text` may also begin inside the value and end after our own text, which
// is where a value must not end in the beginning of it.
void AddStop(TemplatePart& part, const std::string& text) {
  AddRule(part, '*', text);
  if (part.next.empty()) {
    return;
  }
  for (std::size_t at = text.find(part.next, 1); at != std::string::npos;
       at = text.find(part.next, at + 1)) {
    AddRule(part, '*', text.substr(0, at + part.next.size()));
  }
}

// Which fixed texts of other keys a value must not imitate.
enum class Beginnings {
  kNone,  // A partition of an index: items of several entities share it on purpose, and no key of it must be the only one.
  kLong,  // A table's partition beside a sort key: a collection with a fixed name (`ORG#ACME`) may be shared, since sort keys tell its items apart.
  kAll,
};

// `other` has fixed text where `key` has part `i`: `{id}` beside `ORDER#{id}`.
void AddBeginning(KeyTemplate& key, std::size_t i, const std::string& text, bool whole) {
  TemplatePart& part = key.parts[i];
  const bool goes_on = i + (part.next.empty() ? 1 : 2) < key.parts.size();
  if (!whole) {
    AddRule(part, '^', text);
  }
  if (goes_on) {
    AddRule(part, '<', text);
  } else if (whole) {
    AddRule(part, '=', text);
  }
}

// Compares keys of `other` with the values of `key`. Both are walked from the left as long as they have the same parts.
void AddRulesAgainst(KeyTemplate& key, const KeyTemplate& other, Beginnings beginnings) {
  const auto begins = [&](std::size_t part, const std::string& text, bool whole) {
    if (beginnings == Beginnings::kAll || (beginnings == Beginnings::kLong && !whole)) {
      AddBeginning(key, part, text, whole);
    }
  };
  std::size_t i = 0;
  for (; i < key.parts.size() && i < other.parts.size(); ++i) {
    TemplatePart& part = key.parts[i];
    const TemplatePart& same = other.parts[i];
    if (part.is_literal() && same.is_literal()) {
      if (part.literal == same.literal) {
        continue;
      }
      // `T#{id}` beside `T#ORDER#{id}`: the rest of the longer text is where the shorter one has a value.
      if (same.literal.starts_with(part.literal) && i + 1 < key.parts.size()) {
        begins(i + 1, same.literal.substr(part.literal.size()), i + 1 == other.parts.size());
      }
      return;
    }
    if (part.is_literal()) {
      return;
    }
    if (same.is_literal()) {
      begins(i, same.literal, i + 1 == other.parts.size());
      return;
    }
    AddStop(part, TextBehind(other, i));
  }
}

std::string_view FormOf(const Entity& entity, const std::string& attribute) {
  const Attribute* found = entity.Find(attribute);
  if (found == nullptr || !TraitsOf(found->type).moment) {
    return {};
  }
  return found->type == AttributeType::kDate ? kDateForm : kTimeForm;
}

// A date always contains "-", so a rule against it would refuse every date.
void AddForm(TemplatePart& part, std::string_view form) {
  std::string sample(form);
  std::ranges::replace(sample, '0', '1');
  const bool occurs = std::ranges::any_of(part.rules, [&](const std::string& rule) {
    return rule[0] == '*' && (sample.find(rule.substr(1)) != std::string::npos ||
                              rule.find_first_not_of("0123456789", 1) == std::string::npos);
  });
  if (occurs) {
    part.rules.insert(part.rules.begin(), "@" + std::string(form));
  }
}

class Refusals {
 public:
  Refusals(const Model& model, Table& table) : model_(model), table_(table) {}

  void Fill() {
    Beginnings of_partitions = table_.sort.text.empty() ? Beginnings::kAll : Beginnings::kLong;
    for (const ViewKeys& keys : KeysOf(table_)) {
      for (const Name* name : keys.partition) {
        Each(*name, keys, /*sort=*/false, of_partitions);
      }
      for (const Name* name : keys.sort) {
        Each(*name, keys, /*sort=*/true, Beginnings::kAll);
      }
      of_partitions = Beginnings::kNone;  // The table's own keys come first.
    }
    for (ItemLayout& layout : table_.items) {
      const Entity& entity = model_.At(layout.entity);
      for (StoredAttribute& stored : layout.attributes) {
        for (TemplatePart& part : stored.key.parts) {
          const std::string_view form = FormOf(entity, part.attribute);
          if (!form.empty() && part.transform == TemplateTransform::kNone) {
            AddForm(part, form);
          }
          if (!form.empty() && part.transform == TemplateTransform::kFirst) {
            AddForm(part, form.substr(0, static_cast<std::size_t>(part.derivation.first)));
          }
        }
      }
    }
  }

 private:
  static StoredAttribute* Stored(ItemLayout& layout, const Name& name) {
    const auto found = std::ranges::find(layout.attributes, name, &StoredAttribute::name);
    return found != layout.attributes.end() && found->kind == StoredKind::kTemplate &&
                   !found->key.natural
               ? &*found
               : nullptr;
  }

  void Each(const Name& name, const ViewKeys& keys, bool sort, Beginnings beginnings) {
    for (ItemLayout& layout : table_.items) {
      StoredAttribute* stored = Stored(layout, name);
      if (stored == nullptr) {
        continue;
      }
      for (std::size_t i = 0; i < stored->key.parts.size(); ++i) {
        TemplatePart& part = stored->key.parts[i];
        if (part.is_literal() || part.transform == TemplateTransform::kShard ||
            part.transform == TemplateTransform::kDescending) {
          continue;
        }
        part.next = TextBehind(stored->key, i);
        AddRule(part, '*', part.next);
      }
      for (ItemLayout& other : table_.items) {
        const StoredAttribute* beside = &other == &layout ? nullptr : Stored(other, name);
        if (beside != nullptr && (!sort || MayShareCollection(keys, layout, other))) {
          AddRulesAgainst(stored->key, beside->key, beginnings);
        }
      }
    }
  }

  const Model& model_;
  Table& table_;
};

}  // namespace

void FillKeyRefusals(Model& model) {
  for (Table& table : model.tables) {
    Refusals(model, table).Fill();
  }
}

}  // namespace prejoin::model
