#include "model/plan/section_rows.h"

#include <algorithm>
#include <cmath>

#include "model/plan/key_expression.h"
#include "model/plan/local_fetch.h"
#include "model/plan/range_shares.h"
#include "model/plan/skew/rank_shares.h"

namespace prejoin::model {
namespace {

constexpr double kLeastRows = 1e-3;

std::set<std::string> EqualNames(const Section& section) {
  std::set<std::string> bound;
  for (const Condition& condition : section.conditions) {
    if (condition.comparison == Comparison::kEqual) {
      bound.insert(condition.attribute.text);
    }
  }
  return bound;
}

bool HasRange(const SortRange& range) {
  return range.kind == RangeKind::kBetween || range.kind == RangeKind::kBeginsWith;
}

// True if a request chooses one of the values of which the file states the shares.
bool ChoosesValue(const Entity& entity, const Condition& condition) {
  const Attribute* attribute = entity.Find(condition.attribute.text);
  return attribute != nullptr && !attribute->shares.empty() &&
         condition.comparison == Comparison::kEqual && !condition.operands[0].parameter.empty();
}

}  // namespace

std::vector<SkewedKey> SectionRows::Skews() const {
  std::vector<SkewedKey> skews;
  const auto add = [&](const Reference<Entity>& entity, const std::set<std::string>& bound) {
    for (const SkewedKey& key : figures_.SkewsOf(entity, bound)) {
      if (key.shares.empty()) {
        skews.push_back(key);
      }
    }
  };
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    add(accesses_[i]->plan.item_entity, accesses_[i]->bound);
    // A parent that is a filter is asked for as often as one in a key.
    const Section& section = SectionAt(i);
    add(EntityOf(section), EqualNames(section));
    const Entity& entity = model_.RowsOf(EntityOf(section));
    for (const Condition& condition : section.conditions) {
      if (ChoosesValue(entity, condition)) {
        skews.push_back(StatedShares(entity, condition.attribute.text));
      }
    }
  }
  return skews;
}

double SectionRows::RowsUnder(const Reference<Entity>& entity,
                              const std::set<std::string>& bound) const {
  return RowsInCase(figures_, *case_, entity, bound);
}

// Of the values that are named, or that a list leaves open: what a request chooses is told apart by its case.
double SectionRows::ValueFactor(const Section& section, const Reference<Entity>& rows,
                                const std::set<std::string>& bound) const {
  std::vector<Condition> named = section.conditions;
  std::erase_if(named, [&](const Condition& condition) {
    return ChoosesValue(model_.RowsOf(rows), condition);
  });
  return figures_.ValueFactor(rows, named, bound);
}

double SectionRows::EqualShare(const Reference<Entity>& rows, const Condition& condition) const {
  const Entity& entity = model_.RowsOf(rows);
  const std::string name = entity.name.text + "." + condition.attribute.text;
  const auto group = case_->group.find(name);
  if (ChoosesValue(entity, condition) && group != case_->group.end()) {
    return StatedShares(entity, condition.attribute.text).shares[group->second];
  }
  const Attribute* attribute = entity.Find(condition.attribute.text);
  if (attribute != nullptr && attribute->references && !attribute->optional &&
      condition.comparison == Comparison::kEqual) {
    return std::min(1.0, RowsUnder(rows, {attribute->name.text}) / figures_.Count(rows));
  }
  return figures_.EqualShare(rows, condition);
}

// A key that ends with the attribute of `>` begins at the very value. Where more follows it, the value's own rows are left out.
SectionRows::ReadBound SectionRows::ReadBoundOf(std::size_t i) const {
  const Access& access = *accesses_[i];
  const SortRange& range = access.request.ranges[0];
  const std::vector<Name> sort = access.request.view.SortKeys();
  const Model::Placement placement = model_.FindPlacement(access.plan.item_entity);
  if (range.kind != RangeKind::kBetween || range.equal.size() >= sort.size() || !placement) {
    return {};
  }
  const StoredAttribute* stored = placement.layout->Find(sort[range.equal.size()].text);
  for (const Condition& condition : SectionAt(i).conditions) {
    const bool open = condition.comparison == Comparison::kGreater ||
                      condition.comparison == Comparison::kLess;
    if (!open || access.narrowed.contains(condition.attribute.text) || stored == nullptr) {
      continue;
    }
    for (const KeyExpression* end : {&range.low, &range.high}) {
      if (end->parts.size() == stored->key.parts.size() && !end->parts.back().part.is_literal() &&
          end->parts.back().part.label() == condition.attribute.text) {
        return {&condition, end == &range.low};
      }
    }
  }
  return {};
}

bool SectionRows::BoundComesFirst(std::size_t i) const {
  const ReadBound bound = ReadBoundOf(i);
  return bound.condition != nullptr &&
         bound.low != plan_.requests[plan_.sections[i].request].descending;
}

// Callers name a value that there is, such as the last one that they have seen, unless they want all rows.
double SectionRows::AtBound(std::size_t i) const {
  const ReadBound bound = ReadBoundOf(i);
  if (bound.condition == nullptr) {
    return 0;
  }
  const Access& access = *accesses_[i];
  const double rows = RowsUnder(access.plan.item_entity, access.bound) * ValuesFound(i);
  const double kept = ShareKept(i, *bound.condition);
  const double named = rows < 1 ? rows * (1 - kept) : 1 - std::max(0.0, kept * rows - (rows - 1));
  std::set<std::string> same = access.bound;
  same.insert(bound.condition->attribute.text);
  return std::max(0.0, named) * std::max(1.0, RowsUnder(access.plan.item_entity, same));
}

double SectionRows::UnderKeys(std::size_t i) const {
  const Access& access = *accesses_[i];
  if (access.plan.embedded != nullptr) {
    return 1;
  }
  const Section& section = SectionAt(i);
  // Without filters, all that is read is returned.
  if (section.returns && access.plan.filters.empty() && section.via.text.empty()) {
    return Returned(i) + AtBound(i);
  }
  double rows = RowsUnder(access.plan.item_entity, access.bound) *
                ValuesFound(i) * ValueFactor(section, access.plan.item_entity, access.bound);
  // A range on the sort key reads part of the items under the prefix.
  for (const Condition& condition : section.conditions) {
    if (HasRange(access.request.ranges[0]) && IsRange(condition.comparison) &&
        (access.narrowed.contains(condition.attribute.text) ||
         !std::ranges::count(access.plan.filters, condition.attribute.text))) {
      rows *= ShareOfRange(i, condition);
    }
  }
  // A sparse index holds no others.
  for (const std::string& name : access.sparse) {
    if (!access.bound.contains(name)) {
      rows *= figures_.Presence(access.plan.item_entity, {name});
    }
  }
  return std::max({rows, section.returns ? Returned(i) : 0, kLeastRows}) + AtBound(i);
}

double SectionRows::ValuesFound(std::size_t i) const {
  const Access& access = *accesses_[i];
  return DifferentValues(access.plan.item_entity, access.request.in_attribute,
                         std::max<std::size_t>(1, access.request.in_operands.size()));
}

double SectionRows::Together(std::size_t i) const {
  const Access& access = *accesses_[i];
  double together = 1;
  for (const Condition& condition : SectionAt(i).conditions) {
    const std::string& name = condition.attribute.text;
    if (!IsRange(condition.comparison) || !HasRange(access.request.ranges[0]) ||
        std::ranges::count(access.plan.filters, name) > 0) {
      continue;
    }
    std::set<std::string> same = access.bound;
    same.insert(name);
    together = std::max(together, RowsUnder(access.plan.item_entity, same));
  }
  return together;
}

// Returns the number of values that `in` lists.
double SectionRows::DifferentValues(const Reference<Entity>& entity, const std::string& attribute,
                                    std::size_t listed) const {
  const auto values = static_cast<double>(listed);
  return listed < 2 ? values : std::min(values, figures_.Distinct(entity, attribute));
}

// `returns ~20` is said of today's data: an answer grows as the rows do that it is taken from.
double SectionRows::Returned(std::size_t i) const {
  const Section& section = SectionAt(i);
  return *section.returns * figures_.GrowthOfRows(EntityOf(section), EqualNames(section));
}

double SectionRows::ShareKept(std::size_t i, const Condition& condition) const {
  const Section& section = SectionAt(i);
  if (!section.returns) {
    return figures_.RangeShare(*plan_.pattern, section, condition);
  }
  const auto ranges = static_cast<double>(std::ranges::count_if(
      section.conditions, [](const Condition& one) { return IsRange(one.comparison); }));
  const double all = figures_.Rows(EntityOf(section), EqualNames(section));
  return std::pow(std::min(1.0, Returned(i) / std::max(all, kLeastRows)),
                  1 / std::max(1.0, ranges));
}

// The share of the rows under the keys that a range reads. `at day = :day and at >= :since` with the day as a filter
// begins in the day and reads all later days too.
double SectionRows::ShareOfRange(std::size_t i, const Condition& range) const {
  const double kept = ShareKept(i, range);
  const bool one_sided =
      range.comparison != Comparison::kBetween && range.comparison != Comparison::kBeginsWith;
  const double parts =
      PartsOfRange(figures_, SectionAt(i), accesses_[i]->plan.filters, range.attribute.text);
  return kept / parts + (one_sided ? (1 - 1 / parts) / 2 : 0);
}

double SectionRows::Matches(std::size_t i) const {
  const Section& section = SectionAt(i);
  if (section.returns) {
    return Returned(i);
  }
  std::set<std::string> bound;
  double factor = 1;
  for (const Condition& condition : section.conditions) {
    if (condition.comparison == Comparison::kEqual) {
      bound.insert(condition.attribute.text);
    } else if (condition.comparison == Comparison::kIn) {
      bound.insert(condition.attribute.text);
      factor *=
          DifferentValues(EntityOf(section), condition.attribute.text, condition.operands.size());
    } else {
      factor *= figures_.RangeShare(*plan_.pattern, section, condition);
    }
  }
  factor *= ValueFactor(section, EntityOf(section), bound);
  return std::max(kLeastRows, factor * RowsUnder(EntityOf(section), bound));
}

double SectionRows::Answer(std::size_t i) const {
  const Section& section = SectionAt(i);
  double rows = Matches(i);
  if (section.limit) {
    rows = std::min(rows, static_cast<double>(*section.limit));
  }
  // Never more than was read; rows inside a list come with one item.
  return accesses_[i]->plan.embedded != nullptr ? std::min(rows, 1.0)
                                                : std::min(rows, Limited(i, UnderKeys(i)));
}

// A limit stops the reading; with a filter, when enough rows have passed it, page by page.
double SectionRows::Limited(std::size_t i, double rows) const {
  const Section& section = SectionAt(i);
  if (!section.limit || !section.via.text.empty() || accesses_[i]->plan.client_sort) {
    return rows;
  }
  const double limit = static_cast<double>(*section.limit);
  if (accesses_[i]->plan.filters.empty()) {
    return std::min(rows, limit);
  }
  const double kept = std::min(1.0, Matches(i) / std::max(rows, kLeastRows));
  return std::min(rows, limit * std::ceil(1 / std::max(kept, 1e-6)));
}

double SectionRows::ToFollow(std::size_t i) const {
  const Request& request = plan_.requests[plan_.sections[i].request];
  return request.limit || LimitsBeforeFollowUps(plan_.sections[i], SectionAt(i))
             ? Answer(i)
             : std::min(Matches(i),
                        accesses_[i]->plan.embedded != nullptr ? Matches(i) : UnderKeys(i));
}

// The share of the rows under the keys that have the value: what a key has of it, such as its beginning, is settled already.
double SectionRows::EqualsBehindKeys(std::size_t i, const Condition& condition) const {
  const Reference<Entity>& entity = EntityOf(SectionAt(i));
  const std::string& name = condition.attribute.text;
  double settled = 1;
  for (const std::string& bound : accesses_[i]->bound) {
    const Attribute* attribute = model_.At(entity).Find(bound);
    if (attribute != nullptr && attribute->derived_from == name) {
      settled = std::max(settled, figures_.Distinct(entity, bound));
    }
  }
  const double share = figures_.Presence(entity, {name}) * EqualShare(entity, condition);
  return std::min(1.0, share * settled);
}

// The share of the rows kept by the filters that need no fetch.
double SectionRows::KeptBeforeFetches(std::size_t i) const {
  const Section& section = SectionAt(i);
  double kept = 1;
  for (const Condition& condition : section.conditions) {
    const std::string& name = condition.attribute.text;
    // Conditions on what a fetch brings are checked after all fetches. A range that narrows the keys has been counted there.
    const bool fetched =
        std::ranges::any_of(plan_.sections[i].follow_ups, [&](const FollowUp& one) {
          return one.kind == FollowUpKind::kFetchItem && std::ranges::count(one.reasons, name) > 0;
        });
    if (!std::ranges::count(accesses_[i]->plan.filters, name) || fetched ||
        accesses_[i]->narrowed.contains(name)) {
      continue;
    }
    const bool equal =
        condition.comparison == Comparison::kEqual || condition.comparison == Comparison::kIn;
    kept *= equal ? EqualsBehindKeys(i, condition) : ShareKept(i, condition);
  }
  return kept;
}

double SectionRows::Targets(std::size_t i, const FollowUp& follow_up) const {
  const Reference<Entity>& entity = EntityOf(SectionAt(i));
  // A fetch comes before the filters that need it.
  if (follow_up.kind == FollowUpKind::kFetchItem) {
    return accesses_[i]->plan.filters.empty() ? ToFollow(i)
                                              : KeptBeforeFetches(i) * Limited(i, UnderKeys(i));
  }
  std::set<std::string> pointing;
  for (const JoinColumn& column : follow_up.columns) {
    pointing.insert(column.from);
  }
  const double rows = ToFollow(i) * figures_.Presence(entity, pointing);
  std::set<std::string> known = EqualNames(SectionAt(i));
  if (std::ranges::includes(known, pointing)) {
    return std::min(rows, 1.0);
  }
  // Links of one end have different other ends.
  known.insert(pointing.begin(), pointing.end());
  const Entity& owner = model_.At(entity);
  if (!owner.KeyNames().empty() &&
      std::ranges::all_of(owner.KeyNames(),
                          [&](const std::string& key) { return known.contains(key); })) {
    return rows;
  }
  double targets = 0;
  for (const RankGroup& group :
       RankShares(figures_.Count(follow_up.entity),
                  figures_.SkewUnder(entity, model_.RowsOf(follow_up.entity), pointing).skew)) {
    targets += group.ranks * (1 - std::pow(1 - std::min(1.0, group.share), rows));
  }
  return std::min(rows, targets);
}

KnownRows SectionRows::KnownOf(std::size_t i) const {
  KnownRows known;
  const Access& access = *accesses_[i];
  const Entity& entity = model_.RowsOf(EntityOf(SectionAt(i)));
  for (const Condition& condition : SectionAt(i).conditions) {
    const std::string& name = condition.attribute.text;
    const Attribute* attribute = entity.Find(name);
    if (condition.comparison != Comparison::kEqual || attribute == nullptr ||
        attribute->values.empty() || !access.bound.contains(name) ||
        std::ranges::count(access.plan.filters, name) > 0) {
      continue;
    }
    AttributeValue value = condition.operands[0].literal;
    if (!condition.operands[0].parameter.empty()) {
      const auto group = case_->group.find(entity.name.text + "." + name);
      if (!ChoosesValue(entity, condition) || group == case_->group.end()) {
        continue;
      }
      value = attribute->values[OrderOfShares(*attribute)[group->second]];
    }
    if (value.string() != nullptr) {
      known.value_bytes[name] = static_cast<double>(value.string()->size());
    }
  }
  return known;
}

}  // namespace prejoin::model
