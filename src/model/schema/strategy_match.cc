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

std::vector<std::string> Pointing(const Model& model, const Reference<Entity>& from,
                                  const Reference<Entity>& to) {
  std::vector<std::string> names;
  const Entity* a = model.AtOrNull(from);
  const Entity* b = model.AtOrNull(to);
  if (a == nullptr || b == nullptr) {
    return names;
  }
  for (const JoinColumn& column : JoinColumns(*a, *b)) {
    names.push_back(column.from);
  }
  return names;
}

// Without the attribute that a shard is computed from: it groups nothing.
std::vector<std::string> KeyAttributes(const Model& model, const Reference<Entity>& entity,
                                       const std::vector<Name>& keys) {
  std::vector<std::string> names;
  const Model::Placement placement = model.FindPlacement(entity);
  for (const Name& key : keys) {
    const StoredAttribute* stored = placement ? placement.layout->Find(key.text) : nullptr;
    if (stored == nullptr) {
      return {};
    }
    for (const TemplatePart& part : stored->key.parts) {
      if (!part.is_literal() && part.transform != TemplateTransform::kShard) {
        names.push_back(part.label());
      }
    }
  }
  return names;
}

const StoredAttribute* EmbeddedIn(const Model& model, const Reference<Entity>& owner,
                                  const Reference<Entity>& entity) {
  const Model::Placement placement = model.FindPlacement(owner);
  // The levels of a hierarchy are attributes of one entity: nothing is embedded.
  if (!placement || !entity.given()) {
    return nullptr;
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (stored.embedded == entity) {
      return &stored;
    }
  }
  return nullptr;
}

// A key groups children (or edges) by the parent if it names the parent and does not name each child.
bool Groups(const Model& model, const std::vector<std::string>& key, const Reference<Entity>& child,
            const Reference<Entity>& parent) {
  const std::vector<std::string> pointing = Pointing(model, child, parent);
  const std::vector<std::string> row = model.At(child).KeyNames();
  return HasAll(key, pointing) && (!HasAll(key, row) || HasAll(pointing, row));
}

bool GroupedInBase(const Model& model, const Reference<Entity>& child, const Reference<Entity>& parent) {
  const Model::Placement placement = model.FindPlacement(child);
  return placement &&
         Groups(model, KeyAttributes(model, child, {placement.table->partition}), child, parent);
}

// An index holds only items that have all of its keys.
bool Holds(const Index& index, const ItemLayout& layout) {
  const auto has = [&](const Name& key) { return layout.Find(key.text) != nullptr; };
  return std::ranges::all_of(index.partition, has) && std::ranges::all_of(index.sort, has);
}

bool GroupedInIndex(const Model& model, const Reference<Entity>& child, const Reference<Entity>& parent) {
  const Model::Placement placement = model.FindPlacement(child);
  return placement && std::ranges::any_of(placement.table->indexes, [&](const Index& index) {
           return Holds(index, *placement.layout) &&
                  HasAll(KeyAttributes(model, child, index.partition),
                         Pointing(model, child, parent));
         });
}

bool IsInAnIndex(const Model& model, const Reference<Entity>& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  return placement && std::ranges::any_of(placement.table->indexes, [&](const Index& index) {
           return Holds(index, *placement.layout);
         });
}

bool HasCopyOf(const Model& model, const Reference<Entity>& child, const Reference<Entity>& parent) {
  const Model::Placement placement = model.FindPlacement(child);
  return placement &&
         std::any_of(placement.layout->attributes.begin(), placement.layout->attributes.end(),
                     [&](const StoredAttribute& stored) {
                       return stored.kind == StoredKind::kCopy && stored.copy.entity == parent;
                     });
}

// All rows of the hierarchy's entity are sorted by its levels, in the table or in an index.
bool SortHoldsAllLevels(const Model& model, const Relationship& hierarchy) {
  const Reference<Entity>& entity = hierarchy.from;
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement || placement.table->sort.text.empty()) {
    return false;
  }
  std::vector<std::string> sort = KeyAttributes(model, entity, {placement.table->sort});
  for (const Index& index : placement.table->indexes) {
    for (const std::string& name : KeyAttributes(model, entity, index.sort)) {
      sort.push_back(name);
    }
  }
  std::vector<std::string> levels;
  for (std::size_t i = 1; i < hierarchy.levels.size(); ++i) {
    levels.push_back(hierarchy.levels[i].text);
  }
  return HasAll(sort, levels);
}

// The sort key begins with the parent, or with its lower part, and continues with the child: PROJECT#p#TASK#t under ORG#o.
// A parent that follows something else (a date, say) only tells rows apart.
bool SortBeginsWithParent(const std::vector<std::string>& partition,
                          const std::vector<std::string>& sort,
                          const std::vector<std::string>& pointing) {
  const auto points = [&](const std::string& name) {
    return std::ranges::find(pointing, name) != pointing.end();
  };
  const auto child_begins = std::ranges::find_if_not(sort, points);
  if (child_begins == sort.begin() || child_begins == sort.end()) {
    return false;
  }
  std::vector<std::string> fixed = partition;
  fixed.insert(fixed.end(), sort.begin(), child_begins);
  return HasAll(fixed, pointing);
}

bool SortHoldsLevels(const Model& model, const Relationship& relationship) {
  if (relationship.kind == RelationshipKind::kHierarchy) {
    return SortHoldsAllLevels(model, relationship);
  }
  const Reference<Entity>& child = relationship.to;
  const Model::Placement placement = model.FindPlacement(child);
  if (!placement) {
    return false;
  }
  const std::vector<std::string> pointing = Pointing(model, child, relationship.from);
  const auto levels = [&](const std::vector<Name>& partition, const std::vector<Name>& sort) {
    return SortBeginsWithParent(KeyAttributes(model, child, partition),
                                KeyAttributes(model, child, sort), pointing);
  };
  return levels({placement.table->partition}, {placement.table->sort}) ||
         std::ranges::any_of(placement.table->indexes, [&](const Index& index) {
           return levels(index.partition, index.sort);
         });
}

bool HasShard(const Model& model, const Reference<Entity>& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  return placement &&
         std::any_of(placement.layout->attributes.begin(), placement.layout->attributes.end(),
                     [](const StoredAttribute& stored) {
                       const TemplatePart* shard = stored.key.Shard();
                       return shard != nullptr && shard->argument > 1;
                     });
}

// P8: an index whose partition key is the table's sort key, and the other way round.
bool InvertsBase(const Model& model, const Reference<Entity>& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  return placement && std::any_of(placement.table->indexes.begin(), placement.table->indexes.end(),
                                  [&](const Index& index) {
                                    return index.partition.size() == 1 && index.sort.size() == 1 &&
                                           index.partition[0] == placement.table->sort &&
                                           index.sort[0] == placement.table->partition;
                                  });
}

// The table groups the links by one side, or by neither, and an index by the other.
bool Inverts(const Model& model, const Reference<Entity>& link, const Reference<Entity>& in_index,
             const Reference<Entity>& in_base) {
  const bool same_side = in_index != in_base && GroupedInBase(model, link, in_index);
  return GroupedInIndex(model, link, in_index) && !same_side;
}

// True if one layout of the child, or of the link, is as the strategy says.
bool LayoutHas(const Model& model, const Relationship& relationship, const Reference<Entity>& child,
               StrategyId id) {
  const Reference<Entity>& from = relationship.from;
  const bool many = relationship.kind == RelationshipKind::kManyToMany;
  switch (id) {
    case StrategyId::kItemCollection:
      return GroupedInBase(model, child, from);
    case StrategyId::kComplexAttribute:
      return EmbeddedIn(model, from, child) != nullptr;
    case StrategyId::kDuplicateAttributes:
      return HasCopyOf(model, child, from) ||
             (many && HasCopyOf(model, child, relationship.to));
    case StrategyId::kSecondaryIndex:
      return GroupedInIndex(model, child, from) ||
             (GroupedInBase(model, child, from) && IsInAnIndex(model, child));
    case StrategyId::kCompositeSortKey:
      return SortHoldsLevels(model, relationship);
    case StrategyId::kAdjacencyList:
      return many && (GroupedInBase(model, child, from) ||
                      GroupedInBase(model, child, relationship.to));
    case StrategyId::kInvertedIndex:
      return many && (Inverts(model, child, from, relationship.to) ||
                      Inverts(model, child, relationship.to, from));
    case StrategyId::kInvertedBaseKeys:
      return many && InvertsBase(model, child);
    case StrategyId::kShallowDuplication:
      return many && EmbeddedIn(model, from, child) != nullptr &&
             EmbeddedIn(model, relationship.to, child) != nullptr;
    case StrategyId::kReferences:
      if (many) {
        return EmbeddedIn(model, from, child) != nullptr ||
               EmbeddedIn(model, relationship.to, child) != nullptr;
      }
      return model.FindPlacement(child) && model.FindPlacement(from) &&
             !GroupedInBase(model, child, from) && !GroupedInIndex(model, child, from) &&
             !SortHoldsLevels(model, relationship) && !HasCopyOf(model, child, from) &&
             EmbeddedIn(model, from, child) == nullptr;
    case StrategyId::kWriteSharding:
      return HasShard(model, child);
  }
  return false;
}

bool Has(const Model& model, const Relationship& relationship, StrategyId id) {
  const bool many = relationship.kind == RelationshipKind::kManyToMany;
  const Reference<Entity>& child = many ? relationship.through : relationship.to;
  if (LayoutHas(model, relationship, child, id)) {
    return true;
  }
  // References are what is left when no layout groups the children.
  if (id == StrategyId::kReferences) {
    return false;
  }
  return std::ranges::any_of(model.LayoutsOf(child), [&](const Model::Placement& placement) {
    return LayoutHas(model, relationship, placement.layout->entity, id);
  });
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
  if (!many && !strategy.for_one_to_many) {
    return label + " is for many-to-many; `" + relationship.name.text + "` is not";
  }
  if (Has(model, relationship, strategy.id)) {
    return "";
  }
  return "the keys of `" + relationship.name.text + "` are not " + label +
         ", which would be: " + std::string(strategy.shape);
}

std::vector<const Strategy*> StrategiesInUse(const Model& model, const Relationship& relationship) {
  std::vector<const Strategy*> used;
  for (const Strategy& strategy : AllStrategies()) {
    if (StrategyMismatch(model, relationship, strategy).empty()) {
      used.push_back(&strategy);
    }
  }
  return used;
}

}  // namespace prejoin::model
