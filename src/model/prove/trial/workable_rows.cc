// Two ways, tried one after the other and taken back if neither helps:
//
//   the condition   a row gets the values that `if`, `where` and `remove` ask for. The last rows are taken, one for each step, so that
//                   writes with opposite conditions do not meet on one row.
//   two rows        of two steps that name rows by `tenant = :t and id = :from` and `tenant = :t and id = :to`, the second gets a new
//                   row that shares the tenant with the first.
#include "model/prove/trial/workable_rows.h"

#include <algorithm>
#include <map>
#include <optional>

#include "model/data/evaluate.h"
#include "model/prove/trial/fresh_row.h"
#include "model/prove/trial/write_binding.h"
#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kPartnersTried = 24;

// The value next to a stated one for which the comparison holds; nothing where there is none to be had.
std::optional<AttributeValue> ValueFor(const Attribute& attribute, const Condition& condition) {
  if (condition.operands.empty() || !condition.operands[0].parameter.empty()) {
    return std::nullopt;
  }
  const AttributeValue& literal = condition.operands[0].literal;
  const int step = condition.comparison == Comparison::kGreater ? 1
                   : condition.comparison == Comparison::kLess  ? -1
                                                                : 0;
  switch (condition.comparison) {
    case Comparison::kEqual:
    case Comparison::kIn:
    case Comparison::kBetween:
    case Comparison::kLessOrEqual:
    case Comparison::kGreaterOrEqual:
    case Comparison::kBeginsWith:
      return literal;
    case Comparison::kLess:
    case Comparison::kGreater: {
      if (literal.number() == nullptr) {
        return std::nullopt;
      }
      const Result<Number> next = Number::Add(*literal.number(), Number(step));
      return next.has_value() ? std::optional(AttributeValue(*next)) : std::nullopt;
    }
    case Comparison::kNotEqual:
      return DifferentValue(attribute, &literal);
    default:
      return std::nullopt;
  }
}

class Worker {
 public:
  Worker(const Model& model, const std::set<std::string>& generated, Dataset& data)
      : model_(model), generated_(generated), data_(data) {}

  void Run() {
    for (const Pattern& pattern : model_.patterns) {
      for (const Section& section : pattern.sections) {
        HaveOneFor(section);
      }
    }
    for (const Write& write : model_.writes) {
      if (BindWrite(model_, write, data_).impossible.empty()) {
        continue;
      }
      auto rows = RowsOf(write);
      MeetConditions(write);
      if (!BindWrite(model_, write, data_).impossible.empty()) {
        AddPartners(write);
      }
      if (!BindWrite(model_, write, data_).impossible.empty()) {
        for (auto& [entity, old_rows] : rows) {
          data_.rows[entity] = std::move(old_rows);
        }
      }
    }
  }

 private:
  // The only rows that are changed for a write. All of a large proof would be a second copy of it.
  std::map<std::string, std::vector<Row>> RowsOf(const Write& write) const {
    std::map<std::string, std::vector<Row>> rows;
    for (const WriteStep& step : write.steps) {
      rows.try_emplace(step.entity.text, data_.Of(step.entity.text));
    }
    return rows;
  }

  bool IsTotalOf(const Entity& entity, const std::string& name) const {
    const Model::Placement placement = model_.FindPlacement(entity.name.text);
    const StoredAttribute* stored = placement ? placement.layout->Find(name) : nullptr;
    return stored != nullptr && IsTotal(*stored);
  }

  // Values that others rely on stay as they are.
  const Attribute* Free(const Entity& entity, const std::string& name) const {
    const Attribute* attribute = entity.Find(name);
    const bool kept = attribute == nullptr || attribute->is_key || attribute->unique ||
                      !attribute->derived_from.empty() || IsTotalOf(entity, name);
    return kept ? nullptr : attribute;
  }

  // With all attributes of its group.
  static void Remove(const Entity& entity, const Attribute& attribute, Row& row) {
    for (const Attribute& other : entity.attributes) {
      const bool together = !attribute.group.empty() && other.group == attribute.group;
      if (other.name == attribute.name || together) {
        row.Remove(other.name.text);
      }
    }
  }

  void Have(const Entity& entity, const Attribute& attribute, Row& row) const {
    for (const Attribute& other : entity.attributes) {
      const bool together = !attribute.group.empty() && other.group == attribute.group;
      if ((other.name == attribute.name || together) && row.Find(other.name.text) == nullptr) {
        HaveOne(entity, other, row);
      }
    }
  }

  // A reference points at a row that is there, with all of its parts.
  void HaveOne(const Entity& entity, const Attribute& attribute, Row& row) const {
    if (!attribute.references) {
      row.Set(attribute.name.text, DifferentValue(attribute, nullptr));
      return;
    }
    const Entity& target = model_.At(attribute.references->entity);
    for (const Row& one : data_.Of(target.name.text)) {
      const std::vector<JoinColumn> columns = JoinColumns(entity, target);
      const bool fits = std::ranges::all_of(columns, [&](const JoinColumn& column) {
        const AttributeValue* mine = row.Find(column.from);
        const AttributeValue* its = one.Find(column.to);
        return mine == nullptr || (its != nullptr && *mine == *its);
      });
      const AttributeValue* value = one.Find(attribute.references->attribute.text);
      if (fits && value != nullptr) {
        row.Set(attribute.name.text, *value);
        return;
      }
    }
  }

  void Meet(const Entity& entity, const Condition& condition, Row& row) const {
    const Attribute* attribute = Free(entity, condition.attribute.text);
    if (attribute == nullptr) {
      return;
    }
    if (condition.comparison == Comparison::kNotExists) {
      Remove(entity, *attribute, row);
      return;
    }
    Have(entity, *attribute, row);
    const bool holds = std::ranges::all_of(BindConditions({condition}, row), [&](const auto& one) {
      return ConditionHolds(one, row, {});
    });
    const std::optional<AttributeValue> value =
        holds || attribute->references ? std::nullopt : ValueFor(*attribute, condition);
    if (value) {
      row.Set(attribute->name.text, *value);
    }
  }

  // A row for what a section states in words, such as `status = "NEW" and not exists(owner)`.
  void HaveOneFor(const Section& section) {
    const Entity& entity = model_.At(section.searched());
    std::vector<Row>& rows = data_.rows[entity.name.text];
    const auto holds = [&](const Row& row) {
      return std::ranges::all_of(BindConditions(section.conditions, row), [&](const auto& one) {
        return ConditionHolds(one, row, {});
      });
    };
    if (rows.empty() || !generated_.contains(entity.name.text) || std::ranges::any_of(rows, holds)) {
      return;
    }
    Row& row = rows[rows.size() - 1 - taken_++ % rows.size()];
    const Row before = row;
    for (const Condition& condition : section.conditions) {
      Meet(entity, condition, row);
    }
    DeriveValues(entity, row);
    if (!holds(row)) {
      row = before;
    }
  }

  void MeetConditions(const Write& write) {
    for (const WriteStep& step : write.steps) {
      const Entity& entity = model_.At(step.entity);
      std::vector<Row>& rows = data_.rows[entity.name.text];
      if (step.kind == WriteKind::kPut || !generated_.contains(entity.name.text) || rows.empty()) {
        continue;
      }
      Row& row = rows[rows.size() - 1 - taken_++ % rows.size()];
      // What an update sets must change something.
      for (const Setting& setting : step.values) {
        const AttributeValue* value = row.Find(setting.attribute.text);
        const Attribute* attribute = Free(entity, setting.attribute.text);
        if (attribute != nullptr && !attribute->references && value != nullptr &&
            setting.value.parameter.empty() && *value == setting.value.literal) {
          row.Set(setting.attribute.text, DifferentValue(*attribute, value));
        }
      }
      for (const Name& name : step.remove) {
        if (const Attribute* attribute = Free(entity, name.text)) {
          Have(entity, *attribute, row);
        }
      }
      for (const auto* conditions : {&step.where, &step.guard}) {
        for (const Condition& condition : *conditions) {
          Meet(entity, condition, row);
        }
      }
      DeriveValues(entity, row);
    }
  }

  // What the parameters of one step say about another row of its entity, when they are those of `row`.
  static std::map<std::string, AttributeValue> Said(const WriteStep& step, const Row& row) {
    std::map<std::string, AttributeValue> said;
    for (const Condition& condition : step.where) {
      const AttributeValue* value = row.Find(condition.attribute.text);
      if (condition.comparison == Comparison::kEqual && value != nullptr &&
          !condition.operands[0].parameter.empty()) {
        said.emplace(condition.operands[0].parameter, *value);
      }
    }
    return said;
  }

  void AddPartners(const Write& write) {
    for (std::size_t i = 1; i < write.steps.size(); ++i) {
      const WriteStep& step = write.steps[i];
      const Entity& entity = model_.At(step.entity);
      const auto first = std::find_if(
          write.steps.begin(), write.steps.begin() + static_cast<std::ptrdiff_t>(i),
          [&](const WriteStep& one) {
            return one.entity == step.entity && one.kind != WriteKind::kPut;
          });
      std::vector<Row>& rows = data_.rows[entity.name.text];
      if (step.kind == WriteKind::kPut || rows.empty() || !generated_.contains(entity.name.text) ||
          &*first == &step) {
        continue;
      }
      // The first rows are those that the first step takes where nothing else speaks for others.
      const std::size_t tries = std::min(rows.size(), kPartnersTried);
      for (std::size_t number = 0; number < tries; ++number) {
        Row partner = FreshRow(model_, entity, data_, {});
        const auto said = Said(*first, rows[number]);
        for (const Condition& condition : step.where) {
          const auto value = condition.operands.empty()
                                 ? said.end()
                                 : said.find(condition.operands[0].parameter);
          if (value != said.end()) {
            partner.Set(condition.attribute.text, value->second);
          }
        }
        for (const Condition& condition : step.guard) {
          Meet(entity, condition, partner);
        }
        DeriveValues(entity, partner);
        rows.push_back(std::move(partner));
        if (BindWrite(model_, write, data_).impossible.empty()) {
          return;
        }
        rows.pop_back();
      }
    }
  }

  const Model& model_;
  const std::set<std::string>& generated_;
  Dataset& data_;
  std::size_t taken_ = 0;  // Rows that were changed so far, from the end.
};

}  // namespace

void AddWorkableRows(const Model& model, const std::set<std::string>& generated, Dataset& data) {
  Worker(model, generated, data).Run();
}

}  // namespace prejoin::model
