// Figures about values: which part of the rows has one, how many different beginnings there are, and the line that states them.
//
//   status one of "OPEN" 3%, "DONE" 97%     status = "OPEN" finds 3 of 100 rows; status = :s finds 0.03² + 0.97² of them, 94 %, because
//                                           requests ask for values as often as rows have them
//   at time, kept 90 days                   90 values of `at day`, 2,160 of `at hour`, 3 of `at month`
#include <algorithm>
#include <cmath>

#include "model/data/dataset.h"
#include "model/plan/expectation.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/quoted.h"

namespace prejoin::model {
namespace {

constexpr double kDaySeconds = 86400;

std::string ShareText(double share) { return PlainFigure(100 * share) + "%"; }

std::string ValuesText(const Attribute& attribute) {
  std::string out;
  for (std::size_t i = 0; i < attribute.values.size(); ++i) {
    const AttributeValue& value = attribute.values[i];
    out += out.empty() ? "" : ", ";
    out += value.string() != nullptr ? Quoted(*value.string()) : ValueText(value).substr(2);
    out += attribute.shares.empty() ? "" : " " + ShareText(attribute.shares[i]);
  }
  return " values (" + out + ")";
}

// Nesting ends where the reader ended it.
std::string TypeText(const Attribute& attribute) {
  if (attribute.references) {
    return "references " + attribute.references->entity.text + "." +
           attribute.references->attribute.text;
  }
  std::string text(AttributeTypeName(attribute.type));
  if (attribute.size_avg > 0) {
    text += "(~" + PlainFigure(attribute.size_avg);
    if (attribute.size_max > 0) {
      text += ", max " + PlainFigure(attribute.size_max);
    }
    text += ")";
  }
  std::string members;
  for (const Attribute& member : attribute.members) {
    members += (members.empty() ? "" : ", ") + DeclarationOf(member);
  }
  return members.empty() ? text : text + " of (" + members + ")";
}

}  // namespace

std::string DeclarationOf(const Attribute& attribute) {
  std::string text = attribute.name.text + " " + TypeText(attribute);
  if (attribute.is_key) {
    text += " key";
  }
  if (attribute.optional) {
    text += " optional";
  }
  if (attribute.optional && attribute.presence) {
    text += " " + ShareText(*attribute.presence);
  }
  if (attribute.unique) {
    text += " unique";
  }
  if (attribute.immutable) {
    text += " immutable";
  }
  if (attribute.changes_given) {
    text += " changes " + PlainFigure(attribute.changes_per_second * kDaySeconds) + "/day";
  }
  if (!attribute.values.empty()) {
    text += ValuesText(attribute);
  }
  for (const auto& [derivation, distinct] : attribute.derived_distinct) {
    text += " " + derivation.text + " distinct " + PlainFigure(distinct);
  }
  if (attribute.distinct > 0) {
    text += " distinct " + PlainFigure(attribute.distinct);
  }
  if (attribute.skew.zipf > 0) {
    text += " zipf " + PlainFigure(attribute.skew.zipf);
  }
  if (attribute.skew.hottest > 0) {
    text += " hottest " + ShareText(attribute.skew.hottest);
  }
  if (attribute.drift != Drift::kNotStated) {
    text += attribute.drift == Drift::kGrows ? " grows" : " spread";
  }
  return text;
}

std::string PlaceOf(const Entity& entity) { return "in `entity " + entity.name.text + "`"; }

bool Covers(const std::set<std::string>& bound, const std::vector<std::string>& names) {
  return !names.empty() &&
         std::ranges::all_of(names, [&](const std::string& name) { return bound.contains(name); });
}

bool IsImplied(const Entity& entity, const Attribute& derived, const std::set<std::string>& bound) {
  if (derived.derived_from.empty()) {
    return false;
  }
  return bound.contains(derived.derived_from) ||
         std::ranges::any_of(entity.derived, [&](const Attribute& other) {
           return other.derived_from == derived.derived_from &&
                  other.derivation.first > derived.derivation.first &&
                  bound.contains(other.name.text);
         });
}

namespace {

bool MayCount(const Attribute& attribute) {
  const AttributeTypeTraits& traits = TraitsOf(attribute.type);
  const bool few = !attribute.values.empty() || attribute.distinct > 0 || traits.distinct > 0 ||
                   (traits.moment && !traits.zoned);
  return attribute.is_key && !attribute.references && !few;
}

}  // namespace

const Attribute* CountedKey(const Model& model, const Entity& entity) {
  // The levels of a hierarchy have an order, whatever the order of the attributes.
  for (const Relationship& hierarchy : model.relationships) {
    if (hierarchy.kind != RelationshipKind::kHierarchy || !(hierarchy.from == entity.name) ||
        hierarchy.levels.empty()) {
      continue;
    }
    const Attribute* deepest = entity.Find(hierarchy.levels.back().text);
    if (deepest != nullptr && MayCount(*deepest)) {
      return deepest;
    }
  }
  const Attribute* counted = nullptr;
  for (const Attribute& attribute : entity.attributes) {
    if (MayCount(attribute)) {
      counted = &attribute;
    }
  }
  return counted;
}

// One attribute of a key of several may repeat in the rows pointed at; a stated number of values says how often.
double Expectations::ValuesPointedAt(const Attribute& attribute) {
  const Path origin = OriginOf(model_, model_.At(attribute.references->entity),
                               attribute.references->attribute.text);
  const Entity& owner = model_.At(origin.entity);
  const Attribute* pointed = owner.Find(origin.attribute.text);
  const double rows = std::max(1.0, Count(attribute.references->entity));
  const bool few = pointed != nullptr && !pointed->references &&
                   (pointed->distinct > 0 || !pointed->values.empty());
  return std::min(rows, few ? Distinct(owner, pointed->name.text) : std::max(1.0, Count(owner)));
}

double Expectations::ValuesOfCountedKey(const Entity& entity, const Attribute& attribute) {
  const double all = std::max(1.0, Count(entity));
  if (!IsNumber(attribute.type) || attribute.size_avg <= 0) {
    return all;
  }
  // A number begins again under each value of the rest of the key.
  std::set<std::string> rest;
  for (const std::string& key : entity.KeyNames()) {
    if (key != attribute.name.text) {
      rest.insert(key);
    }
  }
  return rest.empty() ? all : std::max(1.0, std::ceil(Rows(entity, rest)));
}

// Over how many days the values of a date or time spread.
double Expectations::DaysOf(const Entity& entity, const Attribute& moment) {
  for (const auto& [derivation, distinct] : moment.derived_distinct) {
    if (derivation.text == "day") {
      return distinct;
    }
  }
  if (entity.kept_days > 0) {
    return std::max(1.0, entity.kept_days);
  }
  if (moment.type == AttributeType::kDate && moment.distinct > 0) {
    return moment.distinct;
  }
  const std::string name = entity.name.text + "." + moment.name.text;
  return Assume(
      {"days " + name, "`" + name + "` spreads over " + FigureText(kAssumedDays) + " days",
       PlaceOf(entity), DeclarationOf(moment) + " day distinct " + PlainFigure(kAssumedDays),
       kAssumedDays, moment.name.at},
      1e300);
}

double Expectations::DerivedDistinct(const Entity& entity, const Attribute& derived) {
  constexpr double kDaysOfMonth = 30;
  constexpr double kHoursOfDay = 24;
  // Where only the beginnings are counted, each row may have a value of its own; a date is a day.
  if (derived.derived_from.empty()) {
    const auto& [derivation, values] = derived.derived_distinct.front();
    const bool day = derived.type == AttributeType::kDate && derivation.text == "day";
    return day ? values : std::max(values, Count(entity));
  }
  if (derived.distinct > 0) {
    return derived.distinct;
  }
  const Attribute& base = *entity.Find(derived.derived_from);
  const double whole = Distinct(entity, base.name.text);
  if (derived.derivation.moment) {
    const double days = DaysOf(entity, base);
    const std::string& unit = derived.derivation.text;
    const double values = unit == "hour"    ? days * kHoursOfDay
                          : unit == "month" ? days / kDaysOfMonth
                          : unit == "year"  ? days / kAssumedDays
                                            : days;
    return std::min(whole, std::max(1.0, values));
  }
  const double length = AverageValueBytes(base);
  if (derived.derivation.first >= length) {
    return whole;
  }
  // As if each character told as much as any other.
  const double values = std::ceil(std::pow(whole, derived.derivation.first / length));
  const std::string name = entity.name.text + "." + derived.name.text;
  return Assume(
      {"distinct " + name, "`" + name + "` has " + FigureText(values) + " different values",
       PlaceOf(entity),
       DeclarationOf(base) + " " + derived.derivation.text + " distinct " + PlainFigure(values),
       values, base.name.at},
      whole);
}

double Expectations::EqualShare(const Reference<Entity>& layout, const Condition& condition) {
  const Entity& entity = model_.RowsOf(layout);
  const Attribute* attribute = entity.Find(condition.attribute.text);
  if (attribute == nullptr) {
    return 1;
  }
  const double average =
      ShareOfOneValue(*attribute).value_or(1 / Distinct(layout, condition.attribute.text));
  if (attribute->shares.empty()) {
    const double values = Distinct(layout, condition.attribute.text);
    return std::min(1.0,
                    average * std::min(values, static_cast<double>(condition.operands.size())));
  }
  // A caller asks for other values than those that the list names anyway, as often as rows have them.
  double named = 0;
  double squares = average;
  double parameters = 0;
  for (const Operand& operand : condition.operands) {
    if (!operand.parameter.empty()) {
      ++parameters;
      continue;
    }
    const double share = *ShareOfValue(*attribute, operand.literal);
    named += share;
    squares -= share * share;
  }
  const double others = 1 - named;
  const double each = others > 1e-9 ? std::max(0.0, squares) / others : 0;
  return std::min(1.0, named + std::min(others, parameters * each));
}

double Expectations::ValueFactor(const Reference<Entity>& layout,
                                 const std::vector<Condition>& conditions,
                                 const std::set<std::string>& bound) {
  const Entity& entity = model_.RowsOf(layout);
  double factor = 1;
  // One row has one value.
  if (Covers(bound, entity.KeyNames())) {
    return factor;
  }
  for (const Condition& condition : conditions) {
    const Attribute* attribute = entity.Find(condition.attribute.text);
    const bool equal =
        condition.comparison == Comparison::kEqual || condition.comparison == Comparison::kIn;
    if (attribute != nullptr && !attribute->shares.empty() && equal &&
        bound.contains(condition.attribute.text)) {
      const double counted = std::min(static_cast<double>(condition.operands.size()),
                                      std::max(1.0, Distinct(layout, condition.attribute.text)));
      factor *= EqualShare(layout, condition) / (*ShareOfOneValue(*attribute) * counted);
    }
  }
  return factor;
}

}  // namespace prejoin::model
