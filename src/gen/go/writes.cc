#include "gen/go/go.h"
#include "gen/words.h"
#include "gen/write_steps.h"

namespace prejoin::gen::go {
namespace {

// Single thread.
class WriteWriter : public WriteSteps {
 public:
  using WriteSteps::WriteSteps;

  void Write() {
    const std::string name = Field(function_.name);
    std::vector<std::string> parameters = {"ctx context.Context"};
    ForEachInput({.row =
                      [&](const WriteStepCode& step) {
                        parameters.push_back(Row(step) + " " + EntityTypeName(step.row_entity));
                      },
                  .parts =
                      [&](const WriteStepCode& step) {
                        const std::string type = ArgumentsType(function_, step);
                        code_.Gap();
                        code_.Line("// " + type + " are the parameters of " + name + ".");
                        Struct(type, step.row, code_);
                        parameters.push_back(Row(step) + " " + type);
                      },
                  .copy =
                      [&](const std::string& attribute, const gen::Field& field) {
                        parameters.push_back(Variable(attribute) + " " + TypeOf(field));
                      }});
    code_.Gap();
    code_.Prose("// ", name + " writes: " + Title() + ".");
    code_.Block("func (c *Client) " + name + "(" + Join(parameters, ", ") + ") (err error) {", "}",
                [&] {
                  code_.Line("defer refused(&err)");
                  Body();
                  Finish();
                });
  }

 private:
  std::string Row(const WriteStepCode& step) const override {
    return TakesRow(step) || function_.steps.size() > 1 ? Variable(step.parameter) : "args";
  }
  std::string Table(const std::string& table) const override { return TableText(table); }
  std::string Nothing() const override { return "nil"; }

  std::string Member(const WriteStepCode& step, const std::string& field) const override {
    return Row(step) + "." + Field(field);
  }

  // ---- Statements: the last call is returned, the ones before it are checked.
  void Call(const std::string& call) {
    Checked();
    pending_ = call;
  }

  void Checked() {
    if (!pending_.empty()) {
      code_.Block("if err := " + pending_ + "; err != nil {", "}",
                  [&] { code_.Line("return err"); });
    }
    pending_.clear();
  }

  void Finish() {
    if (!returned_) {
      code_.Line("return " + (pending_.empty() ? "nil" : pending_));
    }
  }

  void BeginRetrying() override {
    code_.Line("return retrying(func() error {");
    code_.In();
  }

  void EndRetrying() override {
    Finish();
    code_.Out();
    code_.Line("})");
    returned_ = true;
  }

  void GetCode(const std::string& name, const std::string& call) {
    Checked();
    code_.Line(name + ", err := " + call);
    code_.Block("if err != nil {", "}", [&] { code_.Line("return err"); });
  }

  void ReadBefore(const WriteStepCode& step) override {
    GetCode(before_, "getItem(ctx, c.DB, " + Table(step.entity->table) + ", " + OwnKey(step) + ")");
    if (step.kind == Kind::kDelete) {
      return;
    }
    code_.Block("if " + before_ + " == nil {", "}",
                [&] { code_.Line("return notFound(" + Quoted(step.entity->name) + ")"); });
  }

  void ReadOriginal(const std::string& entity, const std::string& table,
                    const std::string& key) override {
    GetCode("original" + PascalCase(entity), "getItem(ctx, c.DB, " + table + ", " + key + ")");
  }

  std::string OriginalText(const StoredCopy& copy) const override {
    if (copy.given()) {
      return Variable(copy.attribute);
    }
    return Indexed("original" + PascalCase(copy.original.entity), copy.original_attribute);
  }

  std::string ItemCall(const WriteStepCode& step) const override {
    std::vector<std::string> copies;
    for (const StoredCopy& copy : step.entity->copies) {
      copies.push_back(OriginalText(copy));
    }
    return language_.refusable(Row(step) + ".Item(" + Join(copies, ", ") + ")");
  }

  std::string IfPresent(const std::vector<std::string>& values,
                        const std::string& text) const override {
    return "whenPresent(" + FunctionText("func() string", text) + ", " + Join(values, ", ") + ")";
  }

  std::string Before(const std::string& attribute) const override {
    return Indexed(before_, attribute);
  }

  std::string Changes(const std::vector<std::string>& changes) const override {
    return "values{" + Join(changes, ", ") + "}";
  }

  std::string NamesText(
      const std::vector<std::pair<std::string, std::string>>& names) const override {
    return "map[string]string{" + Join(PairTexts(names), ", ") + "}";
  }

  std::string PathPair(const std::vector<std::string>& path,
                       const std::string& value) const override {
    return "path(" + Join(path, ", ") + "): " + value;
  }

  std::string ListChange(const WriteStepCode& step, const std::vector<std::string>& row,
                         const std::vector<std::string>& key,
                         const std::string& key_names) const override {
    if (step.kind == Kind::kPutIn) {
      return "withRow(rows, " + Changes(row) + ", " + key_names + ")";
    }
    if (step.kind == Kind::kDeleteIn) {
      return "withoutRow(rows, " + Changes(key) + ", " + key_names + ")";
    }
    return "withChanges(rows, " + Changes(key) + ", " + Changes(row) + ", " + key_names + ")";
  }

  void RewriteList(const std::string& what, const std::string& change) override {
    Call("rewriteList(ctx, c.DB, " + what + ", " +
         FunctionText("func(rows []Item) []Item", change) + ")");
  }

  void Send(const std::vector<std::string>& actions) override {
    Call("write(ctx, c.DB, " +
         ActionsText(actions, {"[]action{", "}"}, {"slices.Concat(", ")..."}) + ")");
  }

  std::string RefreshTogether(const WriteStepCode& step, const CopyRefresh& refresh) override {
    const EntityCode& holder = *program_.FindEntity(refresh.holder);
    const std::string name = Variable(Plural(refresh.holder) + " with " + refresh.stored);
    std::vector<std::string> members;
    for (const model::Parameter& parameter : refresh.find->parameters) {
      members.push_back(Field(parameter.name) + ": " + Member(step, parameter.name));
    }
    PatternFunction find = *refresh.find;
    find.name = FinderName(refresh);
    find = Named(find, /*exported=*/false);
    GetCode(name, "c." + find.name + "(ctx, " + find.name + "Args{" + Join(members, ", ") + "})");
    return "...actionsFor(" + name + ", " +
           FunctionText("func(row " + RowTypeName(find, 0) + ") action",
                        "update(" + Quoted(holder.name) + ", " + Table(holder.table) + ", " +
                            RowKey(language_, holder, "row") + ", " +
                            Changes({Change(refresh.stored, Member(step, refresh.attribute))}) +
                            ")") +
           ")";
  }

  void RefreshCall(const WriteStepCode& step, const CopyRefresh& refresh) override {
    std::vector<std::string> arguments = {"ctx"};
    for (const model::Parameter& parameter : refresh.find->parameters) {
      arguments.push_back(Member(step, parameter.name));
    }
    arguments.push_back(Member(step, refresh.attribute));
    Call("c." + Field(refresh.name) + "(" + Join(arguments, ", ") + ")");
  }

  std::string pending_;
  bool returned_ = false;
};

void RefreshCode(const RefreshFunction& made, Code& code) {
  PatternCode(made.find, /*exported=*/false, code);
  if (made.found_only()) {
    return;
  }
  const std::string name = Field(made.refresh->name);
  std::vector<std::string> parameters = {"ctx context.Context"};
  std::vector<std::string> members;
  for (const gen::Field& field : made.arguments) {
    parameters.push_back(Variable(field.name) + " " + TypeOf(field));
    if (&field != &made.changed()) {
      members.push_back(Field(field.name) + ": " + Variable(field.name));
    }
  }
  code.Gap();
  code.Prose("// ", name + ": " + made.text + " " + made.note);
  code.Block("func (c *Client) " + name + "(" + Join(parameters, ", ") + ") (err error) {", "}",
             [&] {
               code.Line("defer refused(&err)");
               const std::string find = Named(made.find, /*exported=*/false).name;
               code.Line("rows, err := c." + find + "(ctx, " + find + "Args{" +
                         Join(members, ", ") + "})");
               code.Block("if err != nil {", "}", [&] { code.Line("return err"); });
               code.Block("for _, row := range rows {", "}", [&] {
                 code.Line("one := update(" + Quoted(made.holder->name) + ", " +
                           TableText(made.holder->table) + ", " +
                           RowKey(Go(), *made.holder, "row") + ", values{" +
                           Go().Pair(made.refresh->stored, Variable(made.changed().name)) + "})");
                 code.Block("if err := ignoringMissing(write(ctx, c.DB, one)); err != nil {", "}",
                            [&] { code.Line("return err"); });
               });
               code.Line("return nil");
             });
}

}  // namespace

void WritesCode(const Program& program, Code& code) {
  ForEachWrite(program, {[&](const RefreshFunction& refresh) { RefreshCode(refresh, code); },
                         [&](const WriteFunction& write) {
                           WriteWriter(Go(), program, write, code).Write();
                         },
                         RefusedInComment(code, "// ")});
}

}  // namespace prejoin::gen::go
