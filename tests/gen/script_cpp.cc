#include <set>

#include "gen/code.h"
#include "gen/emit/package.h"
#include "gen/request_text.h"
#include "gen/words.h"
#include "model/data/item_render.h"
#include "tests/gen/script.h"

namespace prejoin::gen {
namespace {

std::string CppLiteral(const AttributeValue& value) {
  return emit::LiteralIn("cpp", value, emit::Expressions::Place::kBare);
}

std::string CppRow(const NamesIn& in, const model::Row& row, const std::vector<Field>& fields,
                   const std::string& type) {
  std::vector<std::string> members;
  for (const Field& field : fields) {
    if (const AttributeValue* value = row.Find(field.name)) {
      members.push_back("." + in.Name(field.name) + " = " + CppLiteral(*value));
    }
  }
  return "[] {\n  " + type + " r;\n" + [&] {
    std::string out;
    for (const std::string& member : members) {
      out += "  r" + member + ";\n";
    }
    return out;
  }() + "  return r;\n}()";
}

void CppRead(const NamesIn& in, const ReadCall& call, Code& code) {
  const PatternFunction& pattern = *call.pattern;
  const ReadArguments arguments = ArgumentsOf(call);
  code.Line("{");
  code.Line("const auto answer = " + pattern.name + "(db" +
            (arguments.fields.empty()
                 ? ""
                 : ", " + CppRow(in, arguments.row, arguments.fields, pattern.name + "Args")) +
            ");");
  if (!call.outcome.empty()) {
    code.Line("tests::Outcome(" + Quoted(pattern.name) +
              ", answer.has_value() ? Status() : Status(answer.error()));");
    code.Line("}");
    return;
  }
  code.Line("if (!answer.has_value()) return tests::Fail(answer.error());");
  code.Line("tests::Line line(" + Quoted(pattern.name) + ");");
  const std::vector<std::string> names = SectionNames(pattern);
  for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
    const Section& section = pattern.sections[i];
    const std::string from =
        pattern.sections.size() == 1 ? "*answer" : "answer->" + in.Name(names[i]);
    if (section.measured()) {
      code.Line(std::string("line.Measured(\"") + MeasureName(section) + "\", " + from + ");");
      continue;
    }
    code.Line("line.Section(" + from + ", [](const auto& r, prejoin::Item& out) {");
    for (const Output& output : section.outputs) {
      code.Line("  prejoin::generated::Set(out, " + Quoted(output.field.name) + ", r." +
                in.Name(MemberName(output.field, section.outputs)) + ");");
    }
    code.Line("});");
  }
  code.Line("}");
}

void CppWrite(const NamesIn& in, const WriteCall& call, Code& code) {
  std::vector<std::string> arguments = {"db"};
  std::set<std::string> seen;
  for (const WriteStepCode& step : call.write->steps) {
    if (!seen.insert(step.parameter).second) {
      continue;
    }
    const bool put =
        step.kind == WriteStepCode::Kind::kPut || step.kind == WriteStepCode::Kind::kPutIn;
    const std::string type =
        put ? in.Type(step.row_entity)
            : call.write->name + (call.write->steps.size() > 1 ? PascalCase(step.parameter) : "") +
                  "Args";
    if (step.many) {
      std::vector<std::string> rows;
      for (const model::Row& row : RowsOf(call, step)) {
        rows.push_back(CppRow(in, row, step.row, type));
      }
      arguments.push_back("{" + Join(rows, ", ") + "}");
      continue;
    }
    arguments.push_back(CppRow(in, call.rows.at(step.parameter), step.row, type));
    if (step.kind != WriteStepCode::Kind::kPut) {
      continue;
    }
    for (const Field& field : step.asked) {
      arguments.push_back(CppLiteral(*call.rows.at(step.parameter).Find(field.name)));
    }
    for (const StoredCopy& copy : step.entity->copies) {
      const auto found = call.copies.find(copy.attribute);
      if (copy.given()) {
        arguments.push_back(found != call.copies.end() ? CppLiteral(found->second)
                                                       : "std::nullopt");
      }
    }
  }
  code.Line("tests::Outcome(" + Quoted(call.write->name) + ", " + call.write->name + "(" +
            Join(arguments, ", ") + "));");
}

}  // namespace

std::string CppScript(const Program& program, const Script& script) {
  const NamesIn in("cpp", program);
  Code code("  ", 100, Folding::kNone);
  code.Line("#include \"" + program.module + ".cc\"");
  code.Line("#include \"tests/gen/printing.h\"");
  code.Line("namespace " + program.module + " {");
  model::DataIndex index(script.before);
  code.Line("static int Load(Database& db) {");
  for (const model::TableItems& table : model::RenderAll(*program.model, index)) {
    for (const Item& item : table.items) {
      code.Line("if (tests::PutItem(db, " + Quoted(table.table->name.text) + ", " +
                emit::LiteralIn("cpp", AttributeValue(item)) + ") != 0) return 1;");
    }
  }
  code.Line("return 0;\n}");
  code.Line("int RunScript(Database& db) {");
  code.Line(
      "if (auto made = CreateTables(db); !made.has_value()) return tests::Fail(made.error());");
  code.Line("if (Load(db) != 0) return 1;");
  for (const ReadCall& call : script.reads) {
    CppRead(in, call, code);
  }
  for (const WriteCall& call : script.writes) {
    CppWrite(in, call, code);
  }
  for (const ReadCall& call : script.reads_after) {
    CppRead(in, call, code);
  }
  for (const ItemCall& call : script.items) {
    code.Line("if (tests::PutItem(db, " + Quoted(call.entity->table) + ", AttributeValue(ItemOf(" +
              CppRow(in, call.row, call.entity->fields, in.Type(call.entity->name)) +
              "))) != 0) return 1;");
    code.Line("tests::Outcome(" + Quoted(call.name()) + ", Status());");
  }
  for (const TableCode& table : program.tables) {
    code.Line("tests::PrintTable(db, " + Quoted(table.name) + ");");
  }
  code.Line("return 0;\n}");
  code.Line("static const tests::Registration kRegistered(" + Quoted(program.file) +
            ", RunScript);");
  code.Line("}  // namespace " + program.module);
  return code.text();
}

}  // namespace prejoin::gen
