// Figures about values: which part of the rows has one, and how many different beginnings there are.
//
//   status one of "OPEN" 3%, "DONE" 97%     status = "OPEN" finds 3 of 100 rows; status = :s finds 0.03² + 0.97² of them, 94 %, because
//                                           requests ask for values as often as rows have them
//   at time, kept 90 days                   90 values of `at day`, 2,160 of `at hour`, 3 of `at month`
#include <algorithm>
#include <cmath>

#include "model/plan/declaration.h"
#include "model/plan/expectation.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {

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
  if (derived.distinct > 0) {
    return derived.distinct;
  }
  const Attribute& base = *entity.Find(derived.derived_from);
  const double whole = Distinct(entity.name.text, base.name.text);
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

double Expectations::EqualShare(const std::string& layout, const Condition& condition) {
  const Entity* entity = model_.FindEntity(model_.RowsOf(layout));
  const Attribute* attribute = entity != nullptr ? entity->Find(condition.attribute.text) : nullptr;
  if (attribute == nullptr) {
    return 1;
  }
  const double average =
      ShareOfOneValue(*attribute).value_or(1 / Distinct(layout, condition.attribute.text));
  double share = 0;
  for (const Operand& operand : condition.operands) {
    const bool literal = operand.parameter.empty() && !attribute->shares.empty();
    share += literal ? *ShareOfValue(*attribute, operand.literal) : average;
  }
  return std::min(1.0, share);
}

double Expectations::ValueFactor(const std::string& layout,
                                 const std::vector<Condition>& conditions,
                                 const std::set<std::string>& bound) {
  const Entity* entity = model_.FindEntity(model_.RowsOf(layout));
  double factor = 1;
  // One row has one value.
  if (entity == nullptr || Covers(bound, entity->KeyNames())) {
    return factor;
  }
  for (const Condition& condition : conditions) {
    const Attribute* attribute = entity->Find(condition.attribute.text);
    const bool equal =
        condition.comparison == Comparison::kEqual || condition.comparison == Comparison::kIn;
    if (attribute != nullptr && !attribute->shares.empty() && equal &&
        bound.contains(condition.attribute.text)) {
      factor *= EqualShare(layout, condition) /
                (*ShareOfOneValue(*attribute) * static_cast<double>(condition.operands.size()));
    }
  }
  return factor;
}

}  // namespace prejoin::model
