// The expressions of a write: rows and keys of its steps, changes, conditions.
#ifndef PREJOIN_GEN_EMIT_ACTION_TEXTS_H_
#define PREJOIN_GEN_EMIT_ACTION_TEXTS_H_

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "gen/emit/expressions.h"
#include "gen/emit/names.h"
#include "gen/program.h"
#include "gen/words.h"

namespace prejoin::gen::emit {

// Works on one write. Borrows everything it is given. Single thread.
class ActionTexts {
 protected:
  using Kind = WriteStepCode::Kind;

  ActionTexts(const Expressions& expressions, const WriteFunction& function)
      : say(expressions.say), function_(function), in_(expressions) {}

  std::string Variable(const std::string& words) const { return in_.Styled("variable", words); }

  static bool TakesRow(const WriteStepCode& step) {
    return step.kind == Kind::kPut || step.kind == Kind::kPutIn;
  }

  static bool IsStored(const EntityCode& entity, const Field& field) {
    return std::ranges::find(entity.plain, field.name, &Field::name) != entity.plain.end();
  }

  std::string Row(const WriteStepCode& step) const {
    if (step.many || step.find != nullptr) {
      return Variable(StepEachWords(step));
    }
    return say("step_row", {{"step", step.parameter},
                            {"takes_row", TakesRow(step)},
                            {"several", function_.steps.size() > 1}});
  }

  std::string Member(const WriteStepCode& step, const std::string& field) const {
    if (step.find != nullptr) {
      return in_.Member(Row(step), field);
    }
    if (TakesRow(step) && Has(step.asked, field)) {
      return Variable(StepMemberWords(function_, step, field));
    }
    return say("step_member", {{"row", Row(step)},
                               {"step", step.parameter},
                               {"attribute", field},
                               {"long_attribute", StepMemberWords(function_, step, field)},
                               {"takes_row", TakesRow(step)},
                               {"several", function_.steps.size() > 1}});
  }

  static bool Has(const std::vector<Field>& fields, const std::string& name) {
    return std::ranges::find(fields, name, &Field::name) != fields.end();
  }

  static bool IsCounted(const WriteStepCode& step, const std::string& field) {
    return std::ranges::find(step.counted, field, &Counter::attribute) != step.counted.end();
  }

  // A value of the row as it is after the step; `bare`, as the language's own.
  std::string NewMember(const WriteStepCode& step, const std::string& field,
                        bool bare = false) const {
    for (const auto& [name, value] : step.constants) {
      if (name == field) {
        return in_.Literal(value, bare ? Expressions::Place::kBare : Expressions::Place::kStored);
      }
    }
    if (Has(step.removed, field) || Has(step.lacks, field)) {
      return Nothing();
    }
    if (IsCounted(step, field)) {
      return CountedName(step, field);
    }
    const auto renamed = step.renamed.find(field);
    return Member(step, renamed != step.renamed.end() ? renamed->second : field);
  }

  // The variable of a number that is computed from a read item.
  std::string CountedName(const WriteStepCode& step, const std::string& field) const {
    return Variable(StepMemberWords(function_, step, field));
  }

  // The same for a field that the caller may omit: then as it was read.
  std::string AfterText(const WriteStepCode& step, const std::string& field,
                        const FieldSource& before) const {
    const bool known = step.kind == Kind::kPut || Has(step.set, field) ||
                       Has(step.removed, field) || Has(step.row, field);
    return known ? NewMember(step, field, /*bare=*/true)
                 : in_.Source("item_value", before, before_);
  }

  // An attribute and what an update sets it to; several of them.
  std::string Change(const std::string& name, const std::string& value) const {
    return say("change", {{"attribute", name}, {"value", value}, {"nothing", value == Nothing()}});
  }
  std::string Changes(const std::vector<std::string>& changes) const {
    return say("changes", {{"pairs", changes}});
  }
  std::string Nothing() const { return say("nothing"); }
  // A member of a row inside an item, which may be absent.
  std::string RowPair(const std::string& name, const std::string& value) const {
    return say("row_pair",
               {{"attribute", name}, {"value", value}, {"nothing", value == Nothing()}});
  }

  std::string Conditional(const WriteStepCode& step, std::string action) const {
    if (!step.counters.empty()) {
      std::vector<std::string> by;
      for (const Counter& counter : step.counters) {
        by.push_back(RowPair(counter.attribute, in_.Literal(counter.by)));
      }
      action = say("increase", {{"action", action}, {"by", Changes(by)}});
    }
    if (step.condition.expression.empty() || step.reads_before()) {
      return action;
    }
    std::vector<std::string> names;
    for (const auto& [placeholder, attribute] : step.condition.names) {
      names.push_back(in_.Pair(placeholder, Quoted(attribute)));
    }
    std::vector<std::string> values;
    for (const auto& [placeholder, value] : step.condition.values) {
      const bool literal = value.kind == gen::Value::Kind::kLiteral;
      values.push_back(
          RowPair(placeholder, literal ? in_.Literal(value.literal) : ValueOf(step, value)));
    }
    return say("only_if", {{"action", action},
                           {"expression", Quoted(step.condition.expression)},
                           {"pairs", names},
                           {"values", Changes(values)}});
  }

  std::string ValueOf(const WriteStepCode& step, const gen::Value& value) const {
    return value.kind == gen::Value::Kind::kRow ? Member(step, value.name)
                                                : in_.Value(value, {"", before_});
  }

  // Which row a key is made of: as it is before the step, or after it.
  enum class When { kBefore, kAfter };

  std::string CallText(const WriteStepCode& step, const KeyCall& call,
                       When when = When::kAfter) const {
    std::vector<std::string> arguments;
    for (const gen::Value& argument : call.arguments) {
      const bool after = when == When::kAfter && argument.kind == gen::Value::Kind::kRow;
      arguments.push_back(after ? NewMember(step, argument.name, /*bare=*/true)
                                : ValueOf(step, argument));
    }
    return in_.KeyOf(call, std::move(arguments));
  }

  std::string KeyOf(const WriteStepCode& step, const std::vector<KeyValue>& key,
                    When when = When::kAfter) const {
    std::vector<std::string> pairs;
    for (const KeyValue& one : key) {
      pairs.push_back(in_.Pair(one.attribute, CallText(step, one.call, when)));
    }
    return in_.Object(pairs);
  }

  // The key of an item by the values that find it.
  std::string KeyBy(const EntityCode& entity, const std::vector<std::string>& values) const {
    std::vector<std::string> pairs;
    for (std::size_t i = 0; i < values.size(); ++i) {
      pairs.push_back(RowPair(entity.identity[i].name, values[i]));
    }
    const bool takes_row = say.Has("key_row");
    return in_.EntityKey(entity, values, takes_row ? Changes(pairs) : "");
  }

  // The key of the step's item: by its function, or put together.
  std::string OwnKey(const WriteStepCode& step) const {
    if (step.row_entity != step.entity->name) {
      return KeyOf(step, step.key);
    }
    std::vector<std::string> members;
    for (const Field& field : step.entity->identity) {
      members.push_back(Member(step, field.name));
    }
    return in_.EntityKey(*step.entity, members, Row(step));
  }

  // A value of the row or of the item that was read, which may be absent.
  std::string NaturalText(const WriteStepCode& step, const gen::Value& value, When when) const {
    if (value.kind == gen::Value::Kind::kItem) {
      return in_.Source("read", value.source, before_);
    }
    const bool after = when == When::kAfter && value.kind == gen::Value::Kind::kRow;
    return after ? NewMember(step, value.name) : ValueOf(step, value);
  }

  // The text of a key, or nothing if a value that may be absent is.
  std::string TextIfPresent(const WriteStepCode& step, KeyCall call,
                            When when = When::kAfter) const {
    if (call.function == nullptr) {
      return NaturalText(step, call.arguments[0], when);
    }
    std::vector<std::string> needed;
    // A number that is computed from a read item exists.
    const auto is_counted = [&](const gen::Value& argument) {
      return argument.kind == gen::Value::Kind::kRow && IsCounted(step, argument.name);
    };
    for (const gen::Value& argument : call.arguments) {
      if (argument.source.field.optional && !is_counted(argument)) {
        needed.push_back(NaturalText(step, argument, when));
      }
    }
    // Checked to be there; members of the row are read as they are.
    for (gen::Value& argument : call.arguments) {
      if (argument.kind == gen::Value::Kind::kItem || is_counted(argument)) {
        argument.source.field.optional = false;
      }
    }
    const std::string text = CallText(step, call, when);
    return needed.empty() ? text : say("if_present", {{"tests", needed}, {"value", text}});
  }

  // The key of values that were read, as far as they were.
  static KeyCall AsRead(const WriteStepCode& step, KeyCall call) {
    for (gen::Value& argument : call.arguments) {
      for (const FieldSource& before : step.read_before) {
        if (before.field.name == argument.name && argument.kind == gen::Value::Kind::kRow) {
          argument.kind = gen::Value::Kind::kItem;
          argument.source = before;
        }
      }
    }
    return call;
  }

  // A value for a key that an update renders again: given by the caller, or the old one.
  std::string RenderedText(const WriteStepCode& step, const StoredKey& key) const {
    KeyCall call = AsRead(step, key.call);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (Has(step.set, key.call.arguments[i].name)) {
        call.arguments[i] = key.call.arguments[i];
      }
    }
    return TextIfPresent(step, std::move(call));
  }

  std::string LockAction(const WriteStepCode& step, const LockCode& lock) const {
    std::string old = Nothing();
    if (step.find != nullptr) {
      old = TextIfPresent(step, lock.value.call);
    } else if (lock.given_up) {
      KeyCall call = lock.value.call;
      for (gen::Value& argument : call.arguments) {
        argument.kind = gen::Value::Kind::kItem;
        argument.source = lock.before;
        // A delete or a put may find no item.
        if (step.kind != Kind::kUpdate) {
          argument.source.field.optional = true;
        }
      }
      old = TextIfPresent(step, std::move(call));
    }
    const std::string now = lock.taken ? TextIfPresent(step, lock.value.call) : Nothing();
    return say("move_lock", {{"attribute", step.entity->name + "." + lock.attribute},
                             {"table", step.entity->table},
                             {"old", old},
                             {"now", now},
                             {"names", QuotedAll(lock.names)}});
  }

  std::string ChangesText(const WriteStepCode& step) const {
    std::vector<std::string> changes;
    const auto is_key = [&](const std::string& name) {
      return std::ranges::find(step.key, name, &KeyValue::attribute) != step.key.end();
    };
    for (const Field& field : step.set) {
      if (IsStored(*step.entity, field) && !is_key(field.name)) {
        changes.push_back(Change(field.name, NewMember(step, field.name)));
      }
    }
    for (const StoredKey& key : step.rendered) {
      changes.push_back(Change(key.attribute, RenderedText(step, key)));
    }
    for (const StoredCopy& copy : step.recopied) {
      changes.push_back(Change(copy.attribute, OriginalText(copy)));
    }
    for (const Field& field : step.removed) {
      if (IsStored(*step.entity, field)) {
        changes.push_back(Change(field.name, Nothing()));
      }
    }
    for (const StoredKey& key : step.dropped) {
      changes.push_back(Change(key.attribute, Nothing()));
    }
    return Changes(changes);
  }

  // The original of a copy, which was read.
  std::string OriginalText(const StoredCopy& copy) const {
    return say(copy.given() ? "copy_given" : "original_value",
               {{"attribute", copy.given() ? GivenCopyWords(function_, copy) : copy.original_attribute},
                {"original", OriginalWords(in_.program(), copy.original.entity)}});
  }

  // True if what was read allows the step, as its condition says.
  std::vector<std::string> TestTexts(const WriteStepCode& step) const {
    std::vector<std::string> tests;
    for (const Filter& test : step.condition.tests) {
      std::vector<std::string> operands;
      for (const gen::Value& operand : test.operands) {
        operands.push_back(ValueOf(step, operand));
      }
      tests.push_back(
          say("filter_test", {{"value", in_.Source("read", test.field, before_, /*loose=*/true)},
                              {"comparison", std::string(model::ComparisonName(test.comparison))},
                              {"operands", operands}}));
    }
    return tests;
  }

  // Returns the conditions that rows read before are unchanged.
  std::string ExpectedText(const WriteStepCode& step) const {
    if (step.find != nullptr) {
      return FoundText(step);
    }
    if (!step.reads_before()) {
      return {};
    }
    std::vector<std::string> expected;
    std::set<std::string> seen;
    const auto expect = [&](const std::string& name) {
      if (seen.insert(name).second) {
        expected.push_back(
            in_.Pair(name, say("before_value", {{"item", before_}, {"attribute", name}})));
      }
    };
    for (const std::string& name : step.expect_key) {
      expect(name);
    }
    for (const FieldSource& before : step.read_before) {
      expect(before.source.attribute);
    }
    for (const LockCode& lock : step.locks) {
      if (lock.given_up) {
        expect(lock.before.source.attribute);
      }
    }
    return Changes(expected);
  }

  // Describes a row that was found: its locks and totals are computed from it.
  std::string FoundText(const WriteStepCode& step) const {
    std::set<std::string> names;
    for (const LockCode& lock : step.locks) {
      names.insert(lock.attribute);
    }
    for (const TotalCode& total : step.totals) {
      if (total.amount) {
        names.insert(total.amount->field.name);
      }
    }
    for (const WriteStepCode& other : step.beside) {
      for (const KeyValue& key : other.key) {
        for (const gen::Value& argument : key.call.arguments) {
          if (!Has(step.entity->identity, argument.name)) {
            names.insert(argument.name);
          }
        }
      }
    }
    std::vector<std::string> expected;
    for (const std::string& name : names) {
      if (IsStored(*step.entity, Field{name})) {
        expected.push_back(RowPair(name, Member(step, name)));
      }
    }
    return expected.empty() ? "" : Changes(expected);
  }

  std::vector<std::string> MemberTexts(const WriteStepCode& step,
                                       const std::vector<Field>& fields) const {
    std::vector<std::string> members;
    for (const Field& field : fields) {
      members.push_back(RowPair(field.name, NewMember(step, field.name)));
    }
    return members;
  }

  std::string PathChange(const std::vector<std::string>& path, const std::string& value) const {
    return say("path_change", {{"path", path}, {"value", value}, {"nothing", value == Nothing()}});
  }

  std::string MapChanges(const WriteStepCode& step, const std::string& row) const {
    const std::string name = Quoted(step.in.attribute);
    const std::string by = Member(step, step.by);
    if (step.kind == Kind::kPutIn) {
      return Changes({PathChange({name, by}, say("compact", {{"value", row}}))});
    }
    if (step.kind == Kind::kDeleteIn) {
      return Changes({PathChange({name, by}, Nothing())});
    }
    std::vector<std::string> changes;
    for (const Field& field : step.set) {
      changes.push_back(PathChange({name, by, Quoted(field.name)}, NewMember(step, field.name)));
    }
    for (const Field& field : step.removed) {
      changes.push_back(PathChange({name, by, Quoted(field.name)}, Nothing()));
    }
    return Changes(changes);
  }

  const Spelling& say;
  const WriteFunction& function_;
  std::string before_ = "before";  // The variable with the item before the step at hand.
  const Expressions& in_;
};

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_ACTION_TEXTS_H_
