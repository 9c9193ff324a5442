#include <set>

#include "gen/code.h"
#include "gen/emit/package.h"
#include "gen/request_text.h"
#include "gen/words.h"
#include "tests/gen/script.h"

namespace prejoin::gen {
namespace {

// As a value of the field's type.
std::string TypedLiteral(const Field& field, const AttributeValue& value) {
  const std::string text = emit::LiteralIn("go", value);
  const bool pointer = field.optional && (value.string() != nullptr || value.number() != nullptr ||
                                          value.boolean() != nullptr);
  return pointer ? "ptr(" + text + ")" : text;
}

std::string GoStruct(const NamesIn& in, const std::string& type, const model::Row& row,
                     const std::vector<Field>& fields) {
  std::vector<std::string> members;
  for (const Field& field : fields) {
    if (const AttributeValue* value = row.Find(field.name)) {
      members.push_back(in.Name(field.name) + ": " + TypedLiteral(field, *value));
    }
  }
  return type + "{" + Join(members, ", ") + "}";
}

PatternFunction GoNamed(PatternFunction pattern) {
  pattern.name = ExportedCase(pattern.name);
  return pattern;
}

void GoRead(const NamesIn& in, const ReadCall& call, Code& code) {
  const PatternFunction pattern = GoNamed(*call.pattern);
  const ReadArguments arguments = ArgumentsOf(call);
  code.Line("{");
  code.Line(std::string(call.outcome.empty() ? "answer" : "_") + ", err := c." + pattern.name +
            "(ctx" +
            (arguments.fields.empty()
                 ? ""
                 : ", " + GoStruct(in, pattern.name + "Args", arguments.row, arguments.fields)) +
            ")");
  if (!call.outcome.empty()) {
    code.Line("attempt(" + Quoted(call.pattern->name) + ", err)");
    code.Line("}");
    return;
  }
  code.Line("check(err)");
  std::vector<std::string> sections;
  const std::vector<std::string> names = SectionNames(pattern);
  for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
    const Section& section = pattern.sections[i];
    const std::string from =
        pattern.sections.size() == 1 ? "answer" : "answer." + in.Name(names[i]);
    if (section.measured()) {
      sections.push_back(std::string("measured(\"") + MeasureName(section) + "\", " + from + ")");
      continue;
    }
    std::vector<std::string> members;
    for (const Output& output : section.outputs) {
      members.push_back(Quoted(output.field.name) + ": r." +
                        in.Name(MemberName(output.field, section.outputs)));
    }
    sections.push_back("rowsAs(" + (section.at_most_one ? "oneOf(" + from + ")" : from) +
                       ", func(r " + (section.entity_rows ? in.Type(section.entity) : RowTypeName(pattern, i)) +
                       ") values { return values{" +
                       Join(members, ", ") + "} })");
  }
  code.Line("emit(" + Quoted(call.pattern->name) + ", " + Join(sections, ", ") + ")");
  code.Line("}");
}

void GoWrite(const NamesIn& in, const WriteCall& call, Code& code) {
  std::vector<std::string> arguments = {"ctx"};
  std::set<std::string> seen;
  for (const WriteStepCode& step : call.write->steps) {
    if (!seen.insert(step.parameter).second) {
      continue;
    }
    const bool put =
        step.kind == WriteStepCode::Kind::kPut || step.kind == WriteStepCode::Kind::kPutIn;
    if (step.many) {
      std::vector<std::string> rows;
      for (const model::Row& row : RowsOf(call, step)) {
        rows.push_back(GoStruct(in, in.Type(step.row_entity), row, step.row));
      }
      arguments.push_back("[]" + in.Type(step.row_entity) + "{" + Join(rows, ", ") + "}");
      continue;
    }
    arguments.push_back(GoStruct(
        in,
        put ? in.Type(step.row_entity)
            : ExportedCase(call.write->name) +
                  (call.write->steps.size() > 1 ? ExportedCase(step.parameter) : "") + "Args",
        call.rows.at(step.parameter), step.row));
    if (step.kind != WriteStepCode::Kind::kPut) {
      continue;
    }
    for (const Field& field : step.asked) {
      arguments.push_back(TypedLiteral(field, *call.rows.at(step.parameter).Find(field.name)));
    }
    for (const StoredCopy& copy : step.entity->copies) {
      const auto found = call.copies.find(copy.attribute);
      Field field = copy.field;
      field.optional = true;
      if (copy.given()) {
        arguments.push_back(found != call.copies.end() ? TypedLiteral(field, found->second)
                                                       : "nil");
      }
    }
  }
  code.Line("attempt(" + Quoted(call.write->name) + ", c." + ExportedCase(call.write->name) + "(" +
            Join(arguments, ", ") + "))");
}

}  // namespace

std::string GoScript(const Program& program, const Script& script) {
  const NamesIn in("go", program);
  Code code("\t", 100, Folding::kNone);
  code.Line("func RunScript(ctx context.Context, c *Client) {");
  for (const ReadCall& call : script.reads) {
    GoRead(in, call, code);
  }
  for (const WriteCall& call : script.writes) {
    GoWrite(in, call, code);
  }
  for (const ReadCall& call : script.reads_after) {
    GoRead(in, call, code);
  }
  for (const ItemCall& call : script.items) {
    code.Line("attempt(" + Quoted(call.name()) + ", write(ctx, c.DB, put(" +
              Quoted(call.entity->name) + ", " + "c.Tables." + in.Name(call.entity->table) +
              ", must(" + GoStruct(in, in.Type(call.entity->name), call.row, call.entity->fields) +
              ".Item()))))");
  }
  code.Line("}");
  std::string package = program.module;
  std::erase(package, '_');
  return "package " + package + "\n\nimport \"context\"\n\n" + code.text();
}

}  // namespace prejoin::gen
