// One section after the other: parameters that an earlier section has set stay. Attributes that are asked for by
// equality take their values together from where the rows take them: all of a row's key from a row, what names a parent
// from a parent (also one without rows: that request finds nothing), any other from its values. Then ranges are laid so
// that they keep their share of the rows that the equalities find.
#include "model/generate/stated_arguments.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "model/data/make_value.h"
#include "model/generate/lay_range.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

// A value that no row has. Of a number the greatest with its digits, because a padded key refuses more of them.
AttributeValue NobodysValue(const Attribute& attribute) {
  constexpr std::uint64_t kNobodysNumber = 987'654'321;
  constexpr double kFewDigits = 9;
  if (!IsNumber(attribute.type) || attribute.size_avg <= 0 || attribute.size_avg > kFewDigits) {
    return MakeValue(attribute, kNobodysNumber, 0);
  }
  const auto values =
      static_cast<std::uint64_t>(9 * std::pow(10, std::ceil(attribute.size_avg) - 1));
  return MakeValue(attribute, values - 1, 0);
}

// The sources of the values of some attributes.
struct Source {
  struct Candidate {
    std::map<std::string, AttributeValue> values;  // Keyed by attribute of the section's entity.
    double until = 0;                              // Weight of this and all before.
  };
  std::vector<Candidate> candidates;
  std::set<std::string> attributes;
  double misses = 0;  // The share of requests whose arguments match no row.

  const Candidate* Pick(double place) const {
    if (candidates.empty() || place < misses) {
      return nullptr;
    }
    const double weight = candidates.back().until * (place - misses) / (1 - misses);
    const auto found = std::ranges::upper_bound(candidates, weight, {}, &Candidate::until);
    return found == candidates.end() ? &candidates.back() : &*found;
  }
};

class Chooser {
 public:
  Chooser(Expectations& figures, const Pattern& pattern, DataIndex& data, std::uint64_t seed)
      : figures_(figures), model_(figures.model()), pattern_(pattern), data_(data), random_(seed) {
    std::set<std::string> set;
    for (const Section& section : pattern.sections) {
      sources_.push_back(SourcesOf(section, set));
    }
  }

  Arguments Choose(double place) {
    Arguments arguments;
    bool first = true;
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
      const Section& section = pattern_.sections[i];
      const Given given = GivenBy(section, arguments);
      for (const Source& source : sources_[i]) {
        SetFrom(section, source, given, first ? place : Chance(), arguments);
        first = false;
      }
      SetLists(section, arguments);
      SetRanges(section, arguments);
    }
    return arguments;
  }

 private:
  // Attributes whose parameters an earlier section has set, with their values.
  using Given = std::map<std::string, AttributeValue>;

  static std::set<std::string> Equal(const Section& section) {
    std::set<std::string> names;
    for (const Condition& condition : section.conditions) {
      if (condition.comparison == Comparison::kEqual || condition.comparison == Comparison::kIn) {
        names.insert(condition.attribute.text);
      }
    }
    return names;
  }

  // The sources of the parameters that `set` does not have yet, which are added to it.
  std::vector<Source> SourcesOf(const Section& section, std::set<std::string>& set) {
    std::vector<Source> sources;
    const Entity& entity = model_.At(section.searched());
    std::set<std::string> open;
    for (const Condition& condition : section.conditions) {
      if (condition.comparison != Comparison::kEqual && condition.comparison != Comparison::kIn) {
        continue;
      }
      for (const Operand& operand : condition.operands) {
        if (!operand.parameter.empty() && set.insert(operand.parameter).second) {
          open.insert(condition.attribute.text);
        }
      }
    }
    const std::set<std::string> bound = Equal(section);
    const std::vector<std::string> keys = entity.KeyNames();
    const bool unique = std::ranges::any_of(open, [&](const std::string& name) {
      return entity.Find(name) != nullptr && entity.Find(name)->unique;
    });
    if (unique || (!keys.empty() && std::ranges::all_of(keys, [&](const std::string& key) {
          return bound.contains(key);
        }))) {
      if (!open.empty()) {
        sources.push_back(FromRows(section, open));
      }
      return sources;
    }
    const std::vector<SkewedKey> skews = figures_.SkewsOf(entity, bound);
    while (!open.empty()) {
      Source source = Nearest(entity, open, skews);
      for (const std::string& name : source.attributes) {
        open.erase(name);
      }
      sources.push_back(std::move(source));
    }
    return sources;
  }

  // Rows for which the conditions hold that no parameter decides. Where another section reads what is unevenly under
  // them, they are asked for as often as that.
  Source FromRows(const Section& section, const std::set<std::string>& open) {
    Source source;
    source.attributes = open;
    const Entity* child = SkewedUnder(section.searched().text);
    const std::vector<JoinColumn> columns = child != nullptr
                                                ? JoinColumns(*child, model_.At(section.searched()))
                                                : std::vector<JoinColumn>();
    std::vector<std::string> names;
    for (const JoinColumn& column : columns) {
      names.push_back(column.from);
    }
    std::vector<std::pair<double, const Row*>> rows;
    for (const Row& row : data_.data().Of(section.searched().text)) {
      const bool possible = std::ranges::all_of(section.conditions, [&](const Condition& one) {
        const bool fixed = std::ranges::all_of(
            one.operands, [](const Operand& operand) { return operand.parameter.empty(); });
        return !fixed || ConditionHolds(one, row, {});
      });
      if (!possible) {
        continue;
      }
      Row pointing;
      for (const JoinColumn& column : columns) {
        if (const AttributeValue* value = row.Find(column.to)) {
          pointing.Set(column.from, *value);
        }
      }
      const double weight =
          child == nullptr
              ? 1
              : static_cast<double>(
                    data_.Find(child->name.text, names, TupleText(pointing, names)).size());
      rows.emplace_back(weight, &row);
    }
    if (child != nullptr) {
      std::ranges::stable_sort(rows, std::greater<>(), &std::pair<double, const Row*>::first);
    }
    for (const auto& [weight, row] : rows) {
      if (weight > 0) {
        Add(*row, open, weight, source);
      }
    }
    return source;
  }

  // The entity of a section whose rows are uneven under this one.
  const Entity* SkewedUnder(const std::string& parent) {
    for (const Section& section : pattern_.sections) {
      if (IsSkewed(figures_.SkewsOf(section.searched(), Equal(section)), parent)) {
        return &model_.At(section.searched());
      }
    }
    return nullptr;
  }

  static void Add(const Row& row, const std::set<std::string>& names, double weight,
                  Source& source) {
    Source::Candidate candidate;
    for (const std::string& name : names) {
      if (const AttributeValue* value = row.Find(name)) {
        candidate.values.emplace(name, *value);
      }
    }
    candidate.until = weight + (source.candidates.empty() ? 0 : source.candidates.back().until);
    source.candidates.push_back(std::move(candidate));
  }

  static bool SameOrigin(const Path& a, const Path& b) {
    return a.entity == b.entity && a.attribute == b.attribute;
  }

  static bool IsSkewed(const std::vector<SkewedKey>& skews, const std::string& of) {
    return std::ranges::any_of(skews, [&](const SkewedKey& one) { return one.of == of; });
  }

  // The parent that most of the open attributes name together, or the values of one attribute.
  Source Nearest(const Entity& entity, const std::set<std::string>& open,
                 const std::vector<SkewedKey>& skews) {
    const Entity* nearest = nullptr;
    std::map<std::string, std::string>
        nearest_columns;  // Attribute of the entity → key of the parent.
    double rows = 0;
    for (const Entity& parent : model_.entities) {
      std::map<std::string, std::string> columns;
      for (const std::string& key : parent.KeyNames()) {
        for (const std::string& name : open) {
          const Attribute* attribute = entity.Find(name);
          if (attribute != nullptr && attribute->references &&
              SameOrigin(OriginOf(model_, entity, name), OriginOf(model_, parent, key))) {
            columns.emplace(name, key);
            break;
          }
        }
      }
      if (parent.name == entity.name || columns.empty() ||
          columns.size() != parent.KeyNames().size()) {
        continue;
      }
      std::set<std::string> names;
      for (const auto& [name, key] : columns) {
        names.insert(name);
      }
      const double each = figures_.Rows(entity, names);
      // Where each workspace has one channel, both have as many rows; only the channel has a pair of ids that belong together.
      const bool more = each <= rows && columns.size() > nearest_columns.size();
      if (nearest == nullptr || each < rows || more) {
        nearest = &parent;
        nearest_columns = std::move(columns);
        rows = each;
      }
    }
    if (nearest == nullptr) {
      const auto whole = std::ranges::find_if(open, [&](const std::string& name) {
        const Attribute* attribute = entity.Find(name);
        return attribute == nullptr || !IsImplied(entity, *attribute, open);
      });
      const std::string& name = whole != open.end() ? *whole : *open.begin();
      std::set<std::string> implied;
      for (const Attribute& derived : entity.derived) {
        if (open.contains(derived.name.text) && IsImplied(entity, derived, {name})) {
          implied.insert(derived.name.text);
        }
      }
      return FromValues(entity, name, implied, skews);
    }
    return FromParents(entity, *nearest, nearest_columns, skews);
  }

  Source FromParents(const Entity& entity, const Entity& parent,
                     const std::map<std::string, std::string>& columns,
                     const std::vector<SkewedKey>& skews) {
    Source source;
    std::vector<std::string> names;
    for (const auto& [name, key] : columns) {
      names.push_back(name);
      source.attributes.insert(name);
    }
    const bool skewed = IsSkewed(skews, parent.name.text);
    std::vector<std::pair<double, Row>> rows;
    for (const Row& one : data_.data().Of(parent.name.text)) {
      Row row;
      for (const auto& [name, key] : columns) {
        if (const AttributeValue* value = one.Find(key)) {
          row.Set(name, *value);
        }
      }
      const double weight =
          skewed ? static_cast<double>(
                       data_.Find(entity.name.text, names, TupleText(row, names)).size())
                 : 1;
      rows.emplace_back(weight, std::move(row));
    }
    if (skewed) {
      std::ranges::stable_sort(rows, std::greater<>(), &std::pair<double, Row>::first);
    }
    for (const auto& [weight, row] : rows) {
      if (weight > 0) {
        Add(row, source.attributes, weight, source);
      }
    }
    return source;
  }

  // `implied`: what follows from the value, such as its day.
  Source FromValues(const Entity& entity, const std::string& name,
                    const std::set<std::string>& implied, const std::vector<SkewedKey>& skews) {
    Source source;
    source.attributes = {name};
    source.attributes.insert(implied.begin(), implied.end());
    std::map<std::string, std::pair<double, const Row*>> seen;
    for (const Row& row : data_.data().Of(entity.name.text)) {
      if (const AttributeValue* value = row.Find(name)) {
        auto& [count, first] = seen[ValueText(*value)];
        ++count;
        first = &row;
      }
    }
    // Values with stated shares are asked for as often as rows have them.
    const bool skewed = IsSkewed(skews, entity.name.text + "." + name) ||
                        (entity.Find(name) != nullptr && !entity.Find(name)->shares.empty());
    std::vector<std::pair<double, const Row*>> rows;
    for (const auto& [text, counted] : seen) {
      rows.emplace_back(skewed ? counted.first : 1, counted.second);
    }
    if (skewed) {
      std::ranges::stable_sort(rows, std::greater<>(), &std::pair<double, const Row*>::first);
    }
    for (const auto& [weight, row] : rows) {
      Add(*row, source.attributes, weight, source);
    }
    const double values = figures_.Distinct(entity, name);
    if (!skewed && static_cast<double>(seen.size()) < values) {
      source.misses = 1 - static_cast<double>(seen.size()) / values;
    }
    return source;
  }

  Given GivenBy(const Section& section, const Arguments& arguments) const {
    Given given;
    for (const Condition& condition : section.conditions) {
      if (condition.comparison != Comparison::kEqual) {
        continue;
      }
      if (const AttributeValue* value = OperandValue(condition.operands[0], arguments)) {
        given.emplace(condition.attribute.text, *value);
      }
    }
    return given;
  }

  // Rows that have all of these values.
  std::vector<const Row*> RowsWith(const std::string& entity, const Given& given) {
    if (given.empty()) {
      std::vector<const Row*> all;
      for (const Row& row : data_.data().Of(entity)) {
        all.push_back(&row);
      }
      return all;
    }
    std::vector<std::string> names;
    Row row;
    for (const auto& [name, value] : given) {
      names.push_back(name);
      row.Set(name, value);
    }
    return data_.Find(entity, names, TupleText(row, names));
  }

  void SetFrom(const Section& section, const Source& source, const Given& given, double place,
               Arguments& arguments) {
    std::map<std::string, AttributeValue> values;
    const bool by_parameter = std::ranges::any_of(section.conditions, [&](const Condition& one) {
      return one.comparison == Comparison::kEqual && !one.operands[0].parameter.empty() &&
             given.contains(one.attribute.text);
    });
    if (by_parameter) {
      const std::vector<const Row*> rows = RowsWith(section.searched().text, given);
      const Row* row = rows.empty() ? nullptr : rows[Below(rows.size())];
      for (const std::string& name : source.attributes) {
        const AttributeValue* value = row != nullptr ? row->Find(name) : nullptr;
        if (value != nullptr) {
          values.emplace(name, *value);
        }
      }
    } else if (const Source::Candidate* candidate = source.Pick(place)) {
      values = candidate->values;
    }
    const Entity& entity = model_.At(section.searched());
    for (const Condition& condition : section.conditions) {
      const std::string& name = condition.attribute.text;
      if (!source.attributes.contains(name) || condition.operands.empty() ||
          condition.operands[0].parameter.empty()) {
        continue;
      }
      const auto found = values.find(name);
      arguments.try_emplace(
          condition.operands[0].parameter,
          found != values.end() ? found->second : NobodysValue(*entity.Find(name)));
    }
  }

  // The further values of `attribute in (…)`: different ones, as long as there are some.
  void SetLists(const Section& section, Arguments& arguments) {
    const std::vector<Row>& rows = data_.data().Of(section.searched().text);
    for (const Condition& condition : section.conditions) {
      if (condition.comparison != Comparison::kIn || rows.empty()) {
        continue;
      }
      std::set<std::string> taken;
      for (const Operand& operand : condition.operands) {
        if (const AttributeValue* value = OperandValue(operand, arguments)) {
          taken.insert(ValueText(*value));
        }
      }
      const Entity& entity = model_.At(section.searched());
      for (const Operand& operand : condition.operands) {
        constexpr int kTries = 50;
        for (int i = 0; i < kTries && OperandValue(operand, arguments) == nullptr; ++i) {
          const AttributeValue* value = rows[Below(rows.size())].Find(condition.attribute.text);
          if (value != nullptr && taken.insert(ValueText(*value)).second) {
            arguments[operand.parameter] = *value;
          }
        }
        // All that there are have been named: one that nobody has.
        if (OperandValue(operand, arguments) == nullptr) {
          arguments[operand.parameter] =
              NobodysValue(*entity.Find(condition.attribute.text));
        }
      }
    }
  }

  void SetRanges(const Section& section, Arguments& arguments) {
    double ranges = 0;
    for (const Condition& condition : section.conditions) {
      ranges += IsOpen(condition, arguments) ? 1 : 0;
    }
    for (const Condition& condition : section.conditions) {
      if (IsOpen(condition, arguments)) {
        SetRange(section, condition, ranges, arguments);
      }
    }
  }

  static bool IsOpen(const Condition& condition, const Arguments& arguments) {
    return std::ranges::any_of(condition.operands, [&](const Operand& operand) {
      return OperandValue(operand, arguments) == nullptr;
    });
  }

  // `status <> :s` names a value as often as rows have it.
  void SetOtherValue(const Section& section, const Condition& condition, Arguments& arguments) {
    std::vector<const AttributeValue*> values;
    for (const Row& row : data_.data().Of(section.searched().text)) {
      if (const AttributeValue* value = row.Find(condition.attribute.text)) {
        values.push_back(value);
      }
    }
    if (!values.empty()) {
      arguments.try_emplace(condition.operands[0].parameter, *values[Below(values.size())]);
    }
  }

  void SetRange(const Section& section, const Condition& condition, double ranges,
                Arguments& arguments) {
    const Reference<Entity>& entity = section.searched();
    if (condition.comparison == Comparison::kNotEqual) {
      SetOtherValue(section, condition, arguments);
    }
    std::vector<const AttributeValue*> values;
    for (const Row* row : RowsWith(entity.text, GivenBy(section, arguments))) {
      const AttributeValue* value = row->Find(condition.attribute.text);
      const bool listed = std::ranges::all_of(section.conditions, [&](const Condition& one) {
        return one.comparison != Comparison::kIn || ConditionHolds(one, *row, arguments);
      });
      if (value != nullptr && listed) {
        values.push_back(value);
      }
    }
    std::ranges::stable_sort(values, [](const AttributeValue* a, const AttributeValue* b) {
      return CompareValues(a, b) < 0;
    });
    const auto count = static_cast<double>(values.size());
    double share = figures_.RangeShare(pattern_, section, condition);
    if (section.returns) {
      double all = figures_.Rows(entity, Equal(section));
      for (const Condition& one : section.conditions) {
        all *= one.comparison == Comparison::kIn ? static_cast<double>(one.operands.size()) : 1;
      }
      share = std::pow(std::min(1.0, *section.returns / std::max(all, 1e-3)), 1 / ranges);
    }
    const bool alone = section.returns && ranges == 1;
    const double wanted = std::min(count, alone ? *section.returns : share * count);
    LayRange(condition, values, wanted, random_, arguments);
    const Entity& owner = model_.At(entity);
    for (const Operand& operand : condition.operands) {
      if (OperandValue(operand, arguments) == nullptr) {
        arguments[operand.parameter] =
            NobodysValue(*owner.Find(condition.attribute.text));
      }
    }
  }

  double Chance() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  std::size_t Below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  Expectations& figures_;
  const Model& model_;
  const Pattern& pattern_;
  DataIndex& data_;
  std::mt19937_64 random_;
  std::vector<std::vector<Source>> sources_;  // The sources of each section.
};

}  // namespace

std::vector<Arguments> StatedArguments(Expectations& figures, const Pattern& pattern,
                                       DataIndex& data, std::size_t count, std::uint64_t seed) {
  std::vector<Arguments> all;
  if (pattern.Parameters().empty()) {
    all.emplace_back();
    return all;
  }
  Chooser chooser(figures, pattern, data, seed);
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(chooser.Choose((static_cast<double>(i) + 0.5) / static_cast<double>(count)));
  }
  return all;
}

}  // namespace prejoin::model
