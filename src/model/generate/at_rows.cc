#include "model/generate/at_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/generate/parent_choice.h"
#include "model/plan/expectation.h"
#include "model/plan/skew/rank_shares.h"

namespace prejoin::model {
namespace {

constexpr double kFewRowsKept = 20;
constexpr double kFewValuesKept = 100;
// Random links find a free pair quickly only while most pairs are free.
constexpr double kFreePairs = 2;

using Counts = std::map<std::string, double>;

// The most rows that one row of an end has: by the statement about either side where the entity links rows of one entity.
double MostOfOne(const Entity& entity, const std::string& end, const Expectations& figures,
                 const Counts& counts) {
  const double all = std::max(1.0, counts.at(entity.name.text));
  const auto most = [&](const RowSkew& skew) {
    return all * RankShares(counts.at(end), skew.skew, skew.most / all)[0].share;
  };
  double largest = most(figures.SkewUnder(entity, figures.model().AtName(end)));
  for (const Relationship& relationship : figures.model().relationships) {
    for (const Cardinality& one : relationship.cardinalities) {
      if (relationship.through == entity.name && one.entity.text == end) {
        largest = std::max(largest, most({one.skew, one.bound}));
      }
    }
  }
  return largest;
}

// The different values of the key's parts that reference nothing: 1 where there are none, 0 where nothing limits them.
double OwnKeyValues(const Entity& entity, Expectations& figures) {
  if (CountedKey(figures.model(), entity) != nullptr) {
    return 0;
  }
  double values = 1;
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.is_key && !attribute.references) {
      values *= attribute.distinct > kFewValuesKept ? kFewValuesKept
                                                    : figures.Distinct(entity, attribute.name.text);
    }
  }
  return values;
}

// An order's lines by customer and product: where the key has values beside one reference, both together must be more than the rows.
void KeepKeys(const Entity& entity, Expectations& figures, const Counts& declared,
              Counts& counts) {
  const double own = OwnKeyValues(entity, figures);
  std::vector<std::string> ends;
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.is_key && attribute.references) {
      ends.push_back(attribute.references->entity.text);
    }
  }
  if (own <= 1 || ends.size() != 1 || ends[0] == entity.name.text) {
    return;
  }
  const double wanted = std::ceil(kFreePairs * counts.at(entity.name.text) / own);
  counts[ends[0]] = std::min(declared.at(ends[0]), std::max(counts.at(ends[0]), wanted));
}

// The ends of a link must have more pairs than there are links.
void KeepPairs(const Entity& entity, const Expectations& figures, const Counts& declared,
               Counts& counts) {
  const std::vector<std::string> ends = LinkEnds(entity);
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
    // Where both ends are rows of one entity, more of them make more pairs twice.
    const auto turns = static_cast<double>(std::ranges::count(ends, *smallest));
    counts[*smallest] =
        std::min(declared.at(*smallest),
                 std::ceil(counts.at(*smallest) * std::pow(wanted / pairs, 1 / turns)));
  }
  // The row of one end that has the most links needs as many rows at the other end.
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::string& end = ends[i];
    const double most = MostOfOne(entity, end, figures, counts);
    if (ends.size() == 2) {
      const std::string& other = ends[1 - i];
      counts[other] = std::min(declared.at(other), std::max(counts.at(other), std::ceil(most)));
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

Counts DeclaredCounts(const Model& model, Expectations& figures) {
  Counts declared;
  for (const Entity& entity : model.entities) {
    declared[entity.name.text] = std::max(1.0, std::round(figures.Count(entity)));
  }
  return declared;
}

double Total(const Counts& counts) {
  double total = 0;
  for (const auto& [name, count] : counts) {
    total += count;
  }
  return total;
}

// The averages of relationships follow the counts.
Model WithCounts(const Model& model, const Counts& declared, const Counts& counts) {
  Model small = model;
  for (Entity& entity : small.entities) {
    entity.count = counts.at(entity.name.text);
    entity.count_given = true;
  }
  for (Relationship& relationship : small.relationships) {
    for (Cardinality& cardinality : relationship.cardinalities) {
      const std::string& parent = cardinality.entity.text;
      const bool link = !relationship.through.text.empty();
      const std::string& child = link ? relationship.through.text : relationship.to.text;
      if (!counts.contains(parent) || !counts.contains(child) || (!link && child == parent)) {
        continue;
      }
      cardinality.average *= counts.at(child) / declared.at(child) / (counts.at(parent) / declared.at(parent));
    }
  }
  return small;
}

void ShrinkValues(const Counts& declared, Model& small) {
  for (Entity& entity : small.entities) {
    const double shrunk = entity.count / declared.at(entity.name.text);
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
}

// The number of which every entity can have as many, or all that it declares, so that they are `rows` together.
double CountForEach(const Counts& declared, double rows) {
  double left = rows;
  std::vector<double> counts;
  for (const auto& [name, count] : declared) {
    counts.push_back(count);
  }
  std::ranges::sort(counts);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double each = left / static_cast<double>(counts.size() - i);
    if (counts[i] > each) {
      return std::max(1.0, std::round(each));
    }
    left -= counts[i];
  }
  return rows;
}

}  // namespace

Model AtRows(const Model& model, double rows) {
  Expectations figures(model);
  const Counts declared = DeclaredCounts(model, figures);
  const double total = Total(declared);
  if (total <= rows) {
    return model;
  }
  Counts counts;
  for (const auto& [name, count] : declared) {
    counts[name] = std::max(std::min(count, kFewRowsKept), std::round(count * rows / total));
  }
  for (const Entity& entity : model.entities) {
    KeepPairs(entity, figures, declared, counts);
    KeepKeys(entity, figures, declared, counts);
  }
  Model small = WithCounts(model, declared, counts);
  ShrinkValues(declared, small);
  ShrinkAnswers(figures, small);
  return small;
}

Model WithManyKeys(const Model& model, double rows) {
  Expectations figures(model);
  const Counts declared = DeclaredCounts(model, figures);
  if (Total(declared) <= rows) {
    return model;
  }
  const double each = CountForEach(declared, rows);
  Counts counts;
  for (const auto& [name, count] : declared) {
    counts[name] = std::min(count, each);
  }
  for (const Entity& entity : model.entities) {
    KeepPairs(entity, figures, declared, counts);
    KeepKeys(entity, figures, declared, counts);
  }
  Model small = WithCounts(model, declared, counts);
  ShrinkAnswers(figures, small);
  return small;
}

}  // namespace prejoin::model
