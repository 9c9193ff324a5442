#include "model/prove/collection_counts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/cost/cost.h"
#include "model/data/dataset.h"
#include "model/plan/range_shares.h"
#include "model/plan/skew/rank_shares.h"
#include "model/plan/skew/skew_cases.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr double kFewItems = 20;  // Of fewer, an average says nothing.

// The entry of an entity in a view, and what chooses its partition.
struct Place {
  View view;
  const ItemLayout* layout = nullptr;
  std::set<std::string> bound;
  double shards = 1;
};

std::vector<Place> PlacesOf(const Model& model) {
  std::vector<Place> places;
  for (const Table& table : model.tables) {
    for (const View& view : ViewsOf(table)) {
      for (const ItemLayout& layout : table.items) {
        if (!AppearsIn(model, layout.entity, view)) {
          continue;
        }
        Place place{view, &layout, PartitionAttributes(view, layout), 1};
        for (const Name& key : view.PartitionKeys()) {
          for (const TemplatePart& part : layout.Find(key.text)->key.parts) {
            place.shards *= part.transform == TemplateTransform::kShard ? part.argument : 1;
          }
        }
        places.push_back(std::move(place));
      }
    }
  }
  return places;
}

std::string NameOf(const Place& place) {
  return place.view.Label() + " " + place.layout->entity.text;
}

bool Varies(Expectations& figures, const Place& place) {
  return place.shards > 1 || figures.VariesByChance(place.layout->entity, place.bound) ||
         (!figures.OneKey(place.layout->entity, place.bound) &&
          figures.PresenceIn(place.layout->entity, place.view, place.bound) < 1);
}

// Where not all rows have what the key needs, those that do are a part of as many for each key: their number varies by chance, and the
// less the more of them have it.
double FreedomOf(Expectations& figures, const Place& place) {
  if (place.shards > 1 || figures.ChosenBySeveral(place.layout->entity, place.bound)) {
    return 1;
  }
  return 1 - figures.Presence(place.layout->entity, place.bound) *
                 figures.PresenceIn(place.layout->entity, place.view, place.bound);
}

// The size of the collection that an item lies in, when there are `items` on average in each of `keys`. `freedom`: the variance of
// that number, as a part of the average; 0: each has as many.
double SizeMet(double items, double keys, double freedom) {
  if (items <= 0) {
    return 0;
  }
  if (freedom > 0) {
    const double free = 1 - 1 / std::sqrt(std::max(1.0, keys));
    return std::max(1.0, items + freedom * free * free);
  }
  const double whole = std::floor(items + 1e-9);
  const double part = items - whole;
  return (whole * whole * (1 - part) + (whole + 1) * (whole + 1) * part) / items;
}


// `each Account has ~10`, when the counts give 31.
std::string ContradictionOf(Expectations& figures, const Place& place) {
  constexpr double kTimesOff = 1.5;
  const Entity& entity = figures.model().RowsOf(place.layout->entity);
  for (const Relationship& relationship : figures.model().relationships) {
    const Cardinality* each = relationship.kind == RelationshipKind::kOneToMany &&
                                      relationship.to == entity.name
                                  ? relationship.CardinalityOf(relationship.from.text)
                                  : nullptr;
    if (each == nullptr || (!entity.count_given && entity.kept_days <= 0)) {
      continue;
    }
    const double counted = figures.Count(entity) / std::max(1.0, figures.Count(relationship.from));
    if (counted > kTimesOff * each->average || counted * kTimesOff < each->average) {
      return "each " + relationship.from.text + " has " + FigureText(each->average) +
             "; the counts give " + FigureText(counted);
    }
  }
  return "";
}

// How much larger the collections of items are whose rows are uneven in another way than over the keys: the most used object makes its
// namespace large too.
double UnevenInside(Expectations& figures, const Place& place, double items) {
  const Entity& entity = figures.model().RowsOf(place.layout->entity);
  double most = 0;
  for (const Attribute& attribute : entity.attributes) {
    std::set<std::string> finer = place.bound;
    if (!finer.insert(attribute.name.text).second) {
      continue;
    }
    for (const SkewedKey& key : figures.SkewsOf(place.layout->entity, finer)) {
      double squares = 0;
      for (const RankGroup& group : RankShares(key.values, key.by.skew, 0)) {
        squares += group.ranks * group.share * group.share;
      }
      most = std::max(most, key.shares.empty() ? squares : 0);
    }
  }
  return most * items;
}

// Nothing predicts the items of one key apart from their rows, so the prediction is the measurement.
ComparedFigure MeasuredAt(Expectations& estimates, const Place& place, double measured) {
  ComparedFigure figure;
  figure.name = NameOf(place);
  figure.measured = measured;
  figure.predicted = measured;
  figure.contradiction = ContradictionOf(estimates, place);
  return figure;
}

}  // namespace

void CollectionCounts::Count(const TableItems& some) {
  for (const View& view : ViewsOf(*some.table)) {
    std::vector<Name> names = view.PartitionKeys();
    const std::size_t partition = names.size();
    for (const Name& name : view.SortKeys()) {
      names.push_back(name);
    }
    for (std::size_t i = 0; i < some.items.size(); ++i) {
      std::string key;
      bool there = !IsLock(some.entities[i]);
      for (std::size_t at = 0; at < names.size() && there; ++at) {
        const AttributeValue* value = some.items[i].Find(names[at].text);
        there = value != nullptr;
        key += there && at < partition ? ValueText(*value) + "\x01" : "";
      }
      if (there) {
        ++counts_[{view.Label(), some.entities[i]}][key];
      }
    }
  }
}

CollectionCounts::Counted CollectionCounts::CountedOf(const std::string& view,
                                                      const std::string& entity) const {
  Counted counted;
  const auto found = counts_.find({view, entity});
  if (found == counts_.end()) {
    return counted;
  }
  for (const auto& [key, items] : found->second) {
    counted.items += items;
    counted.squares += items * items;
    counted.largest = std::max(counted.largest, items);
    ++counted.keys;
  }
  return counted;
}

std::vector<ComparedFigure> CollectionCounts::Sizes(Expectations& estimates) const {
  std::vector<ComparedFigure> sizes;
  for (const Place& place : PlacesOf(estimates.model())) {
    const Reference<Entity>& entity = place.layout->entity;
    const Counted counted = CountedOf(place.view.Label(), entity.text);
    if (counted.items < kFewItems) {
      continue;
    }
    ComparedFigure figure = MeasuredAt(estimates, place, counted.squares / counted.items);
    const bool by_chance = Varies(estimates, place);
    const double freedom = by_chance ? FreedomOf(estimates, place) : 0;
    const double presence = estimates.PresenceIn(entity, place.view, place.bound) / place.shards;
    for (const SkewCase& one : SkewCasesOf(estimates.SkewsOf(entity, place.bound))) {
      const double items = presence * RowsInCase(estimates, one, entity, place.bound);
      figure.estimated += one.weight * SizeMet(items, counted.keys, freedom);
    }
    // Whole rows cannot have any share, and chance decides about few.
    figure.sampling_error =
        std::max(0.5, 2 * figure.measured / std::sqrt(counted.items)) * (by_chance ? 1 : 0.5) +
        UnevenInside(estimates, place, counted.items);
    sizes.push_back(std::move(figure));
  }
  return sizes;
}

std::vector<ComparedFigure> CollectionCounts::Hottest(Expectations& estimates) const {
  constexpr double kPercent = 100;
  std::vector<ComparedFigure> hottest;
  for (const Place& place : PlacesOf(estimates.model())) {
    const Reference<Entity>& entity = place.layout->entity;
    const Counted counted = CountedOf(place.view.Label(), entity.text);
    if (counted.items < kFewItems) {
      continue;
    }
    ComparedFigure figure =
        MeasuredAt(estimates, place, kPercent * counted.largest / counted.items);
    figure.estimated = kPercent * estimates.HottestShare(entity, place.bound) / place.shards;
    // Requests may be more uneven than rows are: only a key that holds more than its share of requests is wrong.
    if (figure.estimated >= figure.measured) {
      continue;
    }
    // Of many keys of the same average, the largest has more by chance; and rows are whole.
    const double average = figure.estimated / kPercent * counted.items;
    const double chance = std::sqrt(2 * average * std::log(std::max(2.0, counted.keys)));
    const bool skewed = !estimates.SkewsOf(entity, place.bound).empty();
    figure.sampling_error =
        kPercent * (1 + (skewed && !Varies(estimates, place) ? 0 : 1 + chance)) / counted.items;
    hottest.push_back(std::move(figure));
  }
  return hottest;
}

}  // namespace prejoin::model
