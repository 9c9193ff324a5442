#include "gen/cpp/cpp.h"
#include "gen/shape.h"
#include "gen/words.h"
#include "gen/write_steps.h"

namespace prejoin::gen::cpp {
namespace {

// Single thread.
class WriteWriter : public WriteSteps {
 public:
  WriteWriter(const Program& program, const WriteFunction& function, Files& files)
      : WriteSteps(Cpp(), program, function, files.source), header_(files.header) {}

  void Write() {
    std::vector<std::string> parameters = {"Database& db"};
    const auto take = [&](const std::string& type, const WriteStepCode& step) {
      parameters.push_back("const " + type + "& " + Row(step));
    };
    ForEachInput(
        {.row = [&](const WriteStepCode& step) { take(EntityTypeName(step.row_entity), step); },
         .parts =
             [&](const WriteStepCode& step) {
               const bool several = function_.steps.size() > 1;
               const std::string type =
                   function_.name + (several ? PascalCase(step.parameter) : "") + "Args";
               Struct(type, step.row, header_);
               take(type, step);
             },
         .copy =
             [&](const std::string& attribute, const Field& field) {
               parameters.push_back("const " + MemberType(field) + "& " + Name(attribute));
             }});
    const std::string signature = "Status " + function_.name + "(" + Join(parameters, ", ") + ")";
    header_.Gap();
    header_.Prose("// ", Title() + ".");
    header_.Line(signature + ";");
    code_.Gap();
    code_.Line(signature + " try {");
    code_.In();
    Body();
    if (!retrying_) {
      code_.Line("return {};");
    }
    code_.Out();
    code_.Line(kEndOfTry);
  }

 private:
  std::string Row(const WriteStepCode& step) const override { return Name(step.parameter); }
  std::string Table(const std::string& table) const override { return Quoted(table); }
  std::string Nothing() const override { return "std::nullopt"; }

  std::string Member(const WriteStepCode& step, const std::string& field) const override {
    return Row(step) + "." + Name(field);
  }

  void BeginRetrying() override {
    code_.Line("return Retrying([&]() -> Status {");
    code_.In();
    retrying_ = true;
  }

  void EndRetrying() override {
    code_.Line("return {};");
    code_.Out();
    code_.Line("});");
  }

  void Check(const std::string& call) {
    code_.Line("if (Status status = " + call + "; !status.has_value()) return status;");
  }

  void GetCode(const std::string& name, const std::string& table, const std::string& key) {
    code_.Line("GetItemInput " + name + "_input;");
    code_.Line(name + "_input.table_name = " + table + ";");
    code_.Line(name + "_input.key = " + key + ";");
    code_.Line(name + "_input.consistent_read = true;");
    code_.Line("const Result<Items> " + name + " = GetItems(db, " + name + "_input);");
    code_.Line("if (!" + name + ".has_value()) return " + name + ".error();");
  }

  void ReadBefore(const WriteStepCode& step) override {
    const std::string found = before_ + "_found";
    GetCode(found, Table(step.entity->table), OwnKey(step));
    if (step.kind == Kind::kDelete) {
      code_.Line("const Item " + before_ + " = " + found + "->empty() ? Item() : " + found +
                 "->front();");
      return;
    }
    code_.Line("if (" + found + "->empty()) return Refused(Refusal::kNotFound, " +
               Quoted(step.entity->name) + ");");
    code_.Line("const Item& " + before_ + " = " + found + "->front();");
  }

  void ReadOriginal(const std::string& entity, const std::string& table,
                    const std::string& key) override {
    const std::string name = "original_" + SnakeCase(entity);
    GetCode(name, table, key);
    code_.Line("const Item " + name + "_item = " + name + "->empty() ? Item() : " + name +
               "->front();");
  }

  std::string OriginalText(const StoredCopy& copy) const override {
    if (copy.given()) {
      return "Maybe(" + Name(copy.attribute) + ")";
    }
    return "ValueOf(original_" + SnakeCase(copy.original.entity) + "_item, " +
           Quoted(copy.original_attribute) + ")";
  }

  std::string ItemCall(const WriteStepCode& step) const override {
    std::vector<std::string> arguments = {Row(step)};
    for (const StoredCopy& copy : step.entity->copies) {
      arguments.push_back(OriginalText(copy));
    }
    return "ItemOf(" + Join(arguments, ", ") + ")";
  }

  std::string IfPresent(const std::vector<std::string>& values,
                        const std::string& text) const override {
    return Join(values, " && ") + " ? Maybe(" + text + ") : std::nullopt";
  }

  std::string Before(const std::string& attribute) const override {
    return "ValueOf(" + before_ + ", " + Quoted(attribute) + ")";
  }

  std::string NamesText(
      const std::vector<std::pair<std::string, std::string>>& names) const override {
    return "{" + Join(PairTexts(names), ", ") + "}";
  }

  std::string Spread(const std::string& list) const override { return list; }
  std::string LastNames(const std::string& names) const override { return "{" + names + "}"; }

  std::string Change(const std::string& name, const std::string& value) const override {
    return PathPair({Quoted(name)}, value);
  }

  std::string Changes(const std::vector<std::string>& changes) const override {
    return "{" + Join(changes, ", ") + "}";
  }

  std::string RowPair(const std::string& name, const std::string& value) const override {
    return language_.Pair(name, "Maybe(" + value + ")");
  }

  std::string PathPair(const std::vector<std::string>& path,
                       const std::string& value) const override {
    return "{{" + Join(path, ", ") + "}, " + (value == Nothing() ? value : "Maybe(" + value + ")") +
           "}";
  }

  std::string ListChange(const WriteStepCode& step, const std::vector<std::string>& row,
                         const std::vector<std::string>& key,
                         const std::string& key_names) const override {
    const std::string keys = ", {" + key_names + "}";
    const std::string found = "Compact({" + Join(key, ", ") + "})";
    if (step.kind == Kind::kPutIn) {
      return "PutRow(rows, Compact({" + Join(row, ", ") + "})" + keys + ")";
    }
    if (step.kind == Kind::kDeleteIn) {
      return "RemoveRow(rows, " + found + keys + ")";
    }
    return "ChangeRow(rows, " + found + keys + ", {" + Join(row, ", ") + "})";
  }

  void RewriteList(const std::string& what, const std::string& change) override {
    Check("RewriteList(db, " + what + ", [&](Items& rows) { " + change + "; })");
  }

  void Send(const std::vector<std::string>& actions) override {
    Check("Write(db, Together(" + Join(actions, ", ") + "))");
  }

  std::string RefreshTogether(const WriteStepCode& step, const CopyRefresh& refresh) override {
    const EntityCode& holder = *program_.FindEntity(refresh.holder);
    const std::string name = SnakeCase(refresh.name);
    std::vector<std::string> members;
    for (const model::Parameter& parameter : refresh.find->parameters) {
      members.push_back("." + Name(parameter.name) + " = " + Member(step, parameter.name));
    }
    code_.Line("const auto " + name + " = " + FinderName(refresh) + "(db, {" + Join(members, ", ") +
               "});");
    code_.Line("if (!" + name + ".has_value()) return " + name + ".error();");
    return "ForRows(*" + name + ", [&](const auto& row) { return Update(" + Quoted(holder.name) +
           ", " + Quoted(holder.table) + ", " + RowKey(language_, holder, "row") + ", {" +
           Change(refresh.stored, Member(step, refresh.attribute)) + "}); })";
  }

  void RefreshCall(const WriteStepCode& step, const CopyRefresh& refresh) override {
    std::vector<std::string> arguments = {"db"};
    for (const model::Parameter& parameter : refresh.find->parameters) {
      arguments.push_back(Member(step, parameter.name));
    }
    arguments.push_back(Member(step, refresh.attribute));
    Check(refresh.name + "(" + Join(arguments, ", ") + ")");
  }

  Code& header_;
  bool retrying_ = false;
};

void RefreshCode(const RefreshFunction& made, Files& files) {
  PatternCode(made.find, /*exported=*/false, files);
  if (made.found_only()) {
    return;
  }
  std::vector<std::string> parameters = {"Database& db"};
  std::vector<std::string> members;
  for (const Field& field : made.arguments) {
    parameters.push_back("const " + MemberType(field) + "& " + Name(field.name));
    if (&field != &made.changed()) {
      members.push_back("." + Name(field.name) + " = " + Name(field.name));
    }
  }
  const std::string signature = "Status " + made.refresh->name + "(" + Join(parameters, ", ") + ")";
  files.header.Gap();
  files.header.Prose("// ", made.text + " " + made.note);
  files.header.Line(signature + ";");
  Code& code = files.source;
  code.Gap();
  code.Block(signature + " try {", kEndOfTry, [&] {
    code.Line("const auto rows = " + made.find.name + "(db, {" + Join(members, ", ") + "});");
    code.Line("if (!rows.has_value()) return rows.error();");
    code.Block("for (const auto& row : *rows) {", "}", [&] {
      code.Line("Status status = IgnoringMissing(Write(db, {Update(" + Quoted(made.holder->name) +
                ", " + Quoted(made.holder->table) + ", " + RowKey(Cpp(), *made.holder, "row") +
                ", {{{" + Quoted(made.refresh->stored) + "}, Maybe(" + Name(made.changed().name) +
                ")}})}));");
      code.Line("if (!status.has_value()) return status;");
    });
    code.Line("return {};");
  });
}

}  // namespace

void WritesCode(const Program& program, Files& files) {
  ForEachWrite(program,
               {[&](const RefreshFunction& refresh) { RefreshCode(refresh, files); },
                [&](const WriteFunction& write) { WriteWriter(program, write, files).Write(); },
                RefusedInComment(files.header, "// ")});
}

}  // namespace prejoin::gen::cpp
