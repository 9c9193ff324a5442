#include "model/layout/key_shape.h"

#include <algorithm>
#include <cmath>

#include "model/layout/key_spelling.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

constexpr int kHopsMax = 8;
constexpr double kPadKeys = 4;

// How many references lead up from the entity's key.
int DepthOf(const Model& logical, const Entity& entity, int hops) {
  int depth = 0;
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.is_key || !attribute.references || hops >= kHopsMax) {
      continue;
    }
    const Entity& above = logical.At(attribute.references->entity);
    if (&above != &entity) {
      depth = std::max(depth, 1 + DepthOf(logical, above, hops + 1));
    }
  }
  return depth;
}

int OwnKeys(const Entity& entity) {
  return static_cast<int>(std::ranges::count_if(entity.attributes, [](const Attribute& attribute) {
    return attribute.is_key && !attribute.references;
  }));
}

bool IsEntityName(const Model& logical, const std::string& upper) {
  return std::ranges::any_of(
      logical.entities, [&](const Entity& entity) { return KeyWord(entity.name.text) == upper; });
}

// Counts the entities that have an attribute of this name that is no reference.
int Bearers(const Model& logical, const std::string& attribute) {
  return static_cast<int>(std::ranges::count_if(logical.entities, [&](const Entity& entity) {
    const Attribute* found = entity.Find(attribute);
    return found != nullptr && !found->references;
  }));
}

// Returns the prefix of the first attribute of a key; unique for its meaning.
std::string LeadingPrefix(const Model& logical, const std::string& entity,
                          const std::string& attribute) {
  const Path origin = OriginOf(logical, logical.AtName(entity), attribute);
  const Entity& owner = logical.At(origin.entity);
  const Attribute& found = *owner.Find(origin.attribute.text);
  if (found.is_key && OwnKeys(owner) == 1) {
    return KeyWord(owner.name.text);
  }
  const std::string name = KeyWord(found.name.text);
  if (Bearers(logical, found.name.text) == 1 && !IsEntityName(logical, name)) {
    return name;
  }
  return KeyWord(owner.name.text) + "-" + name;
}

// Handles a further attribute: only the key of another entity says what it is.
std::string InnerPrefix(const Model& logical, const std::string& entity,
                        const std::string& attribute) {
  const Path origin = OriginOf(logical, logical.AtName(entity), attribute);
  const Entity& owner = logical.At(origin.entity);
  const bool key = owner.Find(origin.attribute.text)->is_key && OwnKeys(owner) == 1;
  return key ? KeyWord(owner.name.text) + "#" : "";
}

std::string AttributeText(const Model& logical, const std::string& entity,
                          const std::string& name) {
  const Attribute& attribute = *logical.AtName(entity).Find(name);
  double digits = std::max(attribute.size_avg, attribute.size_max);
  // Numbers that tell rows apart may become longer than they are now.
  if (digits > 0 && attribute.is_key) {
    digits = std::max(digits, kPadKeys);
  }
  return PartText(attribute, digits > 0 ? static_cast<int>(std::ceil(digits)) : kPadDigits);
}

}  // namespace

KeyShape ShapeOf(const KeyTemplate& partition, const KeyTemplate* sort) {
  KeyShape key;
  key.partition = PartsOfKey(partition);
  if (sort != nullptr) {
    key.sort = PartsOfKey(*sort);
  }
  if (const TemplatePart* shard = partition.Shard()) {
    key.shards = shard->argument;
    key.shard_of = shard->attribute;
  }
  return key;
}

std::vector<std::string> InKeyOrder(const Model& logical, const std::string& entity,
                                    std::vector<std::string> attributes) {
  const Entity& rows = logical.AtName(entity);
  const auto rank = [&](const std::string& name) {
    const Path origin = OriginOf(logical, rows, name);
    const bool own = origin.entity.text == entity;
    const bool key = rows.Find(name) != nullptr && rows.Find(name)->is_key;
    const int depth = DepthOf(logical, logical.At(origin.entity), 0);
    return std::tuple(own ? (key ? 1 : 2) : 0, depth, origin.entity.text, origin.attribute.text,
                      name);
  };
  std::ranges::sort(attributes, {}, rank);
  return attributes;
}

std::string PartitionMeaning(const Model& logical, const std::string& entity, const KeyShape& key) {
  if (key.partition.empty()) {
    return entity + "/" + std::to_string(key.shards);
  }
  std::string meaning;
  for (const std::string& name : key.partition) {
    const Path origin = OriginOf(logical, logical.AtName(entity), name);
    meaning += origin.entity.text + "." + origin.attribute.text + " ";
  }
  if (key.shards > 1) {
    meaning += "/" + std::to_string(key.shards) + key.shard_of;
  }
  return meaning;
}

std::string PartitionText(const Model& logical, const std::string& entity, const KeyShape& key) {
  std::string text;
  for (const std::string& name : key.partition) {
    text += text.empty() ? LeadingPrefix(logical, entity, name) + "#"
                         : "#" + InnerPrefix(logical, entity, name);
    text += AttributeText(logical, entity, name);
  }
  if (text.empty()) {
    text = KeyWord(entity);
  }
  if (key.shards > 1) {
    text += ShardText(key.shards, key.shard_of);
  }
  return text;
}

std::string SortText(const Model& logical, const std::string& entity, const KeyShape& key,
                     SortPlace place) {
  const std::string name = place == SortPlace::kAlone ? "" : KeyWord(entity);
  if (key.sort.empty()) {
    return (place == SortPlace::kLast ? "~" : "#") + name;
  }
  std::string text = name;
  for (const std::string& attribute : key.sort) {
    text += (text.empty() ? "" : "#") + AttributeText(logical, entity, attribute);
  }
  return text;
}

bool IsReadBack(const Attribute& attribute) {
  return !attribute.optional && !IsNumber(attribute.type) && !IsBool(attribute.type);
}

}  // namespace prejoin::model
