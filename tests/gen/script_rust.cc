#include <set>

#include "gen/code.h"
#include "gen/emit/package.h"
#include "gen/request_text.h"
#include "gen/words.h"
#include "tests/gen/script.h"

namespace prejoin::gen {
namespace {

// As a value of the field's type; numbers and texts own what they hold.
std::string RustValue(const Field& field, const AttributeValue* value) {
  if (value == nullptr) {
    return "None";
  }
  std::string text = emit::LiteralIn("rust", *value);
  if (text.starts_with('&')) {
    text.erase(0, 1);
  }
  if (value->string() != nullptr) {
    text += ".to_owned()";
  }
  return field.optional ? "Some(" + text + ")" : text;
}

std::string RustStruct(const NamesIn& in, const std::string& type, const model::Row& row,
                       const std::vector<Field>& fields) {
  std::vector<std::string> members;
  for (const Field& field : fields) {
    members.push_back(in.Name(field.name) + ": " + RustValue(field, row.Find(field.name)));
  }
  return type + " { " + Join(members, ", ") + " }";
}

void RustRead(const NamesIn& in, const ReadCall& call, Code& code) {
  const PatternFunction& pattern = *call.pattern;
  const ReadArguments arguments = ArgumentsOf(call);
  const std::string row = RustStruct(in, pattern.name + "Args", arguments.row, arguments.fields);
  const std::string asked = "sent(client." + SnakeCase(pattern.name) + "(" +
                            (arguments.fields.empty() ? "" : "&" + row) + ")).await";
  if (!call.outcome.empty()) {
    code.Line("attempt(" + Quoted(pattern.name) + ", " + asked + ".map(drop));");
    return;
  }
  code.Line("let answer = " + asked + ".unwrap();");
  std::vector<std::string> sections;
  const std::vector<std::string> names = SectionNames(pattern);
  for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
    const Section& section = pattern.sections[i];
    const std::string from =
        pattern.sections.size() == 1 ? "answer" : "answer." + in.Name(names[i]);
    if (section.measured()) {
      sections.push_back(std::string("measured(\"") + MeasureName(section) + "\", &" + from + ")");
      continue;
    }
    std::vector<std::string> members;
    for (const Output& output : section.outputs) {
      members.push_back(Quoted(output.field.name) + " => r." +
                        in.Name(MemberName(output.field, section.outputs)));
    }
    sections.push_back("rows_as(&" + from + (section.at_most_one ? ".into_iter().collect::<Vec<_>>()" : "") +
                       ", |r| values! { " + Join(members, ", ") + " })");
  }
  code.Line("emit(" + Quoted(pattern.name) + ", &[" + Join(sections, ", ") + "]);");
}

void RustWrite(const NamesIn& in, const WriteCall& call, Code& code) {
  std::vector<std::string> arguments;
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
        rows.push_back(RustStruct(in, in.Type(step.row_entity), row, step.row));
      }
      arguments.push_back("&[" + Join(rows, ", ") + "]");
      continue;
    }
    const std::string type =
        put ? in.Type(step.row_entity)
            : call.write->name +
                  (call.write->steps.size() > 1 ? PascalCase(step.parameter) : "") + "Args";
    arguments.push_back("&" + RustStruct(in, type, call.rows.at(step.parameter), step.row));
    if (step.kind != WriteStepCode::Kind::kPut) {
      continue;
    }
    for (const Field& field : step.asked) {
      arguments.push_back("&" + RustValue(field, call.rows.at(step.parameter).Find(field.name)));
    }
    for (const StoredCopy& copy : step.entity->copies) {
      const auto found = call.copies.find(copy.attribute);
      Field field = copy.field;
      field.optional = true;
      if (copy.given()) {
        arguments.push_back("&" + RustValue(field, found != call.copies.end() ? &found->second
                                                                              : nullptr));
      }
    }
  }
  code.Line("attempt(" + Quoted(call.write->name) + ", sent(client." +
            SnakeCase(call.write->name) + "(" + Join(arguments, ", ") + ")).await);");
}

}  // namespace

std::string RustScript(const Program& program, const Script& script) {
  const NamesIn in("rust", program);
  Code code("    ", 100, Folding::kNone);
  int number = 0;
  // A function for each few calls: one with all of them takes the compiler minutes.
  const auto each = [&](const auto& calls, const auto& write) {
    constexpr std::size_t kCallsEach = 8;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (i % kCallsEach == 0) {
        code.Line(i > 0 ? "}" : "");
        code.Line("async fn part" + std::to_string(++number) + "(client: &Client) {");
      }
      write(calls[i]);
    }
    code.Line(calls.empty() ? "" : "}");
  };
  each(script.reads, [&](const ReadCall& call) { RustRead(in, call, code); });
  each(script.writes, [&](const WriteCall& call) { RustWrite(in, call, code); });
  each(script.reads_after, [&](const ReadCall& call) { RustRead(in, call, code); });
  each(script.items, [&](const ItemCall& call) {
    const std::string item =
        RustStruct(in, in.Type(call.entity->name), call.row, call.entity->fields) + ".to_item()";
    code.Line("let actions = vec![put(" + Quoted(call.entity->name) + ", &client.tables." +
              in.Name(call.entity->table) + ", " + item + ".unwrap())];");
    code.Line("attempt(" + Quoted(call.name()) + ", sent(write(&client.db, actions)).await);");
  });
  code.Line("pub async fn run(client: &Client) {");
  for (int i = 1; i <= number; ++i) {
    code.Line("part" + std::to_string(i) + "(client).await;");
  }
  code.Line("}");
  return "use super::actions::*;\nuse super::entities::*;\nuse super::numbers::*;\nuse super::printing::*;\n"
         "use super::types::*;\nuse super::values::*;\nuse super::writing::*;\n" +
         code.text();
}

}  // namespace prejoin::gen
