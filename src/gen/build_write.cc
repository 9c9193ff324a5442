// Writes. Each step becomes an action on one item; what else must change with it (copies on other items, keys that
// hold a changed attribute, rows inside lists of other items) is found here.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "gen/builder.h"
#include "gen/words.h"
#include "model/data/item_render.h"
#include "model/plan/propose.h"
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
        out_.refusal = "nothing stores " + step.entity.text;
      }
    }
    RefuseCountingTwice();
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
  // Where another writer was faster, all steps are tried again: each would count once more.
  void RefuseCountingTwice() {
    const bool counts = std::ranges::any_of(
        out_.steps, [](const WriteStepCode& step) { return !step.counters.empty(); });
    const bool tries_again = std::ranges::any_of(out_.steps, [](const WriteStepCode& step) {
      return step.reads_before() || !step.refreshes.empty() || !step.entity->copies.empty();
    });
    if (!out_.together && out_.steps.size() > 1 && counts && tries_again) {
      out_.refusal =
          "a counter beside a step that may be tried again would count twice: write `together`";
    }
  }

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

  // What must hold of the stored row: `if`, and what `where` says beside its key.
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
    if (step.kind == model::WriteKind::kPut && !Conditions(step).empty()) {
      return "a put with a condition has no code yet";
    }
    if (step.kind == model::WriteKind::kPut && !step.values.empty()) {
      return "`with " + step.values[0].attribute.text + " = …` has no code yet";
    }
    if (!step.for_each.text.empty() || (step.times != 1 && out_.together)) {
      return "writes of many rows in a transaction have no code yet";
    }
    if (!step.cascade.empty()) {
      return "`with` has no code yet";
    }
    if (model_.LayoutsOf(step.entity.text).size() > 1) {
      return "a " + step.entity.text + " in more than one layout has no code yet";
    }
    for (const model::Table& table : model_.tables) {
      for (const model::ItemLayout& layout : table.items) {
        for (const model::StoredAttribute& stored : layout.attributes) {
          if (!layout.of.text.empty() && stored.copy.entity == step.entity &&
              step.kind == model::WriteKind::kUpdate) {
            return "copies in " + layout.entity.text + ", a second layout, have no code yet";
          }
          const bool own = layout.entity == step.entity &&
                           (step.kind == model::WriteKind::kPut || Changes(step, stored.name));
          if (model::IsTotal(stored) && (own || stored.copy.entity == step.entity)) {
            return "`" + stored.name.text + "` of " + layout.entity.text +
                   " has no upkeep in code yet";
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
    code.key = KeyOf(*entity->entity, [&](const std::string& attribute) {
      return RowValue(builder_.FieldOf(*entity->entity, attribute));
    });
    if (step.kind == model::WriteKind::kUpdate) {
      AddChanges(step, code);
    }
    AddLocks(code);
    AddCondition(step, code);
    if (code.kind == WriteStepCode::Kind::kPut && !step.once && !entity->rows.empty()) {
      out_.refusal = "putting a " + entity->name + " again would empty its " +
                     entity->rows[0].attribute + ": write `put … once`, or update it";
    }
    code.parameter = ParameterName(entity->name);
    out_.steps.push_back(std::move(code));
  }

  void AddCondition(const model::WriteStep& step, WriteStepCode& code) {
    const std::vector<const model::Condition*> conditions = Conditions(step);
    if (conditions.empty()) {
      return;
    }
    const model::Entity& entity = *code.entity->entity;
    if (code.reads_before()) {
      out_.refusal = "a condition beside what is made from the row as it was has no code yet";
    }
    std::map<std::string, std::string> fields;  // By the parameters that name the row.
    for (const model::Condition& condition : step.where) {
      if (NamesTheRow(entity, condition)) {
        fields[condition.operands[0].parameter] = condition.attribute.text;
      }
    }
    StepCondition& out = code.condition;
    for (const model::Condition* condition : conditions) {
      const std::string& attribute = condition->attribute.text;
      if (!Has(code.entity->plain, attribute)) {
        out_.refusal = "its condition is about `" + attribute + "`, which the item does not hold";
      }
      const std::string name = "#if" + std::to_string(out.names.size());
      out.names.emplace_back(name, attribute);
      std::vector<std::string> values;
      for (const model::Operand& operand : condition->operands) {
        values.push_back(":if" + std::to_string(out.values.size()));
        out.values.emplace_back(values.back(), OperandValue(operand, *condition, fields, code));
      }
      out.expression += (out.expression.empty() ? "" : " AND ") +
                        model::ConditionText(condition->comparison, name, values);
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
    if (Has(code.set, operand.parameter)) {
      out_.refusal = "`:" + operand.parameter +
                     "` of its condition has the name of what it sets: call it otherwise";
    }
    Field field = builder_.FieldOf(entity, condition.attribute.text);
    field.name = operand.parameter;
    field.optional = false;
    if (!Has(code.row, field.name)) {
      code.row.push_back(field);
      code.asked.push_back(field);
    }
    return RowValue(field);
  }

  void AddLocks(WriteStepCode& code) {
    const model::Entity& entity = *code.entity->entity;
    const model::Model::Placement placement = model_.FindPlacement(entity.name.text);
    const bool puts = code.kind == WriteStepCode::Kind::kPut;
    const bool deletes = code.kind == WriteStepCode::Kind::kDelete;
    for (const model::Name& name : placement.layout->locks) {
      LockCode lock;
      lock.attribute = name.text;
      lock.taken = puts || Has(code.set, name.text);
      lock.given_up = deletes || (puts && !code.once) || Has(code.set, name.text) ||
                      Has(code.removed, name.text);
      if (!lock.taken && !lock.given_up) {
        continue;
      }
      const model::StoredAttribute stored =
          model::MakeStored(name.text + " lock",
                            model::LockPrefix(entity.name.text, name.text) + "{" + name.text + "}");
      lock.value = {stored.name.text,
                    builder_.Call(entity, stored,
                                  [&](const std::string& attribute) {
                                    return RowValue(builder_.FieldOf(entity, attribute));
                                  }),
                    false};
      for (const model::Name* key : {&placement.table->partition, &placement.table->sort}) {
        if (!key->text.empty()) {
          lock.names.push_back(key->text);
        }
      }
      if (lock.given_up) {
        lock.before = builder_.SourceIn(entity, name.text, {placement.table, nullptr});
      }
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
    const model::Model::Placement placement = model_.FindPlacement(entity.name.text);
    AddCounters(step, code);
    AddConstants(step, code);
    const auto add = [&](const std::vector<model::Name>& names, std::vector<Field>& fields) {
      for (const model::Name& name : names) {
        if (std::ranges::find(code.counters, name.text, &Counter::attribute) !=
                code.counters.end() ||
            code.IsConstant(name.text)) {
          continue;
        }
        if (Has(code.row, name.text)) {
          out_.refusal = "`" + name.text +
                         "` finds the item, so changing it would be another item: " +
                         "write it as a delete and a put, together";
        }
        fields.push_back(builder_.FieldOf(entity, name.text));
      }
    };
    add(step.set, code.set);
    add(step.remove, code.removed);
    if (!out_.refusal.empty()) {
      return;
    }
    for (const Field& field : code.set) {
      code.row.push_back(field);
    }
    std::set<std::string> needed;
    for (const StoredKey& key : code.entity->keys) {
      const model::StoredAttribute& stored = *placement.layout->Find(key.attribute);
      const std::vector<std::string> attributes = stored.key.Attributes();
      if (std::ranges::any_of(attributes,
                              [&](const std::string& one) { return Has(code.removed, one); })) {
        code.dropped.push_back(key);
        continue;
      }
      if (std::none_of(attributes.begin(), attributes.end(), [&](const std::string& one) {
            return Has(code.set, one) || code.IsConstant(one);
          })) {
        continue;
      }
      code.rendered.push_back(code.WithConstants(key));
      for (const std::string& attribute : attributes) {
        if (!Has(code.row, attribute) && !code.IsConstant(attribute) &&
            needed.insert(attribute).second) {
          code.read_before.push_back(
              builder_.SourceIn(entity, attribute, {placement.table, nullptr}));
        }
      }
    }
    AddRefreshes(code);
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
      const std::string& name = setting.attribute.text;
      if (!setting.value.parameter.empty()) {
        continue;
      }
      const auto& locks = model_.FindPlacement(code.entity->name).layout->locks;
      if (IsCopied(code, name) || Has(code.entity->identity, name) ||
          std::ranges::find(locks, setting.attribute) != locks.end()) {
        out_.refusal = "a fixed value of `" + name +
                       "`, which is in the item's key, in a lock item or copied, has no code yet";
      }
      code.constants.emplace_back(name, setting.value.literal);
    }
  }

  void AddCounters(const model::WriteStep& step, WriteStepCode& code) {
    for (const model::Increment& increment : step.increments) {
      const std::string& name = increment.attribute.text;
      const bool in_key = std::ranges::any_of(code.entity->keys, [&](const StoredKey& key) {
        return std::ranges::any_of(key.call.arguments,
                                   [&](const Value& value) { return value.name == name; });
      });
      const bool copied = IsCopied(code, name);
      if (in_key || copied) {
        out_.refusal = "the counter `" + name + "` is " +
                       (in_key ? "part of a key" : "copied to other items") +
                       ", which has no code yet";
      }
      code.counters.push_back({name, AttributeValue(static_cast<std::int64_t>(increment.by))});
    }
  }

  // Items that hold a copy of what changes.
  void AddRefreshes(WriteStepCode& code) {
    for (const EntityCode& holder : builder_.program.entities) {
      for (const StoredCopy& copy : holder.copies) {
        if (copy.original.entity == code.entity->name &&
            Has(code.removed, copy.original_attribute) &&
            copy.upkeep != model::CopyUpkeep::kNever) {
          out_.refusal = "removing `" + copy.original_attribute + "`, of which " + holder.name +
                         " items keep copies, has no code yet";
          return;
        }
        if (copy.original.entity != code.entity->name || !Has(code.set, copy.original_attribute) ||
            copy.upkeep == model::CopyUpkeep::kNever) {
          continue;
        }
        CopyRefresh refresh;
        refresh.name = holder.name + "." + copy.attribute;
        refresh.holder = holder.name;
        refresh.stored = copy.attribute;
        refresh.attribute = copy.original_attribute;
        refresh.upkeep = copy.upkeep;
        refresh.find = FindCopies(holder, *code.entity, refresh.name);
        if (refresh.find == nullptr) {
          out_.refusal = "no key finds the " + holder.name + " items that hold a copy of " +
                         copy.original_attribute;
          return;
        }
        code.refreshes.push_back(std::move(refresh));
      }
    }
  }

  const PatternFunction* FindCopies(const EntityCode& holder, const EntityCode& original,
                                    const std::string& name) {
    for (const PatternFunction& known : builder_.program.copy_patterns) {
      if (known.name == name) {
        return &known;
      }
    }
    model::Pattern question;
    question.name.text = name;
    model::Section section;
    section.entity = *holder.entity;
    for (const model::JoinColumn& column : model::JoinColumns(*holder.entity, *original.entity)) {
      model::Condition condition;
      condition.attribute.text = column.from;
      condition.operands.push_back({column.to, {}, {}});
      section.conditions.push_back(std::move(condition));
    }
    for (const Field& field : holder.identity) {
      section.get.push_back({{}, {field.name, {}}});
    }
    question.sections.push_back(std::move(section));
    builder_.program.copy_questions.push_back(std::move(question));
    PatternFunction function;
    std::string refusal;
    if (!builder_.BuildPattern(builder_.program.copy_questions.back(), function, refusal)) {
      return nullptr;
    }
    function.pages = false;
    builder_.program.copy_patterns.push_back(std::move(function));
    return &builder_.program.copy_patterns.back();
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
    if (!step.remove.empty()) {
      out_.refusal = "`remove` in a row inside " + owner.name + " has no code yet";
      return;
    }
    if (!step.increments.empty() || !step.values.empty() || !Conditions(step).empty()) {
      out_.refusal =
          "a counter, value or condition of a row inside " + owner.name + " has no code yet";
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
    const std::vector<model::JoinColumn> columns = model::JoinColumns(rows, *owner.entity);
    std::set<std::string> pointing;
    for (const model::JoinColumn& column : columns) {
      pointing.insert(column.from);
    }
    for (const model::Path& path : model::EmbeddedMembers(model_, *owner.entity, stored)) {
      if (!path.entity.text.empty() && path.entity.text != rows.name.text) {
        out_.refusal = stored.name.text + " of " + owner.name + " holds copies of " +
                       path.entity.text + ": nothing says who keeps them";
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
      if (step.kind == model::WriteKind::kPut || names || set) {
        code.row.push_back(field);
      }
    }
    if (step.kind == model::WriteKind::kUpdate && code.set.empty()) {
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
