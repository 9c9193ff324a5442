#include "gen/java/java.h"
#include "gen/request_text.h"
#include "gen/words.h"
#include "gen/write_steps.h"

namespace prejoin::gen::java {
namespace {

// Single thread.
class WriteWriter : public WriteSteps {
 public:
  using WriteSteps::WriteSteps;

  void Write() {
    std::vector<std::string> parameters;
    ForEachInput({.row =
                      [&](const WriteStepCode& step) {
                        parameters.push_back(EntityTypeName(step.row_entity) + " " + Row(step));
                      },
                  .parts =
                      [&](const WriteStepCode& step) {
                        for (const Field& field : step.row) {
                          parameters.push_back(TypeOf(field) + " " + Member(step, field.name));
                        }
                      },
                  .copy =
                      [&](const std::string& attribute, const Field& field) {
                        parameters.push_back(TypeOf(field) + " " + Name(attribute));
                      }});
    code_.Gap();
    Comment({Title() + "."}, code_);
    code_.Block("public void " + Method(function_.name) + "(" + Join(parameters, ", ") + ") {", "}",
                [&] { Body(); });
  }

 private:
  std::string Row(const WriteStepCode& step) const override { return Name(step.parameter); }
  std::string Table(const std::string& table) const override { return TableText(table); }
  std::string Nothing() const override { return "null"; }

  // A put takes the row; the others take its key and what changes.
  std::string Member(const WriteStepCode& step, const std::string& field) const override {
    if (TakesRow(step)) {
      return language_.Member(Row(step), field);
    }
    return Name(function_.steps.size() > 1 ? step.parameter + " " + field : field);
  }

  void BeginRetrying() override {
    code_.Line("retrying(() -> {");
    code_.In();
  }

  void EndRetrying() override {
    code_.Out();
    code_.Line("});");
  }

  void ReadBefore(const WriteStepCode& step) override {
    code_.Line("var " + before_ + " = getItem(db, " + Table(step.entity->table) + ", " +
               OwnKey(step) + ");");
    if (step.kind == Kind::kDelete) {
      return;
    }
    code_.Block("if (" + before_ + ".isEmpty()) {", "}", [&] {
      code_.Line("throw new WriteRefused.NotFound(" + Quoted(step.entity->name) + ");");
    });
  }

  void ReadOriginal(const std::string& entity, const std::string& table,
                    const std::string& key) override {
    code_.Line("var original" + PascalCase(entity) + " = getItem(db, " + table + ", " + key + ");");
  }

  std::string OriginalText(const StoredCopy& copy) const override {
    if (copy.given()) {
      return Name(copy.attribute);
    }
    return language_.attribute("original" + PascalCase(copy.original.entity),
                               copy.original_attribute);
  }

  std::string ItemCall(const WriteStepCode& step) const override {
    std::vector<std::string> arguments = {Row(step)};
    for (const StoredCopy& copy : step.entity->copies) {
      arguments.push_back(OriginalText(copy));
    }
    return CamelCase(step.entity->name) + "Item(" + Join(arguments, ", ") + ")";
  }

  std::string IfPresent(const std::vector<std::string>& values,
                        const std::string& text) const override {
    return "whenPresent(() -> " + text + ", " + Join(values, ", ") + ")";
  }

  std::string Before(const std::string& attribute) const override {
    return language_.attribute(before_, attribute);
  }

  std::string Changes(const std::vector<std::string>& changes) const override {
    return "values()" + Join(changes, "");
  }

  std::string PathPair(const std::vector<std::string>& path,
                       const std::string& value) const override {
    return ".with(path(" + Join(path, ", ") + "), " + value + ")";
  }

  std::string ListChange(const WriteStepCode& step, const std::vector<std::string>& row,
                         const std::vector<std::string>& key,
                         const std::string& key_names) const override {
    if (step.kind == Kind::kPutIn) {
      return "withRow(rows, " + Changes(row) + ", " + key_names + ")";
    }
    const std::string found = "(rows, " + Changes(key) + ", ";
    return step.kind == Kind::kDeleteIn
               ? "withoutRow" + found + key_names + ")"
               : "withChanges" + found + Changes(row) + ", " + key_names + ")";
  }

  void RewriteList(const std::string& what, const std::string& change) override {
    code_.Line("rewriteList(db, " + what + ", rows -> " + change + ");");
  }

  void Send(const std::vector<std::string>& actions) override {
    code_.Line("write(db, " + ActionsText(actions, {"List.of(", ")"}, {"together(", ")"}) + ");");
  }

  std::vector<std::string> FinderArguments(const WriteStepCode& step,
                                           const CopyRefresh& refresh) const {
    std::vector<std::string> arguments;
    for (const model::Parameter& parameter : refresh.find->parameters) {
      arguments.push_back(Member(step, parameter.name));
    }
    return arguments;
  }

  std::string RefreshTogether(const WriteStepCode& step, const CopyRefresh& refresh) override {
    const EntityCode& holder = *program_.FindEntity(refresh.holder);
    return "...actionsFor(" + Method(FinderName(refresh)) + "(" +
           Join(FinderArguments(step, refresh), ", ") + "), row -> update(" + Quoted(holder.name) +
           ", " + Table(holder.table) + ", " + RowKey(language_, holder, "row") + ", " +
           Changes({Change(refresh.stored, Member(step, refresh.attribute))}) + "))";
  }

  void RefreshCall(const WriteStepCode& step, const CopyRefresh& refresh) override {
    std::vector<std::string> arguments = FinderArguments(step, refresh);
    arguments.push_back(Member(step, refresh.attribute));
    code_.Line(Method(refresh.name) + "(" + Join(arguments, ", ") + ");");
  }
};

void RefreshCode(const RefreshFunction& made, Code& code) {
  PatternCode(made.find, /*exported=*/false, code);
  if (made.found_only()) {
    return;
  }
  std::vector<std::string> arguments;
  for (const Field& field : made.arguments) {
    if (&field != &made.changed()) {
      arguments.push_back(Name(field.name));
    }
  }
  code.Gap();
  Comment({made.text + " " + made.note}, code);
  code.Block(
      "public void " + Method(made.refresh->name) + "(" + Parameters(made.arguments) + ") {", "}",
      [&] {
        code.Block(
            "for (var row : " + Method(made.find.name) + "(" + Join(arguments, ", ") + ")) {", "}",
            [&] {
              code.Line("writeIfThere(db, update(" + Quoted(made.holder->name) + ", " +
                        TableText(made.holder->table) + ", " + RowKey(Java(), *made.holder, "row") +
                        ", values()" +
                        Java().Pair(made.refresh->stored, Name(made.changed().name)) + "));");
            });
      });
}

}  // namespace

void WritesCode(const Program& program, Code& code) {
  ForEachWrite(program, {[&](const RefreshFunction& refresh) { RefreshCode(refresh, code); },
                         [&](const WriteFunction& write) {
                           WriteWriter(Java(), program, write, code).Write();
                         },
                         RefusedInComment(code, "// ")});
}

}  // namespace prejoin::gen::java
