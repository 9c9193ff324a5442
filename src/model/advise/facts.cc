// Facts of a relationship, as the decision rules ask for it.
#include <algorithm>
#include <set>

#include "model/advise/advise.h"
#include "model/plan/expectation.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

double EntityBytes(const Entity& entity) {
  double bytes = 40;  // Keys of a generic table.
  for (const Attribute& attribute : entity.attributes) {
    bytes += static_cast<double>(attribute.name.text.size()) + AverageValueBytes(attribute);
  }
  return bytes;
}

std::set<std::string> Bound(const Section& section) {
  std::set<std::string> names;
  for (const Condition& condition : section.conditions) {
    if (condition.comparison == Comparison::kEqual) {
      names.insert(condition.attribute.text);
    }
  }
  return names;
}

bool CoversJoin(const Section& section, const Entity& from, const Entity& to) {
  const std::vector<JoinColumn> columns = JoinColumns(from, to);
  const std::set<std::string> bound = Bound(section);
  return !columns.empty() &&
         std::all_of(columns.begin(), columns.end(),
                     [&](const JoinColumn& column) { return bound.contains(column.from); });
}

bool CoversKey(const Section& section, const Entity& entity) {
  const std::set<std::string> bound = Bound(section);
  const std::vector<std::string> keys = entity.KeyNames();
  return std::all_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return bound.contains(key); });
}

// The key of `top`, two levels above `child`, is named by attributes of `child` through the level between.
std::set<std::string> PointingThrough(const Entity& child, const Entity& middle,
                                      const Entity& top) {
  std::set<std::string> names;
  for (const JoinColumn& up : JoinColumns(middle, top)) {
    for (const JoinColumn& column : JoinColumns(child, middle)) {
      if (column.to == up.from) {
        names.insert(column.from);
      }
    }
  }
  return names.size() == top.KeyNames().size() ? names : std::set<std::string>();
}

// The pattern reads both, and a level above them or below: three levels at once.
bool ReadsThreeLevels(const Model& model, const Pattern& pattern, const Entity& parent,
                      const Entity& child) {
  const auto reads = [&](const Name& entity) {
    return std::ranges::any_of(pattern.sections,
                               [&](const Section& section) { return section.entity == entity; });
  };
  return reads(parent.name) && reads(child.name) &&
         std::ranges::any_of(model.relationships, [&](const Relationship& other) {
           return other.kind == RelationshipKind::kOneToMany &&
                  ((other.to == parent.name && reads(other.from)) ||
                   (other.from == child.name && reads(other.to)));
         });
}

// R6: some pattern asks for more than a row and its children. A collection of two levels needs no path in its sort key.
bool WantsSubtree(const Model& model, const Entity& parent, const Entity& child) {
  return std::ranges::any_of(model.patterns, [&](const Pattern& pattern) {
    if (ReadsThreeLevels(model, pattern, parent, child)) {
      return true;
    }
    // Or the grandchildren of something by its key alone.
    return std::ranges::any_of(pattern.sections, [&](const Section& section) {
      if (!(section.entity == child.name)) {
        return false;
      }
      const std::set<std::string> bound = Bound(section);
      return std::ranges::any_of(model.relationships, [&](const Relationship& above) {
        if (!(above.to == parent.name) || above.kind != RelationshipKind::kOneToMany) {
          return false;
        }
        const std::set<std::string> top =
            PointingThrough(child, parent, *model.FindEntity(above.from.text));
        return !top.empty() && std::ranges::includes(bound, top) &&
               !CoversJoin(section, child, parent);
      });
    });
  });
}

void AddReads(const Model& model, const Relationship& relationship, const Entity& child,
              RelationshipFacts& facts) {
  const Entity& from = *model.FindEntity(relationship.from.text);
  const Entity* to = relationship.kind == RelationshipKind::kManyToMany
                         ? model.FindEntity(relationship.to.text)
                         : nullptr;
  for (const Pattern& pattern : model.patterns) {
    for (const Section& section : pattern.sections) {
      const std::string& source = section.via.text.empty() ? section.entity.text : section.via.text;
      if (source != child.name.text) {
        continue;
      }
      const bool needs_parent =
          std::any_of(section.get.begin(), section.get.end(),
                      [&](const Path& path) { return path.entity == from.name; }) ||
          std::any_of(pattern.sections.begin(), pattern.sections.end(),
                      [&](const Section& other) { return other.entity == from.name; });
      if (needs_parent) {
        facts.reads_with_parent += pattern.rate_per_second;
      }
      if (pattern.freshness != Freshness::kEventual) {
        facts.strong_needed = true;
      }
      if (CoversJoin(section, child, from)) {
        facts.reads_from_parent += pattern.rate_per_second;
      } else if ((to != nullptr && CoversJoin(section, child, *to)) || CoversKey(section, child)) {
        facts.reads_from_child += pattern.rate_per_second;
      } else {
        facts.reads_by_value += pattern.rate_per_second;
      }
    }
  }
}

void AddWrites(const Model& model, const Entity& parent, const Entity& child,
               RelationshipFacts& facts) {
  facts.parent_immutable = true;
  for (const Attribute& attribute : parent.attributes) {
    if (!attribute.is_key && !attribute.immutable) {
      facts.parent_immutable = false;
    }
    facts.parent_changes = std::max(facts.parent_changes, attribute.changes_per_second);
  }
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      if (step.entity == child.name) {
        facts.writes += write.rate_per_second;
      }
      if (step.entity == parent.name && step.kind == WriteKind::kUpdate) {
        facts.parent_changes +=
            write.rate_per_second / std::max(1.0, EntityCount(model, parent.name.text));
      }
    }
  }
}

}  // namespace

bool IsStored(const Model& model, const Relationship& relationship) {
  const bool many = relationship.kind == RelationshipKind::kManyToMany;
  const Name& child = many                           ? relationship.through
                      : relationship.to.text.empty() ? relationship.from
                                                     : relationship.to;
  return std::ranges::any_of(model.tables, [&](const Table& table) {
    return std::ranges::any_of(table.items, [&](const ItemLayout& layout) {
      return layout.entity == child ||
             std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
               return stored.embedded == child;
             });
    });
  });
}

RelationshipFacts FactsOf(const Model& model, const Relationship& relationship) {
  RelationshipFacts facts;
  const Entity& from = *model.FindEntity(relationship.from.text);
  if (relationship.kind == RelationshipKind::kHierarchy) {
    facts.levels = static_cast<int>(relationship.levels.size());
    facts.child_bytes = EntityBytes(from);
    for (const Pattern& pattern : model.patterns) {
      for (const Section& section : pattern.sections) {
        if (!(section.entity == from.name)) {
          continue;
        }
        facts.reads_from_parent += pattern.rate_per_second;
        const std::set<std::string> bound = Bound(section);
        const bool leading = bound.contains(relationship.levels.front().text);
        facts.subtree_wanted =
            facts.subtree_wanted || (leading && !bound.contains(relationship.levels.back().text));
      }
    }
    return facts;
  }
  const bool many = relationship.kind == RelationshipKind::kManyToMany;
  const Entity& child = *model.FindEntity(many ? relationship.through.text : relationship.to.text);
  facts.child_bytes = EntityBytes(child);
  facts.parent_bytes = EntityBytes(from);
  if (const Cardinality* cardinality = relationship.CardinalityOf(relationship.from.text)) {
    facts.children_each = cardinality->average;
    facts.children_bound = cardinality->bound;
  } else if (relationship.kind == RelationshipKind::kOneToOne) {
    facts.children_each = 1;
    facts.children_bound = 1;
  } else {
    facts.children_each =
        EntityCount(model, child.name.text) / std::max(1.0, EntityCount(model, from.name.text));
  }
  if (const Cardinality* cardinality = relationship.CardinalityOf(relationship.to.text)) {
    facts.parents_each = cardinality->average;
  }
  if (many) {
    facts.edge_data = std::any_of(
        child.attributes.begin(), child.attributes.end(),
        [](const Attribute& attribute) { return !attribute.is_key && !attribute.references; });
  }
  // A level below makes it a hierarchy.
  for (const Relationship& other : model.relationships) {
    if (&other != &relationship && other.from == relationship.to &&
        other.kind == RelationshipKind::kOneToMany && !many) {
      facts.levels = 3;
    }
    if (&other != &relationship && other.to == relationship.from &&
        other.kind == RelationshipKind::kOneToMany && !many) {
      facts.levels = 3;
    }
  }
  if (facts.levels > 2) {
    facts.subtree_wanted = WantsSubtree(model, from, child);
    for (const Relationship& below : model.relationships) {
      if (below.from == child.name && below.kind == RelationshipKind::kOneToMany) {
        facts.subtree_wanted =
            facts.subtree_wanted || WantsSubtree(model, child, *model.FindEntity(below.to.text));
      }
    }
  }
  AddReads(model, relationship, child, facts);
  AddWrites(model, from, child, facts);
  if (facts.writes == 0 && relationship.changes_given) {
    facts.writes = relationship.changes_per_second;
  }
  return facts;
}

}  // namespace prejoin::model
