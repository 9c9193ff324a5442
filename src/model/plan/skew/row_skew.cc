// How uneven the rows under a key are: what `zipf` and `hottest` say of reads and of collections.
//
// The key names a parent, or an ancestor through several levels. Where it names several, the most specific one decides:
// that some organisations have more projects says nothing about the tasks of one project. Attributes that name nobody
// have the skew that is stated of them.
#include <algorithm>
#include <cmath>

#include "model/plan/expectation.h"
#include "model/plan/skew/rank_shares.h"
#include "model/plan/skew/skew_cases.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr int kLevelsMax = 8;

RowSkew SkewBetween(const Model& model, const Reference<Entity>& child, const Reference<Entity>& ancestor,
                    const std::set<std::string>& attributes, int depth) {
  if (const Cardinality* direct = CardinalityBetween(model, child, ancestor, attributes)) {
    return {direct->skew, direct->bound};
  }
  if (depth >= kLevelsMax) {
    return {};
  }
  for (const Relationship& relationship : model.relationships) {
    const Reference<Entity>& parent = relationship.from;
    if (relationship.kind != RelationshipKind::kOneToMany || !(relationship.to == child) ||
        parent == child || parent == ancestor) {
      continue;
    }
    const RowSkew above = SkewBetween(model, parent, ancestor, {}, depth + 1);
    if (above.skew.given()) {
      return {above.skew, 0};
    }
  }
  return {};
}

std::string NameOf(const Entity& entity, const std::set<std::string>& bound) {
  std::string name = entity.name.text;
  for (const std::string& attribute : bound) {
    name += " " + attribute;
  }
  return name;
}

}  // namespace

RowSkew Expectations::SkewUnder(const Reference<Entity>& child, const Reference<Entity>& ancestor,
                                const std::set<std::string>& attributes) const {
  return SkewBetween(model_, model_.RowsOf(child), ancestor, attributes, 0);
}

const std::vector<SkewedKey>& Expectations::SkewsOf(const Reference<Entity>& layout,
                                                    const std::set<std::string>& bound) {
  // Remembered like any figure, by its place among the known ones.
  const double place = Remember("skews " + NameOf(model_.RowsOf(layout), bound), [&] {
    known_skews_.push_back(ComputeSkews(layout, bound));
    return static_cast<double>(known_skews_.size() - 1);
  });
  return known_skews_[static_cast<std::size_t>(place)];
}

std::vector<SkewedKey> Expectations::ComputeSkews(const Reference<Entity>& layout,
                                                  const std::set<std::string>& bound) {
  std::vector<SkewedKey> keys;
  const Entity& entity = model_.RowsOf(layout);
  if (Rows(entity, bound) <= 1e-3) {
    return keys;
  }
  const std::vector<std::string> own = entity.KeyNames();
  if (!own.empty() &&
      std::ranges::all_of(own, [&](const std::string& key) { return bound.contains(key); })) {
    return keys;  // One row.
  }
  std::set<std::string> explained;
  const std::vector<Share> shares = SharesOf(entity, bound);
  const auto nearest = std::ranges::min_element(shares, {}, &Share::rows);
  if (nearest != shares.end()) {
    RowSkew by = SkewUnder(entity, nearest->parent, nearest->attributes);
    for (const std::string& attribute : nearest->attributes) {
      const Attribute* found = entity.Find(attribute);
      by.skew = found != nullptr && found->skew.given() ? found->skew : by.skew;
    }
    if (by.skew.given()) {
      keys.push_back({nearest->parent.text, Count(nearest->parent), by});
    }
  }
  for (const Share& share : shares) {
    explained.insert(share.attributes.begin(), share.attributes.end());
  }
  for (const std::string& attribute : bound) {
    const Attribute* found = entity.Find(attribute);
    if (found == nullptr || explained.contains(attribute)) {
      continue;
    }
    if (!found->shares.empty()) {
      keys.push_back(StatedShares(entity, attribute));
    } else if (found->skew.given()) {
      keys.push_back(
          {entity.name.text + "." + attribute, Distinct(entity, attribute), {found->skew, 0}});
    }
  }
  return keys;
}

namespace {

// A relationship's statement about the rows under one `parent`, as far as `attribute` of `rows` names it; null: nothing.
const Cardinality* CardinalityFor(const Relationship& relationship, const std::string& parent,
                                  const Entity& rows, const std::string& attribute) {
  const auto names = [&](const std::vector<Name>& by) {
    return by.empty() || std::ranges::any_of(
                             by, [&](const Name& name) { return name.text == attribute; });
  };
  const bool link = relationship.through == rows.name;
  if (!link && relationship.to == rows.name && !names(relationship.by)) {
    return nullptr;
  }
  for (const Cardinality& one : relationship.cardinalities) {
    if (one.entity.text == parent && (!link || names(one.by))) {
      return &one;
    }
  }
  return nullptr;
}

}  // namespace

// How unevenly requests spread over the values of one attribute of a key. That some parents have more children says
// nothing about one child, so where the key names the child too, it does not count.
Skew Expectations::SkewOf(const Entity& entity, const std::string& name,
                          const std::set<std::string>& key) const {
  Skew skew;
  const Attribute* attribute = entity.Find(name);
  if (attribute == nullptr) {
    return skew;
  }
  const auto add = [&](const Skew& one) {
    skew.zipf = std::max(skew.zipf, one.zipf);
    skew.hottest = std::max(skew.hottest, one.hottest);
  };
  add(attribute->skew);
  if (!attribute->shares.empty()) {
    add({0, *std::ranges::max_element(attribute->shares)});
  }
  std::set<std::string> origins;
  for (const std::string& other : key) {
    origins.insert(OriginText(model_, entity, other));
  }
  const Path origin = OriginOf(model_, entity, name);
  const Entity& parent = model_.At(origin.entity);
  // A course that takes most of the requests takes most of those for its enrolments.
  const Attribute* pointed = parent.Find(origin.attribute.text);
  if (pointed != nullptr) {
    add(pointed->skew);
  }
  for (const Relationship& relationship : model_.relationships) {
    const Cardinality* cardinality = CardinalityFor(relationship, parent.name.text, entity, name);
    const Entity* child = model_.AtOrNull(relationship.to);
    if (cardinality == nullptr) {
      continue;
    }
    const bool names_child = child != nullptr && !(child->name == entity.name) &&
                             !(child->name == parent.name) &&
                             std::ranges::all_of(child->KeyNames(), [&](const std::string& one) {
                               return origins.contains(OriginText(model_, *child, one));
                             });
    if (!names_child) {
      add(cardinality->skew);
    }
  }
  return skew;
}

namespace {

// The part of all requests that goes to the most used of `count` keys.
double TopShare(double count, const Skew& skew) { return RankShares(count, skew)[0].share; }

}  // namespace

// The attributes that spread requests over keys: new rows all have the present date.
std::set<std::string> Expectations::SpreadingOf(const Entity& entity,
                                                const std::set<std::string>& attributes) {
  std::set<std::string> spreading;
  for (const std::string& name : attributes) {
    const Attribute* attribute = entity.Find(name);
    const bool moment = attribute != nullptr && TraitsOf(attribute->type).moment &&
                        !TraitsOf(attribute->type).zoned;
    bool grows = moment && attribute->drift == Drift::kGrows;
    if (moment && attribute->drift == Drift::kNotStated) {
      const Attribute& declared =
          attribute->derived_from.empty() ? *attribute : *entity.Find(attribute->derived_from);
      Assume({"drift " + entity.name.text + "." + declared.name.text,
              "`" + entity.name.text + "." + name + "` grows: today's value takes all writes",
              PlaceOf(entity), DeclarationOf(declared) + " grows", 1, attribute->name.at},
             1);
      grows = true;
    }
    if (!grows) {
      spreading.insert(name);
    }
  }
  return spreading;
}

double Expectations::HottestOf(const Reference<Entity>& layout,
                               const std::set<std::string>& attributes) {
  const Entity& entity = model_.RowsOf(layout);
  const std::string& entity_name = entity.name.text;
  if (attributes.empty()) {
    return 1;
  }
  const std::set<std::string> spreading = SpreadingOf(entity, attributes);
  if (spreading.empty()) {
    return 1;
  }
  // Each attribute by itself: the hottest of a few states is hot only within each of the other values.
  double share = 1;
  double skewed_values = 1;
  std::set<std::string> counted;  // Attributes that name one parent together are one choice.
  for (const std::string& name : spreading) {
    const Skew skew = SkewOf(entity, name, spreading);
    if (!skew.given() || counted.contains(name)) {
      continue;
    }
    double values = Distinct(entity, name);
    for (const Share& parent : SharesOf(entity, spreading)) {
      if (parent.attributes.size() > 1 && parent.attributes.contains(name)) {
        values = std::max(values, Count(parent.parent));
        counted.insert(parent.attributes.begin(), parent.attributes.end());
      }
    }
    // One relationship may say zipf, and another one how hot the hottest is.
    share *= std::max(TopShare(values, skew), TopShare(values, {skew.zipf, 0}));
    skewed_values *= values;
  }
  // Rows without an optional attribute are under none of its values.
  const double keys =
      Count(entity) * Presence(entity, spreading) / std::max(1.0, Rows(entity, spreading));
  // Skew is assumed away only where a few values share the load; the list would be long otherwise.
  constexpr double kFewKeys = 1000;
  if (skewed_values <= 1 && keys < kFewKeys && keys > 1) {
    std::string listed;
    for (const std::string& name : spreading) {
      listed += (listed.empty() ? "" : ", ") + name;
    }
    const Attribute* first = entity.Find(*spreading.begin());
    Assumption even{"skew " + entity_name + "." + listed,
                    "requests spread evenly over the " + FigureText(std::floor(keys)) +
                        " values of `" + entity_name + "." + listed + "`",
                    PlaceOf(entity),
                    "",
                    TopShare(keys, {}),
                    {}};
    if (first != nullptr) {
      even.at = first->name.at;
      even.line = DeclarationOf(*first) + " hottest " +
                  PlainFigure(std::ceil(1000 / std::floor(keys)) / 10) + "%";
    }
    return Assume(std::move(even), 1);
  }
  return skewed_values > 1 ? share / std::max(1.0, keys / skewed_values) : TopShare(keys, {});
}

// A coarser key holds the finer ones: it is never cooler than the hottest of them.
double Expectations::HottestShare(const Reference<Entity>& layout,
                                  const std::set<std::string>& attributes) {
  double share = HottestOf(layout, attributes);
  const Entity& entity = model_.RowsOf(layout);
  if (attributes.empty()) {
    return share;
  }
  for (const Attribute& attribute : entity.attributes) {
    std::set<std::string> finer = attributes;
    if (finer.insert(attribute.name.text).second &&
        SkewOf(entity, attribute.name.text, finer).given()) {
      share = std::max(share, HottestOf(layout, finer));
    }
  }
  return share;
}

bool Expectations::VariesByChance(const Reference<Entity>& layout, const std::set<std::string>& bound) {
  return Remember("chance " + NameOf(model_.RowsOf(layout), bound),
                  [&] {
                    const bool one = Covers(bound, model_.RowsOf(layout).KeyNames());
                    const bool by_chance = ChoosingAttributes(layout, bound) > 1 ||
                                           (!OneKey(layout, bound) && Presence(layout, bound) < 1);
                    return !one && by_chance ? 1.0 : 0.0;
                  }) > 0;
}

bool Expectations::ChosenBySeveral(const Reference<Entity>& layout,
                                   const std::set<std::string>& bound) {
  return !Covers(bound, model_.RowsOf(layout).KeyNames()) && ChoosingAttributes(layout, bound) > 1;
}

bool Expectations::OneKey(const Reference<Entity>& layout, const std::set<std::string>& bound) {
  constexpr double kNearlyAll = 0.9;
  return Rows(layout, bound) >= kNearlyAll * Count(layout) * Presence(layout, bound);
}

// Counts the attributes, or parents, by which the rows under a key are chosen.
std::size_t Expectations::ChoosingAttributes(const Reference<Entity>& layout,
                                             const std::set<std::string>& bound) {
  const Entity& entity = model_.RowsOf(layout);
  const std::vector<Share> shares = SharesOf(entity, bound);
  const auto nearest = std::ranges::min_element(shares, {}, &Share::rows);
  std::size_t choosing = nearest != shares.end() ? 1 : 0;
  for (const std::string& attribute : bound) {
    if ((nearest == shares.end() || !nearest->attributes.contains(attribute)) &&
        entity.Find(attribute) != nullptr) {
      ++choosing;
    }
  }
  return choosing;
}

}  // namespace prejoin::model
