#include "model/generate/at_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "model/plan/expectation.h"
#include "model/plan/skew/rank_shares.h"

namespace prejoin::model {
namespace {

constexpr double kFewRowsKept = 20;
constexpr double kFewValuesKept = 100;
// Random links find a free pair quickly only while most pairs are free.
constexpr double kFreePairs = 2;

using Counts = std::map<std::string, double>;

// The ends of a link must have more pairs than there are links.
void KeepPairs(const Entity& entity, const Expectations& figures, const Counts& declared,
               Counts& counts) {
  std::set<std::string> ends;
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.is_key &&
        (!attribute.references || attribute.references->entity == entity.name)) {
      return;
    }
    if (attribute.is_key) {
      ends.insert(attribute.references->entity.text);
    }
  }
  if (ends.size() < 2) {
    return;
  }
  double pairs = 1;
  for (const std::string& end : ends) {
    pairs *= counts.at(end);
  }
  const double wanted = kFreePairs * counts.at(entity.name.text);
  const auto smallest =
      std::ranges::min_element(ends, {}, [&](const std::string& end) { return counts.at(end); });
  if (pairs < wanted) {
    counts[*smallest] =
        std::min(declared.at(*smallest), std::ceil(counts.at(*smallest) * wanted / pairs));
  }
  // The row of one end that has the most links needs as many rows at the other end.
  for (const std::string& end : ends) {
    const RowSkew skew = figures.SkewUnder(entity, figures.model().AtName(end));
    const double all = counts.at(entity.name.text);
    const double most =
        all * RankShares(counts.at(end), skew.skew, skew.most / std::max(1.0, all))[0].share;
    for (const std::string& other : ends) {
      if (other != end && ends.size() == 2) {
        counts[other] = std::min(declared.at(other), std::max(counts.at(other), std::ceil(most)));
      }
    }
  }
}

std::set<std::string> EqualNames(const Section& section) {
  std::set<std::string> bound;
  for (const Condition& condition : section.conditions) {
    if (condition.comparison == Comparison::kEqual) {
      bound.insert(condition.attribute.text);
    }
  }
  return bound;
}

void ShrinkAnswers(Expectations& declared, Model& small) {
  Expectations figures(small);
  for (Pattern& pattern : small.patterns) {
    for (Section& section : pattern.sections) {
      if (!section.returns) {
        continue;
      }
      const Reference<Entity>& entity = section.searched();
      const std::set<std::string> bound = EqualNames(section);
      const double before = declared.Rows(entity, bound);
      if (before > 0) {
        *section.returns *= figures.Rows(entity, bound) / before;
      }
    }
  }
}

}  // namespace

Model AtRows(const Model& model, double rows) {
  Expectations figures(model);
  Counts declared;
  double total = 0;
  for (const Entity& entity : model.entities) {
    declared[entity.name.text] = std::max(1.0, std::round(figures.Count(entity)));
    total += declared[entity.name.text];
  }
  if (total <= rows) {
    return model;
  }
  const double ratio = rows / total;
  Counts counts;
  for (const auto& [name, count] : declared) {
    counts[name] = std::max(std::min(count, kFewRowsKept), std::round(count * ratio));
  }
  for (const Entity& entity : model.entities) {
    KeepPairs(entity, figures, declared, counts);
  }
  Model small = model;
  for (Entity& entity : small.entities) {
    entity.count = counts[entity.name.text];
    entity.count_given = true;
    const double shrunk = entity.count / declared[entity.name.text];
    const auto shrink = [&](double& distinct) {
      if (distinct > kFewValuesKept) {
        distinct = std::max(kFewValuesKept, std::round(distinct * shrunk));
      }
    };
    for (Attribute& attribute : entity.attributes) {
      shrink(attribute.distinct);
      for (auto& [derivation, distinct] : attribute.derived_distinct) {
        shrink(distinct);
      }
    }
    for (Attribute& derived : entity.derived) {
      shrink(derived.distinct);
    }
  }
  for (Relationship& relationship : small.relationships) {
    for (Cardinality& cardinality : relationship.cardinalities) {
      const std::string& parent = cardinality.entity.text;
      const bool link = !relationship.through.text.empty();
      const std::string& child = link ? relationship.through.text : relationship.to.text;
      if (!counts.contains(parent) || !counts.contains(child) || (!link && child == parent)) {
        continue;
      }
      cardinality.average *= counts[child] / declared[child] / (counts[parent] / declared[parent]);
    }
  }
  ShrinkAnswers(figures, small);
  return small;
}

}  // namespace prejoin::model
