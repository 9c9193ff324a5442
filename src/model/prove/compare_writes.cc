// New rows are like others, under a key that nobody has, so that they have the optional attributes, parents and
// sizes of the data. A link has no other key than its ends: one is taken out before it is put. The writes of a
// run are undone, so that every run meets the same rows.
#include "model/prove/compare_writes.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "model/cost/write_cost.h"
#include "model/data/evaluate.h"
#include "model/data/make_value.h"
#include "model/prove/write_effect.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

constexpr std::uint64_t kNewNumber = 40'000;
constexpr std::uint64_t kOtherNumber = 3;

class WriteMeasurer {
 public:
  WriteMeasurer(const Model& model, const Write& write, Dataset& data, Backend& predictor,
                Backend& backend)
      : model_(model), write_(write), data_(data), predictor_(predictor), backend_(backend) {}

  Result<MeasuredWrite> Run(std::size_t at_least) {
    const std::size_t runs = RunsOverAllRows(at_least);
    for (std::size_t run = 0; run < runs; ++run) {
      predicted_ = 0;
      measured_ = 0;
      possible_ = true;
      chosen_.clear();
      made_.clear();
      met_.clear();
      PJ_RETURN_IF_ERROR(RunOnce(run, runs));
      PJ_RETURN_IF_ERROR(TakeBack());
      if (possible_) {
        units_.different = seen_.insert(met_).second ? units_.different + 1 : units_.different;
        units_.predicted.push_back(predicted_);
        units_.measured.push_back(measured_);
      }
    }
    return std::move(units_);
  }

 private:
  Status RunOnce(std::size_t run, std::size_t runs) {
    std::vector<ItemWrite> together;
    for (const WriteStep& step : write_.steps) {
      if (!step.for_each.text.empty()) {
        possible_ = false;  // The number of rows depends on the writer.
        return {};
      }
      PJ_ASSIGN_OR_RETURN(const std::vector<RowChange> changes, ChangesOf(step, run, runs));
      if (changes.empty()) {
        possible_ = false;
        return {};
      }
      WriteEffect effect = EffectOfRows(model_, step, changes, data_, WriteScope::kNear);
      undo_.push_back(ApplyChanges(effect.rows, data_));
      written_.insert(written_.end(), effect.writes.begin(), effect.writes.end());
      if (write_.together) {
        together.insert(together.end(), effect.writes.begin(), effect.writes.end());
        continue;
      }
      const bool transaction = !NeedsTransaction(model_, step).empty();
      PJ_RETURN_IF_ERROR(Send(effect.writes, transaction, /*alone=*/false));
    }
    return write_.together ? Send(together, /*transaction=*/true, /*alone=*/true) : Status();
  }

  // Where an entity has few rows, each of them has its turn, and as often as any other: one parent may have most of the copies. Of several
  // entities, the rows of the largest lead to those of the others.
  std::size_t RunsOverAllRows(std::size_t at_least) const {
    constexpr std::size_t kFewRows = 64;
    constexpr std::size_t kRunsMax = 128;
    std::size_t fewest = kFewRows + 1;
    std::size_t most = 1;
    for (const WriteStep& step : write_.steps) {
      const std::size_t count = std::max<std::size_t>(1, data_.Of(step.entity.text).size());
      fewest = std::min(fewest, count);
      most = std::max(most, count);
    }
    if (fewest > kFewRows) {
      return at_least;
    }
    return most <= kRunsMax ? most * std::max<std::size_t>(1, at_least / most)
                            : std::max(at_least, kRunsMax);
  }

  // The row of each run, all over the rows of the entity.
  std::size_t NumberOf(const std::string& entity, std::size_t run, std::size_t runs) const {
    const std::size_t count = std::max<std::size_t>(1, data_.Of(entity).size());
    return count <= runs ? run % count : (run * count / runs + run) % count;
  }

  Result<std::vector<RowChange>> ChangesOf(const WriteStep& step, std::size_t run,
                                           std::size_t runs) {
    std::vector<RowChange> changes;
    const Entity& entity = model_.At(step.entity);
    if (data_.Of(entity.name.text).empty()) {
      return changes;
    }
    if (step.kind == WriteKind::kPut) {
      std::vector<std::pair<const Entity*, Row>> made;
      for (int i = 0; i < step.times; ++i) {
        met_ += std::to_string(NumberOf(entity.name.text, run, runs)) + " ";
        PJ_ASSIGN_OR_RETURN(std::optional<Row> row,
                            NewRow(entity, NumberOf(entity.name.text, run, runs), run, i));
        if (!row) {
          return std::vector<RowChange>();
        }
        PointAtMade(entity, *row);
        ApplyState(step, entity, run, *row);
        chosen_.emplace_back(&entity, *row);
        made.emplace_back(&entity, *row);
        changes.push_back({entity.name.text, std::nullopt, *std::move(row)});
      }
      made_.insert(made_.end(), made.begin(), made.end());
      return changes;
    }
    const auto number = RowFor(step, entity, NumberOf(entity.name.text, run, runs));
    if (!number) {
      return changes;
    }
    const Row& row = data_.Of(entity.name.text)[*number];
    met_ += std::to_string(*number) + " ";
    chosen_.emplace_back(&entity, row);
    changes.push_back({entity.name.text, *number, std::nullopt});
    if (step.kind == WriteKind::kUpdate) {
      changes[0].row = Updated(step, entity, row, run);
      return changes;
    }
    for (const Reference<Entity>& name : step.cascade) {
      AddChildren(step, row, name, changes);
    }
    return changes;
  }

  void AddChildren(const WriteStep& step, const Row& row, const Reference<Entity>& of,
                   std::vector<RowChange>& changes) const {
    const Entity& child = model_.At(of);
    const std::string& name = child.name.text;
    std::vector<std::string> from;
    std::vector<std::string> to;
    for (const JoinColumn& column : CascadeColumns(model_, step, child)) {
      from.push_back(column.from);
      to.push_back(column.to);
    }
    const std::string parent = TupleText(row, to);
    const std::vector<Row>& children = data_.Of(name);
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!parent.empty() && TupleText(children[i], from) == parent) {
        changes.push_back({name, i, std::nullopt});
      }
    }
  }

  // The lines of an order belong to the order that an earlier step puts.
  void PointAtMade(const Entity& entity, Row& row) const {
    for (const auto& [other, target] : made_) {
      for (const JoinColumn& column : JoinColumns(entity, *other)) {
        if (const AttributeValue* value = target.Find(column.to)) {
          row.Set(column.from, *value);
        }
      }
    }
  }

  // By the key: an earlier step may have changed the rest of the row.
  bool IsChosen(const Entity& entity, const Row& row) const {
    const std::vector<std::string> key = entity.KeyNames();
    return std::ranges::any_of(chosen_, [&](const auto& one) {
      return one.first == &entity && TupleText(one.second, key) == TupleText(row, key);
    });
  }

  // Lists how a row points at one of `entity`: by each of its references where the key is one attribute.
  static std::vector<std::vector<JoinColumn>> WaysTo(const Entity& from, const Entity& entity) {
    const std::vector<JoinColumn> first = JoinColumns(from, entity);
    std::vector<std::vector<JoinColumn>> ways;
    for (const Attribute& attribute : from.attributes) {
      if (first.size() == 1 && attribute.references &&
          attribute.references->entity == entity.name &&
          attribute.references->attribute.text == first[0].to) {
        ways.push_back({{attribute.name.text, first[0].to}});
      }
    }
    if (ways.empty()) {
      ways.push_back(first);
    }
    return ways;
  }

  // True if an earlier step of the write names a row of the same entity by other parameters: a transfer has two accounts.
  bool NamesAnother(const WriteStep& step) const {
    const auto names = [](const WriteStep& one) {
      std::set<std::string> parameters;
      for (const Condition& condition : one.where) {
        for (const Operand& operand : condition.operands) {
          parameters.insert(operand.parameter);
        }
      }
      return parameters;
    };
    return std::ranges::any_of(write_.steps, [&](const WriteStep& other) {
      return &other < &step && other.entity == step.entity && other.kind != WriteKind::kPut &&
             names(other) != names(step);
    });
  }

  // From `first` on, the row that the step can work on: what an earlier step's row points at, where it does.
  std::optional<std::size_t> RowFor(const WriteStep& step, const Entity& entity,
                                    std::size_t first) const {
    const std::vector<Row>& rows = data_.Of(entity.name.text);
    for (const auto& [other, row] : chosen_) {
      const std::vector<std::vector<JoinColumn>> ways = WaysTo(*other, entity);
      for (const std::vector<JoinColumn>& columns : ways) {
        std::vector<std::string> from;
        std::vector<std::string> to;
        for (const JoinColumn& column : columns) {
          from.push_back(column.from);
          to.push_back(column.to);
        }
        const std::string parent = from.empty() ? "" : TupleText(row, from);
        for (std::size_t i = 0; !parent.empty() && i < rows.size(); ++i) {
          // When one entity follows another, two steps change one each.
          if (TupleText(rows[i], to) == parent &&
              (ways.size() == 1 || !IsChosen(entity, rows[i]))) {
            return i;
          }
        }
      }
    }
    // `set status = "DONE"` is sent for rows that are not done yet.
    const auto is_settled = [&](const Row& row) {
      return std::ranges::any_of(step.values, [&](const Setting& setting) {
        const AttributeValue* value = row.Find(setting.attribute.text);
        return setting.value.parameter.empty() && value != nullptr && *value == setting.value.literal;
      });
    };
    std::optional<std::size_t> settled;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t number = (first + i) % rows.size();
      const Row& row = rows[number];
      if (NamesAnother(step) && IsChosen(entity, row)) {
        continue;
      }
      const bool has_what_goes = std::ranges::all_of(
          step.remove, [&](const Name& name) { return row.Find(name.text) != nullptr; });
      const bool holds =
          std::ranges::all_of(BindConditions(step.guard, row),
                              [&](const Condition& one) { return ConditionHolds(one, row, {}); });
      if (!has_what_goes || !holds) {
        continue;
      }
      if (!is_settled(row)) {
        return number;
      }
      settled = settled ? settled : std::optional(number);
    }
    return settled;
  }

  // The step's statements about each new row: `with opened, state = "OPEN" without winner`.
  void ApplyState(const WriteStep& step, const Entity& entity, std::size_t run, Row& row) const {
    const std::vector<Row>& rows = data_.Of(entity.name.text);
    for (const Name& name : step.with) {
      const Attribute* attribute = entity.Find(name.text);
      if (attribute == nullptr || row.Find(name.text) != nullptr) {
        continue;
      }
      const auto other = std::ranges::find_if(
          rows, [&](const Row& one) { return one.Find(name.text) != nullptr; });
      row.Set(name.text, attribute->references && other != rows.end()
                             ? *other->Find(name.text)
                             : MakeValue(*attribute, kOtherNumber + run, kOtherNumber));
    }
    for (const Setting& setting : step.values) {
      if (setting.value.parameter.empty()) {
        row.Set(setting.attribute.text, setting.value.literal);
      }
    }
    for (const Name& name : step.without) {
      row.Remove(name.text);
    }
    DeriveValues(entity, row);
  }

  // A reference goes to another row that is there, one that the rest of its reference allows where there is one.
  std::optional<AttributeValue> OtherTarget(const Entity& entity, const Attribute& attribute,
                                            const Row& row, std::size_t run) const {
    const Entity& target = model_.At(attribute.references->entity);
    const std::vector<JoinColumn> columns = JoinColumns(entity, target);
    const std::vector<Row>& rows = data_.Of(target.name.text);
    const AttributeValue* old_value = row.Find(attribute.name.text);
    std::optional<AttributeValue> other;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& one = rows[(run + i) % rows.size()];
      const AttributeValue* value = one.Find(attribute.references->attribute.text);
      if (value == nullptr || (old_value != nullptr && *value == *old_value)) {
        continue;
      }
      const bool allowed = std::ranges::all_of(columns, [&](const JoinColumn& column) {
        const AttributeValue* mine = row.Find(column.from);
        const AttributeValue* its = one.Find(column.to);
        return column.from == attribute.name.text ||
               (mine != nullptr && its != nullptr && *mine == *its);
      });
      if (allowed) {
        return *value;
      }
      other = other ? other : std::optional(*value);
    }
    return other;
  }

  Row Updated(const WriteStep& step, const Entity& entity, Row row, std::size_t run) const {
    for (const Name& name : step.set) {
      const Attribute* attribute = entity.Find(name.text);
      if (attribute == nullptr) {
        continue;
      }
      const auto setting = std::ranges::find(step.values, name, &Setting::attribute);
      if (setting != step.values.end() && setting->value.parameter.empty()) {
        row.Set(name.text, setting->value.literal);
        continue;
      }
      const auto counted = std::ranges::find(step.increments, name, &Increment::attribute);
      const AttributeValue* old_value = row.Find(name.text);
      if (counted != step.increments.end()) {
        const Number old_number = old_value != nullptr && old_value->number() != nullptr
                                      ? *old_value->number()
                                      : Number(0);
        if (auto sum = Number::Add(old_number, Number(static_cast<std::int64_t>(counted->by)))) {
          row.Set(name.text, AttributeValue(*sum));
        }
        continue;
      }
      if (attribute->references) {
        if (std::optional<AttributeValue> target = OtherTarget(entity, *attribute, row, run)) {
          row.Set(name.text, *std::move(target));
          continue;
        }
      }
      const std::uint64_t number = attribute->unique ? kNewNumber + run : kOtherNumber + run;
      AttributeValue value = MakeValue(*attribute, number, kOtherNumber);
      if (old_value != nullptr && value == *old_value) {
        value = MakeValue(*attribute, number + 1, kOtherNumber);
      }
      row.Set(name.text, std::move(value));
    }
    for (const Name& name : step.remove) {
      row.Remove(name.text);
    }
    DeriveValues(entity, row);
    return row;
  }

  Result<std::optional<Row>> NewRow(const Entity& entity, std::size_t like, std::size_t run,
                                    int turn) {
    Row row = data_.Of(entity.name.text)[like];
    bool own_key = false;
    const std::uint64_t number = kNewNumber + 100 * run + static_cast<std::uint64_t>(turn);
    for (const Attribute& attribute : entity.attributes) {
      const bool key = attribute.is_key && !attribute.references && attribute.values.empty() &&
                       TraitsOf(attribute.type).distinct <= 0;
      const bool unique = attribute.unique && row.Find(attribute.name.text) != nullptr;
      if (key || unique) {
        row.Set(attribute.name.text, MakeValue(attribute, number, number));
        own_key = own_key || key;
      }
    }
    if (own_key) {
      return std::optional<Row>(std::move(row));
    }
    // A link: what is put is taken out first.
    WriteStep removal;
    removal.kind = WriteKind::kDelete;
    removal.entity = entity;
    WriteEffect effect = EffectOfRows(model_, removal, {{entity.name.text, like, std::nullopt}},
                                      data_, WriteScope::kNear);
    undo_.push_back(ApplyChanges(effect.rows, data_));
    for (const ItemWrite& write : effect.writes) {
      PJ_RETURN_IF_ERROR(Restore(write.table, write.key, write.new_item));
    }
    written_.insert(written_.end(), effect.writes.begin(), effect.writes.end());
    return std::optional<Row>(std::move(row));
  }

  // Sends as the application does: alone, or in one transaction with what belongs to it, and what a stream or a
  // batch does after it.
  Status Send(const std::vector<ItemWrite>& all, bool transaction, bool alone) {
    std::vector<ItemWrite> now;
    std::vector<ItemWrite> later;
    for (const ItemWrite& write : all) {
      std::vector<ItemWrite>& to = write.later ? later : now;
      const auto same = std::ranges::find_if(to, [&](const ItemWrite& one) {
        return one.table == write.table && one.key == write.key;
      });
      if (same == to.end()) {
        to.push_back(write);
      } else {
        same->new_item = write.new_item;
        same->partial = same->old_item.has_value() && same->new_item.has_value();
      }
    }
    // A change that two steps take back from each other is no write.
    std::erase_if(now, [](const ItemWrite& one) { return one.old_item == one.new_item; });
    if (transaction && (now.size() > 1 || alone)) {
      // More than a transaction holds is a fault that the proof of the write reports; here it costs what several do.
      for (std::size_t first = 0; first < now.size(); first += kTransactionItemsMax) {
        const std::size_t last = std::min<std::size_t>(now.size(), first + kTransactionItemsMax);
        const std::vector<ItemWrite> some(now.begin() + static_cast<std::ptrdiff_t>(first),
                                          now.begin() + static_cast<std::ptrdiff_t>(last));
        PJ_ASSIGN_OR_RETURN(const WriteAnswer predicted, predictor_.WriteTogether(some));
        PJ_ASSIGN_OR_RETURN(const WriteAnswer measured, backend_.WriteTogether(some));
        Add(predicted, measured);
      }
      now.clear();
    }
    now.insert(now.end(), later.begin(), later.end());
    for (const ItemWrite& write : now) {
      PJ_ASSIGN_OR_RETURN(const WriteAnswer predicted, predictor_.Write(write));
      PJ_ASSIGN_OR_RETURN(const WriteAnswer measured, backend_.Write(write));
      Add(predicted, measured);
    }
    return {};
  }

  // A write that its condition refuses says nothing about one that goes through.
  void Add(const WriteAnswer& predicted, const WriteAnswer& measured) {
    predicted_ += predicted.write_units;
    measured_ += measured.write_units;
    possible_ = possible_ && !measured.refused;
  }

  Status Restore(const std::string& table, const Item& key, const std::optional<Item>& item) {
    const ItemWrite write{table, key, std::nullopt, item, false, false, {}};
    PJ_RETURN_IF_ERROR(predictor_.Write(write));
    PJ_RETURN_IF_ERROR(backend_.Write(write));
    return {};
  }

  Status TakeBack() {
    for (auto write = written_.rbegin(); write != written_.rend(); ++write) {
      PJ_RETURN_IF_ERROR(Restore(write->table, write->key, write->old_item));
    }
    for (auto undo = undo_.rbegin(); undo != undo_.rend(); ++undo) {
      TakeBackChanges(*undo, data_);
    }
    written_.clear();
    undo_.clear();
    return {};
  }

  const Model& model_;
  const Write& write_;
  Dataset& data_;
  Backend& predictor_;
  Backend& backend_;
  MeasuredWrite units_;
  // Units of the run.
  double predicted_ = 0;
  double measured_ = 0;
  bool possible_ = true;
  std::string met_;               // The rows of the run.
  std::set<std::string> seen_;    // Those of all runs.
  std::vector<std::pair<const Entity*, Row>> chosen_;  // By the steps so far.
  std::vector<std::pair<const Entity*, Row>> made_;    // Those of them that are new.
  std::vector<ItemWrite> written_;
  std::vector<RowUndo> undo_;
};

}  // namespace

Result<MeasuredWrite> MeasureWrite(const Model& model, const Write& write, Dataset& data,
                                   Backend& predictor, Backend& backend, std::size_t runs) {
  return WriteMeasurer(model, write, data, predictor, backend).Run(runs);
}

}  // namespace prejoin::model
