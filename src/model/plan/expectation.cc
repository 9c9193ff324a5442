// How the figures follow from each other.
//
// Counts. A declared count stands. Rows that are kept for some days are as many as are put in those days.
// Children are as many as their parents times the average of the relationship, through any number of levels.
//
// Rows under a key. Attributes are followed along `references` to where their values come from: a task's orgId may
// come from its project and, through it, from the organisation. So `orgId` alone names an organisation, and the
// tasks under it are what the relationships on the way multiply to: 8 projects with 20 tasks each make 160. An
// attribute that names no other entity divides by the number of its different values.
//
// Assumptions. Whatever is still unknown then is assumed, once, under an id. Figures are remembered with the ids they
// rest on, so that one can say which patterns, writes and views rest on a guess, and what they would be if it is wrong.
#include "model/plan/expectation.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/data/dataset.h"
#include "model/plan/skew/rank_shares.h"
#include "model/schema/join.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr double kAssumedCount = 1000;
constexpr double kAssumedDistinct = 10;
constexpr double kAssumedRangeShare = 1.0 / 3;
constexpr double kSecondsPerDay = 86400;
constexpr double kRowsMin = 1e-3;
constexpr int kDerivationDepthMax = 8;

}  // namespace

namespace {

// True if rows of the relationship's `to` point at its `from` by some of these attributes.
bool JoinsBy(const Relationship& relationship, const std::set<std::string>& attributes) {
  return attributes.empty() || std::ranges::all_of(relationship.by, [&](const Name& name) {
           return attributes.contains(name.text);
         });
}

}  // namespace

// The relationship whose rows `child` holds for each `parent`, with its figure.
const Cardinality* CardinalityBetween(const Model& model, const Reference<Entity>& child,
                                      const Reference<Entity>& parent,
                                      const std::set<std::string>& attributes) {
  for (const Relationship& relationship : model.relationships) {
    const bool is_child = relationship.kind != RelationshipKind::kManyToMany &&
                          relationship.to == child && relationship.from == parent &&
                          JoinsBy(relationship, attributes);
    const bool is_link = relationship.through == child &&
                         (relationship.from == parent || relationship.to == parent);
    if (!is_child && !is_link) {
      continue;
    }
    if (const Cardinality* cardinality = relationship.CardinalityOf(parent.text, attributes)) {
      return cardinality;
    }
  }
  return nullptr;
}

namespace {

const Relationship* OneToOneBetween(const Model& model, const Reference<Entity>& child,
                                    const Reference<Entity>& parent,
                                    const std::set<std::string>& attributes) {
  const auto found = std::ranges::find_if(model.relationships, [&](const Relationship& one) {
    return one.kind == RelationshipKind::kOneToOne && one.to == child &&
           one.from == parent && JoinsBy(one, attributes);
  });
  return found == model.relationships.end() ? nullptr : &*found;
}

// The most rows of `child` for one row of `ancestor`, by the bounds of all relationships on the way; 0: one has none.
double MostOnTheWay(const Model& model, const Name& child, const Name& ancestor, int depth = 0) {
  double most = child == ancestor ? 1 : 0;
  for (const Relationship& one : model.relationships) {
    const Cardinality* each = one.to == child ? one.CardinalityOf(one.from.text) : nullptr;
    const bool up = each != nullptr && one.kind == RelationshipKind::kOneToMany;
    if (up && most == 0 && depth < kDerivationDepthMax) {
      most = each->bound * MostOnTheWay(model, one.from, ancestor, depth + 1);
    }
  }
  return most;
}

// The same without the word that says that it may be absent.
std::string RequiredDeclarationOf(Attribute attribute) {
  attribute.optional = false;
  return DeclarationOf(attribute);
}

}  // namespace

std::string OriginText(const Model& model, const Entity& entity, const std::string& attribute) {
  const Path origin = OriginOf(model, entity, attribute);
  return origin.entity.text + "." + origin.attribute.text;
}

Expectations::Expectations(const Expectations& base, const std::string& id, double factor)
    : model_(base.model_),
      factors_{{id, factor}},
      scale_(base.scale_),
      known_skews_(base.known_skews_) {
  for (const auto& [key, known] : base.known_) {
    if (!known.needs.contains(id)) {
      known_.emplace(key, known);
    }
  }
}

double Expectations::Remember(const std::string& key, const std::function<double()>& compute) {
  auto found = known_.find(key);
  if (found == known_.end()) {
    Known known;
    watchers_.push_back(&known.needs);
    known.value = compute();
    watchers_.pop_back();
    found = known_.insert_or_assign(key, std::move(known)).first;
  }
  if (!watchers_.empty()) {
    watchers_.back()->insert(found->second.needs.begin(), found->second.needs.end());
  }
  return found->second.value;
}

double Expectations::Assume(Assumption assumption, double most) {
  if (const auto factor = factors_.find(assumption.id); factor != factors_.end()) {
    assumption.value *= factor->second;
  }
  const double value = std::min(assumption.value, most);
  assumption.value = value;
  if (!watchers_.empty()) {
    watchers_.back()->insert(assumption.id);
  }
  if (assumed_.insert(assumption.id).second) {
    assumptions_.push_back(std::move(assumption));
  }
  return value;
}

std::set<std::string> Expectations::NeededBy(const std::function<void()>& work) {
  std::set<std::string> needs;
  watchers_.push_back(&needs);
  work();
  watchers_.pop_back();
  if (!watchers_.empty()) {
    watchers_.back()->insert(needs.begin(), needs.end());
  }
  return needs;
}

double Expectations::PutsPerSecond(const Reference<Entity>& entity) const {
  double rate = 0;
  for (const Write& write : model_.writes) {
    for (const WriteStep& step : write.steps) {
      if (step.kind == WriteKind::kPut && step.entity == entity) {
        rate += write.rate_per_second * step.times;
      }
    }
  }
  return rate;
}

double Expectations::ComputeCount(const Entity& entity) {
  const std::string& name = entity.name.text;
  if (entity.count_given) {
    return entity.count;
  }
  if (const double puts = PutsPerSecond(entity); entity.kept_days > 0 && puts > 0) {
    return puts * entity.kept_days * kSecondsPerDay;
  }
  if (depth_ < kDerivationDepthMax) {
    ++depth_;
    std::optional<double> derived;
    for (const Relationship& relationship : model_.relationships) {
      if (derived || relationship.from.text == name) {
        continue;
      }
      const bool child =
          relationship.kind != RelationshipKind::kManyToMany && relationship.to.text == name;
      if (!child && relationship.through.text != name) {
        continue;
      }
      const Cardinality* cardinality = relationship.CardinalityOfFrom();
      if (cardinality != nullptr) {
        derived = cardinality->average * Count(relationship.from);
      } else if (relationship.kind == RelationshipKind::kOneToOne) {
        derived = Count(relationship.from);
      } else if (!child) {
        cardinality = relationship.CardinalityOfTo();
        if (cardinality != nullptr) {
          derived = cardinality->average * Count(relationship.to);
        }
      }
    }
    --depth_;
    if (derived) {
      return *derived;
    }
  }
  double rows = 0;
  for (const Sample& sample : model_.samples) {
    if (sample.entity == entity.name) {
      rows += static_cast<double>(sample.rows.size());
    }
  }
  const bool sample = rows > 0;
  if (!sample) {
    rows = kAssumedCount;
  }
  return Assume({"count " + name,
                 "there are " + FigureText(rows) + " `" + name + "`" +
                     (sample ? ", as many as in its sample" : ""),
                 PlaceOf(entity), "count " + PlainFigure(rows), rows, entity.name.at},
                1e300);
}

double Expectations::Count(const Reference<Entity>& layout) {
  const Entity& entity = model_.RowsOf(layout);
  // A count inside a circle of relationships depends on where the circle was entered: not remembered.
  if (depth_ > 0) {
    return ComputeCount(entity);
  }
  return Remember("count " + entity.name.text,
                  [&] { return ComputeCount(entity) * Growth(entity); });
}

std::optional<double> Expectations::DeclaredEach(const Reference<Entity>& child,
                                                 const Reference<Entity>& ancestor,
                                                 const std::set<std::string>& attributes,
                                                 int depth) {
  if (const Cardinality* direct = CardinalityBetween(model_, child, ancestor, attributes)) {
    return direct->average;
  }
  if (OneToOneBetween(model_, child, ancestor, attributes) != nullptr) {
    return 1;
  }
  if (depth >= kDerivationDepthMax) {
    return std::nullopt;
  }
  for (const Relationship& relationship : model_.relationships) {
    const bool is_child =
        relationship.kind == RelationshipKind::kOneToMany && relationship.to == child;
    const Reference<Entity>& parent = relationship.from;
    if (!is_child || parent == child || parent == ancestor) {
      continue;
    }
    const Cardinality* cardinality = relationship.CardinalityOf(parent.text);
    if (cardinality == nullptr) {
      continue;
    }
    if (const auto above = DeclaredEach(parent, ancestor, {}, depth + 1)) {
      return cardinality->average * *above;
    }
  }
  return std::nullopt;
}

// Each parent or ancestor that the bound attributes name.
std::vector<Expectations::Share> Expectations::SharesOf(const Entity& entity,
                                                        const std::set<std::string>& bound) {
  std::vector<Share> shares;
  std::map<std::string, std::string> by_origin;  // Origin → attribute of the entity.
  for (const std::string& name : bound) {
    const Attribute* attribute = entity.Find(name);
    if (attribute != nullptr && attribute->references) {
      by_origin.try_emplace(OriginText(model_, entity, name), name);
    }
  }
  if (by_origin.empty()) {
    return shares;
  }
  for (const Entity& parent : model_.entities) {
    const std::vector<std::string> keys = parent.KeyNames();
    Share share;
    share.parent = parent;
    for (const std::string& key : keys) {
      const auto found = by_origin.find(OriginText(model_, parent, key));
      if (found != by_origin.end()) {
        share.attributes.insert(found->second);
      }
    }
    const bool self = parent.name == entity.name;
    if (keys.empty() || share.attributes.size() != keys.size()) {
      continue;
    }
    const Cardinality* direct = CardinalityBetween(model_, entity, parent, share.attributes);
    if (self && direct == nullptr) {
      continue;
    }
    const auto each = DeclaredEach(entity, parent, share.attributes, 0);
    share.rows = each ? *each * Growth(entity) / Growth(parent)
                      : Count(entity) / std::max(1.0, Count(parent));
    share.most = direct != nullptr ? direct->bound : MostOnTheWay(model_, entity.name, parent.name);
    if (OneToOneBetween(model_, entity, parent, share.attributes) != nullptr) {
      share.most = 1;
    }
    // A bound holds at any scale, unless the file contradicts itself today.
    if (each && share.most > 0) {
      share.rows = std::min(share.rows, std::max(*each, share.most));
    }
    shares.push_back(std::move(share));
  }
  return shares;
}

double Expectations::ComputeDistinct(const Entity& entity, const Attribute& attribute) {
  if (!attribute.derived_from.empty() ||
      (attribute.distinct <= 0 && !attribute.derived_distinct.empty())) {
    return DerivedDistinct(entity, attribute);
  }
  if (!attribute.values.empty()) {
    return static_cast<double>(attribute.values.size());
  }
  const AttributeTypeTraits& traits = TraitsOf(attribute.type);
  if (traits.distinct > 0) {
    return traits.distinct;
  }
  if (attribute.distinct > 0) {
    return attribute.distinct;
  }
  const bool whole_key = entity.KeyNames().size() == 1 && attribute.is_key;
  if (attribute.unique || whole_key) {
    return std::max(1.0, Count(entity));
  }
  if (attribute.references) {
    return ValuesPointedAt(attribute);
  }
  const bool days = traits.moment && !traits.zoned;
  if (traits.moment && !days) {
    return std::max(1.0, Count(entity));
  }
  if (days && entity.kept_days > 0) {
    return std::max(1.0, entity.kept_days);
  }
  // The attribute that tells the rows of one parent apart differs in each of them, as in generated rows.
  const bool counts_on = !days && CountedKey(model_, entity) == &attribute;
  const double assumed = days        ? kAssumedDays
                         : counts_on ? ValuesOfCountedKey(entity, attribute)
                                     : kAssumedDistinct;
  return Assume({"distinct " + entity.name.text + "." + attribute.name.text,
                 "`" + entity.name.text + "." + attribute.name.text + "` has " +
                     FigureText(assumed) + " different values",
                 PlaceOf(entity), DeclarationOf(attribute) + " distinct " + PlainFigure(assumed),
                 assumed, attribute.name.at},
                1e300);
}

double Expectations::Distinct(const Reference<Entity>& layout, const std::string& attribute_name) {
  const Entity& entity = model_.RowsOf(layout);
  const std::string& entity_name = entity.name.text;
  const Attribute* attribute = entity.Find(attribute_name);
  if (attribute == nullptr) {
    return 1;
  }
  return Remember("distinct " + entity_name + "." + attribute_name,
                  [&] { return std::max(1.0, ComputeDistinct(entity, *attribute)); });
}

double Expectations::Presence(const Reference<Entity>& layout,
                              const std::set<std::string>& attributes) {
  const Entity& entity = model_.RowsOf(layout);
  const std::string& entity_name = entity.name.text;
  double presence = 1;
  std::set<std::string> groups;
  for (const std::string& name : attributes) {
    const Attribute* attribute = entity.Find(name);
    if (attribute == nullptr || !attribute->optional) {
      continue;
    }
    if (!attribute->group.empty() && !groups.insert(attribute->group).second) {
      continue;
    }
    presence *= attribute->presence
                    ? *attribute->presence
                    : Assume({"presence " + entity_name + "." + name,
                              "every `" + entity_name + "` has the optional `" + name + "`",
                              PlaceOf(entity), RequiredDeclarationOf(*attribute) + " optional 100%",
                              1, attribute->name.at},
                             1);
  }
  return presence;
}

double Expectations::ComputeRows(const Entity& entity, const std::set<std::string>& bound) {
  double rows = Count(entity);
  std::set<std::string> explained;
  for (const Share& share : SharesOf(entity, bound)) {
    rows = std::min(rows, share.rows);
    explained.insert(share.attributes.begin(), share.attributes.end());
  }
  // In a hierarchy, a stated number of values at one level includes the levels above.
  for (const Relationship& hierarchy : model_.relationships) {
    if (hierarchy.kind != RelationshipKind::kHierarchy || !(hierarchy.from == entity.name)) {
      continue;
    }
    bool deeper_stated = false;
    for (auto level = hierarchy.levels.rbegin(); level != hierarchy.levels.rend(); ++level) {
      if (!bound.contains(level->text)) {
        continue;
      }
      if (deeper_stated) {
        explained.insert(level->text);
      }
      const Attribute* attribute = entity.Find(level->text);
      if (attribute != nullptr && attribute->distinct > 0) {
        deeper_stated = true;
      }
    }
  }
  for (const std::string& name : bound) {
    const Attribute* attribute = entity.Find(name);
    if (attribute == nullptr || explained.contains(name) || IsImplied(entity, *attribute, bound)) {
      continue;
    }
    if (attribute->unique) {
      return std::min(rows, 1.0);
    }
    if (attribute->optional) {
      rows *= Presence(entity, {name});
    }
    const std::optional<double> share = ShareOfOneValue(*attribute);
    rows *= share ? *share : 1 / Distinct(entity, name);
  }
  return std::max(rows, kRowsMin);
}

double Expectations::Rows(const Reference<Entity>& layout, const std::set<std::string>& bound) {
  const Entity& entity = model_.RowsOf(layout);
  if (Covers(bound, entity.KeyNames())) {
    return 1;
  }
  std::string key = "rows " + entity.name.text;
  for (const std::string& attribute : bound) {
    key += " " + attribute;
  }
  return Remember(key, [&] { return ComputeRows(entity, bound); });
}

double Expectations::Most(const Reference<Entity>& layout, const std::set<std::string>& bound) {
  const Entity& entity = model_.RowsOf(layout);
  if (Covers(bound, entity.KeyNames())) {
    return 1;
  }
  double most = 0;
  for (const Share& share : SharesOf(entity, bound)) {
    if (share.most > 0) {
      most = most == 0 ? share.most : std::min(most, share.most);
    }
  }
  return most;
}

double Expectations::RangeShare(const Pattern& pattern, const Section& section,
                                const Condition& condition) {
  const Reference<Entity>& entity = section.searched();
  if (IsPresenceTest(condition.comparison)) {
    const double present = Presence(entity, {condition.attribute.text});
    return condition.comparison == Comparison::kExists ? present : 1 - present;
  }
  if (condition.comparison == Comparison::kNotEqual) {
    return 1 - Presence(entity, {condition.attribute.text}) * EqualShare(entity, condition);
  }
  const std::string& name = pattern.variant_of.empty() ? pattern.name.text : pattern.variant_of;
  return Assume({"range " + name + " " + condition.attribute.text,
                 "`" + std::string(ComparisonName(condition.comparison)) + "` on `" + entity.text +
                     "." + condition.attribute.text + "` keeps a third of the rows",
                 "in `pattern " + name + "`, behind `find " + section.entity.text + " …`",
                 "returns ~20", kAssumedRangeShare, condition.attribute.at},
                1);
}

double Expectations::PeakOf(const std::string& kind, const Name& name, double rate, double peak) {
  if (peak > 0 || rate <= 0) {
    return scale_ * std::max(peak, rate);
  }
  return scale_ * Assume({"peak " + name.text,
                          "`" + name.text + "` comes at " + RateText(rate) + ", at its peak too",
                          "in `" + kind + " " + name.text + "`",
                          "rate " + RateText(rate) + " peak " + RateText(rate), rate, name.at},
                         1e300);
}

double Expectations::PeakOf(const Pattern& pattern) {
  Name name = pattern.name;
  return PeakOf("pattern", name, pattern.rate_per_second, pattern.peak_per_second);
}

double Expectations::PeakOf(const Write& write) {
  return PeakOf("write", write.name, write.rate_per_second, write.peak_per_second);
}

double EntityCount(const Model& model, const Reference<Entity>& entity) {
  return Expectations(model).Count(entity);
}

double ExpectedRows(const Model& model, const Reference<Entity>& entity,
                    const std::set<std::string>& bound) {
  return Expectations(model).Rows(entity, bound);
}

double MostRows(const Model& model, const Reference<Entity>& entity,
                const std::set<std::string>& bound) {
  return Expectations(model).Most(entity, bound);
}

double ExpectedItemBytes(const Model& model, const Reference<Entity>& entity, const View& view) {
  return Expectations(model).EntryBytes(entity, view);
}

double LargestItemBytes(const Model& model, const Reference<Entity>& entity) {
  return Expectations(model).LargestItemBytes(entity);
}

}  // namespace prejoin::model
