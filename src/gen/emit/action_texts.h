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

// Of one write. Borrows everything it is given. Single thread.
class ActionTexts {
 protected:
  using Kind = WriteStepCode::Kind;

  ActionTexts(const Expressions& expressions, const WriteFunction& function)
      : say(expressions.say), function_(function), in_(expressions) {}

  static bool TakesRow(const WriteStepCode& step) {
    return step.kind == Kind::kPut || step.kind == Kind::kPutIn;
  }

  static bool IsStored(const EntityCode& entity, const Field& field) {
    return std::ranges::find(entity.plain, field.name, &Field::name) != entity.plain.end();
  }

  std::string Row(const WriteStepCode& step) const {
    return say("step_row", {{"step", step.parameter},
                            {"takes_row", TakesRow(step)},
                            {"several", function_.steps.size() > 1}});
  }

  std::string Member(const WriteStepCode& step, const std::string& field) const {
    return say("step_member", {{"row", Row(step)},
                               {"step", step.parameter},
                               {"attribute", field},
                               {"long_attribute", StepMemberWords(function_, step, field)},
                               {"takes_row", TakesRow(step)},
                               {"several", function_.steps.size() > 1}});
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
    return say("row_pair", {{"attribute", name}, {"value", value}});
  }

  std::string Conditional(const WriteStepCode& step, std::string action) const {
    if (!step.counters.empty()) {
      std::vector<std::string> by;
      for (const Counter& counter : step.counters) {
        by.push_back(RowPair(counter.attribute, in_.Literal(counter.by)));
      }
      action = say("increase", {{"action", action}, {"by", Changes(by)}});
    }
    if (step.condition.expression.empty()) {
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

  std::string CallText(const WriteStepCode& step, const KeyCall& call) const {
    std::vector<std::string> arguments;
    for (const gen::Value& argument : call.arguments) {
      arguments.push_back(ValueOf(step, argument));
    }
    return in_.KeyOf(call, std::move(arguments));
  }

  std::string KeyOf(const WriteStepCode& step, const std::vector<KeyValue>& key) const {
    std::vector<std::string> pairs;
    for (const KeyValue& one : key) {
      pairs.push_back(in_.Pair(one.attribute, CallText(step, one.call)));
    }
    return in_.Object(pairs);
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

  // The text of a key, or nothing if a value that may be absent is.
  std::string TextIfPresent(const WriteStepCode& step, KeyCall call) const {
    std::vector<std::string> needed;
    for (const gen::Value& argument : call.arguments) {
      if (argument.source.field.optional) {
        needed.push_back(argument.kind == gen::Value::Kind::kRow
                             ? Member(step, argument.name)
                             : in_.Source("read", argument.source, before_));
      }
    }
    // Checked to be there; members of the row are read as they are.
    for (gen::Value& argument : call.arguments) {
      if (argument.kind == gen::Value::Kind::kItem) {
        argument.source.field.optional = false;
      }
    }
    const std::string text = CallText(step, call);
    return needed.empty() ? text : say("if_present", {{"tests", needed}, {"value", text}});
  }

  // A value for a key that an update renders again: given by the caller, or as it was before.
  std::string RenderedText(const WriteStepCode& step, const StoredKey& key) const {
    KeyCall call = key.call;
    for (gen::Value& argument : call.arguments) {
      for (const FieldSource& before : step.read_before) {
        if (before.field.name == argument.name) {
          argument.kind = gen::Value::Kind::kItem;
          argument.source = before;
        }
      }
    }
    return TextIfPresent(step, std::move(call));
  }

  std::string LockAction(const WriteStepCode& step, const LockCode& lock) const {
    std::string old = Nothing();
    if (lock.given_up) {
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
    for (const Field& field : step.set) {
      if (IsStored(*step.entity, field)) {
        changes.push_back(Change(field.name, Member(step, field.name)));
      }
    }
    for (const auto& [name, value] : step.constants) {
      if (IsStored(*step.entity, Field{name})) {
        changes.push_back(Change(name, in_.Literal(value)));
      }
    }
    for (const StoredKey& key : step.rendered) {
      changes.push_back(Change(key.attribute, RenderedText(step, key)));
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

  // What was read before must still hold.
  std::string ExpectedText(const WriteStepCode& step) const {
    if (!step.reads_before()) {
      return {};
    }
    std::vector<std::string> expected;
    std::set<std::string> seen;
    const auto expect = [&](const FieldSource& before) {
      const std::string& name = before.source.attribute;
      if (seen.insert(name).second) {
        expected.push_back(
            in_.Pair(name, say("before_value", {{"item", before_}, {"attribute", name}})));
      }
    };
    for (const FieldSource& before : step.read_before) {
      expect(before);
    }
    for (const LockCode& lock : step.locks) {
      if (lock.given_up) {
        expect(lock.before);
      }
    }
    return Changes(expected);
  }

  std::vector<std::string> MemberTexts(const WriteStepCode& step,
                                       const std::vector<Field>& fields) const {
    std::vector<std::string> members;
    for (const Field& field : fields) {
      members.push_back(RowPair(field.name, Member(step, field.name)));
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
      changes.push_back(PathChange({name, by, Quoted(field.name)}, Member(step, field.name)));
    }
    return Changes(changes);
  }

  const Spelling& say;
  const WriteFunction& function_;
  std::string before_ = "before";  // The variable with the item before the step at hand.

 private:
  const Expressions& in_;
};

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_ACTION_TEXTS_H_
