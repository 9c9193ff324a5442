#include "model/schema/strategy_match.h"

#include <algorithm>

#include "model/schema/join.h"

namespace prejoin::model {
namespace {

bool HasAll(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  return !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [&](const std::string& one) {
    return std::find(names.begin(), names.end(), one) != names.end();
  });
}

std::vector<std::string> Pointing(const Model& model, const std::string& from,
                                  const std::string& to) {
  std::vector<std::string> names;
  const Entity* a = model.FindEntity(from);
  const Entity* b = model.FindEntity(to);
  if (a == nullptr || b == nullptr) return names;
  for (const JoinColumn& column : JoinColumns(*a, *b)) names.push_back(column.from);
  return names;
}

std::vector<std::string> KeyAttributes(const Model& model, const std::string& entity,
                                       const std::vector<Name>& keys) {
  std::vector<std::string> names;
  const Model::Placement placement = model.FindPlacement(entity);
  for (const Name& key : keys) {
    const StoredAttribute* stored = placement ? placement.layout->Find(key.text) : nullptr;
    if (stored == nullptr) return {};
    for (const std::string& name : stored->key.Attributes()) names.push_back(name);
  }
  return names;
}

const StoredAttribute* EmbeddedIn(const Model& model, const std::string& owner,
                                  const std::string& entity) {
  const Model::Placement placement = model.FindPlacement(owner);
  if (!placement) return nullptr;
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (stored.embedded.text == entity) return &stored;
  }
  return nullptr;
}

// Children (or edges) grouped by the parent's key in the base table or in an index.
bool GroupedInBase(const Model& model, const std::string& child, const std::string& parent) {
  const Model::Placement placement = model.FindPlacement(child);
  return placement && HasAll(KeyAttributes(model, child, {placement.table->partition}),
                             Pointing(model, child, parent));
}

bool GroupedInIndex(const Model& model, const std::string& child, const std::string& parent) {
  const Model::Placement placement = model.FindPlacement(child);
  if (!placement) return false;
  return std::any_of(
      placement.table->indexes.begin(), placement.table->indexes.end(), [&](const Index& index) {
        return HasAll(KeyAttributes(model, child, index.partition), Pointing(model, child, parent));
      });
}

bool HasCopyOf(const Model& model, const std::string& child, const std::string& parent) {
  const Model::Placement placement = model.FindPlacement(child);
  return placement &&
         std::any_of(placement.layout->attributes.begin(), placement.layout->attributes.end(),
                     [&](const StoredAttribute& stored) {
                       return stored.kind == StoredKind::kCopy && stored.copy.entity.text == parent;
                     });
}

bool SortHoldsLevels(const Model& model, const Relationship& relationship) {
  const bool hierarchy = relationship.kind == RelationshipKind::kHierarchy;
  const std::string& entity = hierarchy ? relationship.from.text : relationship.to.text;
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement || placement.table->sort.text.empty()) return false;
  std::vector<std::string> sort = KeyAttributes(model, entity, {placement.table->sort});
  for (const Index& index : placement.table->indexes) {
    for (const std::string& name : KeyAttributes(model, entity, index.sort)) sort.push_back(name);
  }
  if (hierarchy) {
    std::vector<std::string> levels;
    for (std::size_t i = 1; i < relationship.levels.size(); ++i)
      levels.push_back(relationship.levels[i].text);
    return HasAll(sort, levels);
  }
  return sort.size() >= 2;
}

bool HasShard(const Model& model, const std::string& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  return placement &&
         std::any_of(placement.layout->attributes.begin(), placement.layout->attributes.end(),
                     [](const StoredAttribute& stored) { return stored.key.Shard() != nullptr; });
}

// P8: an index whose partition key is the table's sort key, and the other way round.
bool InvertsBase(const Model& model, const std::string& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  return placement && std::any_of(placement.table->indexes.begin(), placement.table->indexes.end(),
                                  [&](const Index& index) {
                                    return index.partition.size() == 1 && index.sort.size() == 1 &&
                                           index.partition[0] == placement.table->sort &&
                                           index.sort[0] == placement.table->partition;
                                  });
}

bool Has(const Model& model, const Relationship& relationship, StrategyId id) {
  const std::string& from = relationship.from.text;
  const bool many = relationship.kind == RelationshipKind::kManyToMany;
  const std::string& child = many ? relationship.through.text : relationship.to.text;
  switch (id) {
    case StrategyId::kItemCollection:
      return GroupedInBase(model, child, from);
    case StrategyId::kComplexAttribute:
      return EmbeddedIn(model, from, child) != nullptr;
    case StrategyId::kDuplicateAttributes:
      return HasCopyOf(model, child, from) ||
             (many && HasCopyOf(model, child, relationship.to.text));
    case StrategyId::kSecondaryIndex:
      return GroupedInIndex(model, child, from) ||
             (GroupedInBase(model, child, from) && model.FindPlacement(child) &&
              !model.FindPlacement(child).table->indexes.empty());
    case StrategyId::kCompositeSortKey:
      return SortHoldsLevels(model, relationship);
    case StrategyId::kAdjacencyList:
      return many && (GroupedInBase(model, child, from) ||
                      GroupedInBase(model, child, relationship.to.text));
    case StrategyId::kInvertedIndex:
      return many && (GroupedInIndex(model, child, from) ||
                      GroupedInIndex(model, child, relationship.to.text));
    case StrategyId::kInvertedBaseKeys:
      return many && InvertsBase(model, child);
    case StrategyId::kShallowDuplication:
      return many && EmbeddedIn(model, from, child) != nullptr &&
             EmbeddedIn(model, relationship.to.text, child) != nullptr;
    case StrategyId::kReferences:
      if (many)
        return EmbeddedIn(model, from, child) != nullptr ||
               EmbeddedIn(model, relationship.to.text, child) != nullptr;
      return model.FindPlacement(child) && model.FindPlacement(from) &&
             !GroupedInBase(model, child, from);
    case StrategyId::kWriteSharding:
      return HasShard(model, child);
  }
  return false;
}

}  // namespace

std::string StrategyMismatch(const Model& model, const Relationship& relationship,
                             const Strategy& strategy) {
  const bool many = relationship.kind == RelationshipKind::kManyToMany;
  const std::string label = std::string(strategy.pattern) + " " + std::string(strategy.name);
  if (many && !strategy.for_many_to_many) {
    return label + " is for one-to-many; `" + relationship.name.text + "` is many-to-many" +
           (strategy.id == StrategyId::kSecondaryIndex ? " (normalisation is P10 references)" : "");
  }
  if (!many && !strategy.for_one_to_many)
    return label + " is for many-to-many; `" + relationship.name.text + "` is not";
  if (Has(model, relationship, strategy.id)) return "";
  return "the keys of `" + relationship.name.text + "` are not " + label +
         ", which would be: " + std::string(strategy.shape);
}

std::vector<const Strategy*> StrategiesInUse(const Model& model, const Relationship& relationship) {
  std::vector<const Strategy*> used;
  for (const Strategy& strategy : AllStrategies()) {
    if (StrategyMismatch(model, relationship, strategy).empty()) used.push_back(&strategy);
  }
  return used;
}

}  // namespace prejoin::model
