#include <set>

#include "gen/python/python.h"
#include "gen/shape.h"
#include "gen/words.h"

namespace prejoin::gen::python {
namespace {

using Kind = WriteStepCode::Kind;

void TwoBlank(Code& code) {
  code.Gap();
  code.Line();
}

// Single thread.
class WriteWriter {
 public:
  WriteWriter(const Program& program, const WriteFunction& function, Code& code)
      : program_(program), function_(function), code_(code) {}

  void Write() {
    TwoBlank(code_);
    code_.Line("def " + SnakeCase(function_.name) + "(" + Join(Parameters(), ", ") + ") -> None:");
    code_.In();
    const std::string& title = function_.write->title;
    code_.Line("\"\"\"" + (title.empty() ? function_.write->name.text : title) + ".\"\"\"");
    Body();
    code_.Out();
  }

 private:
  bool IsRow(const WriteStepCode& step) const {
    return step.kind == Kind::kPut || step.kind == Kind::kPutIn;
  }

  // A put takes the row; the others take its key and what changes, by name.
  std::vector<std::string> Parameters() const {
    std::vector<std::string> rows;
    std::vector<std::string> named;
    std::set<std::string> seen;
    const bool several = function_.steps.size() > 1;
    for (const WriteStepCode& step : function_.steps) {
      if (!seen.insert(step.parameter).second) continue;
      if (IsRow(step)) {
        rows.push_back(Name(step.parameter) + ": " + EntityTypeName(step.row_entity));
        if (step.kind != Kind::kPut) continue;
        for (const StoredCopy& copy : step.entity->copies) {
          if (copy.given())
            named.push_back(Name(copy.attribute) + ": " + TypeOf(copy.field) + " | None");
        }
        continue;
      }
      for (const Field& field : step.row) {
        const std::string name =
            several ? Name(step.parameter) + "_" + Name(field.name) : Name(field.name);
        named.push_back(name + ": " + TypeOf(field) + (field.optional ? " | None" : ""));
      }
    }
    std::vector<std::string> all = {"db: Client"};
    all.insert(all.end(), rows.begin(), rows.end());
    if (!named.empty()) all.emplace_back("*");
    all.insert(all.end(), named.begin(), named.end());
    return all;
  }

  std::string Member(const WriteStepCode& step, const std::string& field) const {
    if (IsRow(step)) return Name(step.parameter) + "." + Name(field);
    return function_.steps.size() > 1 ? Name(step.parameter) + "_" + Name(field) : Name(field);
  }

  std::string CallText(const WriteStepCode& step, const KeyCall& call) const {
    std::vector<std::string> arguments;
    for (const Value& argument : call.arguments) {
      arguments.push_back(argument.kind == Value::Kind::kRow
                              ? Member(step, argument.source.field.name)
                              : ValueText(argument, {"", "before"}));
    }
    if (call.function == nullptr) return arguments[0];
    return KeyFunctionName(*call.function) + "(" + Join(arguments, ", ") + ")";
  }

  std::string KeyTextOf(const WriteStepCode& step, const std::vector<KeyValue>& key) const {
    std::vector<std::string> parts;
    for (const KeyValue& one : key)
      parts.push_back(Quoted(one.attribute) + ": " + CallText(step, one.call));
    return "{" + Join(parts, ", ") + "}";
  }

  std::string OwnKey(const WriteStepCode& step) const {
    if (step.row_entity != step.entity->name) return KeyTextOf(step, step.key);
    std::vector<std::string> arguments;
    for (const Field& field : step.entity->identity) arguments.push_back(Member(step, field.name));
    return SnakeCase(step.entity->name) + "_key(" + Join(arguments, ", ") + ")";
  }

  static bool NeedsTransaction(const WriteStepCode& step) {
    for (const CopyRefresh& refresh : step.refreshes) {
      if (refresh.upkeep == model::CopyUpkeep::kTransaction) return true;
    }
    if (step.kind != Kind::kPut) return false;
    for (const StoredCopy& copy : step.entity->copies) {
      if (copy.upkeep == model::CopyUpkeep::kTransaction) return true;
    }
    return false;
  }

  void Body() {
    bool retries = false;
    for (const WriteStepCode& step : function_.steps)
      retries = retries || !step.read_before.empty() || NeedsTransaction(step);
    if (retries) {
      code_.Gap();
      code_.Line("def work() -> None:");
      code_.In();
    }
    std::vector<std::string> actions;
    for (const WriteStepCode& step : function_.steps) {
      if (!function_.together) actions.clear();
      Prepare(step, actions);
      Actions(step, actions);
      if (function_.together) continue;
      Send(actions);
      RefreshLater(step);
    }
    if (function_.together) {
      Send(actions);
      for (const WriteStepCode& step : function_.steps) RefreshLater(step);
    }
    if (retries) {
      code_.Out();
      code_.Gap();
      code_.Line("retrying(work)");
    }
  }

  void Prepare(const WriteStepCode& step, std::vector<std::string>& actions) {
    if (step.kind == Kind::kPut) {
      for (const StoredCopy& copy : step.entity->copies) Original(step, copy, actions);
    }
    if (step.read_before.empty()) return;
    code_.Line("before = get_item(db, TableName=" + TableText(step.entity->table) +
               ", Key=" + OwnKey(step) + ", ConsistentRead=True)");
    code_.Line("if before is None:");
    code_.In();
    code_.Line("raise NotFound(" + Quoted(step.entity->name) + ")");
    code_.Out();
  }

  void Original(const WriteStepCode& step, const StoredCopy& copy,
                std::vector<std::string>& actions) {
    if (copy.given()) return;
    const std::string key = KeyTextOf(step, copy.original.key);
    const std::string table = TableText(copy.original.table);
    const std::string name = SnakeCase(copy.original.entity) + "_item";
    if (originals_.insert(name).second)
      code_.Line("original_" + name + " = get_item(db, TableName=" + table + ", Key=" + key +
                 ", ConsistentRead=True) or {}");
    if (copy.upkeep == model::CopyUpkeep::kTransaction)
      actions.push_back("unchanged(" + Quoted(copy.original.entity) + ", " + table + ", " + key +
                        ", " + Quoted(copy.original_attribute) + ", " + OriginalText(copy) + ")");
  }

  static std::string OriginalText(const StoredCopy& copy) {
    if (copy.given()) return Name(copy.attribute);
    return "original_" + SnakeCase(copy.original.entity) + "_item.get(" +
           Quoted(copy.original_attribute) + ")";
  }

  void Actions(const WriteStepCode& step, std::vector<std::string>& actions) {
    const std::string head =
        Quoted(step.entity->name) + ", " + TableText(step.entity->table) + ", ";
    switch (step.kind) {
      case Kind::kPut: {
        std::vector<std::string> arguments = {Name(step.parameter)};
        for (const StoredCopy& copy : step.entity->copies)
          arguments.push_back(Name(copy.attribute) + "=" + OriginalText(copy));
        actions.push_back("put(" + head + SnakeCase(step.entity->name) + "_item(" +
                          Join(arguments, ", ") + ")" +
                          (step.once ? ", guard=" + Quoted(step.key[0].attribute) : "") + ")");
        break;
      }
      case Kind::kUpdate:
        actions.push_back("update(" + head + OwnKey(step) + ", " + ChangesText(step) + ")");
        break;
      case Kind::kDelete:
        actions.push_back("remove(" + head + OwnKey(step) + ")");
        break;
      default:
        Inside(step, head, actions);
    }
    for (const CopyRefresh& refresh : step.refreshes) {
      if (refresh.upkeep != model::CopyUpkeep::kTransaction) continue;
      const EntityCode& holder = *program_.FindEntity(refresh.holder);
      actions.push_back("*(update(" + Quoted(holder.name) + ", " + TableText(holder.table) + ", " +
                        HolderKey(holder) + ", {" + Quoted(refresh.stored) + ": " +
                        Member(step, refresh.attribute) + "}) for row in " +
                        FindText(step, refresh) + ")");
    }
  }

  static std::string HolderKey(const EntityCode& holder) {
    std::vector<std::string> arguments;
    for (const Field& field : holder.identity) arguments.push_back("row." + Name(field.name));
    return SnakeCase(holder.name) + "_key(" + Join(arguments, ", ") + ")";
  }

  std::string FindText(const WriteStepCode& step, const CopyRefresh& refresh) const {
    std::vector<std::string> arguments = {"db"};
    for (const model::Parameter& parameter : refresh.find->parameters)
      arguments.push_back(Name(parameter.name) + "=" + Member(step, parameter.name));
    return "_" + SnakeCase("Find" + refresh.name) + "(" + Join(arguments, ", ") + ")";
  }

  std::string RenderedText(const WriteStepCode& step, const StoredKey& key) const {
    KeyCall call = key.call;
    std::vector<std::string> present;
    for (Value& argument : call.arguments) {
      for (const FieldSource& before : step.read_before) {
        if (before.field.name != argument.name) continue;
        argument.kind = Value::Kind::kItem;
        argument.source = before;
      }
      if (!argument.source.field.optional) continue;
      present.push_back((argument.kind == Value::Kind::kRow ? Member(step, argument.name)
                                                            : ValueText(argument, {"", "before"})) +
                        " is not None");
    }
    for (Value& argument : call.arguments) argument.source.field.optional = false;
    const std::string text = CallText(step, call);
    return present.empty() ? text : text + " if " + Join(present, " and ") + " else None";
  }

  std::string ChangesText(const WriteStepCode& step) const {
    std::vector<std::string> changes;
    for (const Field& field : step.set) {
      for (const Field& plain : step.entity->plain) {
        if (plain.name == field.name)
          changes.push_back(Quoted(field.name) + ": " + Member(step, field.name));
      }
    }
    for (const StoredKey& key : step.rendered)
      changes.push_back(Quoted(key.attribute) + ": " + RenderedText(step, key));
    std::string text = "{" + Join(changes, ", ") + "}";
    if (step.read_before.empty()) return text;
    std::vector<std::string> expected;
    std::set<std::string> seen;
    for (const FieldSource& before : step.read_before) {
      const std::string& name = before.source.attribute;
      if (seen.insert(name).second)
        expected.push_back(Quoted(name) + ": before.get(" + Quoted(name) + ")");
    }
    return text + ", {" + Join(expected, ", ") + "}";
  }

  void Inside(const WriteStepCode& step, const std::string& head,
              std::vector<std::string>& actions) {
    const std::string name = Quoted(step.in.attribute);
    std::vector<std::string> members;
    for (const Field& field : step.kind == Kind::kUpdateIn ? step.set : step.members)
      members.push_back(Quoted(field.name) + ": " + Member(step, field.name));
    const std::string row = Join(members, ", ");
    if (step.in.map) {
      const std::string by = Member(step, step.by);
      std::vector<std::string> changes;
      if (step.kind == Kind::kPutIn)
        changes.push_back("(" + name + ", " + by + "): compact({" + row + "})");
      if (step.kind == Kind::kDeleteIn) changes.push_back("(" + name + ", " + by + "): None");
      if (step.kind == Kind::kUpdateIn) {
        for (const Field& field : step.set)
          changes.push_back("(" + name + ", " + by + ", " + Quoted(field.name) +
                            "): " + Member(step, field.name));
      }
      actions.push_back("update(" + head + KeyTextOf(step, step.key) + ", {" + Join(changes, ", ") +
                        "})");
      return;
    }
    std::vector<std::string> keys;
    std::vector<std::string> same;
    for (const Field& field : step.member_keys) {
      keys.push_back(Quoted(field.name));
      same.push_back(Quoted(field.name) + ": " + Member(step, field.name));
    }
    const std::string key_list = "[" + Join(keys, ", ") + "]";
    const std::string is_row = "same_row(one, {" + Join(same, ", ") + "}, " + key_list + ")";
    std::string change;
    if (step.kind == Kind::kPutIn) change = "with_row(rows, {" + row + "}, " + key_list + ")";
    if (step.kind == Kind::kDeleteIn) change = "[one for one in rows if not " + is_row + "]";
    if (step.kind == Kind::kUpdateIn)
      change = "[compact({**one, " + row + "}) if " + is_row + " else one for one in rows]";
    code_.Line("rewrite_list(db, " + head + KeyTextOf(step, step.key) + ", " + name +
               ", lambda rows: " + change + ")");
  }

  void Send(const std::vector<std::string>& actions) {
    if (!actions.empty()) code_.Line("write(db, " + Join(actions, ", ") + ")");
  }

  void RefreshLater(const WriteStepCode& step) {
    for (const CopyRefresh& refresh : step.refreshes) {
      if (refresh.upkeep == model::CopyUpkeep::kTransaction ||
          refresh.upkeep == model::CopyUpkeep::kStream)
        continue;
      std::vector<std::string> arguments = {"db"};
      for (const model::Parameter& parameter : refresh.find->parameters)
        arguments.push_back(Name(parameter.name) + "=" + Member(step, parameter.name));
      arguments.push_back(Name(refresh.attribute) + "=" + Member(step, refresh.attribute));
      code_.Line(SnakeCase(refresh.name) + "(" + Join(arguments, ", ") + ")");
    }
  }

  const Program& program_;
  const WriteFunction& function_;
  Code& code_;
  std::set<std::string> originals_;
};

void RefreshFunction(const Program& program, const WriteStepCode& step, const CopyRefresh& refresh,
                     Code& code) {
  PatternFunction find = *refresh.find;
  find.name = "Find" + refresh.name;
  PatternCode(program, find, /*exported=*/false, code);
  if (refresh.upkeep == model::CopyUpkeep::kTransaction) return;
  const EntityCode& holder = *program.FindEntity(refresh.holder);
  std::vector<std::string> parameters = {"db: Client", "*"};
  std::vector<std::string> arguments = {"db"};
  for (const model::Parameter& parameter : refresh.find->parameters) {
    parameters.push_back(Name(parameter.name) + ": " +
                         TypeOf({parameter.name, parameter.type, false, {}}));
    arguments.push_back(Name(parameter.name) + "=" + Name(parameter.name));
  }
  for (const Field& field : step.set) {
    if (field.name == refresh.attribute)
      parameters.push_back(Name(field.name) + ": " + TypeOf(field) +
                           (field.optional ? " | None" : ""));
  }
  std::vector<std::string> key;
  for (const Field& field : holder.identity) key.push_back("row." + Name(field.name));
  TwoBlank(code);
  code.Line("def " + SnakeCase(refresh.name) + "(" + Join(parameters, ", ") + ") -> None:");
  code.In();
  code.Line("\"\"\"Brings the copies of " + step.entity->name + "." + refresh.attribute + " on " +
            holder.name + " items up to date.");
  code.Line();
  code.Line(refresh.upkeep == model::CopyUpkeep::kStream ? "For the consumer of the table's stream."
                                                         : "Safe to run again.");
  code.Line("\"\"\"");
  code.Line("for row in _" + SnakeCase(find.name) + "(" + Join(arguments, ", ") + "):");
  code.In();
  code.Line("action = update(" + Quoted(holder.name) + ", " + TableText(holder.table) + ", " +
            SnakeCase(holder.name) + "_key(" + Join(key, ", ") + "), {" + Quoted(refresh.stored) +
            ": " + Name(refresh.attribute) + "})");
  code.Line("ignoring_missing(db, action)");
  code.Out();
  code.Out();
}

}  // namespace

std::string WritesFile(const Program& program) {
  Code code = NewCode();
  std::set<std::string> seen;
  for (const WriteFunction& function : program.writes) {
    if (!function.refusal.empty()) continue;
    for (const WriteStepCode& step : function.steps) {
      for (const CopyRefresh& refresh : step.refreshes) {
        if (seen.insert(refresh.name).second) RefreshFunction(program, step, refresh, code);
      }
    }
  }
  for (const WriteFunction& function : program.writes) {
    if (function.refusal.empty()) {
      WriteWriter(program, function, code).Write();
    } else {
      TwoBlank(code);
      code.Prose("# ",
                 "No function for " + function.write->name.text + ": " + function.refusal + ".");
    }
  }
  return WithImports(program, code.text(), {"entities", "reading", "writing"});
}

}  // namespace prejoin::gen::python
