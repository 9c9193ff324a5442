// Adds what a model file needs and the formats of the field do not say: patterns by the keys that are
// there, relationships by names, and sample rows read back from items.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "draft/decode_samples.h"
#include "draft/draft.h"
#include "draft/names.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/data/item_render.h"
#include "model/layout/key_spelling.h"
#include "value/base64.h"

namespace prejoin::draft {
namespace {

constexpr const char* kOnly = "only";
constexpr const char* kOnlyValue = "1";

// The attributes in `"ORG#{org}#{at pad 6}"`, or the bare attribute.
std::vector<std::string> TemplateVariables(const std::string& text) {
  if (!text.starts_with('"')) {
    return {text};
  }
  std::vector<std::string> names;
  const model::KeyTemplate key = model::KeyOfText(text.substr(1, text.size() - 2));
  for (const model::TemplatePart& part : key.parts) {
    // A pattern asks all shards.
    if (!part.is_literal() && part.transform != model::TemplateTransform::kShard) {
      names.push_back(part.attribute);
    }
  }
  return names;
}

// The entity's attributes that a key is made of; nullopt if its items do not have the key.
std::optional<std::vector<std::string>> VariablesOf(const DraftItem& item,
                                                    const DraftEntity& entity,
                                                    const std::string& key) {
  for (const auto& [name, text] : item.keys) {
    if (name == key) {
      return TemplateVariables(text);
    }
  }
  if (entity.Find(key) != nullptr) {
    return std::vector<std::string>{key};
  }
  return std::nullopt;
}

class PatternAdder {
 public:
  explicit PatternAdder(Draft& draft) : draft_(draft) {
    for (const DraftPattern& pattern : draft.patterns) {
      names_.insert(pattern.name);
    }
  }

  void AddFor(const DraftTable& table, const DraftItem& item) {
    const DraftEntity* entity = draft_.FindEntity(item.entity);
    if (entity == nullptr || entity->KeyNames().empty()) {
      return;
    }
    // The item's key may need more than identifies the entity.
    std::vector<std::string> variables;
    for (const std::string& key : {table.partition, table.sort}) {
      if (key.empty()) {
        continue;
      }
      for (const std::string& name : VariablesOf(item, *entity, key).value_or(entity->KeyNames())) {
        if (std::find(variables.begin(), variables.end(), name) == variables.end()) {
          variables.push_back(name);
        }
      }
    }
    if (variables.empty()) {
      variables = entity->KeyNames();
    }
    Add(*entity, variables, "Get" + Capitalised(entity->name), "By its key");
    if (!table.sort.empty()) {
      Add(*entity, item, {table.partition});
    }
    for (const DraftIndex& index : table.indexes) {
      if (!index.local && AlwaysSorted(index, item, *entity)) {
        Add(*entity, item, index.partition);
      }
    }
  }

 private:
  // An item without the sort key is not in the index, and a pattern that reads it there loses rows.
  static bool AlwaysSorted(const DraftIndex& index, const DraftItem& item,
                           const DraftEntity& entity) {
    for (const std::string& key : index.sort) {
      const auto variables = VariablesOf(item, entity, key);
      if (!variables) {
        return false;
      }
      for (const std::string& name : *variables) {
        const DraftAttribute* attribute = entity.Find(name);
        if (attribute == nullptr || attribute->optional) {
          return false;
        }
      }
    }
    return true;
  }

  void Add(const DraftEntity& entity, const DraftItem& item, const std::vector<std::string>& keys) {
    std::vector<std::string> variables;
    for (const std::string& key : keys) {
      const auto some = VariablesOf(item, entity, key);
      if (!some) {
        return;
      }
      for (const std::string& name : *some) {
        if (std::find(variables.begin(), variables.end(), name) == variables.end()) {
          variables.push_back(name);
        }
      }
    }
    std::string name = entity.name + "By";
    for (const std::string& variable : variables) {
      name += Capitalised(variable);
    }
    Add(entity, variables, name, "By " + keys[0]);
  }

  void Add(const DraftEntity& entity, const std::vector<std::string>& variables, std::string name,
           std::string title) {
    std::string where;
    for (const std::string& variable : variables) {
      where += (where.empty() ? " where " : " and ") + variable + " = :" + Parameter(variable);
    }
    const std::string line = "find " + entity.name + where;
    if (variables.empty() || !lines_.insert(line).second) {
      return;
    }
    draft_.patterns.push_back(
        {UniqueName(ToName(name), names_), std::move(title), {line}, {}, false});
  }

  // Parameters have no hyphens.
  static std::string Parameter(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }

  Draft& draft_;
  std::set<std::string> names_;
  std::set<std::string> lines_;
};

// Keys of rows have no binary values: a model file can only show them as text.
bool FitsType(const AttributeValue& value, model::AttributeType type) {
  const ValueType stored = model::TraitsOf(type).stored;
  return stored != ValueType::kBinary && value.type() == stored;
}

// A binary value as a sample shows it: base64, of no more than a line.
std::optional<AttributeValue> BinaryAsText(const AttributeValue& value) {
  constexpr std::size_t kShownMax = 48;
  const std::string* bytes = value.binary();
  if (value.binary_set() != nullptr && !value.binary_set()->empty()) {
    bytes = &*value.binary_set()->begin();
  }
  if (bytes == nullptr) {
    return std::nullopt;
  }
  std::string text;
  AppendBase64(std::string_view(*bytes).substr(0, kShownMax), text);
  return AttributeValue(std::move(text));
}

// The row of an item, or nullopt if the model gives the item another key than it has.
std::optional<Item> RowOf(const model::Model::Placement& placement, const model::Entity& entity,
                          const model::Model& model, const Item& item) {
  Item row = model::RowOfItem(model, placement, item);
  Item kept;
  for (const model::Attribute& attribute : entity.attributes) {
    const AttributeValue* value = row.Find(attribute.name.text);
    if (value != nullptr && FitsType(*value, attribute.type)) {
      kept.Set(attribute.name.text, *value);
    }
  }
  const auto key = model::RenderPrimaryKey(placement, kept);
  if (!key) {
    return std::nullopt;
  }
  for (const auto& [name, value] : *key) {
    const AttributeValue* stored = item.Find(name);
    if (stored == nullptr || !(*stored == value)) {
      return std::nullopt;
    }
  }
  for (const model::Attribute& attribute : entity.attributes) {
    const AttributeValue* value = row.Find(attribute.name.text);
    const auto text = attribute.type == model::AttributeType::kBinary && value != nullptr
                          ? BinaryAsText(*value)
                          : std::nullopt;
    if (text) {
      kept.Set(attribute.name.text, *text);
    }
  }
  return kept;
}

// Makes an attribute optional that a row lacks: one that stands only in the keys of an index is missing where an item has not got those.
void MarkMissing(const DraftSample& sample, Draft& draft) {
  DraftEntity* entity = draft.FindEntity(sample.entity);
  if (entity == nullptr) {
    return;
  }
  for (DraftAttribute& attribute : entity->attributes) {
    const bool missing = std::ranges::any_of(
        sample.rows, [&](const Item& row) { return row.Find(attribute.name) == nullptr; });
    attribute.optional = attribute.optional || (missing && !attribute.key);
  }
}

}  // namespace

void AddKeyPatterns(Draft& draft) {
  PatternAdder adder(draft);
  const std::size_t before = draft.patterns.size();
  for (const DraftTable& table : draft.tables) {
    for (const DraftItem& item : table.items) {
      adder.AddFor(table, item);
    }
  }
  if (draft.patterns.size() > before) {
    draft.patterns[before].notes.insert(
        draft.patterns[before].notes.begin(),
        "The reads that the keys support. Keep those in use, and add a `rate` to each.");
  }
}

void AllowKnownCollections(Draft& draft) {
  constexpr const char* kRule = "PJ111";
  const bool local = std::ranges::any_of(draft.tables, [](const DraftTable& table) {
    return std::ranges::any_of(table.indexes, &DraftIndex::local);
  });
  const model::ReadModelResult read =
      local ? model::ReadModel(PrintDraft(draft)) : model::ReadModelResult();
  if (!read.ok) {
    return;
  }
  std::set<std::size_t> lines;
  for (const model::Diagnostic& finding : model::CheckModel(read)) {
    if (finding.rule == kRule) {
      lines.insert(static_cast<std::size_t>(finding.at.line));
    }
  }
  for (const model::Table& table : read.model.tables) {
    const bool found = std::ranges::any_of(table.indexes, [&](const model::Index& index) {
      return index.local && lines.contains(static_cast<std::size_t>(index.at.line));
    });
    for (DraftTable& one : draft.tables) {
      if (found && one.name == table.name.text) {
        one.allows.emplace_back(kRule,
                                "DynamoDB keeps each collection within 10 GB; state a bound if the "
                                "application has one");
      }
    }
  }
}

namespace {

// The item's partition key where it is one text for all items, as `"CONFIG"`; null if it is not, or if another item of the table could
// not be told apart from `"{only}"`.
std::pair<std::string, std::string>* ConstantPartition(const std::string& entity, Draft& draft) {
  std::pair<std::string, std::string>* constant = nullptr;
  std::vector<std::string> heads;  // The texts that other items' partition keys begin with, where values follow.
  for (DraftTable& table : draft.tables) {
    for (DraftItem& item : table.items) {
      const auto key = std::ranges::find(item.keys, table.partition,
                                         &std::pair<std::string, std::string>::first);
      const std::string text = key == item.keys.end() ? "\"{" : key->second;
      if (item.entity != entity && text.find('{') != std::string::npos) {
        heads.push_back(text.substr(1, text.find('{') - 1));
      } else if (item.entity == entity && text.size() > 2 &&
                 text.find_first_of("{\\") == std::string::npos) {
        constant = &*key;
      }
    }
  }
  const bool alike = constant != nullptr && std::ranges::any_of(heads, [&](const std::string& head) {
                       return constant->second.substr(1).starts_with(head);
                     });
  return alike ? nullptr : constant;
}

}  // namespace

void AddMissingKeys(Draft& draft) {
  for (DraftEntity& entity : draft.entities) {
    if (!entity.KeyNames().empty() || entity.Find(kOnly) != nullptr) {
      continue;
    }
    DraftAttribute only;
    only.name = kOnly;
    only.key = true;
    only.values = {kOnlyValue};
    only.note = "made up: there is only one such item";
    entity.count = 1;
    // The key's own text is the value, so the item need not store another.
    if (auto* const key = ConstantPartition(entity.name, draft)) {
      only.values = {key->second.substr(1, key->second.size() - 2)};
      key->second = "\"{" + std::string(kOnly) + "}\"";
      for (DraftTable& table : draft.tables) {
        for (DraftItem& item : table.items) {
          if (item.entity == entity.name) {
            item.without.push_back(kOnly);
          }
        }
      }
    }
    entity.attributes.insert(entity.attributes.begin(), std::move(only));
  }
}

void RemoveRepeatedAttributes(Draft& draft) {
  for (DraftEntity& entity : draft.entities) {
    std::set<std::string> seen;
    std::erase_if(entity.attributes, [&](const DraftAttribute& attribute) {
      if (seen.insert(attribute.name).second) {
        return false;
      }
      entity.notes.push_back("It has " + attribute.name + " more than once; the first was taken.");
      return true;
    });
  }
}

void AddRelationshipsByName(Draft& draft) {
  std::set<std::string> names;
  for (const DraftRelationship& one : draft.relationships) {
    names.insert(one.name);
  }
  for (DraftEntity& child : draft.entities) {
    const DraftEntity* nearest = nullptr;
    for (const DraftEntity& parent : draft.entities) {
      const std::vector<std::string> keys = parent.KeyNames();
      if (&parent == &child || keys.empty() || keys == child.KeyNames()) {
        continue;
      }
      const bool has_all = std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
        const DraftAttribute* attribute = child.Find(key);
        return key != "id" && attribute != nullptr && attribute->references.empty();
      });
      if (has_all && (nearest == nullptr || keys.size() > nearest->KeyNames().size())) {
        nearest = &parent;
      }
    }
    if (nearest == nullptr) {
      continue;
    }
    const std::vector<std::string> child_keys = child.KeyNames();
    const std::vector<std::string> parent_keys = nearest->KeyNames();
    const bool parent_is_wider =
        std::includes(parent_keys.begin(), parent_keys.end(), child_keys.begin(), child_keys.end());
    if (parent_is_wider) {
      continue;
    }
    for (const std::string& key : parent_keys) {
      child.Find(key)->references = nearest->name + "." + key;
    }
    DraftRelationship one;
    one.name = UniqueName(nearest->name + Capitalised(child.name) + "s", names);
    one.from = nearest->name;
    one.to = child.name;
    draft.relationships.push_back(std::move(one));
  }
}

void DecodeSamples(Draft& draft, bool keep_all) {
  AddMissingKeys(draft);
  std::vector<DraftSample> items = std::move(draft.samples);
  draft.samples.clear();
  const model::ReadModelResult read = model::ReadModel(PrintDraft(draft));
  for (DraftSample& sample : items) {
    const model::Entity* entity = read.model.FindEntity(sample.entity);
    const auto placement = read.model.FindPlacement(sample.entity);
    if (entity == nullptr || !placement) {
      continue;
    }
    DraftSample rows{sample.entity, {}};
    std::size_t lost = 0;
    for (const Item& item : sample.rows) {
      auto row = RowOf(placement, *entity, read.model, item);
      // An item of which there is only one does not hold the attribute that says so.
      if (row && entity->Find(kOnly) != nullptr && row->Find(kOnly) == nullptr) {
        row->Set(kOnly, AttributeValue(kOnlyValue));
      }
      if (row) {
        rows.rows.push_back(*std::move(row));
      } else {
        ++lost;
      }
    }
    if (lost > 0 && keep_all) {
      if (DraftEntity* noted = draft.FindEntity(sample.entity)) {
        noted->notes.push_back(std::to_string(lost) + " of " + std::to_string(sample.rows.size()) +
                               " sample items do not fit these templates and were left out.");
      }
    }
    MarkMissing(rows, draft);
    draft.samples.push_back(std::move(rows));
  }
}

}  // namespace prejoin::draft
