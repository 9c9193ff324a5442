#include <map>
#include <set>

#include "gen/request_text.h"
#include "gen/shape.h"
#include "gen/typescript/typescript.h"
#include "gen/words.h"

namespace prejoin::gen::typescript {
namespace {

using Kind = WriteStepCode::Kind;

// Single thread.
class WriteWriter {
 public:
  WriteWriter(const Program& program, const WriteFunction& function, Code& code)
      : program_(program), function_(function), code_(code) {}

  void Write() {
    code_.Gap();
    Comment();
    code_.List("export async function " + CamelCase(function_.name) + "(", Parameters(),
               "): Promise<void> {");
    code_.In();
    Body();
    code_.Out();
    code_.Line("}");
  }

 private:
  void Comment() {
    code_.Line("/**");
    const std::string& title = function_.write->title;
    code_.Prose(" * ", title.empty() ? function_.write->name.text : title + ".");
    std::set<std::string> lines;
    for (const WriteStepCode& step : function_.steps) {
      if (step.kind == Kind::kPut && step.once)
        lines.insert("@throws AlreadyExists if there is such a " + step.row_entity);
      if (step.kind == Kind::kUpdate || step.kind == Kind::kPutIn || step.kind == Kind::kUpdateIn)
        lines.insert("@throws NotFound if there is no such " + step.entity->name);
    }
    if (!lines.empty()) code_.Line(" *");
    for (const std::string& line : lines) code_.Prose(" * ", line);
    code_.Line(" */");
  }

  std::vector<std::string> Parameters() const {
    std::vector<std::string> parameters = {"db: Client"};
    std::set<std::string> seen;
    for (const WriteStepCode& step : function_.steps) {
      if (!seen.insert(step.parameter).second) continue;
      std::string type = EntityTypeName(step.row_entity);
      if (step.kind != Kind::kPut && step.kind != Kind::kPutIn) {
        std::vector<std::string> names;
        for (const Field& field : step.row) names.push_back(Quoted(CamelCase(field.name)));
        type = "Pick<" + type + ", " + Join(names, " | ") + ">";
      }
      parameters.push_back(CamelCase(step.parameter) + ": " + type);
      if (step.kind != Kind::kPut) continue;
      for (const StoredCopy& copy : step.entity->copies) {
        if (copy.given())
          parameters.push_back(CamelCase(copy.attribute) + ": " + TypeOf(copy.field) +
                               " | undefined");
      }
    }
    return parameters;
  }

  Names RowOf(const WriteStepCode& step) const { return {CamelCase(step.parameter), "before"}; }

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
      code_.Line("await retrying(async () => {");
      code_.In();
    }
    std::vector<std::string> actions;
    for (const WriteStepCode& step : function_.steps) {
      if (!function_.together) actions.clear();
      Prepare(step, actions);
      Actions(step, actions);
      if (!function_.together) Send(actions);
      if (!function_.together) RefreshLater(step);
    }
    if (function_.together) {
      Send(actions);
      for (const WriteStepCode& step : function_.steps) RefreshLater(step);
    }
    if (retries) {
      code_.Out();
      code_.Line("});");
    }
  }

  // What must be read first.
  void Prepare(const WriteStepCode& step, std::vector<std::string>& actions) {
    if (step.kind == Kind::kPut) {
      for (const StoredCopy& copy : step.entity->copies) Original(step, copy, actions);
    }
    if (step.read_before.empty()) return;
    code_.Line("const before = await getItem(db, { TableName: " + TableText(step.entity->table) +
               ", Key: " + KeyObjectText(step) + ", ConsistentRead: true });");
    code_.Line("if (before === undefined) throw new NotFound(" + Quoted(step.entity->name) + ");");
  }

  void Original(const WriteStepCode& step, const StoredCopy& copy,
                std::vector<std::string>& actions) {
    const std::string key = KeyObject(copy.original.key, RowOf(step));
    const std::string table = TableText(copy.original.table);
    const std::string name = "original" + PascalCase(copy.original.entity);
    if (copy.given()) return;
    if (originals_.insert(name).second)
      code_.Line("const " + name + " = await getItem(db, { TableName: " + table + ", Key: " + key +
                 ", ConsistentRead: true });");
    if (copy.upkeep == model::CopyUpkeep::kTransaction)
      actions.push_back("unchanged(" + Quoted(copy.original.entity) + ", " + table + ", " + key +
                        ", " + Quoted(copy.original_attribute) + ", " + OriginalText(copy) + ")");
  }

  static std::string OriginalText(const StoredCopy& copy) {
    return "original" + PascalCase(copy.original.entity) + "?.[" + Quoted(copy.original_attribute) +
           "]";
  }

  std::string KeyObjectText(const WriteStepCode& step) const {
    if (step.row_entity == step.entity->name)
      return KeyObjectFunction(step.entity->name) + "(" + CamelCase(step.parameter) + ")";
    return KeyObject(step.key, RowOf(step));
  }

  void Actions(const WriteStepCode& step, std::vector<std::string>& actions) {
    const std::string head =
        Quoted(step.entity->name) + ", " + TableText(step.entity->table) + ", ";
    switch (step.kind) {
      case Kind::kPut:
        actions.push_back("put(" + head + ItemText(step) +
                          (step.once ? ", " + Quoted(step.key[0].attribute) : "") + ")");
        break;
      case Kind::kUpdate:
        actions.push_back("update(" + head + KeyObjectText(step) + ", " + ChangesText(step) + ")");
        break;
      case Kind::kDelete:
        actions.push_back("remove(" + head + KeyObjectText(step) + ")");
        break;
      default:
        Inside(step, head, actions);
    }
    for (const CopyRefresh& refresh : step.refreshes) {
      if (refresh.upkeep != model::CopyUpkeep::kTransaction) continue;
      actions.push_back(
          "...(await " + FindText(refresh, CamelCase(step.parameter)) + ").map((row) => " +
          HolderUpdate(refresh, CamelCase(step.parameter) + "." + CamelCase(refresh.attribute)) +
          ")");
    }
  }

  std::string ItemText(const WriteStepCode& step) const {
    std::vector<std::string> copies;
    for (const StoredCopy& copy : step.entity->copies)
      copies.push_back(PropertyName(copy.attribute) + ": " +
                       (copy.given() ? CamelCase(copy.attribute) : OriginalText(copy)));
    std::string text = ItemFunction(step.entity->name) + "(" + CamelCase(step.parameter);
    if (!copies.empty()) text += ", { " + Join(copies, ", ") + " }";
    return text + ")";
  }

  // A value for a key that an update renders again: given by the caller, or as it was before.
  std::string RenderedText(const WriteStepCode& step, const StoredKey& key) const {
    KeyCall call = key.call;
    std::vector<std::string> absent;
    for (Value& argument : call.arguments) {
      for (const FieldSource& before : step.read_before) {
        if (before.field.name != argument.name) continue;
        argument.kind = Value::Kind::kItem;
        argument.source = before;
      }
      const std::string text = ValueText(argument, RowOf(step));
      if (argument.source.field.optional) absent.push_back(text + " === undefined");
    }
    // Checked above to be there.
    for (Value& argument : call.arguments) argument.source.field.optional = false;
    const std::string text = KeyText(call, RowOf(step));
    return absent.empty() ? text : Join(absent, " || ") + " ? undefined : " + text;
  }

  std::string ChangesText(const WriteStepCode& step) const {
    std::vector<std::string> changes;
    for (const Field& field : step.set) {
      if (!Stored(step, field)) continue;
      changes.push_back(PropertyName(field.name) + ": " + CamelCase(step.parameter) + "." +
                        CamelCase(field.name));
    }
    for (const StoredKey& key : step.rendered)
      changes.push_back(PropertyName(key.attribute) + ": " + RenderedText(step, key));
    std::string text = "{ " + Join(changes, ", ") + " }";
    if (step.read_before.empty()) return text;
    std::vector<std::string> expected;
    std::set<std::string> seen;
    for (const FieldSource& before : step.read_before) {
      const std::string& name = before.source.attribute;
      if (seen.insert(name).second)
        expected.push_back(PropertyName(name) + ": before[" + Quoted(name) + "]");
    }
    return text + ", { " + Join(expected, ", ") + " }";
  }

  static bool Stored(const WriteStepCode& step, const Field& field) {
    for (const Field& plain : step.entity->plain) {
      if (plain.name == field.name) return true;
    }
    return false;
  }

  void Inside(const WriteStepCode& step, const std::string& head,
              std::vector<std::string>& actions) {
    const Names names = RowOf(step);
    const std::string name = Quoted(step.in.attribute);
    std::vector<std::string> members;
    for (const Field& field : step.kind == Kind::kUpdateIn ? step.set : step.members)
      members.push_back(PropertyName(field.name) + ": " + names.row + "." + CamelCase(field.name));
    const std::string row = "{ " + Join(members, ", ") + " }";
    if (step.in.map) {
      const std::string by = names.row + "." + CamelCase(step.by);
      std::vector<std::string> changes;
      if (step.kind == Kind::kPutIn)
        changes.push_back("[path(" + name + ", " + by + ")]: compact(" + row + ")");
      if (step.kind == Kind::kDeleteIn)
        changes.push_back("[path(" + name + ", " + by + ")]: undefined");
      if (step.kind == Kind::kUpdateIn) {
        for (const Field& field : step.set)
          changes.push_back("[path(" + name + ", " + by + ", " + Quoted(field.name) +
                            ")]: " + names.row + "." + CamelCase(field.name));
      }
      actions.push_back("update(" + head + KeyObject(step.key, names) + ", { " +
                        Join(changes, ", ") + " })");
      return;
    }
    std::vector<std::string> keys;
    std::vector<std::string> same;
    for (const Field& field : step.member_keys) {
      keys.push_back(Quoted(field.name));
      same.push_back(PropertyName(field.name) + ": " + names.row + "." + CamelCase(field.name));
    }
    const std::string key_list = "[" + Join(keys, ", ") + "]";
    const std::string key_row = "{ " + Join(same, ", ") + " }";
    std::string change;
    if (step.kind == Kind::kPutIn) change = "withRow(rows, " + row + ", " + key_list + ")";
    if (step.kind == Kind::kDeleteIn)
      change = "rows.filter((one) => !sameRow(one, " + key_row + ", " + key_list + "))";
    if (step.kind == Kind::kUpdateIn)
      change = "withChanges(rows, " + key_row + ", " + key_list + ", " + row + ")";
    code_.Line("await rewriteList(db, " + head + KeyObject(step.key, names) + ", " + name +
               ", (rows) => " + change + ");");
  }

  void Send(const std::vector<std::string>& actions) {
    if (actions.empty()) return;
    code_.Line("await write(db, " + Join(actions, ", ") + ");");
  }

  static std::string FindText(const CopyRefresh& refresh, const std::string& row) {
    return CamelCase("find " + refresh.name) + "(db, " + row + ")";
  }

  std::string HolderUpdate(const CopyRefresh& refresh, const std::string& value) const {
    const EntityCode& holder = *program_.FindEntity(refresh.holder);
    return "update(" + Quoted(holder.name) + ", " + TableText(holder.table) + ", " +
           KeyObjectFunction(holder.name) + "(row), { " + PropertyName(refresh.stored) + ": " +
           value + " })";
  }

  void RefreshLater(const WriteStepCode& step) {
    for (const CopyRefresh& refresh : step.refreshes) {
      if (refresh.upkeep == model::CopyUpkeep::kTransaction ||
          refresh.upkeep == model::CopyUpkeep::kStream)
        continue;
      code_.Line("await " + CamelCase(refresh.name) + "(db, " + CamelCase(step.parameter) + ");");
    }
  }

  const Program& program_;
  const WriteFunction& function_;
  Code& code_;
  std::set<std::string> originals_;
};

// The functions that bring copies up to date, once each.
void RefreshFunctions(const Program& program, Code& code) {
  std::set<std::string> seen;
  for (const WriteFunction& function : program.writes) {
    for (const WriteStepCode& step : function.steps) {
      for (const CopyRefresh& refresh : step.refreshes) {
        if (!seen.insert(refresh.name).second) continue;
        PatternFunction find = *refresh.find;
        find.name = "Find" + refresh.name;
        PatternCode(program, find, /*exported=*/false, code);
        if (refresh.upkeep == model::CopyUpkeep::kTransaction) continue;
        const EntityCode& holder = *program.FindEntity(refresh.holder);
        std::vector<std::string> names;
        for (const model::Parameter& parameter : refresh.find->parameters)
          names.push_back(Quoted(CamelCase(parameter.name)));
        names.push_back(Quoted(CamelCase(refresh.attribute)));
        code.Gap();
        code.Line("/**");
        code.Prose(" * ", "Brings the copies of " + step.entity->name + "." + refresh.attribute +
                              " on " + holder.name + " items up to date." +
                              (refresh.upkeep == model::CopyUpkeep::kStream
                                   ? " For the consumer of the table's stream."
                                   : " Safe to run again."));
        code.Line(" */");
        code.List("export async function " + CamelCase(refresh.name) + "(",
                  {"db: Client", "row: Pick<" + EntityTypeName(step.entity->name) + ", " +
                                     Join(names, " | ") + ">"},
                  "): Promise<void> {");
        code.In();
        code.Line("for (const one of await " + CamelCase(find.name) + "(db, row)) {");
        code.In();
        code.Line("await ignoringMissing(write(db, update(" + Quoted(holder.name) + ", " +
                  TableText(holder.table) + ", " + KeyObjectFunction(holder.name) + "(one), { " +
                  PropertyName(refresh.stored) + ": row." + CamelCase(refresh.attribute) +
                  " })));");
        code.Out();
        code.Line("}");
        code.Out();
        code.Line("}");
      }
    }
  }
}

}  // namespace

std::string WritesFile(const Program& program) {
  Code code;
  RefreshFunctions(program, code);
  for (const WriteFunction& function : program.writes) {
    if (function.refusal.empty()) {
      WriteWriter(program, function, code).Write();
    } else {
      code.Gap();
      code.Prose("// ",
                 "No function for " + function.write->name.text + ": " + function.refusal + ".");
    }
  }
  return WithImports(program, code.text(), {"entities", "reading", "writing"});
}

}  // namespace prejoin::gen::typescript
