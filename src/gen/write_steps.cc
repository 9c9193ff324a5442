// The body of a write, the same in every language: for each step, read what must be known first (the originals of copies, the item
// before an update that renders keys again), then collect actions: put, update, remove, a change of rows inside an item, the copies that
// change in the same transaction. Steps that belong together send all actions at once, others one after the other. Copies kept by a
// batch are refreshed behind it.
//
// A function that reads before it writes retries: it writes under the condition that what it read still holds, and starts again if it
// does not.
#include "gen/write_steps.h"

#include <algorithm>

#include "gen/words.h"

namespace prejoin::gen {
namespace {

bool NeedsTransaction(const WriteStepCode& step) {
  for (const CopyRefresh& refresh : step.refreshes) {
    if (refresh.upkeep == model::CopyUpkeep::kTransaction) {
      return true;
    }
  }
  if (step.kind != WriteStepCode::Kind::kPut) {
    return false;
  }
  return std::any_of(
      step.entity->copies.begin(), step.entity->copies.end(),
      [](const StoredCopy& copy) { return copy.upkeep == model::CopyUpkeep::kTransaction; });
}

bool IsStored(const EntityCode& entity, const Field& field) {
  return std::any_of(entity.plain.begin(), entity.plain.end(),
                     [&](const Field& plain) { return plain.name == field.name; });
}

RefreshFunction RefreshOf(const Program& program, const WriteStepCode& step,
                          const CopyRefresh& refresh) {
  RefreshFunction made{
      &refresh, *refresh.find, program.FindEntity(refresh.holder), step.entity->name, {}, {}, {}};
  made.find.name = FinderName(refresh);
  for (const model::Parameter& parameter : refresh.find->parameters) {
    made.arguments.push_back({parameter.name, parameter.type, false, {}});
  }
  for (const Field& field : step.set) {
    if (field.name == refresh.attribute) {
      made.arguments.push_back(field);
    }
  }
  made.text = "Brings the copies of " + step.entity->name + "." + refresh.attribute + " on " +
              refresh.holder + " items up to date.";
  made.note = refresh.upkeep == model::CopyUpkeep::kStream
                  ? "For the consumer of the table's stream."
                  : "Safe to run again.";
  return made;
}

}  // namespace

std::string FinderName(const CopyRefresh& refresh) { return "Find" + refresh.name; }

void ForEachWrite(const Program& program, const WriteMakers& makers) {
  std::set<std::string> seen;
  for (const WriteFunction& function : program.writes) {
    if (!function.refusal.empty()) {
      continue;
    }
    for (const WriteStepCode& step : function.steps) {
      for (const CopyRefresh& refresh : step.refreshes) {
        if (seen.insert(refresh.name).second) {
          makers.refresh(RefreshOf(program, step, refresh));
        }
      }
    }
  }
  for (const WriteFunction& function : program.writes) {
    if (function.refusal.empty()) {
      makers.write(function);
    } else {
      makers.refused("No function for " + function.write->name.text + ": " + function.refusal +
                     ".");
    }
  }
}

std::function<void(const std::string& why)> RefusedInComment(Code& code, const char* prefix) {
  return [&code, prefix](const std::string& why) {
    code.Gap();
    code.Prose(prefix, CommentText(why));
  };
}

std::string WriteSteps::Presence(const WriteStepCode& step, const Value& value) const {
  return value.kind == Value::Kind::kRow ? Member(step, value.name)
                                         : language_.read(value.source, before_);
}

std::string WriteSteps::ActionsText(const std::vector<std::string>& actions, const Around& single,
                                    const Around& together) {
  std::vector<std::string> ones;
  std::vector<std::string> lists;
  for (const std::string& action : actions) {
    const bool list = action.starts_with("...");
    (list ? lists : ones).push_back(list ? action.substr(3) : action);
  }
  const std::string text = Join(ones, ", ");
  return lists.empty() ? text : together(single(text) + ", " + Join(lists, ", "));
}

std::string WriteSteps::Quote(const std::string& text) { return Quoted(text); }

std::string WriteSteps::Title() const {
  const std::string& title = function_.write->title;
  const bool many =
      std::ranges::any_of(function_.write->steps, [](const auto& step) { return step.times != 1; });
  return (title.empty() ? function_.write->name.text : CommentText(title)) +
         (many ? ". Call it for each row" : "");
}

void WriteSteps::ForEachInput(const InputMakers& makers) const {
  std::set<std::string> seen;
  for (const WriteStepCode& step : function_.steps) {
    if (!seen.insert(step.parameter).second) {
      continue;
    }
    (TakesRow(step) ? makers.row : makers.parts)(step);
    if (step.kind != Kind::kPut) {
      continue;
    }
    for (const StoredCopy& copy : step.entity->copies) {
      Field field = copy.field;
      field.optional = true;
      if (copy.given()) {
        makers.copy(copy.attribute, field);
      }
    }
  }
}

void WriteSteps::Body() {
  const bool retries = std::any_of(
      function_.steps.begin(), function_.steps.end(),
      [](const WriteStepCode& step) { return step.reads_before() || NeedsTransaction(step); });
  if (retries) {
    BeginRetrying();
  }
  std::vector<std::string> actions;
  for (const WriteStepCode& step : function_.steps) {
    if (!function_.together) {
      actions.clear();
    }
    Prepare(step, actions);
    Actions(step, actions);
    if (function_.together) {
      continue;
    }
    if (!actions.empty()) {
      Send(actions);
    }
    RefreshLater(step);
  }
  if (function_.together) {
    if (!actions.empty()) {
      Send(actions);
    }
    for (const WriteStepCode& step : function_.steps) {
      RefreshLater(step);
    }
  }
  if (retries) {
    EndRetrying();
  }
}

// Reads what must be known first.
void WriteSteps::Prepare(const WriteStepCode& step, std::vector<std::string>& actions) {
  if (step.kind == Kind::kPut) {
    for (const StoredCopy& copy : step.entity->copies) {
      Original(step, copy, actions);
    }
  }
  if (!step.reads_before()) {
    return;
  }
  if (++read_before_ > 1) {
    before_ = "before" + std::to_string(read_before_);
  }
  ReadBefore(step);
}

void WriteSteps::Original(const WriteStepCode& step, const StoredCopy& copy,
                          std::vector<std::string>& actions) {
  if (copy.given()) {
    return;
  }
  const std::string key = KeyOf(step, copy.original.key);
  const std::string table = Table(copy.original.table);
  if (originals_.insert(copy.original.entity).second) {
    ReadOriginal(copy.original.entity, table, key);
  }
  if (copy.upkeep == model::CopyUpkeep::kTransaction) {
    actions.push_back(Function("unchanged") + "(" + Quoted(copy.original.entity) + ", " + table +
                      ", " + key + ", " + Quoted(copy.original_attribute) + ", " +
                      OriginalText(copy) + ")");
  }
}

void WriteSteps::Actions(const WriteStepCode& step, std::vector<std::string>& actions) {
  const std::string head = Quoted(step.entity->name) + ", " + Table(step.entity->table) + ", ";
  switch (step.kind) {
    case Kind::kPut:
      actions.push_back(Function("put") + "(" + head + ItemCall(step) +
                        (step.once ? ", " + Guard(step.key[0].attribute) : "") + ")");
      break;
    case Kind::kUpdate:
      actions.push_back(Conditional(step, Function("update") + "(" + head + OwnKey(step) + ", " +
                                              ChangesText(step) + ExpectedText(step) + ")"));
      break;
    case Kind::kDelete:
      actions.push_back(Conditional(
          step, Function("remove") + "(" + head + OwnKey(step) + ExpectedText(step) + ")"));
      break;
    default:
      Inside(step, head, actions);
  }
  // Behind the item itself: if it has changed meanwhile, that is what went wrong.
  for (const LockCode& lock : step.locks) {
    actions.push_back(Spread(LockAction(step, lock)));
  }
  for (const CopyRefresh& refresh : step.refreshes) {
    if (refresh.upkeep == model::CopyUpkeep::kTransaction) {
      actions.push_back(RefreshTogether(step, refresh));
    }
  }
}

std::vector<std::string> WriteSteps::PairTexts(
    const std::vector<std::pair<std::string, std::string>>& names) const {
  std::vector<std::string> pairs;
  for (const auto& [placeholder, attribute] : names) {
    pairs.push_back(language_.Pair(placeholder, Quoted(attribute)));
  }
  return pairs;
}

std::string WriteSteps::Conditional(const WriteStepCode& step, std::string action) const {
  if (!step.counters.empty()) {
    std::vector<std::string> by;
    for (const Counter& counter : step.counters) {
      by.push_back(RowPair(counter.attribute, language_.Literal(counter.by)));
    }
    action = Function("increase") + "(" + action + ", " + Changes(by) + ")";
  }
  if (step.condition.expression.empty()) {
    return action;
  }
  std::vector<std::string> values;
  for (const auto& [placeholder, value] : step.condition.values) {
    values.push_back(RowPair(placeholder, value.kind == Value::Kind::kLiteral
                                              ? language_.Literal(value.literal)
                                              : ValueOf(step, value)));
  }
  return Function("only if") + "(" + action + ", " + Quoted(step.condition.expression) + ", " +
         NamesText(step.condition.names) + ", " + Changes(values) + ")";
}

std::string WriteSteps::ValueOf(const WriteStepCode& step, const Value& value) const {
  return value.kind == Value::Kind::kRow ? Member(step, value.name)
                                         : ValueText(language_, value, {"", before_});
}

std::string WriteSteps::CallText(const WriteStepCode& step, const KeyCall& call) const {
  std::vector<std::string> arguments;
  for (const Value& argument : call.arguments) {
    arguments.push_back(ValueOf(step, argument));
  }
  if (call.function == nullptr) {
    return arguments[0];
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arguments[i] = PresentText(language_, call.arguments[i], arguments[i]);
  }
  const std::string text =
      KeyFunctionName(language_, *call.function) + "(" + Join(arguments, ", ") + ")";
  return call.function->refuses() ? language_.refusable(text) : text;
}

std::string WriteSteps::KeyOf(const WriteStepCode& step, const std::vector<KeyValue>& key) const {
  std::vector<std::string> parts;
  for (const KeyValue& one : key) {
    parts.push_back(language_.Pair(one.attribute, CallText(step, one.call)));
  }
  return language_.Object(parts);
}

std::string WriteSteps::OwnKeyCall(const WriteStepCode& step) const {
  return EntityKey(language_, *step.entity,
                   [&](const std::string& name) { return Member(step, name); });
}

std::string WriteSteps::OwnKey(const WriteStepCode& step) const {
  return step.row_entity == step.entity->name ? OwnKeyCall(step) : KeyOf(step, step.key);
}

// The text of a key, or nothing if a value that may be absent is.
std::string WriteSteps::TextIfPresent(const WriteStepCode& step, KeyCall call) const {
  std::vector<std::string> needed;
  for (const Value& argument : call.arguments) {
    if (argument.source.field.optional) {
      needed.push_back(Presence(step, argument));
    }
  }
  // Checked to be there; members of the row are read as they are.
  for (Value& argument : call.arguments) {
    if (argument.kind == Value::Kind::kItem) {
      argument.source.field.optional = false;
    }
  }
  const std::string text = CallText(step, call);
  return needed.empty() ? text : IfPresent(needed, text);
}

// A value for a key that an update renders again: given by the caller, or as it was before.
std::string WriteSteps::RenderedText(const WriteStepCode& step, const StoredKey& key) const {
  KeyCall call = key.call;
  for (Value& argument : call.arguments) {
    for (const FieldSource& before : step.read_before) {
      if (before.field.name != argument.name) {
        continue;
      }
      argument.kind = Value::Kind::kItem;
      argument.source = before;
    }
  }
  return TextIfPresent(step, std::move(call));
}

std::string WriteSteps::LockAction(const WriteStepCode& step, const LockCode& lock) const {
  std::string old = Nothing();
  if (lock.given_up) {
    KeyCall call = lock.value.call;
    for (Value& argument : call.arguments) {
      argument.kind = Value::Kind::kItem;
      argument.source = lock.before;
      // A delete may find no item.
      if (step.kind == Kind::kDelete) {
        argument.source.field.optional = true;
      }
    }
    old = TextIfPresent(step, std::move(call));
  }
  const std::string now = lock.taken ? TextIfPresent(step, lock.value.call) : Nothing();
  return Function("move lock") + "(" + Quoted(step.entity->name + "." + lock.attribute) + ", " +
         Table(step.entity->table) + ", " + old + ", " + now + ", " +
         LastNames(QuotedList(lock.names)) + ")";
}

std::string WriteSteps::ChangesText(const WriteStepCode& step) const {
  std::vector<std::string> changes;
  for (const Field& field : step.set) {
    if (IsStored(*step.entity, field)) {
      changes.push_back(Change(field.name, Member(step, field.name)));
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
std::string WriteSteps::ExpectedText(const WriteStepCode& step) const {
  if (!step.reads_before()) {
    return {};
  }
  std::vector<std::string> expected;
  std::set<std::string> seen;
  const auto expect = [&](const FieldSource& before) {
    const std::string& name = before.source.attribute;
    if (seen.insert(name).second) {
      expected.push_back(language_.Pair(name, Before(name)));
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
  return ", " + Changes(expected);
}

std::vector<std::string> WriteSteps::MemberTexts(const WriteStepCode& step,
                                                 const std::vector<Field>& fields) const {
  std::vector<std::string> members;
  for (const Field& field : fields) {
    members.push_back(RowPair(field.name, Member(step, field.name)));
  }
  return members;
}

std::string WriteSteps::MapChanges(const WriteStepCode& step, const std::string& row) const {
  const std::string name = Quoted(step.in.attribute);
  const std::string by = Member(step, step.by);
  if (step.kind == Kind::kPutIn) {
    return Changes({PathPair({name, by}, Function("compact") + "(" + row + ")")});
  }
  if (step.kind == Kind::kDeleteIn) {
    return Changes({PathPair({name, by}, Nothing())});
  }
  std::vector<std::string> changes;
  for (const Field& field : step.set) {
    changes.push_back(PathPair({name, by, Quoted(field.name)}, Member(step, field.name)));
  }
  return Changes(changes);
}

void WriteSteps::Inside(const WriteStepCode& step, const std::string& head,
                        std::vector<std::string>& actions) {
  const std::vector<std::string> row =
      MemberTexts(step, step.kind == Kind::kUpdateIn ? step.set : step.members);
  const std::string key = KeyOf(step, step.key);
  if (step.in.map) {
    actions.push_back(Function("update") + "(" + head + key + ", " +
                      MapChanges(step, Changes(row)) + ")");
    return;
  }
  std::vector<std::string> names;
  for (const Field& field : step.member_keys) {
    names.push_back(field.name);
  }
  RewriteList(head + key + ", " + Quoted(step.in.attribute),
              ListChange(step, row, MemberTexts(step, step.member_keys), QuotedList(names)));
}

void WriteSteps::RefreshLater(const WriteStepCode& step) {
  for (const CopyRefresh& refresh : step.refreshes) {
    if (refresh.upkeep != model::CopyUpkeep::kTransaction &&
        refresh.upkeep != model::CopyUpkeep::kStream) {
      RefreshCall(step, refresh);
    }
  }
}

}  // namespace prejoin::gen
