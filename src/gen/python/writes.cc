#include "gen/python/python.h"
#include "gen/shape.h"
#include "gen/words.h"
#include "gen/write_steps.h"

namespace prejoin::gen::python {
namespace {

void TwoBlank(Code& code) {
  code.Gap();
  code.Line();
}

// Single thread.
class WriteWriter : public WriteSteps {
 public:
  using WriteSteps::WriteSteps;

  void Write() {
    TwoBlank(code_);
    code_.Line("def " + SnakeCase(function_.name) + "(" + Join(Parameters(), ", ") + ") -> None:");
    code_.In();
    code_.Line("\"\"\"" + Title() + ".\"\"\"");
    Body();
    code_.Out();
  }

 private:
  // A put takes the row; the others take its key and what changes, by name.
  std::vector<std::string> Parameters() const {
    std::vector<std::string> rows;
    std::vector<std::string> named;
    const auto name_it = [&](const std::string& name, const Field& field) {
      named.push_back(name + ": " + TypeOf(field) + (field.optional ? " | None" : ""));
    };
    ForEachInput({.row =
                      [&](const WriteStepCode& step) {
                        rows.push_back(Row(step) + ": " + EntityTypeName(step.row_entity));
                      },
                  .parts =
                      [&](const WriteStepCode& step) {
                        for (const Field& field : step.row) {
                          name_it(Member(step, field.name), field);
                        }
                      },
                  .copy = [&](const std::string& attribute,
                              const Field& field) { name_it(Name(attribute), field); }});
    std::vector<std::string> all = {"db: Client"};
    all.insert(all.end(), rows.begin(), rows.end());
    if (!named.empty()) {
      all.emplace_back("*");
    }
    all.insert(all.end(), named.begin(), named.end());
    return all;
  }

  std::string Member(const WriteStepCode& step, const std::string& field) const override {
    if (TakesRow(step)) {
      return Name(step.parameter) + "." + Name(field);
    }
    return function_.steps.size() > 1 ? Name(step.parameter) + "_" + Name(field) : Name(field);
  }

  std::string Row(const WriteStepCode& step) const override { return Name(step.parameter); }
  std::string Table(const std::string& table) const override { return TableText(table); }
  std::string Nothing() const override { return "None"; }

  void BeginRetrying() override {
    code_.Gap();
    code_.Line("def work() -> None:");
    code_.In();
  }

  void EndRetrying() override {
    code_.Out();
    code_.Gap();
    code_.Line("retrying(work)");
  }

  void ReadBefore(const WriteStepCode& step) override {
    const bool deletes = step.kind == Kind::kDelete;
    code_.Line(before_ + " = get_item(db, TableName=" + TableText(step.entity->table) +
               ", Key=" + OwnKey(step) + ", ConsistentRead=True)" + (deletes ? " or {}" : ""));
    if (deletes) {
      return;
    }
    code_.Line("if " + before_ + " is None:");
    code_.In();
    code_.Line("raise NotFound(" + Quoted(step.entity->name) + ")");
    code_.Out();
  }

  void ReadOriginal(const std::string& entity, const std::string& table,
                    const std::string& key) override {
    code_.Line("original_" + SnakeCase(entity) + "_item = get_item(db, TableName=" + table +
               ", Key=" + key + ", ConsistentRead=True) or {}");
  }

  std::string OriginalText(const StoredCopy& copy) const override {
    if (copy.given()) {
      return Name(copy.attribute);
    }
    return "original_" + SnakeCase(copy.original.entity) + "_item.get(" +
           Quoted(copy.original_attribute) + ")";
  }

  std::string ItemCall(const WriteStepCode& step) const override {
    std::vector<std::string> arguments = {Row(step)};
    for (const StoredCopy& copy : step.entity->copies) {
      arguments.push_back(Name(copy.attribute) + "=" + OriginalText(copy));
    }
    return SnakeCase(step.entity->name) + "_item(" + Join(arguments, ", ") + ")";
  }

  std::string Guard(const std::string& attribute) const override {
    return "guard=" + Quoted(attribute);
  }

  std::string Spread(const std::string& list) const override { return "*" + list; }

  std::string RefreshTogether(const WriteStepCode& step, const CopyRefresh& refresh) override {
    const EntityCode& holder = *program_.FindEntity(refresh.holder);
    return "*(update(" + Quoted(holder.name) + ", " + TableText(holder.table) + ", " +
           RowKey(language_, holder, "row") + ", {" + Quoted(refresh.stored) + ": " +
           Member(step, refresh.attribute) + "}) for row in " + FindText(step, refresh) + ")";
  }

  std::string FindText(const WriteStepCode& step, const CopyRefresh& refresh) const {
    std::vector<std::string> arguments = {"db"};
    for (const model::Parameter& parameter : refresh.find->parameters) {
      arguments.push_back(Name(parameter.name) + "=" + Member(step, parameter.name));
    }
    return "_" + SnakeCase(FinderName(refresh)) + "(" + Join(arguments, ", ") + ")";
  }

  std::string IfPresent(const std::vector<std::string>& values,
                        const std::string& text) const override {
    return text + " if " + Join(EachAround(values, {"", " is not None"}), " and ") + " else None";
  }

  std::string Before(const std::string& attribute) const override {
    return before_ + ".get(" + Quoted(attribute) + ")";
  }

  std::string PathPair(const std::vector<std::string>& path,
                       const std::string& value) const override {
    return "(" + Join(path, ", ") + "): " + value;
  }

  std::string ListChange(const WriteStepCode& step, const std::vector<std::string>& row,
                         const std::vector<std::string>& key,
                         const std::string& key_names) const override {
    const std::string keys = "[" + key_names + "]";
    const std::string is_row = "same_row(one, {" + Join(key, ", ") + "}, " + keys + ")";
    if (step.kind == Kind::kPutIn) {
      return "with_row(rows, {" + Join(row, ", ") + "}, " + keys + ")";
    }
    if (step.kind == Kind::kDeleteIn) {
      return "[one for one in rows if not " + is_row + "]";
    }
    return "[compact({**one, " + Join(row, ", ") + "}) if " + is_row + " else one for one in rows]";
  }

  void RewriteList(const std::string& what, const std::string& change) override {
    code_.Line("rewrite_list(db, " + what + ", lambda rows: " + change + ")");
  }

  void Send(const std::vector<std::string>& actions) override {
    code_.Line("write(db, " + Join(actions, ", ") + ")");
  }

  void RefreshCall(const WriteStepCode& step, const CopyRefresh& refresh) override {
    std::vector<std::string> arguments = {"db"};
    for (const model::Parameter& parameter : refresh.find->parameters) {
      arguments.push_back(Name(parameter.name) + "=" + Member(step, parameter.name));
    }
    arguments.push_back(Name(refresh.attribute) + "=" + Member(step, refresh.attribute));
    code_.Line(SnakeCase(refresh.name) + "(" + Join(arguments, ", ") + ")");
  }
};

void RefreshCode(const RefreshFunction& made, Code& code) {
  PatternCode(made.find, /*exported=*/false, code);
  if (made.found_only()) {
    return;
  }
  const std::string name = SnakeCase(made.refresh->name);
  std::vector<std::string> parameters = {"db: Client", "*"};
  std::vector<std::string> arguments = {"db"};
  for (const Field& field : made.arguments) {
    parameters.push_back(Name(field.name) + ": " + TypeOf(field) +
                         (field.optional ? " | None" : ""));
    if (&field != &made.changed()) {
      arguments.push_back(Name(field.name) + "=" + Name(field.name));
    }
  }
  TwoBlank(code);
  code.Line("def " + name + "(" + Join(parameters, ", ") + ") -> None:");
  code.In();
  code.Line("\"\"\"" + made.text);
  code.Line();
  code.Line(made.note);
  code.Line("\"\"\"");
  code.Line("for row in _" + SnakeCase(made.find.name) + "(" + Join(arguments, ", ") + "):");
  code.In();
  code.Line("action = update(" + Quoted(made.holder->name) + ", " + TableText(made.holder->table) +
            ", " + RowKey(Python(), *made.holder, "row") + ", {" + Quoted(made.refresh->stored) +
            ": " + Name(made.changed().name) + "})");
  code.Line("ignoring_missing(db, action)");
  code.Out();
  code.Out();
}

}  // namespace

std::string WritesFile(const Program& program) {
  Code code = NewCode();
  ForEachWrite(program, {[&](const RefreshFunction& refresh) { RefreshCode(refresh, code); },
                         [&](const WriteFunction& write) {
                           WriteWriter(Python(), program, write, code).Write();
                         },
                         [&](const std::string& why) {
                           TwoBlank(code);
                           code.Prose("# ", CommentText(why));
                         }});
  return WithImports(program, code.text(), {"entities", "reading", "writing"});
}

}  // namespace prejoin::gen::python
