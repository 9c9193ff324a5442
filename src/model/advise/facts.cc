#include "model/advise/facts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/plan/expectation.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

double EntityBytes(const Model& model, const Entity& entity) {
  Expectations figures(model);
  double bytes = 40;  // Keys of a generic table.
  for (const Attribute& attribute : entity.attributes) {
    bytes += figures.Presence(entity, {attribute.name.text}) *
             (static_cast<double>(attribute.name.text.size()) + AverageValueBytes(attribute));
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

// True if a section binds all of them; false for none.
bool CoversJoin(const Section& section, const std::vector<JoinColumn>& columns) {
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
    // The grandchildren of something by its key alone also count.
    return std::ranges::any_of(pattern.sections, [&](const Section& section) {
      if (!(section.entity == child.name)) {
        return false;
      }
      const std::set<std::string> bound = Bound(section);
      return std::ranges::any_of(model.relationships, [&](const Relationship& above) {
        if (!(above.to == parent.name) || above.kind != RelationshipKind::kOneToMany) {
          return false;
        }
        const std::set<std::string> top = PointingThrough(child, parent, model.At(above.from));
        return !top.empty() && std::ranges::includes(bound, top) &&
               !CoversJoin(section, JoinColumns(child, parent));
      });
    });
  });
}

// Eventually consistent read units of one answer, by keys that serve its conditions and its limit.
double UnitsOfAnswer(Expectations& figures, const Pattern& pattern, const Section& section,
                     double row_bytes) {
  const Reference<Entity>& entity = section.searched();
  const std::set<std::string> bound = Bound(section);
  double rows = figures.Rows(entity, bound) * figures.ValueFactor(entity, section.conditions, bound);
  for (const Condition& condition : section.conditions) {
    if (condition.comparison == Comparison::kIn) {
      rows *= figures.EqualShare(entity, condition);
    } else if (condition.comparison != Comparison::kEqual) {
      rows *= figures.RangeShare(pattern, section, condition);
    }
  }
  rows = section.returns.value_or(rows);
  if (section.limit) {
    rows = std::min(rows, static_cast<double>(*section.limit));
  }
  return std::max(1.0, std::ceil(std::max(1.0, rows) * row_bytes / 4096)) / 2;
}

void AddReads(const Model& model, const Relationship& relationship, const Entity& child,
              RelationshipFacts& facts) {
  const Entity& from = model.At(relationship.from);
  const Entity* to = relationship.kind == RelationshipKind::kManyToMany
                         ? &model.At(relationship.to)
                         : nullptr;
  const std::vector<JoinColumn> up = JoinColumnsOf(relationship, RelationshipEnd::kFrom, child, from);
  const std::vector<JoinColumn> across =
      to != nullptr ? JoinColumnsOf(relationship, RelationshipEnd::kTo, child, *to)
                    : std::vector<JoinColumn>();
  Expectations figures(model);
  for (const Pattern& pattern : model.patterns) {
    for (const Section& section : pattern.sections) {
      if (section.searched() != child.name) {
        continue;
      }
      const double units = pattern.rate_per_second * UnitsOfAnswer(figures, pattern, section, facts.child_bytes);
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
      if (CoversJoin(section, up)) {
        facts.reads_from_parent += pattern.rate_per_second;
        facts.units_from_parent += units;
      } else if (CoversJoin(section, across) || CoversKey(section, child)) {
        facts.reads_from_child += pattern.rate_per_second;
        facts.reads_alone += CoversKey(section, child) ? pattern.rate_per_second : 0;
        facts.units_from_child += units;
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
            write.rate_per_second / std::max(1.0, EntityCount(model, parent));
      }
    }
  }
}

// Bytes of one row of the entity as the tables store it, or else by its attributes.
double StoredBytes(const Model& model, const Entity& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  return placement ? ExpectedItemBytes(model, entity, View{placement.table, nullptr})
                   : EntityBytes(model, entity);
}

// The share of the requests for `child` that goes to the most used parent.
void SetHottest(const Model& model, const Relationship& relationship, const Entity& child,
                RelationshipFacts& facts) {
  Expectations figures(model);
  const auto pointing = [&](RelationshipEnd side) {
    const Reference<Entity>& end = side == RelationshipEnd::kFrom ? relationship.from : relationship.to;
    std::set<std::string> names;
    for (const JoinColumn& column :
         JoinColumnsOf(relationship, side, child, model.At(end))) {
      names.insert(column.from);
    }
    return names;
  };
  const auto share = [&](RelationshipEnd side) {
    const std::set<std::string> names = pointing(side);
    return names.empty() ? 1.0 : figures.HottestShare(child, names);
  };
  const auto key = [&](RelationshipEnd side) {
    std::string names;
    for (const std::string& name : pointing(side)) {
      names += (names.empty() ? "" : ", ") + name;
    }
    return child.name.text + "." + names;
  };
  facts.hottest_share = share(RelationshipEnd::kFrom);
  facts.hottest_key = key(RelationshipEnd::kFrom);
  if (relationship.kind == RelationshipKind::kManyToMany) {
    facts.hottest_share_back = share(RelationshipEnd::kTo);
    if (facts.hottest_share_back > facts.hottest_share) {
      facts.hottest_key = key(RelationshipEnd::kTo);
    }
  }
}

// All rows of a hierarchy under one value of its first level.
void SetLevels(const Model& model, const Relationship& hierarchy, RelationshipFacts& facts) {
  const Entity& rows = model.At(hierarchy.from);
  Expectations figures(model);
  const std::set<std::string> top = {hierarchy.levels.front().text};
  facts.levels = static_cast<int>(hierarchy.levels.size());
  facts.child_bytes = StoredBytes(model, rows);
  facts.children_each = figures.Rows(rows, top);
  facts.children_bound = figures.Most(rows, top);
  facts.hottest_share = figures.HottestShare(rows, top);
  facts.hottest_key = rows.name.text + "." + hierarchy.levels.front().text;
  for (const Pattern& pattern : model.patterns) {
    for (const Section& section : pattern.sections) {
      if (!(section.entity == rows.name)) {
        continue;
      }
      const std::set<std::string> bound = Bound(section);
      const bool leading = bound.contains(hierarchy.levels.front().text);
      if (leading) {
        facts.units_from_parent += pattern.rate_per_second * UnitsOfAnswer(figures, pattern, section, facts.child_bytes);
      }
      (leading ? facts.reads_from_parent : facts.reads_by_value) += pattern.rate_per_second;
      facts.subtree_wanted =
          facts.subtree_wanted || (leading && !bound.contains(hierarchy.levels.back().text));
    }
  }
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      if (step.entity == rows.name) {
        facts.writes += write.rate_per_second;
      }
    }
  }
}

}  // namespace

double RelationshipFacts::HottestWriteUnits() const {
  return writes * std::max(hottest_share, hottest_share_back) *
         std::max(1.0, std::ceil(child_bytes / 1024));
}

double RelationshipFacts::HottestReadUnits() const {
  return std::max(units_from_parent * hottest_share, units_from_child * hottest_share_back);
}

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
  const Entity& from = model.At(relationship.from);
  if (relationship.kind == RelationshipKind::kHierarchy) {
    SetLevels(model, relationship, facts);
    return facts;
  }
  const bool many = relationship.kind == RelationshipKind::kManyToMany;
  const Entity& child = model.At(many ? relationship.through : relationship.to);
  facts.child_bytes = StoredBytes(model, child);
  facts.parent_bytes = StoredBytes(model, from);
  SetHottest(model, relationship, child, facts);
  if (const Cardinality* cardinality = relationship.CardinalityOfFrom()) {
    facts.children_each = cardinality->average;
    facts.children_bound = cardinality->bound;
  } else if (relationship.kind == RelationshipKind::kOneToOne) {
    facts.children_each = 1;
    facts.children_bound = 1;
  } else {
    facts.children_each =
        EntityCount(model, child) / std::max(1.0, EntityCount(model, from));
  }
  if (const Cardinality* cardinality = relationship.CardinalityOfTo()) {
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
            facts.subtree_wanted || WantsSubtree(model, child, model.At(below.to));
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
