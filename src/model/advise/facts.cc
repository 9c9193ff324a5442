// What the model says about a relationship, as the decision rules ask for it.
#include <algorithm>
#include <set>

#include "model/advise/advise.h"
#include "model/plan/expectation.h"
#include "model/schema/resolve.h"

namespace prejoin::model {
namespace {

double EntityBytes(const Entity& entity) {
  double bytes = 40;  // Keys of a generic table.
  for (const Attribute& attribute : entity.attributes)
    bytes += static_cast<double>(attribute.name.text.size()) + AverageValueBytes(attribute);
  return bytes;
}

std::set<std::string> Bound(const Section& section) {
  std::set<std::string> names;
  for (const Condition& condition : section.conditions) {
    if (condition.comparison == Comparison::kEqual) names.insert(condition.attribute.text);
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

void AddReads(const Model& model, const Relationship& relationship, const Entity& child,
              RelationshipFacts& facts) {
  const Entity& from = *model.FindEntity(relationship.from.text);
  const Entity* to = relationship.kind == RelationshipKind::kManyToMany
                         ? model.FindEntity(relationship.to.text)
                         : nullptr;
  for (const Pattern& pattern : model.patterns) {
    for (const Section& section : pattern.sections) {
      const std::string& source = section.via.text.empty() ? section.entity.text : section.via.text;
      if (source != child.name.text) continue;
      const bool needs_parent =
          std::any_of(section.get.begin(), section.get.end(),
                      [&](const Path& path) { return path.entity == from.name; }) ||
          std::any_of(pattern.sections.begin(), pattern.sections.end(),
                      [&](const Section& other) { return other.entity == from.name; });
      if (needs_parent) facts.reads_with_parent += pattern.rate_per_second;
      if (pattern.freshness != Freshness::kEventual) facts.strong_needed = true;
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
    if (!attribute.is_key && !attribute.immutable) facts.parent_immutable = false;
    facts.parent_changes = std::max(facts.parent_changes, attribute.changes_per_second);
  }
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      if (step.entity == child.name) facts.writes += write.rate_per_second;
      if (step.entity == parent.name && step.kind == WriteKind::kUpdate) {
        facts.parent_changes +=
            write.rate_per_second / std::max(1.0, EntityCount(model, parent.name.text));
      }
    }
  }
}

}  // namespace

RelationshipFacts FactsOf(const Model& model, const Relationship& relationship) {
  RelationshipFacts facts;
  const Entity& from = *model.FindEntity(relationship.from.text);
  if (relationship.kind == RelationshipKind::kHierarchy) {
    facts.levels = static_cast<int>(relationship.levels.size());
    facts.child_bytes = EntityBytes(from);
    facts.subtree_wanted = true;
    for (const Pattern& pattern : model.patterns) {
      for (const Section& section : pattern.sections) {
        if (section.entity == from.name) facts.reads_from_parent += pattern.rate_per_second;
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
  } else {
    facts.children_each =
        EntityCount(model, child.name.text) / std::max(1.0, EntityCount(model, from.name.text));
  }
  if (const Cardinality* cardinality = relationship.CardinalityOf(relationship.to.text))
    facts.parents_each = cardinality->average;
  if (many) {
    facts.edge_data = std::any_of(
        child.attributes.begin(), child.attributes.end(),
        [](const Attribute& attribute) { return !attribute.is_key && !attribute.references; });
  }
  // A level below makes it a hierarchy.
  for (const Relationship& other : model.relationships) {
    if (&other != &relationship && other.from == relationship.to &&
        other.kind == RelationshipKind::kOneToMany && !many)
      facts.levels = 3;
    if (&other != &relationship && other.to == relationship.from &&
        other.kind == RelationshipKind::kOneToMany && !many)
      facts.levels = 3;
  }
  AddReads(model, relationship, child, facts);
  AddWrites(model, from, child, facts);
  if (facts.writes == 0 && relationship.changes_given)
    facts.writes = relationship.changes_per_second;
  return facts;
}

}  // namespace prejoin::model
