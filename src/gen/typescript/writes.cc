#include <algorithm>
#include <map>
#include <set>

#include "gen/request_text.h"
#include "gen/shape.h"
#include "gen/typescript/typescript.h"
#include "gen/words.h"
#include "gen/write_steps.h"

namespace prejoin::gen::typescript {
namespace {

// Single thread.
class WriteWriter : public WriteSteps {
 public:
  using WriteSteps::WriteSteps;

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
    code_.Prose(" * ", Title() + (function_.write->title.empty() ? "" : "."));
    std::set<std::string> lines;
    for (const WriteStepCode& step : function_.steps) {
      if (step.kind == Kind::kPut && step.once) {
        lines.insert("@throws AlreadyExists if there is such a " + step.row_entity);
      }
      for (const LockCode& lock : step.locks) {
        if (lock.taken) {
          lines.insert("@throws AlreadyExists if another " + step.row_entity + " has this " +
                       CamelCase(lock.attribute));
        }
      }
      if (!step.condition.expression.empty()) {
        lines.insert("@throws ConditionNotMet if there is no such " + step.entity->name +
                     " or it does not allow it");
      } else if (step.kind == Kind::kUpdate || step.kind == Kind::kPutIn ||
                 step.kind == Kind::kUpdateIn) {
        lines.insert("@throws NotFound if there is no such " + step.entity->name);
      }
    }
    if (!lines.empty()) {
      code_.Line(" *");
    }
    for (const std::string& line : lines) {
      code_.Prose(" * ", line);
    }
    code_.Line(" */");
  }

  std::vector<std::string> Parameters() const {
    std::vector<std::string> parameters = {"db: Client"};
    const auto take = [&](const WriteStepCode& step, const std::string& type) {
      parameters.push_back(Row(step) + ": " + type);
    };
    ForEachInput(
        {.row = [&](const WriteStepCode& step) { take(step, EntityTypeName(step.row_entity)); },
         .parts =
             [&](const WriteStepCode& step) {
               std::vector<std::string> names;
               std::vector<std::string> asked;
               for (const Field& field : step.row) {
                 const bool of_condition =
                     std::ranges::find(step.asked, field.name, &Field::name) != step.asked.end();
                 if (of_condition) {
                   asked.push_back(CamelCase(field.name) + ": " + TypeOf(field));
                 } else {
                   names.push_back(Quoted(CamelCase(field.name)));
                 }
               }
               take(step, "Pick<" + EntityTypeName(step.row_entity) + ", " + Join(names, " | ") +
                              ">" + (asked.empty() ? "" : " & { " + Join(asked, "; ") + " }"));
             },
         .copy =
             [&](const std::string& attribute, const Field& field) {
               parameters.push_back(CamelCase(attribute) + ": " + TypeOf(field) + " | undefined");
             }});
    return parameters;
  }

  std::string Row(const WriteStepCode& step) const override { return CamelCase(step.parameter); }
  std::string Table(const std::string& table) const override { return TableText(table); }
  std::string Nothing() const override { return "undefined"; }

  std::string Member(const WriteStepCode& step, const std::string& field) const override {
    return Row(step) + "." + CamelCase(field);
  }

  std::string OwnKeyCall(const WriteStepCode& step) const override {
    return KeyObjectFunction(step.entity->name) + "(" + Row(step) + ")";
  }

  void BeginRetrying() override {
    code_.Line("await retrying(async () => {");
    code_.In();
  }

  void EndRetrying() override {
    code_.Out();
    code_.Line("});");
  }

  void ReadBefore(const WriteStepCode& step) override {
    const std::string read = "await getItem(db, { TableName: " + TableText(step.entity->table) +
                             ", Key: " + OwnKey(step) + ", ConsistentRead: true })";
    if (step.kind == Kind::kDelete) {
      code_.Line("const " + before_ + " = " + read + " ?? {};");
      return;
    }
    code_.Line("const " + before_ + " = " + read + ";");
    code_.Line("if (" + before_ + " === undefined) throw new NotFound(" +
               Quoted(step.entity->name) + ");");
  }

  void ReadOriginal(const std::string& entity, const std::string& table,
                    const std::string& key) override {
    code_.Line("const original" + PascalCase(entity) + " = await getItem(db, { TableName: " +
               table + ", Key: " + key + ", ConsistentRead: true });");
  }

  std::string OriginalText(const StoredCopy& copy) const override {
    if (copy.given()) {
      return CamelCase(copy.attribute);
    }
    return "original" + PascalCase(copy.original.entity) + "?.[" + Quoted(copy.original_attribute) +
           "]";
  }

  std::string ItemCall(const WriteStepCode& step) const override {
    std::vector<std::string> copies;
    for (const StoredCopy& copy : step.entity->copies) {
      copies.push_back(language_.Pair(copy.attribute, OriginalText(copy)));
    }
    return ItemFunction(step.entity->name) + "(" + Row(step) +
           (copies.empty() ? "" : ", " + language_.Object(copies)) + ")";
  }

  std::string IfPresent(const std::vector<std::string>& values,
                        const std::string& text) const override {
    return Join(EachAround(values, {"", " === undefined"}), " || ") + " ? undefined : " + text;
  }

  std::string Before(const std::string& attribute) const override {
    return before_ + "[" + Quoted(attribute) + "]";
  }

  std::string PathPair(const std::vector<std::string>& path,
                       const std::string& value) const override {
    return "[path(" + Join(path, ", ") + ")]: " + value;
  }

  std::string ListChange(const WriteStepCode& step, const std::vector<std::string>& row,
                         const std::vector<std::string>& key,
                         const std::string& key_names) const override {
    const std::string keys = "[" + key_names + "]";
    const std::string found = language_.Object(key) + ", " + keys;
    if (step.kind == Kind::kPutIn) {
      return "withRow(rows, " + language_.Object(row) + ", " + keys + ")";
    }
    if (step.kind == Kind::kDeleteIn) {
      return "rows.filter((one) => !sameRow(one, " + found + "))";
    }
    return "withChanges(rows, " + found + ", " + language_.Object(row) + ")";
  }

  void RewriteList(const std::string& what, const std::string& change) override {
    code_.Line("await rewriteList(db, " + what + ", (rows) => " + change + ");");
  }

  void Send(const std::vector<std::string>& actions) override {
    code_.Line("await write(db, " + Join(actions, ", ") + ");");
  }

  std::string RefreshTogether(const WriteStepCode& step, const CopyRefresh& refresh) override {
    const EntityCode& holder = *program_.FindEntity(refresh.holder);
    return "...(await " + CamelCase(FinderName(refresh)) + "(db, " + Row(step) +
           ")).map((row) => update(" + Quoted(holder.name) + ", " + TableText(holder.table) + ", " +
           KeyObjectFunction(holder.name) + "(row), " +
           language_.Object({language_.Pair(refresh.stored, Member(step, refresh.attribute))}) +
           "))";
  }

  void RefreshCall(const WriteStepCode& step, const CopyRefresh& refresh) override {
    code_.Line("await " + CamelCase(refresh.name) + "(db, " + Row(step) + ");");
  }
};

void RefreshCode(const RefreshFunction& made, Code& code) {
  PatternCode(made.find, /*exported=*/false, code);
  if (made.found_only()) {
    return;
  }
  std::vector<std::string> names;
  for (const Field& field : made.arguments) {
    names.push_back(Quoted(CamelCase(field.name)));
  }
  code.Gap();
  code.Line("/**");
  code.Prose(" * ", made.text + " " + made.note);
  code.Line(" */");
  code.List("export async function " + CamelCase(made.refresh->name) + "(",
            {"db: Client",
             "row: Pick<" + EntityTypeName(made.original) + ", " + Join(names, " | ") + ">"},
            "): Promise<void> {");
  code.In();
  code.Line("for (const one of await " + CamelCase(made.find.name) + "(db, row)) {");
  code.In();
  code.Line("await ignoringMissing(write(db, update(" + Quoted(made.holder->name) + ", " +
            TableText(made.holder->table) + ", " + KeyObjectFunction(made.holder->name) +
            "(one), { " + PropertyName(made.refresh->stored) + ": row." +
            CamelCase(made.changed().name) + " })));");
  code.Out();
  code.Line("}");
  code.Out();
  code.Line("}");
}

}  // namespace

std::string WritesFile(const Program& program) {
  Code code;
  const WriteMakers makers = {
      .refresh = [&](const RefreshFunction& refresh) { RefreshCode(refresh, code); },
      .write =
          [&](const WriteFunction& write) {
            WriteWriter(TypeScript(), program, write, code).Write();
          },
      .refused = RefusedInComment(code, "// ")};
  ForEachWrite(program, makers);
  return WithImports(program, code.text(), {"entities", "reading", "writing"});
}

}  // namespace prejoin::gen::typescript
