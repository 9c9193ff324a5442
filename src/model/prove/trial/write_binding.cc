// Rows are chosen in two passes: first those that updates and deletes find, because they must exist, then those that puts make, which
// point at the chosen ones. Among the rows that the parameters allow, the one that is related to most of the others wins.
#include "model/prove/trial/write_binding.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "model/data/evaluate.h"
#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kForEachRowsMax = 25;
constexpr int kOtherKeysMax = 100;

struct JoinSides {
  std::vector<std::string> from;
  std::vector<std::string> to;
};

JoinSides SidesOf(const Entity& from, const Entity& to) {
  JoinSides sides;
  for (const JoinColumn& column : JoinColumns(from, to)) {
    sides.from.push_back(column.from);
    sides.to.push_back(column.to);
  }
  return sides;
}

bool PointsAt(const Entity& from, const Row& row, const Entity& to, const Row& target) {
  const JoinSides sides = SidesOf(from, to);
  const std::string tuple = TupleText(row, sides.from);
  return !tuple.empty() && tuple == TupleText(target, sides.to);
}

// The rows under the last value of the leading key: the followers of one author.
std::vector<const Row*> LastGroup(const Entity& entity, const Dataset& data) {
  std::vector<const Row*> group;
  const std::vector<Row>& rows = data.Of(entity.name.text);
  if (rows.empty() || entity.KeyNames().empty()) {
    return group;
  }
  const std::string leading = entity.KeyNames().front();
  const AttributeValue* wanted = rows.back().Find(leading);
  for (const Row& row : rows) {
    const AttributeValue* value = row.Find(leading);
    if (wanted != nullptr && value != nullptr && *value == *wanted &&
        group.size() < kForEachRowsMax) {
      group.push_back(&row);
    }
  }
  return group;
}

// The attribute of `to` that the other end of a row of `from` goes to: both come from the same place.
void PointAtOtherEnd(const Entity& from, const Row& source, const Entity& to, Row& row) {
  const std::vector<std::string> keys = from.KeyNames();
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const Attribute* end = from.Find(keys[i]);
    const AttributeValue* value = source.Find(keys[i]);
    if (end == nullptr || !end->references || value == nullptr) {
      continue;
    }
    for (const Attribute& attribute : to.attributes) {
      if (!attribute.references || !(attribute.references->entity == end->references->entity)) {
        continue;
      }
      row.Set(attribute.name.text, *value);
      return;
    }
  }
}

bool HoldsTotals(const Model& model, const std::string& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  return placement && std::ranges::any_of(placement.layout->attributes, [](const auto& stored) {
           return IsTotal(stored) || !stored.embedded.text.empty();
         });
}

// True if an update makes the row different: `set status = "DONE"` leaves a row that is done as it is.
bool ChangesRow(const WriteStep& step, const Row& row) {
  return step.values.size() < step.set.size() || !step.remove.empty() ||
         std::ranges::any_of(step.values, [&](const Setting& setting) {
           const AttributeValue* value = row.Find(setting.attribute.text);
           return !setting.value.parameter.empty() || value == nullptr ||
                  !(*value == setting.value.literal);
         });
}

// The rows of an entity that rows of other entities reference.
class Parents {
 public:
  Parents(const Model& model, const Dataset& data, const Entity& entity,
          const std::vector<Reference<Entity>>& but) {
    for (const Entity& child : model.entities) {
      const JoinSides sides = SidesOf(child, entity);
      if (&child == &entity || sides.to.empty() ||
          std::ranges::any_of(but, [&](const Name& one) { return one == child.name; })) {
        continue;
      }
      std::unordered_set<std::string>& tuples = pointed_.emplace_back(sides.to, Tuples()).second;
      for (const Row& row : data.Of(child.name.text)) {
        tuples.insert(TupleText(row, sides.from));
      }
    }
  }

  bool Contains(const Row& row) const {
    return std::ranges::any_of(
        pointed_, [&](const auto& one) { return one.second.contains(TupleText(row, one.first)); });
  }

 private:
  using Tuples = std::unordered_set<std::string>;
  std::vector<std::pair<std::vector<std::string>, Tuples>> pointed_;
};

const Dataset kNoRows;

class Binder {
 public:
  Binder(const Model& model, const Write& write, const Dataset& data, const BindOptions& options)
      : model_(model), data_(data), options_(options) {
    bound_.write = &write;
    bound_.steps.resize(write.steps.size());
    for (std::size_t i = 0; i < write.steps.size(); ++i) {
      bound_.steps[i].step = &write.steps[i];
    }
    for (std::size_t i = 0; options.beside != nullptr && i < options.beside->steps.size(); ++i) {
      const BoundStep& other = options.beside->steps[i];
      if (other.step->kind == WriteKind::kPut) {
        std::vector<Row>& rows = taken_[other.step->entity.text];
        rows.insert(rows.end(), other.rows.begin(), other.rows.end());
      }
    }
  }

  BoundWrite Run() {
    for (BoundStep& bound : bound_.steps) {
      if (bound.step->kind != WriteKind::kPut && bound_.impossible.empty()) {
        Choose(bound);
      }
    }
    for (BoundStep& bound : bound_.steps) {
      if (bound.step->kind == WriteKind::kPut && bound_.impossible.empty()) {
        Make(bound);
      }
    }
    return std::move(bound_);
  }

 private:
  // ---- Rows that must exist

  void Choose(BoundStep& bound) {
    const WriteStep& step = *bound.step;
    const Entity& entity = model_.At(step.entity);
    const std::vector<Row>& rows = data_.Of(step.entity.text);
    if (rows.empty()) {
      bound_.impossible =
          "there is no row of " + step.entity.text + " to work on: add some to the sample";
      return;
    }
    // Deletions begin at the end: what the sample is about stays.
    const bool deletes = step.kind == WriteKind::kDelete;
    const Parents parents(model_, deletes ? data_ : kNoRows, entity, step.cascade);
    const Row* best = nullptr;
    int best_fit = -1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = deletes ? rows[rows.size() - 1 - i] : rows[i];
      int fit = 2 * Fit(step, entity, row);
      // A row that others point at is not deleted without them.
      if (fit >= 0 && deletes && !parents.Contains(row)) {
        ++fit;
      }
      if (fit > best_fit) {
        best = &row;
        best_fit = fit;
      }
    }
    if (best == nullptr) {
      const bool none_changes =
          step.kind == WriteKind::kUpdate &&
          std::ranges::none_of(rows, [&](const Row& row) { return ChangesRow(step, row); });
      bound_.impossible =
          none_changes ? "every row of " + step.entity.text +
                             " has what this update sets already: add another one to the sample"
                       : "there is no row of " + step.entity.text +
                             " for which the condition holds: add one to the sample";
      return;
    }
    bound.rows = {*best};
    // The part of `where` beside the key must hold too, or it is a different row.
    std::vector<Condition> conditions = step.guard;
    for (const Condition& condition : step.where) {
      const Attribute* attribute = entity.Find(condition.attribute.text);
      if (attribute == nullptr || !attribute->is_key) {
        conditions.push_back(condition);
      }
    }
    bound.guard = BindConditions(conditions, *best);
    SetValues(entity, step, *best, bound.values);
    for (const Setting& setting : step.values) {
      if (const AttributeValue* value = bound.values.Find(setting.attribute.text)) {
        parameters_.try_emplace(setting.value.parameter, *value);
      }
    }
    for (const Condition& condition : step.where) {
      const AttributeValue* value = best->Find(condition.attribute.text);
      if (!condition.operands.empty() && value != nullptr) {
        parameters_.try_emplace(condition.operands[0].parameter, *value);
      }
    }
  }

  void SetValues(const Entity& entity, const WriteStep& step, const Row& row, Row& values) const {
    for (const Name& name : step.set) {
      const Attribute* attribute = entity.Find(name.text);
      if (attribute == nullptr || std::ranges::find(step.increments, name, &Increment::attribute) !=
                                      step.increments.end()) {
        continue;
      }
      const auto setting = std::ranges::find(step.values, name, &Setting::attribute);
      const AttributeValue* stated =
          setting != step.values.end() ? OperandValue(setting->value, parameters_) : nullptr;
      AttributeValue value =
          stated != nullptr ? *stated : NewValue(*attribute, row.Find(name.text));
      if (stated == nullptr && attribute->references) {
        value = OtherReference(*attribute, value, row);
      }
      values.Set(name.text, std::move(value));
    }
    for (const Attribute& attribute : entity.attributes) {
      const bool stated =
          std::ranges::find(step.values, attribute.name, &Setting::attribute) != step.values.end();
      if (attribute.unique && !stated && values.Find(attribute.name.text) != nullptr) {
        MakeUnique(attribute, {&data_.Of(entity.name.text)}, values);
      }
    }
  }

  // A reference goes to another row that exists.
  AttributeValue OtherReference(const Attribute& attribute, const AttributeValue& otherwise,
                                const Row& row) const {
    const AttributeValue* old_value = row.Find(attribute.name.text);
    int skip = options_.variant;
    const AttributeValue* found = nullptr;
    for (const Row& target : data_.Of(attribute.references->entity.text)) {
      const AttributeValue* value = target.Find(attribute.references->attribute.text);
      if (value == nullptr || (old_value != nullptr && *value == *old_value)) {
        continue;
      }
      found = value;
      if (skip-- == 0) {
        break;
      }
    }
    return found != nullptr ? *found : otherwise;
  }

  AttributeValue NewValue(const Attribute& attribute, const AttributeValue* old_value) const {
    AttributeValue value = DifferentValue(attribute, old_value);
    for (int i = 0; i < options_.variant; ++i) {
      AttributeValue next = DifferentValue(attribute, &value);
      if (old_value == nullptr || !(next == *old_value)) {
        value = std::move(next);
      }
    }
    return value;
  }

  // Counts the other rows that this one belongs to; -1 if the step cannot work on it.
  int Fit(const WriteStep& step, const Entity& entity, const Row& row) const {
    if (step.kind == WriteKind::kUpdate && !ChangesRow(step, row)) {
      return -1;
    }
    bool named = !step.where.empty();  // By parameters that are bound already.
    for (const Condition& condition : step.where) {
      const Operand* operand = condition.operands.empty() ? nullptr : &condition.operands[0];
      if (operand == nullptr || operand->parameter.empty()) {
        if (!ConditionHolds(condition, row, {})) {
          return -1;
        }
        continue;
      }
      const auto known = parameters_.find(operand->parameter);
      const AttributeValue* value = row.Find(condition.attribute.text);
      if (value == nullptr || (known != parameters_.end() && !(known->second == *value))) {
        return -1;
      }
      named = named && known != parameters_.end();
    }
    const bool goes = step.remove.empty() || std::ranges::any_of(step.remove, [&](const Name& one) {
                        return row.Find(one.text) != nullptr;
                      });
    if (!goes || !std::ranges::all_of(BindConditions(step.guard, row), [&](const auto& one) {
          return ConditionHolds(one, row, {});
        })) {
      return -1;
    }
    int fit = 0;
    for (const BoundStep& other : bound_.steps) {
      if (other.rows.empty() || other.step->kind == WriteKind::kPut) {
        continue;
      }
      const Entity& other_entity = model_.At(other.step->entity);
      if (other.step->entity == step.entity) {
        const std::vector<std::string> keys = entity.KeyNames();
        if (!named && TupleText(row, keys) == TupleText(other.rows[0], keys)) {
          return -1;
        }
        continue;
      }
      fit += PointsAt(entity, row, other_entity, other.rows[0]) ||
                     PointsAt(other_entity, other.rows[0], entity, row)
                 ? 1
                 : 0;
    }
    return fit;
  }

  // ---- Rows that come

  void Make(BoundStep& bound) {
    const WriteStep& step = *bound.step;
    const Entity& entity = model_.At(step.entity);
    if (data_.Of(step.entity.text).empty()) {
      bound_.impossible =
          "there is no row of " + step.entity.text + " to work on: add some to the sample";
      return;
    }
    const Entity* each = model_.AtOrNull(step.for_each);
    if (each != nullptr) {
      for (const Row* source : LastGroup(*each, data_)) {
        Row row = NextRow(step, entity);
        PointAtOtherEnd(*each, *source, entity, row);
        Keep(entity, bound, std::move(row));
      }
      if (bound.rows.empty()) {
        bound_.impossible = "there is no row of " + step.for_each.text + " to do it for";
      }
      return;
    }
    for (int i = 0; i < step.times; ++i) {
      Keep(entity, bound, NextRow(step, entity));
    }
  }

  // The step's statements about its new rows: `with opened, state = "OPEN" without winner`.
  void ApplyPresence(const Entity& entity, const WriteStep& step, Row& row) const {
    const std::vector<Row>& rows = data_.Of(entity.name.text);
    for (const Name& name : step.with) {
      const Attribute* attribute = entity.Find(name.text);
      if (attribute != nullptr && row.Find(name.text) == nullptr) {
        const auto other = std::ranges::find_if(
            rows, [&](const Row& one) { return one.Find(name.text) != nullptr; });
        // A reference takes the value of another row that has it.
        row.Set(name.text, attribute->references && other != rows.end()
                               ? *other->Find(name.text)
                               : DifferentValue(*attribute, nullptr));
      }
    }
    for (const Setting& setting : step.values) {
      if (const AttributeValue* value = OperandValue(setting.value, parameters_)) {
        row.Set(setting.attribute.text, *value);
      }
    }
    for (const Name& name : step.without) {
      row.Remove(name.text);
    }
  }

  // A second row under one key would be the same row.
  void Keep(const Entity& entity, BoundStep& bound, Row row) {
    ApplyPresence(entity, *bound.step, row);
    const std::vector<std::string> keys = entity.KeyNames();
    const bool twice = std::ranges::any_of(bound.rows, [&](const Row& other) {
      return TupleText(other, keys) == TupleText(row, keys);
    });
    if (twice) {
      return;
    }
    made_[entity.name.text].push_back(row);
    taken_[entity.name.text].push_back(row);
    bound.rows.push_back(std::move(row));
  }

  Row NextRow(const WriteStep& step, const Entity& entity) {
    if (const Row* old_row = RowToReplace(step, entity)) {
      return Replacement(entity, *old_row);
    }
    Row row = FreshRow(model_, entity, data_, taken_[entity.name.text]);
    Point(entity, row);
    MakeFree(entity, row);
    if (options_.variant > 0) {
      Vary(entity, row);
    }
    return row;
  }

  bool IsTaken(const Entity& entity, const Row& row) {
    const std::vector<std::string> keys = entity.KeyNames();
    const auto has = [&](const std::vector<Row>& rows) {
      return std::ranges::any_of(rows, [&](const Row& one) { return SameTuple(one, row, keys); });
    };
    return has(data_.Of(entity.name.text)) || has(taken_[entity.name.text]);
  }

  // Another value of a part of the key that nothing points elsewhere.
  void MakeFree(const Entity& entity, Row& row) {
    if (!IsTaken(entity, row)) {
      return;
    }
    const TakenKeys taken(entity, {&data_.Of(entity.name.text), &taken_[entity.name.text]});
    for (const Attribute& attribute : entity.attributes) {
      const std::string& name = attribute.name.text;
      if (!attribute.is_key) {
        continue;
      }
      for (int i = 0; !attribute.references && i < kOtherKeysMax && taken.Contain(row); ++i) {
        row.Set(name, DifferentValue(attribute, row.Find(name)));
      }
      if (!attribute.references || !Targets(attribute.references->entity.text).empty()) {
        continue;
      }
      for (const Row& target : data_.Of(attribute.references->entity.text)) {
        if (!taken.Contain(row)) {
          return;
        }
        if (const auto* value = target.Find(attribute.references->attribute.text)) {
          row.Set(name, *value);
        }
      }
    }
  }

  // Returns the row that a put replaces, if the put is retried or follows the deletion of the same entity.
  const Row* RowToReplace(const WriteStep& step, const Entity& entity) const {
    if (step.once || !step.for_each.text.empty() || step.times > 1) {
      return nullptr;
    }
    for (const BoundStep& other : bound_.steps) {
      if (other.step->kind == WriteKind::kDelete && other.step->entity == step.entity) {
        return other.rows.data();
      }
    }
    if (!options_.put_again || made_.contains(entity.name.text)) {
      return nullptr;
    }
    const Row* best = nullptr;
    int best_fit = -1;
    const bool totals = HoldsTotals(model_, entity.name.text);
    const Parents parents(model_, totals ? data_ : kNoRows, entity, {});
    for (const Row& row : data_.Of(entity.name.text)) {
      const int fit = 2 * Fit(step, entity, row) + (parents.Contains(row) ? 1 : 0);
      if (fit > best_fit) {
        best = &row;
        best_fit = fit;
      }
    }
    return best;
  }

  // True if a row may come to another parent: the model says that the reference changes.
  bool Moves(const Entity& entity, const Attribute& attribute) const {
    return attribute.changes_given ||
           std::ranges::any_of(model_.writes, [&](const Write& write) {
             return std::ranges::any_of(write.steps, [&](const WriteStep& step) {
               return step.entity == entity.name &&
                      std::ranges::find(step.set, attribute.name) != step.set.end();
             });
           });
  }

  // The same row with everything else different that may differ. It belongs to the same parents.
  Row Replacement(const Entity& entity, Row row) const {
    for (const Attribute& attribute : entity.attributes) {
      const AttributeValue* old_value = row.Find(attribute.name.text);
      if (attribute.is_key || attribute.immutable || old_value == nullptr ||
          (attribute.references && !Moves(entity, attribute))) {
        continue;
      }
      AttributeValue value = NewValue(attribute, old_value);
      row.Set(attribute.name.text,
              attribute.references ? OtherReference(attribute, *old_value, row) : value);
      if (attribute.unique) {
        MakeUnique(attribute, {&data_.Of(entity.name.text)}, row);
      }
    }
    return row;
  }

  void Vary(const Entity& entity, Row& row) const {
    for (const Attribute& attribute : entity.attributes) {
      const AttributeValue* value = row.Find(attribute.name.text);
      if (!attribute.is_key && !attribute.immutable && !attribute.references && value != nullptr) {
        row.Set(attribute.name.text, NewValue(attribute, value));
      }
    }
  }

  // References go to the rows that the write puts or names; the second attribute of one kind to the second of them.
  void Point(const Entity& entity, Row& row) {
    std::map<std::string, std::size_t> seen;
    for (const Attribute& attribute : entity.attributes) {
      if (!attribute.references) {
        continue;
      }
      const Path& path = *attribute.references;
      const std::vector<const Row*> targets = Targets(path.entity.text);
      const std::size_t number = seen[path.entity.text + "." + path.attribute.text]++;
      if (targets.empty()) {
        continue;
      }
      const AttributeValue* value =
          targets[std::min(number, targets.size() - 1)]->Find(path.attribute.text);
      if (value != nullptr) {
        row.Set(attribute.name.text, *value);
      }
    }
  }

  std::vector<const Row*> Targets(const std::string& entity) const {
    std::vector<const Row*> targets;
    if (const auto made = made_.find(entity); made != made_.end()) {
      for (const Row& row : made->second) {
        targets.push_back(&row);
      }
      return targets;
    }
    for (const BoundStep& other : bound_.steps) {
      if (other.step->kind == WriteKind::kUpdate && other.step->entity.text == entity &&
          !other.rows.empty()) {
        targets.push_back(other.rows.data());
      }
    }
    return targets;
  }

  const Model& model_;
  const Dataset& data_;
  const BindOptions& options_;
  BoundWrite bound_;
  Arguments parameters_;
  std::map<std::string, std::vector<Row>> made_;   // By entity.
  std::map<std::string, std::vector<Row>> taken_;  // The same, and those of another writer.
};

}  // namespace

BoundWrite BindWrite(const Model& model, const Write& write, const Dataset& data,
                     const BindOptions& options) {
  return Binder(model, write, data, options).Run();
}

}  // namespace prejoin::model
