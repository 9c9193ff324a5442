// Evaluation is naive on purpose: filter all rows of the section's entity, follow joins by comparing values, sort, cut. It shares no code
// with the planner or the runner, so an error would have to be made twice to go unnoticed. A DataIndex finds rows by their values, which
// makes a million rows bearable and changes no answer.
//
// The lower half chooses arguments to ask with: those under which some row is found, those just beside it, and some that find nothing.
#include "model/data/evaluate.h"

#include <algorithm>
#include <set>

#include "model/data/near_value.h"
#include "model/schema/via.h"

namespace prejoin::model {
namespace {

bool Contains(const AttributeValue& whole, const AttributeValue& part) {
  if (whole.string() != nullptr && part.string() != nullptr) {
    return whole.string()->find(*part.string()) != std::string::npos;
  }
  if (const auto* list = whole.list()) {
    return std::find(list->begin(), list->end(), part) != list->end();
  }
  if (const auto* set = whole.string_set(); set != nullptr && part.string() != nullptr) {
    return std::find(set->begin(), set->end(), *part.string()) != set->end();
  }
  return false;
}

bool AllHold(const std::vector<Condition>& conditions, const Row& row, const Arguments& arguments) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
    return ConditionHolds(condition, row, arguments);
  });
}

std::vector<std::string> Sources(const std::vector<JoinColumn>& columns) {
  std::vector<std::string> names;
  for (const JoinColumn& column : columns) {
    names.push_back(column.from);
  }
  return names;
}

std::vector<std::string> Targets(const std::vector<JoinColumn>& columns) {
  std::vector<std::string> names;
  for (const JoinColumn& column : columns) {
    names.push_back(column.to);
  }
  return names;
}

// The row of `to` that `row` points at by these columns, or null.
const Row* Follow(const std::vector<JoinColumn>& columns, const Entity& to, const Row& row,
                  DataIndex& data) {
  const std::string tuple = TupleText(row, Sources(columns));
  if (tuple.empty()) {
    return nullptr;
  }
  const auto& found = data.Find(to.name.text, Targets(columns), tuple);
  return found.empty() ? nullptr : found.front();
}

// All rows that the conditions let through, in file order, each once.
std::vector<const Row*> Select(const Model& model, const Section& section,
                               const Arguments& arguments, DataIndex& data) {
  std::vector<const Row*> selected;
  if (section.via.text.empty()) {
    for (const Row& row : data.data().Of(section.entity.text)) {
      if (AllHold(section.conditions, row, arguments)) {
        selected.push_back(&row);
      }
    }
    return selected;
  }
  const Entity& link = model.At(section.via);
  const Entity& entity = model.At(section.entity);
  const std::vector<JoinColumn> columns = ViaColumns(section, link, entity);
  std::set<const Row*> seen;
  for (const Row& edge : data.data().Of(section.via.text)) {
    if (!AllHold(section.conditions, edge, arguments)) {
      continue;
    }
    const Row* row = Follow(columns, entity, edge, data);
    if (row != nullptr && seen.insert(row).second) {
      selected.push_back(row);
    }
  }
  return selected;
}

}  // namespace

const AttributeValue* OperandValue(const Operand& operand, const Arguments& arguments) {
  if (operand.parameter.empty()) {
    return &operand.literal;
  }
  const auto found = arguments.find(operand.parameter);
  return found == arguments.end() ? nullptr : &found->second;
}

namespace {

// The beginnings of both sides, where that is what is compared.
bool DerivedHolds(const Condition& condition, const Row& row, const Arguments& arguments) {
  const auto beginning = [&](const AttributeValue* value) {
    return value != nullptr && value->string() != nullptr
               ? AttributeValue(BeginningOf(*value->string(), condition.derivation))
               : AttributeValue();
  };
  const AttributeValue* value = row.Find(condition.derived_from);
  // An index entry may have it in its key only.
  value = value != nullptr ? value : row.Find(condition.attribute.text);
  Condition plain = condition;
  plain.derivation = {};
  Row derived;
  if (value != nullptr) {
    derived.Set(condition.attribute.text, beginning(value));
  }
  for (Operand& operand : plain.operands) {
    const AttributeValue* given = OperandValue(operand, arguments);
    if (given == nullptr) {
      return false;
    }
    operand = {{}, beginning(given), operand.at};
  }
  return ConditionHolds(plain, derived, {});
}

}  // namespace

bool ConditionHolds(const Condition& condition, const Row& row, const Arguments& arguments) {
  if (condition.derivation.given()) {
    return DerivedHolds(condition, row, arguments);
  }
  const AttributeValue* value = row.Find(condition.attribute.text);
  if (IsPresenceTest(condition.comparison)) {
    return (value != nullptr) == (condition.comparison == Comparison::kExists);
  }
  // As in DynamoDB, what is not there differs from everything.
  if (value == nullptr || condition.operands.empty()) {
    return condition.comparison == Comparison::kNotEqual;
  }
  const AttributeValue* first = OperandValue(condition.operands[0], arguments);
  if (first == nullptr) {
    return false;
  }
  switch (condition.comparison) {
    case Comparison::kEqual:
      return *value == *first;
    case Comparison::kNotEqual:
      return !(*value == *first);
    case Comparison::kLess:
      return CompareValues(value, first) < 0;
    case Comparison::kLessOrEqual:
      return CompareValues(value, first) <= 0;
    case Comparison::kGreater:
      return CompareValues(value, first) > 0;
    case Comparison::kGreaterOrEqual:
      return CompareValues(value, first) >= 0;
    case Comparison::kBetween: {
      const AttributeValue* last = OperandValue(condition.operands[1], arguments);
      return last != nullptr && CompareValues(value, first) >= 0 && CompareValues(value, last) <= 0;
    }
    case Comparison::kBeginsWith:
      return value->string() != nullptr && first->string() != nullptr &&
             value->string()->starts_with(*first->string());
    case Comparison::kContains:
      return Contains(*value, *first);
    case Comparison::kExists:
    case Comparison::kNotExists:
      return true;  // Settled above.
    case Comparison::kIn:
      return std::any_of(condition.operands.begin(), condition.operands.end(),
                         [&](const Operand& operand) {
                           const AttributeValue* one = OperandValue(operand, arguments);
                           return one != nullptr && *value == *one;
                         });
  }
  return false;
}

int CompareByOrder(const Section& section, const Row& a, const Row& b) {
  for (const OrderKey& key : section.order) {
    const int order = CompareValues(a.Find(key.attribute.text), b.Find(key.attribute.text));
    if (order != 0) {
      return key.descending ? -order : order;
    }
  }
  return 0;
}

std::string AnswerName(const Section& section, const Path& path) {
  const bool own = path.entity.text.empty() || path.entity.text == section.entity.text;
  return own ? path.attribute.text : path.entity.text + "." + path.attribute.text;
}

std::vector<Path> SectionPaths(const Model& model, const Section& section) {
  if (!section.get.empty()) {
    return section.get;
  }
  std::vector<Path> paths;
  for (const Attribute& attribute : model.At(section.entity).attributes) {
    paths.push_back({{}, attribute.name});
  }
  return paths;
}

Row MeasureRows(const Section& section, const std::vector<Row>& rows) {
  Row measured;
  if (section.measure == Measure::kCount) {
    measured.Set("count", AttributeValue(static_cast<std::int64_t>(rows.size())));
    return measured;
  }
  Number sum(0);
  for (const Row& row : rows) {
    const AttributeValue* value = row.Find(section.get[0].attribute.text);
    if (value == nullptr || value->number() == nullptr) {
      continue;
    }
    // A sum of more than 38 digits is as wrong as DynamoDB's own would be: it stays as it is.
    if (const auto added = Number::Add(sum, *value->number())) {
      sum = *added;
    }
  }
  measured.Set("sum", AttributeValue(sum));
  return measured;
}

std::size_t GivenRows(const Section& section, const SectionAnswer& answer) {
  return section.measure == Measure::kRows ? answer.visible : answer.found;
}

std::vector<SectionAnswer> EvaluatePattern(const Model& model, const Pattern& pattern,
                                           const Arguments& arguments, DataIndex& data) {
  std::vector<SectionAnswer> answers;
  for (const Section& section : pattern.sections) {
    std::vector<const Row*> selected = Select(model, section, arguments, data);
    std::stable_sort(selected.begin(), selected.end(), [&](const Row* a, const Row* b) {
      return CompareByOrder(section, *a, *b) < 0;
    });
    const Entity& entity = model.At(section.entity);
    const std::vector<Path> paths = SectionPaths(model, section);
    SectionAnswer answer;
    for (const Row* row : selected) {
      Row out;
      for (const Path& path : paths) {
        const std::string name = AnswerName(section, path);
        const Row* owner = name == path.attribute.text ? row : nullptr;
        if (owner == nullptr) {
          if (const Entity* other = model.AtOrNull(path.entity)) {
            owner = Follow(JoinColumns(entity, *other), *other, *row, data);
          }
        }
        const AttributeValue* value = owner != nullptr ? owner->Find(path.attribute.text) : nullptr;
        if (value != nullptr) {
          out.Set(name, *value);
        }
      }
      answer.rows.push_back(std::move(out));
    }
    answer.found = answer.rows.size();
    if (section.measure != Measure::kRows) {
      answer.rows = {MeasureRows(section, answer.rows)};
    }
    answer.visible = answer.rows.size();
    if (section.limit) {
      answer.visible = std::min(answer.visible, static_cast<std::size_t>(*section.limit));
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

namespace {

// True if some key that counts the attribute down has no place for the number: nobody can ask with it.
bool HasNoKey(const Model& model, const std::string& entity, const std::string& attribute,
              const AttributeValue& value) {
  return std::ranges::any_of(model.LayoutsOf(entity), [&](const Model::Placement& placement) {
    return std::ranges::any_of(placement.layout->attributes, [&](const StoredAttribute& stored) {
      return std::ranges::any_of(stored.key.parts, [&](const TemplatePart& part) {
        return part.attribute == attribute && part.transform == TemplateTransform::kDescending &&
               !WhyNotDescending(value, part.argument).empty();
      });
    });
  });
}

const std::string& RowsAsked(const Section& section) {
  return section.searched().text;
}

// Something of the attribute's type that no row has.
AttributeValue Nothing(const Model& model, const Section& section, const Condition& condition) {
  const Entity& entity = model.At(section.searched());
  const Attribute* attribute = entity.Find(condition.attribute.text);
  if (attribute != nullptr && IsNumber(attribute->type)) {
    const AttributeValue none(-999'999'937);
    const bool askable = !HasNoKey(model, RowsAsked(section), condition.attribute.text, none);
    return askable ? none : AttributeValue(0);
  }
  if (attribute != nullptr && IsBool(attribute->type)) {
    return AttributeValue(false);
  }
  return AttributeValue("nobody-has-this");
}

// The conditions that no parameter decides.
bool HoldsWhereFixed(const std::vector<Condition>& conditions, const Row& row) {
  return std::ranges::all_of(conditions, [&](const Condition& condition) {
    const bool fixed = std::ranges::all_of(
        condition.operands, [](const Operand& operand) { return operand.parameter.empty(); });
    return !fixed || ConditionHolds(condition, row, {});
  });
}

// Arguments under which `row` is found, as far as the section's conditions go.
void ArgumentsFromRow(const Model& model, const Section& section, const Row& row,
                      Arguments& arguments) {
  for (const Condition& condition : section.conditions) {
    const AttributeValue* value =
        row.Find(condition.derivation.given() ? condition.derived_from : condition.attribute.text);
    for (const Operand& operand : condition.operands) {
      if (operand.parameter.empty() || value == nullptr || arguments.contains(operand.parameter)) {
        continue;
      }
      AttributeValue argument = *value;
      const bool greater = condition.comparison == Comparison::kGreater;
      if (greater || condition.comparison == Comparison::kLess ||
          condition.comparison == Comparison::kNotEqual) {
        argument = ValueBeside(*value, greater);
      }
      if (HasNoKey(model, RowsAsked(section), condition.attribute.text, argument)) {
        argument = *value;
      }
      if (condition.comparison == Comparison::kBeginsWith && value->string() != nullptr) {
        argument = AttributeValue(FirstHalf(*value->string()));
      }
      arguments[operand.parameter] = std::move(argument);
    }
  }
}

}  // namespace

std::vector<Arguments> ArgumentsToTry(const Model& model, const Pattern& pattern,
                                      const Dataset& data, std::size_t count) {
  std::vector<Arguments> all;
  for (const Example& example : pattern.examples) {
    Arguments arguments;
    for (const auto& [name, value] : example.arguments) {
      arguments[name.text] = value;
    }
    all.push_back(std::move(arguments));
  }
  const std::vector<std::string> parameters = pattern.Parameters();
  if (parameters.empty()) {
    if (all.empty()) {
      all.emplace_back();
    }
    return all;
  }
  Arguments nothing;
  for (const Section& section : pattern.sections) {
    for (const Condition& condition : section.conditions) {
      for (const Operand& operand : condition.operands) {
        if (!operand.parameter.empty()) {
          nothing.try_emplace(operand.parameter, Nothing(model, section, condition));
        }
      }
    }
  }
  for (const Section& seed : pattern.sections) {
    // Rows that no argument could let through find nothing.
    std::vector<const Row*> rows;
    for (const Row& row : data.Of(seed.searched().text)) {
      if (HoldsWhereFixed(seed.conditions, row)) {
        rows.push_back(&row);
      }
    }
    const std::size_t step =
        std::max<std::size_t>(1, rows.size() / std::max<std::size_t>(1, count));
    for (std::size_t i = 0; i < rows.size(); i += step) {
      Arguments arguments;
      ArgumentsFromRow(model, seed, *rows[i], arguments);
      for (const auto& [name, value] : nothing) {
        arguments.try_emplace(name, value);
      }
      if (std::find(all.begin(), all.end(), arguments) == all.end()) {
        all.push_back(std::move(arguments));
      }
    }
  }
  if (std::find(all.begin(), all.end(), nothing) == all.end()) {
    all.push_back(std::move(nothing));
  }
  return all;
}

}  // namespace prejoin::model
