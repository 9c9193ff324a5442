// NoSQL Workbench models, 2.0 and 3.0. Its templates are free text (an AWS sample has
// `#METEADATA#playerID`), so where there is sample data the templates are found in the data, with a
// facet as the entity; aliases are read only for facets without any.
#include <algorithm>
#include <map>
#include <set>

#include "draft/formats/formats.h"
#include "draft/infer/infer.h"
#include "draft/infer/key_tokens.h"
#include "draft/json_fields.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

constexpr std::size_t kSampleRowsMax = 1000;

std::string KeyName(std::optional<json::Value> keys, std::string_view which) {
  const std::string name = TextOf(Member(keys, which), "AttributeName");
  return name.empty() ? "" : ToName(name);
}

DraftTable ReadKeys(json::Value value) {
  DraftTable table;
  table.name = ToName(TextOf(value, "TableName"));
  const auto keys = Member(value, "KeyAttributes");
  table.partition = KeyName(keys, "PartitionKey");
  table.sort = KeyName(keys, "SortKey");
  for (const bool local : {true, false}) {
    const auto list = Member(value, local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
    for (const json::Value one : ElementsOf(list)) {
      DraftIndex index;
      index.name = ToName(TextOf(one, "IndexName"));
      index.local = local;
      const auto index_keys = Member(one, "KeyAttributes");
      index.partition = {KeyName(index_keys, "PartitionKey")};
      if (const std::string sort = KeyName(index_keys, "SortKey"); !sort.empty()) {
        index.sort = {sort};
      }
      const auto projection = Member(one, "Projection");
      const std::string type = TextOf(projection, "ProjectionType");
      index.projection = type == "INCLUDE" ? "include" : type == "KEYS_ONLY" ? "keys" : "all";
      for (const std::string& name : TextsOf(Member(projection, "NonKeyAttributes"))) {
        index.include.push_back(ToName(name));
      }
      if (!index.partition[0].empty() || local) {
        table.indexes.push_back(std::move(index));
      }
    }
  }
  return table;
}

// Types of all attributes that the file declares, keys included.
std::map<std::string, std::string> DeclaredTypes(json::Value table) {
  std::map<std::string, std::string> types;
  const auto add = [&](std::optional<json::Value> attribute) {
    const std::string name = TextOf(attribute, "AttributeName");
    if (!name.empty()) {
      types.emplace(name, TypeOfLetter(TextOf(attribute, "AttributeType")));
    }
  };
  for (const json::Value one : ElementsOf(Member(table, "NonKeyAttributes"))) {
    add(one);
  }
  add(Member(table, {"KeyAttributes", "PartitionKey"}));
  add(Member(table, {"KeyAttributes", "SortKey"}));
  for (const json::Value one : ElementsOf(Member(table, "GlobalSecondaryIndexes"))) {
    add(Member(one, {"KeyAttributes", "PartitionKey"}));
    add(Member(one, {"KeyAttributes", "SortKey"}));
  }
  return types;
}

void AddDeclared(const std::vector<std::string>& names,
                 const std::map<std::string, std::string>& types, const DraftTable& table,
                 DraftEntity& entity) {
  const std::vector<std::string> keys = table.KeyAttributes();
  for (const std::string& given : names) {
    const std::string name = ToName(given);
    const bool is_generic_key =
        std::find(keys.begin(), keys.end(), name) != keys.end() && IsGenericKeyName(name);
    if (is_generic_key || name == table.type_attribute || entity.Find(name) != nullptr) {
      continue;
    }
    DraftAttribute attribute;
    attribute.name = name;
    const auto type = types.find(given);
    if (type != types.end()) {
      attribute.type = type->second;
    }
    attribute.optional = true;
    if (name != given) {
      attribute.note = "`" + given + "` in the table";
    }
    entity.attributes.push_back(std::move(attribute));
  }
}

// "ITEMS#ItemID" → "ITEMS#{itemID}"; <x> and {x} are attributes too. Adds the attributes.
std::string TemplateOfAlias(const std::string& alias, DraftEntity& entity) {
  std::string out = "\"";
  const std::vector<KeyToken> tokens = SplitKey(alias, "#|");
  for (const KeyToken& token : tokens) {
    std::string text = token.text;
    const bool bracketed = text.size() > 2 && (text.front() == '<' || text.front() == '{');
    if (bracketed) {
      text = text.substr(1, text.size() - 2);
    }
    if (!bracketed && (text.empty() || (IsMarker(text) && tokens.size() > 1))) {
      out += text + token.delimiter;
      continue;
    }
    const std::string name = ToAttributeName(text);
    DraftAttribute* attribute = entity.Find(name);
    if (attribute == nullptr) {
      DraftAttribute added;
      added.name = name;
      added.note = "from the facet's alias";
      entity.attributes.insert(entity.attributes.begin(), std::move(added));
      attribute = &entity.attributes.front();
    }
    attribute->key = true;
    attribute->optional = false;
    out += "{" + name + "}" + token.delimiter;
  }
  return out + "\"";
}

void AddFacetByAlias(json::Value facet, const std::map<std::string, std::string>& types,
                     DraftTable& table, Draft& draft, std::set<std::string>& names) {
  DraftEntity entity;
  entity.name = UniqueName(ToEntityName(TextOf(facet, "FacetName")), names);
  AddDeclared(TextsOf(Member(facet, "NonKeyAttributes")), types, table, entity);
  DraftItem item{entity.name, {}, {}, {}};
  const auto aliases = Member(facet, "KeyAttributeAlias");
  const auto add_key = [&](const std::string& key, std::string_view member) {
    if (key.empty()) {
      return;
    }
    const std::string alias = TextOf(aliases, member);
    if (alias.empty() || alias == key) {
      DraftAttribute attribute;
      attribute.name = key;
      attribute.key = true;
      entity.attributes.insert(entity.attributes.begin(), attribute);
      return;
    }
    item.keys.emplace_back(key, TemplateOfAlias(alias, entity));
  };
  add_key(table.sort, "SortKeyAlias");
  add_key(table.partition, "PartitionKeyAlias");
  std::reverse(item.keys.begin(), item.keys.end());
  entity.notes.push_back("No sample data: the templates are derived from the facet's aliases.");
  table.items.push_back(std::move(item));
  draft.entities.push_back(std::move(entity));
}

// The item's key in the table, as one text.
std::string WholeKey(const Item& item, const DraftTable& table) {
  std::string out;
  for (const std::string& name : {table.partition, table.sort}) {
    const AttributeValue* value = name.empty() ? nullptr : item.Find(name);
    const auto text = value != nullptr ? KeyText(*value) : std::nullopt;
    out += text.value_or("") + '\x01';
  }
  return out;
}

// Feeds the data of the facets, then what the table has beside it, and says which facets had any.
std::set<std::string> FeedData(json::Value value, const std::vector<json::Value>& facets,
                               const DraftTable& table, Inference& inference) {
  std::set<std::string> with_data;
  std::set<std::string> keys;
  for (const json::Value facet : facets) {
    const std::string name = TextOf(facet, "FacetName");
    for (const json::Value row : ElementsOf(Member(facet, "TableData"))) {
      const Item item = ReadLooseItem(row);
      keys.insert(WholeKey(item, table));
      inference.Add(item, name);
      with_data.insert(name);
    }
  }
  for (const json::Value row : ElementsOf(Member(value, "TableData"))) {
    const Item item = ReadLooseItem(row);
    if (!keys.contains(WholeKey(item, table))) {
      inference.Add(item);
    }
  }
  return with_data;
}

// Entities and their items in the order of the facets, and attributes after the keys in the order in which the
// facet names them; what no facet names stays behind.
void OrderByFacets(const std::vector<json::Value>& facets, std::size_t first_entity, Draft& draft) {
  std::map<std::string, std::size_t> rank;
  for (const json::Value facet : facets) {
    const std::string name = ToEntityName(TextOf(facet, "FacetName"));
    rank.emplace(name, rank.size());
    DraftEntity* entity = draft.FindEntity(name);
    if (entity == nullptr) {
      continue;
    }
    std::map<std::string, std::size_t> places;
    for (const std::string& one : TextsOf(Member(facet, "NonKeyAttributes"))) {
      places.emplace(ToName(one), places.size());
    }
    const auto place = [&](const DraftAttribute& attribute) {
      const auto found = places.find(attribute.name);
      return attribute.key ? 0 : found == places.end() ? places.size() + 1 : found->second + 1;
    };
    std::stable_sort(entity->attributes.begin(), entity->attributes.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
  }
  const auto place = [&](const std::string& entity) {
    const auto found = rank.find(entity);
    return found == rank.end() ? rank.size() : found->second;
  };
  std::stable_sort(draft.entities.begin() + static_cast<std::ptrdiff_t>(first_entity),
                   draft.entities.end(),
                   [&](const auto& a, const auto& b) { return place(a.name) < place(b.name); });
  std::vector<DraftItem>& items = draft.tables.back().items;
  std::stable_sort(items.begin(), items.end(),
                   [&](const auto& a, const auto& b) { return place(a.entity) < place(b.entity); });
}

void ReadOneTableOf(json::Value value, Draft& draft) {
  DraftTable table = ReadKeys(value);
  if (table.partition.empty()) {
    draft.notes.push_back("Table " + table.name + " has no partition key and was left out.");
    return;
  }
  const auto types = DeclaredTypes(value);
  const std::vector<json::Value> facets = ElementsOf(Member(value, "TableFacets"));
  const bool has_facet_data = std::any_of(facets.begin(), facets.end(), [](json::Value facet) {
    return !ElementsOf(Member(facet, "TableData")).empty();
  });
  const std::size_t first_entity = draft.entities.size();
  KeyHints hints;
  for (const json::Value facet : facets) {
    const auto aliases = Member(facet, "KeyAttributeAlias");
    auto& hint = hints[TextOf(facet, "FacetName")];
    hint[table.partition] = TextOf(aliases, "PartitionKeyAlias");
    hint[table.sort] = TextOf(aliases, "SortKeyAlias");
  }
  Inference inference(table, {kSampleRowsMax, has_facet_data, false, std::move(hints)});
  const std::set<std::string> with_data = FeedData(value, facets, table, inference);
  if (inference.count() > 0) {
    inference.Finish(draft);
  } else {
    draft.tables.push_back(table);
  }
  DraftTable& added = draft.tables.back();
  std::set<std::string> names;
  for (const DraftEntity& entity : draft.entities) {
    names.insert(entity.name);
  }
  for (const json::Value facet : facets) {
    const std::string name = TextOf(facet, "FacetName");
    if (with_data.contains(name)) {
      if (DraftEntity* entity = draft.FindEntity(ToEntityName(name))) {
        AddDeclared(TextsOf(Member(facet, "NonKeyAttributes")), types, added, *entity);
      }
    } else if (inference.count() == 0 || !with_data.empty()) {
      AddFacetByAlias(facet, types, added, draft, names);
    }
  }
  if (draft.entities.size() > first_entity) {
    OrderByFacets(facets, first_entity, draft);
    return;
  }
  TableKeys keys{added, {}};
  draft.tables.pop_back();
  std::vector<std::string> declared;
  for (const auto& [name, type] : types) {
    declared.push_back(name);
  }
  AddDeclared(declared, types, keys.table, keys.entity);
  for (DraftAttribute& attribute : keys.entity.attributes) {
    attribute.key = attribute.name == keys.table.partition || attribute.name == keys.table.sort;
  }
  AddEntityOfKeys(std::move(keys), draft);
}

}  // namespace

Result<Draft> ReadWorkbench(json::Value root) {
  Draft draft;
  draft.title = TextOf(root, "ModelName");
  const auto metadata = Member(root, "ModelMetadata");
  draft.notes.push_back("From a NoSQL Workbench model, version " + TextOf(metadata, "Version") +
                        ".");
  if (const std::string about = TextOf(metadata, "Description"); !about.empty()) {
    draft.notes.push_back(about);
  }
  for (const json::Value table : ElementsOf(Member(root, "DataModel"))) {
    ReadOneTableOf(table, draft);
  }
  if (draft.tables.empty()) {
    return ValidationError("the model has no table with a key");
  }
  return draft;
}

}  // namespace prejoin::draft
