#include "tests/gen/script.h"

#include <algorithm>
#include <random>
#include <set>

#include "json/item_json.h"
#include "model/data/item_render.h"
#include "model/schema/join.h"
#include "tests/gen/fresh_values.h"
#include "tests/gen/kept_totals.h"
#include "tests/gen/plain_json.h"

namespace prejoin::gen {
namespace {

using Kind = WriteStepCode::Kind;

std::vector<ReadCall> ReadsOn(const Program& program, const model::Dataset& data) {
  std::vector<ReadCall> calls;
  model::DataIndex index(data);
  for (const PatternFunction& pattern : program.patterns) {
    for (const model::Arguments& arguments :
         model::ArgumentsToTry(*program.model, *pattern.pattern, data, 3)) {
      ReadCall call{&pattern, arguments, {}};
      call.answers = model::EvaluatePattern(*program.model, *pattern.pattern, arguments, index);
      calls.push_back(std::move(call));
    }
  }
  return calls;
}

// Plays writes on the logical rows: the reference that all languages are compared with.
class History {
 public:
  History(const Program& program, std::uint64_t seed, model::Dataset& data)
      : program_(program), random_(seed), data_(data) {}

  void Play(int steps, std::vector<WriteCall>& out) {
    std::vector<const WriteFunction*> usable;
    for (const WriteFunction& write : program_.writes) {
      if (write.refusal.empty() && Comparable(write)) {
        usable.push_back(&write);
      }
    }
    // Each function is called at least once.
    steps = std::max(steps, static_cast<int>(usable.size()));
    for (int i = 0; i < steps && !usable.empty(); ++i) {
      WriteCall call;
      call.write = usable[static_cast<std::size_t>(i) < usable.size() ? static_cast<std::size_t>(i)
                                                                      : Pick(usable.size())];
      for (const WriteStepCode& step : call.write->steps) {
        if (!call.rows.contains(step.parameter)) {
          call.rows[step.parameter] = RowFor(step);
        }
      }
      // Steps of one write that point at each other name the same row.
      Link(call);
      for (const WriteStepCode& step : call.write->steps) {
        KeepItem(step, call.rows[step.parameter]);
      }
      AddSeconds(call);
      for (const WriteStepCode& step : call.write->steps) {
        AddCopies(step, call);
      }
      call.outcome = Apply(call);
      out.push_back(std::move(call));
    }
  }

 private:
  std::size_t Pick(std::size_t count) { return random_() % count; }

  // Another row beside the first one, where its key can be another.
  void AddSeconds(WriteCall& call) {
    for (const WriteStepCode& step : call.write->steps) {
      if (!step.many) {
        continue;
      }
      model::Row row = call.rows[step.parameter];
      bool other = false;
      for (const model::Attribute& attribute : EntityOf(step).attributes) {
        if (attribute.is_key && !attribute.references) {
          row.Set(attribute.name.text, Fresh(attribute));
          other = true;
        }
        // What is unique is.
        if (attribute.unique) {
          row.Set(attribute.name.text, Fresh(attribute));
        }
      }
      if (other) {
        call.seconds[step.parameter] = std::move(row);
      }
    }
  }

  // Copies that nobody keeps, or a stream does, are not expected to follow.
  static bool Comparable(const WriteFunction& write) {
    for (const WriteStepCode& step : write.steps) {
      for (const CopyRefresh& refresh : step.refreshes) {
        if (refresh.upkeep == model::CopyUpkeep::kStream) {
          return false;
        }
      }
    }
    return true;
  }

  const model::Entity& EntityOf(const WriteStepCode& step) const {
    return *program_.model->FindEntity(step.row_entity);
  }

  AttributeValue Fresh(const model::Attribute& attribute) { return fresh_.Of(attribute); }

  template <class Rows>
  static auto FindRow(Rows& rows, const model::Entity& entity, const model::Row& row) {
    const std::vector<std::string> keys = entity.KeyNames();
    return std::find_if(rows.begin(), rows.end(), [&](const model::Row& one) {
      return model::TupleText(one, keys) == model::TupleText(row, keys);
    });
  }

  // A put of a row whose item has another key than before would leave the old item, which no function can know: it is a new row then.
  void KeepItem(const WriteStepCode& step, model::Row& row) {
    if (step.kind != Kind::kPut) {
      return;
    }
    const model::Entity& entity = EntityOf(step);
    std::vector<model::Row>& rows = data_.rows[entity.name.text];
    const auto found = FindRow(rows, entity, row);
    if (found == rows.end() || SameItem(step, *found, Fixed(step, row))) {
      return;
    }
    for (const model::Attribute& attribute : entity.attributes) {
      if (attribute.is_key && !attribute.references) {
        row.Set(attribute.name.text, Fresh(attribute));
      }
    }
  }

  // A row that exists, half of the time; else one under a new key that points at rows that exist.
  model::Row RowFor(const WriteStepCode& step) {
    const model::Entity& entity = EntityOf(step);
    const std::vector<model::Row>& rows = data_.Of(entity.name.text);
    const bool put = step.kind == Kind::kPut || step.kind == Kind::kPutIn;
    const bool known = !rows.empty() && Pick(put ? 3 : 6) > (put ? 1U : 0U);
    model::Row row = rows.empty() ? model::Row() : rows[Pick(rows.size())];
    std::map<std::string, const model::Row*> targets;
    for (const model::Attribute& attribute : entity.attributes) {
      const std::string& name = attribute.name.text;
      if (attribute.references) {
        // The whole reference comes from one row, so that it points somewhere.
        const std::string& target = attribute.references->entity.text;
        const std::vector<model::Row>& others = data_.Of(target);
        if (known && row.Find(name) != nullptr) {
          continue;
        }
        if (!targets.contains(target)) {
          targets[target] = others.empty() ? nullptr : &others[Pick(others.size())];
        }
        const AttributeValue* value =
            targets[target] != nullptr ? targets[target]->Find(attribute.references->attribute.text)
                                       : nullptr;
        row.Set(name, value != nullptr ? *value : Fresh(attribute));
      } else if (attribute.is_key) {
        if (!known || row.Find(name) == nullptr) {
          row.Set(name, Fresh(attribute));
        }
      } else if (!Finds(step, name) || !known) {
        if (attribute.optional && Pick(4) == 0) {
          row.Remove(name);
        } else {
          row.Set(name, Fresh(attribute));
        }
      }
    }
    // Now and then a value that must be unique is another row's, or as it was.
    for (const LockCode& lock : step.locks) {
      if (!lock.taken || rows.empty() || Pick(3) > 0) {
        continue;
      }
      if (const AttributeValue* value = rows[Pick(rows.size())].Find(lock.attribute)) {
        row.Set(lock.attribute, *value);
      }
    }
    for (const auto& [name, given] : step.renamed) {
      row.Set(given, Fresh(*entity.Find(name)));
    }
    AskFor(step, rows, row);
    return row;
  }

  // What a condition asks for: as it is, half of the time.
  void AskFor(const WriteStepCode& step, const std::vector<model::Row>& rows, model::Row& row) {
    for (const Field& field : step.asked) {
      const auto& values = step.condition.values;
      const auto value = std::ranges::find_if(
          values, [&](const auto& one) { return one.second.name == field.name; });
      const std::string& attribute =
          step.condition
              .names[static_cast<std::size_t>(value - values.begin()) % step.condition.names.size()]
              .second;
      const auto stored = FindRow(rows, EntityOf(step), row);
      const AttributeValue* now = stored != rows.end() ? stored->Find(attribute) : nullptr;
      row.Set(field.name,
              now != nullptr && Pick(2) == 0 ? *now : Fresh(*EntityOf(step).Find(attribute)));
    }
  }

  // What stands in rows that no table holds.
  void AddCopies(const WriteStepCode& step, WriteCall& call) {
    if (step.kind != Kind::kPut) {
      return;
    }
    model::DataIndex index(data_);
    for (const StoredCopy& copy : step.entity->copies) {
      if (!copy.given()) {
        continue;
      }
      const Item item =
          model::RenderItem(*program_.model, *step.entity->entity, call.rows[step.parameter], index);
      if (const AttributeValue* value = item.Find(copy.attribute)) {
        call.copies[copy.attribute] = *value;
      }
    }
  }

  static bool Finds(const WriteStepCode& step, const std::string& name) {
    return std::any_of(step.entity->identity.begin(), step.entity->identity.end(),
                       [&](const Field& field) { return field.name == name; });
  }

  void Link(WriteCall& call) {
    for (const WriteStepCode& from : call.write->steps) {
      for (const WriteStepCode& to : call.write->steps) {
        if (from.parameter == to.parameter) {
          continue;
        }
        for (const model::JoinColumn& column : model::JoinColumns(EntityOf(from), EntityOf(to))) {
          if (const AttributeValue* value = call.rows[to.parameter].Find(column.to)) {
            call.rows[from.parameter].Set(column.from, *value);
          }
        }
      }
    }
  }

  // What finds the item must agree, not the key alone.
  static bool SameItem(const WriteStepCode& step, const model::Row& a, const model::Row& b) {
    return std::all_of(step.entity->identity.begin(), step.entity->identity.end(),
                       [&](const Field& field) {
                         return model::CompareValues(a.Find(field.name), b.Find(field.name)) == 0;
                       });
  }

  // A lock item stands there for the value of another row.
  static bool IsTaken(const WriteStepCode& step, const model::Row& row,
                      const std::vector<model::Row>& rows, const model::Row* own) {
    return std::ranges::any_of(step.locks, [&](const LockCode& lock) {
      const AttributeValue* value = row.Find(lock.attribute);
      return lock.taken && value != nullptr &&
             std::ranges::any_of(rows, [&](const model::Row& other) {
               return &other != own && model::CompareValues(other.Find(lock.attribute), value) == 0;
             });
    });
  }

  // True if the conditions of the model's step hold; what they ask for is in the call's row.
  bool Allows(const WriteStepCode& step, const model::Row& stored, const model::Row& given) const {
    model::Arguments arguments;
    const model::WriteStep& source = *step.source;
    // A parameter that names the row may have another name than the attribute.
    for (const model::Condition& condition : source.where) {
      const AttributeValue* value = given.Find(condition.attribute.text);
      if (Finds(step, condition.attribute.text) && value != nullptr) {
        arguments[condition.operands[0].parameter] = *value;
      }
    }
    // What the function asks for may have another name than the parameter, and is in the order of the conditions.
    std::size_t at = 0;
    const auto holds = [&](const model::Condition& condition) {
      for (const model::Operand& operand : condition.operands) {
        if (at >= step.condition.values.size()) {
          continue;
        }
        const Value& asked = step.condition.values[at++].second;
        const AttributeValue* value =
            asked.kind == Value::Kind::kRow ? given.Find(asked.name) : nullptr;
        if (value != nullptr && !operand.parameter.empty()) {
          arguments[operand.parameter] = *value;
        }
      }
      return model::ConditionHolds(condition, stored, arguments);
    };
    bool all = true;
    for (const model::Condition& condition : source.where) {
      const bool names = Finds(step, condition.attribute.text) &&
                         condition.comparison == model::Comparison::kEqual &&
                         !condition.operands[0].parameter.empty();
      all = (names ? model::ConditionHolds(condition, stored, arguments) : holds(condition)) && all;
    }
    for (const model::Condition& condition : source.guard) {
      all = holds(condition) && all;
    }
    return all;
  }

  static void Count(const Counter& counter, model::Row& row) {
    const AttributeValue* before = row.Find(counter.attribute);
    const Number old = before != nullptr ? *before->number() : Number(0);
    row.Set(counter.attribute, AttributeValue(*Number::Add(old, *counter.by.number())));
  }

  // The row as the write puts it.
  static model::Row Fixed(const WriteStepCode& step, model::Row row) {
    for (const auto& [name, value] : step.constants) {
      row.Set(name, value);
    }
    for (const Field& field : step.lacks) {
      row.Remove(field.name);
    }
    return row;
  }

  static void Change(const WriteStepCode& step, const model::Row& row, model::Row& stored) {
    const model::Row before = stored;
    for (const Field& field : step.set) {
      const auto constant = std::ranges::find(step.constants, field.name,
                                              [](const auto& one) { return one.first; });
      const auto counted = std::ranges::find(step.counted, field.name, &Counter::attribute);
      const auto renamed = step.renamed.find(field.name);
      if (constant != step.constants.end()) {
        stored.Set(field.name, constant->second);
        continue;
      }
      if (counted != step.counted.end()) {
        Count(*counted, stored);
        continue;
      }
      const AttributeValue* value =
          row.Find(renamed != step.renamed.end() ? renamed->second : field.name);
      value != nullptr ? stored.Set(field.name, *value) : (void)stored.Remove(field.name);
    }
    for (const Field& field : step.removed) {
      stored.Remove(field.name);
    }
    for (const Counter& counter : step.counters) {
      Count(counter, stored);
    }
  }

  // The rows that go with a deleted one, those inside its item too.
  void Cascade(const WriteStepCode& step, const model::Row& gone, model::Dataset& data) const {
    for (const model::Name& child : step.source->cascade) {
      const std::vector<model::JoinColumn> columns =
          model::JoinColumns(*program_.model->FindEntity(child.text), *step.entity->entity);
      std::erase_if(data.rows[child.text], [&](const model::Row& row) {
        return std::ranges::all_of(columns, [&](const model::JoinColumn& column) {
          return model::CompareValues(row.Find(column.from), gone.Find(column.to)) == 0;
        });
      });
    }
  }

  std::string ApplyStep(const WriteStepCode& step, const model::Row& given, model::Dataset& data) {
    const bool puts = step.kind == Kind::kPut || step.kind == Kind::kPutIn;
    const model::Row row = puts ? Fixed(step, given) : given;
    const model::Entity& entity = EntityOf(step);
    std::vector<model::Row>& rows = data.rows[entity.name.text];
    const auto found = FindRow(rows, entity, row);
    const bool inside = step.row_entity != step.entity->name;
    if (inside && !OwnerExists(step, row, data)) {
      return "NotFound";
    }
    const bool there = found != rows.end() && (inside || SameItem(step, *found, row));
    switch (step.kind) {
      case Kind::kPut:
        if (!step.condition.expression.empty() &&
            !Allows(step, there ? *found : model::Row(), row)) {
          return step.once && there ? "AlreadyExists" : "ConditionNotMet";
        }
        if ((step.once && there) ||
            IsTaken(step, row, rows, step.once || found == rows.end() ? nullptr : &*found)) {
          return "AlreadyExists";
        }
        [[fallthrough]];
      case Kind::kPutIn:
        if (found != rows.end()) {
          *found = row;
        } else {
          rows.push_back(row);
        }
        return "ok";
      case Kind::kUpdate:
      case Kind::kUpdateIn:
        if (!step.condition.expression.empty() && (!there || !Allows(step, *found, row))) {
          return "ConditionNotMet";
        }
        if (!there) {
          return step.kind == Kind::kUpdateIn && !step.in.map ? "ok" : "NotFound";
        }
        {
          model::Row changed = *found;
          Change(step, row, changed);
          if (IsTaken(step, changed, rows, &*found)) {
            return "AlreadyExists";
          }
          *found = std::move(changed);
        }
        return "ok";
      case Kind::kDelete:
      case Kind::kDeleteIn:
        if (!step.condition.expression.empty() && (!there || !Allows(step, *found, row))) {
          return "ConditionNotMet";
        }
        if (there) {
          const model::Row gone = *found;
          rows.erase(found);
          Cascade(step, gone, data);
        }
        return "ok";
    }
    return "ok";
  }

  bool OwnerExists(const WriteStepCode& step, const model::Row& row,
                   const model::Dataset& data) const {
    const std::vector<model::JoinColumn> columns =
        model::JoinColumns(EntityOf(step), *step.entity->entity);
    const std::vector<model::Row>& owners = data.Of(step.entity->name);
    return std::any_of(owners.begin(), owners.end(), [&](const model::Row& owner) {
      return std::all_of(columns.begin(), columns.end(), [&](const model::JoinColumn& column) {
        return model::CompareValues(owner.Find(column.to), row.Find(column.from)) == 0;
      });
    });
  }

  std::string Apply(const WriteCall& call) {
    model::Dataset changed = data_;
    for (const WriteStepCode& step : call.write->steps) {
      std::string outcome = "ok";
      for (const model::Row& row : RowsOf(call, step)) {
        outcome = outcome == "ok" ? ApplyStep(step, row, changed) : outcome;
      }
      for (const model::Entity& entity : program_.model->entities) {
        for (model::Row& row : changed.rows[entity.name.text]) {
          model::DeriveValues(entity, row);
        }
      }
      const bool last = &step == &call.write->steps.back();
      if (outcome == "ok" && (last || !call.write->together)) {
        outcome = KeepTotals(*program_.model, data_, changed) ? "ok" : "NotFound";
      }
      if (outcome == "ok") {
        if (!call.write->together) {
          data_ = changed;
        }
        continue;
      }
      return outcome;
    }
    data_ = std::move(changed);
    return "ok";
  }

  const Program& program_;
  std::mt19937_64 random_;
  model::Dataset& data_;
  FreshValues fresh_{random_};
};

void AddItems(const Program& program, Script& script) {
  for (const EntityCode& entity : program.entities) {
    const std::vector<model::Row>& rows = script.after.Of(entity.name);
    if (!entity.table.empty() && entity.copies.empty() && entity.rows.empty() && !rows.empty()) {
      script.items.push_back({&entity, rows[0]});
    }
  }
}

std::string OutcomeLine(const std::string& call, const std::string& outcome) {
  return "{\"call\": " + JsonText(call) + ", \"outcome\": " + JsonText(outcome) + "}\n";
}

std::string ReadLine(const ReadCall& call) {
  if (!call.outcome.empty()) {
    return OutcomeLine(call.pattern->name, call.outcome);
  }
  std::string out = "{\"call\": " + JsonText(call.pattern->name) + ", \"order\": [";
  for (std::size_t i = 0; i < call.answers.size(); ++i) {
    out += i > 0 ? ", [" : "[";
    const auto& order = call.pattern->pattern->sections[i].order;
    for (std::size_t k = 0; k < order.size(); ++k) {
      out += (k > 0 ? ", " : "") + JsonText(order[k].attribute.text);
    }
    out += "]";
  }
  out += "], \"sections\": [";
  for (std::size_t i = 0; i < call.answers.size(); ++i) {
    out += i > 0 ? ", [" : "[";
    for (std::size_t r = 0; r < call.answers[i].visible; ++r) {
      out += (r > 0 ? ", " : "") + PlainJson(AttributeValue(call.answers[i].rows[r]));
    }
    out += "]";
  }
  return out + "]}\n";
}

}  // namespace

std::vector<model::Row> RowsOf(const WriteCall& call, const WriteStepCode& step) {
  std::vector<model::Row> rows = {call.rows.at(step.parameter)};
  if (const auto second = call.seconds.find(step.parameter); second != call.seconds.end()) {
    rows.push_back(second->second);
  }
  return rows;
}

ReadArguments ArgumentsOf(const ReadCall& call) {
  ReadArguments arguments;
  for (const model::Parameter& parameter : call.pattern->parameters) {
    arguments.fields.push_back({parameter.name, parameter.type, false, {}});
    if (const auto found = call.arguments.find(parameter.name); found != call.arguments.end()) {
      arguments.row.Set(parameter.name, found->second);
    }
  }
  return arguments;
}

Script MakeScript(const Program& program, std::uint64_t seed, int steps) {
  Script script;
  script.before = model::SampleData(*program.model);
  script.reads = ReadsOn(program, script.before);
  script.after = script.before;
  History(program, seed, script.after).Play(steps, script.writes);
  script.reads_after = ReadsOn(program, script.after);
  AddHostile(script);
  AddItems(program, script);
  return script;
}

std::string ExpectedLines(const Program&, const Script& script) {
  std::string out;
  for (const ReadCall& call : script.reads) {
    out += ReadLine(call);
  }
  for (const WriteCall& call : script.writes) {
    out += OutcomeLine(call.write->name, call.outcome);
  }
  for (const ReadCall& call : script.reads_after) {
    out += ReadLine(call);
  }
  for (const ItemCall& call : script.items) {
    out += OutcomeLine(call.name(), "ok");
  }
  return out;
}

std::string TablesJson(const model::Model& model, const model::Dataset& data) {
  model::DataIndex index(data);
  std::string out = "{";
  for (const model::TableItems& table : model::RenderAll(model, index)) {
    out += (out.size() > 1 ? ",\n" : "\n") + JsonText(table.table->name.text) + ": [";
    for (std::size_t i = 0; i < table.items.size(); ++i) {
      out += i > 0 ? ",\n  " : "\n  ";
      json::AppendItem(table.items[i], out);
    }
    out += "]";
  }
  return out + "\n}\n";
}

}  // namespace prejoin::gen
