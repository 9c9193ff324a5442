// Writes. Each step becomes an action on one item; what else must change with it (copies on other items, keys that
// hold a changed attribute, rows inside lists of other items) is found here.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "gen/builder.h"
#include "gen/words.h"
#include "model/cost/write_cost.h"
#include "model/data/item_render.h"
#include "model/schema/total.h"

namespace prejoin::gen {
namespace {

class WriteBuilder {
 public:
  WriteBuilder(Builder& builder, const model::Write& write, WriteFunction& out)
      : builder_(builder), model_(builder.model), out_(out) {
    out_.write = &write;
    out_.name = write.name.text;
    out_.together = write.together;
  }

  void Build() {
    for (const model::WriteStep& step : out_.write->steps) {
      if (std::string reason = NotSpelled(step); !reason.empty()) {
        out_.refusal = std::move(reason);
        return;
      }
      const std::size_t before = out_.steps.size();
      AddOwn(step);
      AddInside(step);
      if (out_.steps.size() == before && out_.refusal.empty()) {
        out_.refusal = builder_.WhyNothingStores(step.entity.text);
      }
    }
    if (!out_.together) {
      return;
    }
    for (const WriteStepCode& step : out_.steps) {
      if (!step.row_entity.empty() && IsInside(step) && !step.in.map) {
        out_.refusal = "a list inside an item cannot change in a transaction with others";
      }
      RefuseTwoActions(step);
    }
  }

 private:
  static bool IsInside(const WriteStepCode& step) {
    return step.kind == WriteStepCode::Kind::kPutIn ||
           step.kind == WriteStepCode::Kind::kUpdateIn ||
           step.kind == WriteStepCode::Kind::kDeleteIn;
  }

  // DynamoDB refuses a transaction with two actions on one item: a copy that a transaction keeps looks at its original, and an original
  // that changes writes its copies, so neither may be written by another step.
  void RefuseTwoActions(const WriteStepCode& step) {
    const auto written = [&](const std::string& entity) {
      return std::any_of(out_.steps.begin(), out_.steps.end(), [&](const WriteStepCode& other) {
        return &other != &step && other.entity->name == entity;
      });
    };
    std::string twice;
    if (step.kind == WriteStepCode::Kind::kPut) {
      for (const StoredCopy& copy : step.entity->copies) {
        if (copy.upkeep == model::CopyUpkeep::kTransaction && written(copy.original.entity)) {
          twice = copy.original.entity;
        }
      }
    }
    for (const CopyRefresh& refresh : step.refreshes) {
      if (refresh.upkeep == model::CopyUpkeep::kTransaction && written(refresh.holder)) {
        twice = refresh.holder;
      }
    }
    if (!twice.empty()) {
      out_.refusal = "a copy kept by a transaction would need two actions on one " + twice +
                     " in it, which DynamoDB refuses";
    }
  }

  // `where id = :id` asks for the row that the caller names anyway.
  bool NamesTheRow(const model::Entity& entity, const model::Condition& condition) const {
    const std::vector<std::string> keys = entity.KeyNames();
    const bool stored = static_cast<bool>(model_.FindPlacement(entity.name.text));
    const std::string& name = condition.attribute.text;
    return condition.comparison == model::Comparison::kEqual && condition.operands.size() == 1 &&
           !condition.operands[0].parameter.empty() &&
           (std::ranges::find(keys, name) != keys.end() ||
            (stored && Has(builder_.Identity(entity), name)));
  }

  // Conditions on the stored row: `if`, and the part of `where` beside its key.
  std::vector<const model::Condition*> Conditions(const model::WriteStep& step) const {
    const model::Entity& entity = model_.At(step.entity);
    std::vector<const model::Condition*> conditions;
    for (const model::Condition& condition : step.where) {
      if (!NamesTheRow(entity, condition)) {
        conditions.push_back(&condition);
      }
    }
    for (const model::Condition& condition : step.guard) {
      conditions.push_back(&condition);
    }
    return conditions;
  }

  static bool Changes(const model::WriteStep& step, const model::Name& name) {
    return std::ranges::find(step.set, name) != step.set.end() ||
           std::ranges::find(step.remove, name) != step.remove.end();
  }

  // Writes that the model can state and no emitter can write yet: rather no function than one that leaves it out.
  std::string NotSpelled(const model::WriteStep& step) const {
    for (const model::Table& table : model_.tables) {
      for (const model::ItemLayout& layout : table.items) {
        for (const model::StoredAttribute& stored : layout.attributes) {
          const bool follows = (stored.copy.entity == step.entity && step.kind == model::WriteKind::kUpdate) ||
                               stored.embedded == step.entity;
          if (!layout.of.text.empty() && follows) {
            return "`" + stored.name.text + "` of " + layout.entity.text +
                   ", a second layout, has no code yet";
          }
          if (model::IsTotal(stored) && layout.entity == step.entity &&
              step.kind == model::WriteKind::kUpdate && Changes(step, stored.name)) {
            return "`" + stored.name.text + "` follows from the rows of " + stored.copy.entity.text;
          }
        }
      }
    }
    return {};
  }

  void AddOwn(const model::WriteStep& step) {
    const EntityCode* entity = builder_.program.FindEntity(step.entity.text);
    if (entity == nullptr || entity->table.empty()) {
      return;
    }
    WriteStepCode code;
    code.source = &step;
    code.entity = entity;
    code.row_entity = entity->name;
    code.once = step.once;
    code.kind = step.kind == model::WriteKind::kPut      ? WriteStepCode::Kind::kPut
                : step.kind == model::WriteKind::kUpdate ? WriteStepCode::Kind::kUpdate
                                                         : WriteStepCode::Kind::kDelete;
    code.row = step.kind == model::WriteKind::kPut ? entity->fields : entity->identity;
    code.many = out_.together && (step.times != 1 || !step.for_each.text.empty());
    code.key = KeyOf(*entity->entity, [&](const std::string& attribute) {
      return RowValue(builder_.FieldOf(*entity->entity, attribute));
    });
    if (step.kind == model::WriteKind::kUpdate) {
      AddChanges(step, code);
    } else if (step.kind == model::WriteKind::kPut) {
      AddPutValues(step, code);
      // Where it replaces another row, copies of that one follow.
      if (!step.once) {
        AddRefreshes(code);
      }
    }
    code.parameter = ParameterName(entity->name);
    Refuse(builder_.AddBeside(code, LayoutsWritten(model_, step)));
    if (!code.written && !Conditions(step).empty()) {
      out_.refusal = "its condition is on an item of " + entity->name + " that it does not write";
    }
    AddLocks(code);
    Refuse(builder_.AddTotals(code));
    Refuse(builder_.AddCascade(code));
    AddCondition(step, code);
    if (code.kind == WriteStepCode::Kind::kPut && !step.once && !entity->rows.empty()) {
      out_.refusal = "putting a " + entity->name + " again would empty its " +
                     entity->rows[0].attribute + ": write `put … once`, or update it";
    }
    out_.steps.push_back(std::move(code));
  }

  void Refuse(std::string reason) {
    if (!reason.empty()) {
      out_.refusal = std::move(reason);
    }
  }

  // The attributes that new rows have and lack.
  void AddPutValues(const model::WriteStep& step, WriteStepCode& code) {
    const model::Entity& entity = *code.entity->entity;
    AddConstants(step, code);
    for (const model::Name& name : step.without) {
      code.lacks.push_back(builder_.FieldOf(entity, name.text));
    }
    builder_.AddOwnTotals(code);
  }

  void AddCondition(const model::WriteStep& step, WriteStepCode& code) {
    const std::vector<const model::Condition*> conditions = Conditions(step);
    if (conditions.empty()) {
      return;
    }
    const model::Entity& entity = *code.entity->entity;
    std::map<std::string, std::string> fields;  // Keyed by the parameters that name the row.
    for (const model::Condition& condition : step.where) {
      if (NamesTheRow(entity, condition)) {
        fields[condition.operands[0].parameter] = condition.attribute.text;
      }
    }
    StepCondition& out = code.condition;
    for (const model::Condition* condition : conditions) {
      const std::string& attribute = condition->attribute.text;
      Filter test{builder_.SourceIn(entity, attribute, {model_.FindPlacement(code.entity->name).table, nullptr}),
                  condition->comparison, {}};
      // An attribute that only a key holds cannot be compared in place.
      if (!Has(code.entity->plain, attribute)) {
        code.read_before.push_back(test.field);
      }
      const std::string name = "#if" + std::to_string(out.names.size());
      out.names.emplace_back(name, attribute);
      std::vector<std::string> values;
      for (const model::Operand& operand : condition->operands) {
        values.push_back(":if" + std::to_string(out.values.size()));
        out.values.emplace_back(values.back(), OperandValue(operand, *condition, fields, code));
        test.operands.push_back(out.values.back().second);
      }
      out.tests.push_back(std::move(test));
      out.expression += (out.expression.empty() ? "" : " AND ") +
                        model::ConditionText(condition->comparison, name, values);
    }
    ExpectTested(code);
  }

  // Where the item is read anyway, the condition is checked on what was read, which must still hold when it is written.
  void ExpectTested(WriteStepCode& code) {
    if (!code.reads_before()) {
      return;
    }
    for (const Filter& test : code.condition.tests) {
      code.read_before.push_back(test.field);
    }
    if (code.kind != WriteStepCode::Kind::kPut) {
      Filter there{{Field{code.key[0].attribute, AttributeType::kText, true, {}, {}}, {}},
                   model::Comparison::kExists,
                   {}};
      there.field.source.attribute = code.key[0].attribute;
      code.condition.tests.insert(code.condition.tests.begin(), std::move(there));
    }
  }

  Value OperandValue(const model::Operand& operand, const model::Condition& condition,
                     const std::map<std::string, std::string>& fields, WriteStepCode& code) {
    if (operand.parameter.empty()) {
      Value literal;
      literal.kind = Value::Kind::kLiteral;
      literal.literal = operand.literal;
      return literal;
    }
    const model::Entity& entity = *code.entity->entity;
    if (const auto named = fields.find(operand.parameter); named != fields.end()) {
      return RowValue(builder_.FieldOf(entity, named->second));
    }
    Field field = builder_.FieldOf(entity, condition.attribute.text);
    field.name = operand.parameter;
    // It has the name of the updated attribute, or of another attribute of the row.
    for (int number = 2; Has(code.set, field.name) ||
                         (Has(code.row, field.name) && !Has(code.asked, field.name));
         ++number) {
      field.name = operand.parameter + " asked" + (number == 2 ? "" : std::to_string(number));
    }
    field.optional = false;
    if (!Has(code.asked, field.name)) {
      code.asked.push_back(field);
      // In a put, the row is the entity's.
      if (code.kind != WriteStepCode::Kind::kPut) {
        code.row.push_back(field);
      }
    }
    return RowValue(field);
  }

  void AddLocks(WriteStepCode& code) {
    const model::Entity& entity = *code.entity->entity;
    const model::Model::Placement placement = model_.FindPlacement(entity.name.text);
    const bool puts = code.kind == WriteStepCode::Kind::kPut;
    const bool deletes = code.kind == WriteStepCode::Kind::kDelete;
    for (const model::Name& name : placement.layout->locks) {
      LockCode lock = builder_.LockOf(entity, name.text);
      lock.taken = (puts && !Has(code.lacks, name.text)) || Has(code.set, name.text);
      lock.given_up = deletes || (puts && !code.once) || Has(code.set, name.text) ||
                      Has(code.removed, name.text);
      if (!lock.taken && !lock.given_up) {
        continue;
      }
      lock.value = code.WithConstants(std::move(lock.value));
      code.locks.push_back(std::move(lock));
    }
  }

  template <class ValueOf>
  std::vector<KeyValue> KeyOf(const model::Entity& entity, const ValueOf& value_of) {
    std::vector<KeyValue> key;
    const model::Model::Placement placement = model_.FindPlacement(entity.name.text);
    for (const model::Name* name : {&placement.table->partition, &placement.table->sort}) {
      const model::StoredAttribute* stored =
          name->text.empty() ? nullptr : placement.layout->Find(name->text);
      if (stored != nullptr) {
        key.push_back({name->text, builder_.Call(entity, *stored, value_of)});
      }
    }
    return key;
  }

  std::string ParameterName(const std::string& entity) const {
    const auto taken = std::count_if(out_.steps.begin(), out_.steps.end(),
                                     [&](const auto& one) { return one.row_entity == entity; });
    return taken == 0 ? entity : entity + std::to_string(taken + 1);
  }

  static bool Has(const std::vector<Field>& fields, const std::string& name) {
    return std::any_of(fields.begin(), fields.end(),
                       [&](const Field& field) { return field.name == name; });
  }

  void AddChanges(const model::WriteStep& step, WriteStepCode& code) {
    const model::Entity& entity = *code.entity->entity;
    AddCounters(step, code);
    AddConstants(step, code);
    for (const model::Name& name : step.set) {
      if (std::ranges::find(code.counters, name.text, &Counter::attribute) ==
          code.counters.end()) {
        AddSet(builder_.FieldOf(entity, name.text), code);
      }
    }
    for (const model::Name& name : step.remove) {
      if (Has(code.entity->identity, name.text)) {
        out_.refusal = "`" + name.text + "` finds the item, so it cannot be removed";
      }
      code.removed.push_back(builder_.FieldOf(entity, name.text));
    }
    AddRendered(code);
    AddRecopied(code);
    AddRefreshes(code);
  }

  // The assignments of an update: given by the caller or the model, or derived from the old value.
  void AddSet(const Field& field, WriteStepCode& code) {
    code.set.push_back(field);
    const bool finds = Has(code.entity->identity, field.name);
    code.moves = code.moves || finds;
    const bool given = !code.IsConstant(field.name) &&
                       std::ranges::find(code.counted, field.name, &Counter::attribute) ==
                           code.counted.end();
    if (!given) {
      return;
    }
    Field argument = field;
    if (finds) {
      argument.name = "new " + field.name;
      code.renamed[field.name] = argument.name;
    }
    code.row.push_back(argument);
  }

  // Values that keys need and the caller does not give are unchanged.
  void Need(const std::vector<std::string>& attributes, WriteStepCode& code) {
    const model::Entity& entity = *code.entity->entity;
    for (const std::string& attribute : attributes) {
      const bool known = Has(code.row, attribute) || Has(code.set, attribute) ||
                         std::ranges::any_of(code.read_before, [&](const FieldSource& before) {
                           return before.field.name == attribute;
                         });
      if (!known) {
        code.read_before.push_back(builder_.SourceIn(
            entity, attribute, {model_.FindPlacement(code.entity->name).table, nullptr}));
      }
    }
  }

  void AddRendered(WriteStepCode& code) {
    const model::Model::Placement placement = model_.FindPlacement(code.entity->name);
    for (const StoredKey& key : code.entity->keys) {
      const bool own = std::ranges::find(code.key, key.attribute, &KeyValue::attribute) != code.key.end();
      const std::vector<std::string> attributes =
          placement.layout->Find(key.attribute)->key.Attributes();
      const auto any = [&](const std::vector<Field>& fields) {
        return std::ranges::any_of(attributes,
                                   [&](const std::string& one) { return Has(fields, one); });
      };
      if (own) {
        continue;
      }
      if (any(code.removed)) {
        code.dropped.push_back(key);
      } else if (any(code.set)) {
        code.rendered.push_back(code.WithConstants(key));
        Need(attributes, code);
      }
    }
  }

  // A row that points at another original now has another copy.
  void AddRecopied(WriteStepCode& code) {
    for (const StoredCopy& copy : code.entity->copies) {
      std::vector<std::string> attributes;
      for (const KeyValue& key : copy.original.key) {
        for (const Value& argument : key.call.arguments) {
          attributes.push_back(argument.name);
        }
      }
      const auto any = [&](const std::vector<Field>& fields) {
        return std::ranges::any_of(attributes,
                                   [&](const std::string& one) { return Has(fields, one); });
      };
      if (any(code.removed)) {
        code.dropped.push_back({copy.attribute, {}, false});
      } else if (any(code.set)) {
        code.recopied.push_back(copy);
        Need(attributes, code);
      }
    }
  }

  bool IsCopied(const WriteStepCode& code, const std::string& name) const {
    return std::ranges::any_of(builder_.program.entities, [&](const auto& holder) {
      return std::ranges::any_of(holder.copies, [&](const StoredCopy& copy) {
        return copy.original.entity == code.entity->name && copy.original_attribute == name;
      });
    });
  }

  // `status = "DONE"`: the caller does not give it.
  void AddConstants(const model::WriteStep& step, WriteStepCode& code) {
    for (const model::Setting& setting : step.values) {
      if (setting.value.parameter.empty()) {
        code.constants.emplace_back(setting.attribute.text, setting.value.literal);
      }
    }
  }

  void AddCounters(const model::WriteStep& step, WriteStepCode& code) {
    for (const model::Increment& increment : step.increments) {
      const std::string& name = increment.attribute.text;
      const bool in_key = std::ranges::any_of(code.entity->keys, [&](const StoredKey& key) {
        return std::ranges::any_of(key.call.arguments,
                                   [&](const Value& value) { return value.name == name; });
      });
      const Counter counter{name, AttributeValue(static_cast<std::int64_t>(increment.by))};
      if (in_key || builder_.IsKeptBeside(step, code, name) || IsCopied(code, name) || builder_.IsSummed(code.entity->name, name)) {
        code.counted.push_back(counter);
        code.read_before.push_back(
            builder_.SourceIn(*code.entity->entity, name,
                              {model_.FindPlacement(code.entity->name).table, nullptr}));
      } else {
        code.counters.push_back(counter);
      }
    }
  }

  // Items that hold a copy of a changed attribute.
  void AddRefreshes(WriteStepCode& code) {
    for (const EntityCode& holder : builder_.program.entities) {
      for (const StoredCopy& copy : holder.copies) {
        const bool put = code.kind == WriteStepCode::Kind::kPut;
        if (copy.original.entity != code.entity->name ||
            !(put || Has(code.set, copy.original_attribute) ||
              Has(code.removed, copy.original_attribute)) ||
            copy.upkeep == model::CopyUpkeep::kNever) {
          continue;
        }
        CopyRefresh refresh;
        refresh.name = holder.name + "." + copy.attribute;
        refresh.holder = holder.name;
        refresh.stored = copy.attribute;
        refresh.attribute = copy.original_attribute;
        refresh.upkeep = copy.upkeep;
        refresh.find = builder_.FindRows(holder, *code.entity, refresh.name, {});
        if (refresh.find == nullptr) {
          out_.refusal = "no key finds the " + holder.name + " items that hold a copy of " +
                         copy.original_attribute;
          return;
        }
        code.refreshes.push_back(std::move(refresh));
      }
    }
  }

  // Rows of the step's entity that live inside items of others.
  void AddInside(const model::WriteStep& step) {
    const model::Entity& rows = model_.At(step.entity);
    for (const EntityCode& owner : builder_.program.entities) {
      const model::Model::Placement placement = model_.FindPlacement(owner.name);
      if (!placement) {
        continue;
      }
      for (const model::StoredAttribute& stored : placement.layout->attributes) {
        const bool inside = stored.kind == model::StoredKind::kEmbedList ||
                            stored.kind == model::StoredKind::kEmbedMap;
        if (inside && stored.embedded == rows.name && stored.upkeep != model::CopyUpkeep::kNever) {
          AddInsideOne(step, rows, owner, stored);
        }
      }
    }
  }

  void AddInsideOne(const model::WriteStep& step, const model::Entity& rows,
                    const EntityCode& owner, const model::StoredAttribute& stored) {
    if (!step.increments.empty() || !Conditions(step).empty() || builder_.IsSummed(rows.name.text, {})) {
      out_.refusal =
          "a counter, condition or total of a row inside " + owner.name + " has no code yet";
      return;
    }
    WriteStepCode code;
    code.source = &step;
    code.entity = &owner;
    code.row_entity = rows.name.text;
    code.kind = step.kind == model::WriteKind::kPut      ? WriteStepCode::Kind::kPutIn
                : step.kind == model::WriteKind::kUpdate ? WriteStepCode::Kind::kUpdateIn
                                                         : WriteStepCode::Kind::kDeleteIn;
    code.once = step.once;
    code.in = {stored.name.text, stored.kind == model::StoredKind::kEmbedMap};
    code.by = stored.by.text;
    AddConstants(step, code);
    for (const model::Name& name : step.without) {
      code.lacks.push_back(builder_.FieldOf(rows, name.text));
    }
    const std::vector<model::JoinColumn> columns = model::JoinColumns(rows, *owner.entity);
    std::set<std::string> pointing;
    for (const model::JoinColumn& column : columns) {
      pointing.insert(column.from);
    }
    for (const model::Path& path : model::EmbeddedMembers(model_, *owner.entity, stored)) {
      if (!path.entity.text.empty() && path.entity.text != rows.name.text) {
        out_.refusal = stored.name.text + " of " + owner.name + " holds copies of " +
                       path.entity.text + ", which the code of a write does not read yet";
        return;
      }
      if (path.attribute.text != code.by) {
        code.members.push_back(builder_.FieldOf(rows, path.attribute.text));
      }
    }
    if (!code.in.map && stored.members.size() == 1) {
      out_.refusal = stored.name.text + " of " + owner.name + " is a list of plain values";
      return;
    }
    for (const std::string& key : rows.KeyNames()) {
      if (!pointing.contains(key)) {
        code.member_keys.push_back(builder_.FieldOf(rows, key));
      }
    }
    for (const model::Attribute& attribute : rows.attributes) {
      const Field field = builder_.FieldOf(rows, attribute.name.text);
      const bool set = std::any_of(step.set.begin(), step.set.end(), [&](const model::Name& name) {
        return name.text == field.name;
      });
      const bool names = attribute.is_key || pointing.contains(field.name);
      if (set && Has(code.members, field.name)) {
        code.set.push_back(field);
      }
      if (std::ranges::find(step.remove, attribute.name) != step.remove.end() &&
          Has(code.members, field.name)) {
        code.removed.push_back(field);
      }
      if (step.kind == model::WriteKind::kPut || names || (set && !code.IsConstant(field.name))) {
        code.row.push_back(field);
      }
    }
    if (step.kind == model::WriteKind::kUpdate && code.set.empty() && code.removed.empty()) {
      return;
    }
    code.key = KeyOf(*owner.entity, [&](const std::string& attribute) {
      for (const model::JoinColumn& column : columns) {
        if (column.to == attribute) {
          return RowValue(builder_.FieldOf(rows, column.from));
        }
      }
      return Value{};
    });
    code.parameter = rows.name.text;
    out_.steps.push_back(std::move(code));
  }

  Builder& builder_;
  const model::Model& model_;
  WriteFunction& out_;
};

}  // namespace

void Builder::AddWrites() {
  for (const model::Write& write : model.writes) {
    WriteFunction function;
    WriteBuilder(*this, write, function).Build();
    program.writes.push_back(std::move(function));
  }
}

}  // namespace prejoin::gen
