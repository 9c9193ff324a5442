#include "tests/gen/script.h"

#include <algorithm>
#include <set>

#include "gen/code.h"
#include "gen/emit/package.h"
#include "gen/request_text.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace {

std::string TsObject(const NamesIn& in, const model::Row& row, const std::vector<Field>& fields) {
  std::vector<std::string> members;
  for (const Field& field : fields) {
    if (const AttributeValue* value = row.Find(field.name)) {
      members.push_back(in.Name(field.name) + ": " + emit::LiteralIn("typescript", *value));
    }
  }
  return "{ " + Join(members, ", ") + " }";
}

void TsRead(const NamesIn& in, const ReadCall& call, Code& code) {
  const PatternFunction& pattern = *call.pattern;
  std::vector<std::string> arguments;
  for (const auto& [name, value] : call.arguments) {
    arguments.push_back(in.Name(name) + ": " + emit::LiteralIn("typescript", value));
  }
  const std::string function = "generated." + CamelCase(pattern.name) + "(db" +
                               (arguments.empty() ? "" : ", { " + Join(arguments, ", ") + " }") +
                               ")";
  if (!call.outcome.empty()) {
    code.Line("await attempt(" + Quoted(pattern.name) + ", () => " + function + ");");
    return;
  }
  code.Line("{");
  code.Line("const answer = await " + function + ";");
  std::vector<std::string> sections;
  const std::vector<std::string> names = SectionNames(pattern);
  for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
    const Section& section = pattern.sections[i];
    const std::string from =
        pattern.sections.size() == 1 ? "answer" : "answer." + in.Name(names[i]);
    if (section.measured()) {
      sections.push_back(std::string("[{ ") + MeasureName(section) + ": " + from + " }]");
      continue;
    }
    std::vector<std::string> members;
    for (const Output& output : section.outputs) {
      members.push_back(Quoted(output.field.name) + ": r." +
                        in.Name(MemberName(output.field, section.outputs)));
    }
    sections.push_back("rowsOf(" + from + ").map((r) => ({ " + Join(members, ", ") + " }))");
  }
  code.Line("print({ call: " + Quoted(pattern.name) + ", sections: [" + Join(sections, ", ") +
            "] });");
  code.Line("}");
}

void TsWrite(const NamesIn& in, const WriteCall& call, Code& code) {
  std::vector<std::string> arguments = {"db"};
  std::set<std::string> seen;
  for (const WriteStepCode& step : call.write->steps) {
    if (!seen.insert(step.parameter).second) {
      continue;
    }
    if (step.many) {
      std::vector<std::string> rows;
      for (const model::Row& row : RowsOf(call, step)) {
        rows.push_back(TsObject(in, row, step.row));
      }
      arguments.push_back("[" + Join(rows, ", ") + "]");
      continue;
    }
    arguments.push_back(TsObject(in, call.rows.at(step.parameter), step.row));
    if (step.kind != WriteStepCode::Kind::kPut) {
      continue;
    }
    for (const Field& field : step.asked) {
      arguments.push_back(
          emit::LiteralIn("typescript", *call.rows.at(step.parameter).Find(field.name)));
    }
    for (const StoredCopy& copy : step.entity->copies) {
      const auto found = call.copies.find(copy.attribute);
      if (copy.given()) {
        arguments.push_back(found != call.copies.end()
                                ? emit::LiteralIn("typescript", found->second)
                                : "undefined");
      }
    }
  }
  code.Line("await attempt(" + Quoted(call.write->name) + ", () => generated." +
            CamelCase(call.write->name) + "(" + Join(arguments, ", ") + "));");
}

}  // namespace

std::string TypeScriptScript(const Program& program, const Script& script) {
  const NamesIn in("typescript", program);
  Code code("  ", 80, Folding::kNone);
  code.Line("import { DynamoDBClient } from \"@aws-sdk/client-dynamodb\";");
  code.Line(std::string("import { DynamoDBDocumentClient") +
            (script.items.empty() ? "" : ", PutCommand") + " } from \"@aws-sdk/lib-dynamodb\";");
  const bool attempts = !script.writes.empty() || !script.items.empty() ||
                        std::ranges::any_of(script.reads_after, [](const ReadCall& call) {
                          return !call.outcome.empty();
                        });
  code.Line(std::string("import { ") + (attempts ? "attempt, " : "") +
            "print, rowsOf } from \"../printing.js\";");
  code.Line("import * as generated from \"./index.js\";");
  code.Line();
  code.Line("const db = DynamoDBDocumentClient.from(new DynamoDBClient({}));");
  for (const ReadCall& call : script.reads) {
    TsRead(in, call, code);
  }
  for (const WriteCall& call : script.writes) {
    TsWrite(in, call, code);
  }
  for (const ReadCall& call : script.reads_after) {
    TsRead(in, call, code);
  }
  for (const ItemCall& call : script.items) {
    code.Line("await attempt(" + Quoted(call.name()) +
              ", () => db.send(new PutCommand({ TableName: " + Quoted(call.entity->table) +
              ", Item: generated." + CamelCase(in.Words(call.entity->name)) + "Item" + "(" +
              TsObject(in, call.row, call.entity->fields) + ") })));");
  }
  return code.text();
}

}  // namespace prejoin::gen
