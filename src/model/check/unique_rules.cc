// Rules about what tells rows apart: the table's key, and attributes that are declared unique.
#include <algorithm>
#include <array>
#include <set>

#include "model/check/checker.h"
#include "model/layout/key_spelling.h"
#include "model/layout/layout_edits.h"

namespace prejoin::model {
namespace {

constexpr std::array kUniqueRules = std::to_array<Rule>({
    {"PJ106", "key-not-unique", Severity::kError, "two rows of an entity can have the same key",
     "If two shops share a zip code, the second one overwrites the first.",
     "Include the entity's whole key in the table's key. If the template is right, declare its "
     "attributes as the entity's key and guard the put with `once`."},
    {"PJ231", "unique-not-kept", Severity::kWarning, "nothing enforces a unique attribute",
     "DynamoDB enforces uniqueness for the table's key only. Two writers with the same value both "
     "succeed.",
     "Write `unique email by lock item` in the item. A lock item for each value, put in the same "
     "transaction, then enforces it."},
    {"PJ303", "folded-key", Severity::kNote, "a key folds the case of what identifies a row",
     "{name lower} writes Ann and ANN as one key: the second row is refused or replaces the first.",
     "Write {name}. If case does not matter, state it with `allow PJ303 because \"…\"`, and store the "
     "value in one case."},
});

// The template with all parts of the entity's key behind it that no key has yet.
StoredAttribute WithKeys(const Entity& entity, const std::set<std::string>& in_key,
                         StoredAttribute stored) {
  for (const std::string& key : entity.KeyNames()) {
    if (!in_key.contains(key)) {
      stored = Extended(std::move(stored), PartsText({key}));
    }
  }
  return stored;
}

// "ORDER#<id>", "ORDER#[id]": the attribute as other notations write it; nothing where no literal has it.
std::optional<StoredAttribute> WithBraces(StoredAttribute stored, const std::string& attribute) {
  for (std::size_t i = 0; i < stored.key.parts.size(); ++i) {
    for (const std::string& written : {"<" + attribute + ">", "[" + attribute + "]"}) {
      const std::string literal = stored.key.parts[i].literal;
      const std::size_t at = literal.find(written);
      if (at == std::string::npos) {
        continue;
      }
      std::vector<TemplatePart> now;
      for (const auto& [text, name] :
           {std::pair{literal.substr(0, at), std::string()}, std::pair{std::string(), attribute},
            std::pair{literal.substr(at + written.size()), std::string()}}) {
        if (!text.empty() || !name.empty()) {
          now.push_back({text, name});
        }
      }
      const auto place = stored.key.parts.begin() + static_cast<std::ptrdiff_t>(i);
      stored.key.parts.insert(stored.key.parts.erase(place), now.begin(), now.end());
      return stored;
    }
  }
  return std::nullopt;
}

// PJ106: the table's key must contain the entity's.
void CheckUnique(Checker& checker, const Table& table, const Entity& entity,
                 const ItemLayout& layout) {
  std::set<std::string> in_key;
  for (const Name* name : {&table.partition, &table.sort}) {
    if (name->text.empty()) {
      continue;
    }
    for (const TemplatePart& part : layout.Find(name->text)->key.parts) {
      if (!part.is_literal() && part.transform != TemplateTransform::kShard) {
        in_key.insert(part.label());
      }
    }
  }
  // A unique attribute identifies a row as well as its key does.
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.unique && in_key.contains(attribute.name.text)) {
      return;
    }
  }
  for (const std::string& key : entity.KeyNames()) {
    // Where only one value is allowed there is only one row.
    const Attribute* attribute = entity.Find(key);
    if (in_key.contains(key) || (attribute != nullptr && attribute->values.size() == 1)) {
      continue;
    }
    const StoredAttribute* last =
        layout.Find(table.sort.text.empty() ? table.partition.text : table.sort.text);
    for (const Name* name : {&table.partition, &table.sort}) {
      const StoredAttribute* stored = layout.Find(name->text);
      const auto braced = stored != nullptr ? WithBraces(*stored, key) : std::nullopt;
      if (braced) {
        return checker.Report(RuleIn(kUniqueRules, "PJ106"), stored->key.at,
                              "`" + key + "` stands in this key as text, so every " +
                                  entity.name.text + " has the same: attributes stand in braces",
                              OtherKey(layout, *stored, *braced));
      }
    }
    checker.Report(RuleIn(kUniqueRules, "PJ106"), last->key.at,
                   "`" + key + "` identifies one " + entity.name.text +
                       " but is missing from its key: two items with the same " +
                       (in_key.empty() ? "key" : *in_key.rbegin()) + " overwrite each other",
                   OtherKey(layout, *last, WithKeys(entity, in_key, *last)));
    return;
  }
}

// PJ303: what tells rows apart is in the table's key in one case only.
void CheckFolding(Checker& checker, const Table& table, const Entity& entity,
                  const ItemLayout& layout) {
  std::set<std::string> kept;
  std::vector<std::pair<const StoredAttribute*, const TemplatePart*>> folded;
  for (const Name* name : {&table.partition, &table.sort}) {
    const StoredAttribute* stored = name->text.empty() ? nullptr : layout.Find(name->text);
    for (std::size_t i = 0; stored != nullptr && i < stored->key.parts.size(); ++i) {
      const TemplatePart& part = stored->key.parts[i];
      if (part.transform == TemplateTransform::kLower || part.transform == TemplateTransform::kUpper) {
        folded.emplace_back(stored, &part);
      } else if (part.gives_back()) {
        kept.insert(part.attribute);
      }
    }
  }
  for (const auto& [stored, part] : folded) {
    const Attribute* attribute = entity.Find(part->attribute);
    if (attribute == nullptr || !attribute->is_key || attribute->type != AttributeType::kText ||
        attribute->references || !attribute->values.empty() || !kept.insert(part->attribute).second) {
      continue;
    }
    StoredAttribute now = *stored;
    now.key.parts[static_cast<std::size_t>(part - stored->key.parts.data())].transform =
        TemplateTransform::kNone;
    checker.Report(RuleIn(kUniqueRules, "PJ303"), stored->key.at,
                   "two rows of `" + entity.name.text + "` whose `" + part->attribute +
                       "` differs only in case are one item, and a request for one returns the other",
                   OtherKey(layout, *stored, now));
  }
}

// True if the table's key is made of this attribute alone: two rows with one value are one item.
bool IsWholeKey(const Model::Placement& placement, const std::string& attribute) {
  std::set<std::string> in_key;
  for (const Name* name : {&placement.table->partition, &placement.table->sort}) {
    if (name->text.empty()) {
      continue;
    }
    const std::vector<std::string> names = placement.layout->Find(name->text)->key.Labels();
    in_key.insert(names.begin(), names.end());
  }
  return in_key == std::set<std::string>{attribute};
}

// PJ231: rows are put, and nothing refuses a second one with the same value.
void CheckUniqueIsKept(Checker& checker, const Entity& entity) {
  const std::vector<Model::Placement> layouts = checker.model.LayoutsOf(entity.name.text);
  const bool put = std::ranges::any_of(checker.model.writes, [&](const Write& write) {
    return std::ranges::any_of(write.steps, [&](const WriteStep& step) {
      return step.kind == WriteKind::kPut && step.entity == entity.name;
    });
  });
  if (layouts.empty() || !put) {
    return;
  }
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.unique || attribute.is_key || IsComplex(attribute.type)) {
      continue;
    }
    const bool kept = std::ranges::any_of(layouts, [&](const Model::Placement& layout) {
      return std::ranges::count(layout.layout->locks, attribute.name) > 0 ||
             IsWholeKey(layout, attribute.name.text);
    });
    if (kept) {
      continue;
    }
    checker.Report(
        RuleIn(kUniqueRules, "PJ231"), attribute.name.at,
        "nothing enforces that `" + entity.name.text + "." + attribute.name.text +
            "` is unique: DynamoDB accepts a second row with the same value",
        Proposal(std::vector{AddToItem(*layouts.front().layout,
                                       {"unique " + attribute.name.text + " by lock item"})}));
  }
}

void CheckUniqueness(Checker& checker) {
  for (const Table& table : checker.model.tables) {
    for (const ItemLayout& layout : table.items) {
      const Entity& entity = checker.model.At(layout.entity);
      CheckUnique(checker, table, entity, layout);
      CheckFolding(checker, table, entity, layout);
    }
  }
  for (const Entity& entity : checker.model.entities) {
    CheckUniqueIsKept(checker, entity);
  }
}

}  // namespace

Proposal OtherKey(const ItemLayout& layout, const StoredAttribute& stored,
                  const StoredAttribute& now) {
  return IsWritten(layout, stored) ? Proposal(std::vector{ReplaceStored(layout, stored, now)})
                                   : Proposal();
}

constinit const RuleFamily kUniqueFamily = {kUniqueRules, CheckUniqueness};

}  // namespace prejoin::model
