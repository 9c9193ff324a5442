#include <set>
#include <sstream>

#include "gen/code.h"
#include "gen/emit/package.h"
#include "gen/request_text.h"
#include "gen/words.h"
#include "tests/gen/script.h"

namespace prejoin::gen {
namespace {

void PythonRead(const NamesIn& in, const ReadCall& call, Code& code) {
  const PatternFunction& pattern = *call.pattern;
  std::vector<std::string> arguments = {"db"};
  for (const auto& [name, value] : call.arguments) {
    arguments.push_back(in.Variable(name) + "=" + emit::LiteralIn("python", value));
  }
  std::vector<std::string> sections;
  const std::vector<std::string> names = SectionNames(pattern);
  for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
    const Section& section = pattern.sections[i];
    const std::string from =
        pattern.sections.size() == 1 ? "answer" : "answer." + in.Name(names[i]);
    if (section.measured()) {
      sections.push_back(std::string("[{\"") + MeasureName(section) + "\": " + from + "}]");
      continue;
    }
    std::vector<std::string> members;
    for (const Output& output : section.outputs) {
      members.push_back(Quoted(output.field.name) + ": r." +
                        in.Name(MemberName(output.field, section.outputs)));
    }
    sections.push_back("[{" + Join(members, ", ") + "} for r in rows_of(" + from + ")]");
  }
  const std::string function =
      "package." + SnakeCase(pattern.name) + "(" + Join(arguments, ", ") + ")";
  if (!call.outcome.empty()) {
    code.Line("attempt(" + Quoted(pattern.name) + ", lambda: " + function + ")");
    return;
  }
  code.Line("answer = " + function);
  code.Line("emit({\"call\": " + Quoted(pattern.name) + ", \"sections\": [" + Join(sections, ", ") +
            "]})");
}

void PythonWrite(const NamesIn& in, const WriteCall& call, Code& code) {
  std::vector<std::string> arguments = {"db"};
  std::vector<std::string> named;
  std::set<std::string> seen;
  for (const WriteStepCode& step : call.write->steps) {
    if (!seen.insert(step.parameter).second) {
      continue;
    }
    const bool put =
        step.kind == WriteStepCode::Kind::kPut || step.kind == WriteStepCode::Kind::kPutIn;
    std::vector<std::string> members;
    if (step.many) {
      for (const model::Row& one : RowsOf(call, step)) {
        std::vector<std::string> parts;
        for (const Field& field : step.row) {
          if (const AttributeValue* value = one.Find(field.name)) {
            parts.push_back(in.Name(field.name) + "=" + emit::LiteralIn("python", *value));
          }
        }
        members.push_back("package." + in.Type(step.row_entity) + "(" + Join(parts, ", ") + ")");
      }
      arguments.push_back("[" + Join(members, ", ") + "]");
      continue;
    }
    const model::Row& row = call.rows.at(step.parameter);
    for (const Field& field : step.row) {
      const AttributeValue* value = row.Find(field.name);
      if (value == nullptr && put) {
        continue;
      }
      const std::string given =
          put ? in.Name(field.name)
              : in.Variable(emit::StepMemberWords(*call.write, step, field.name));
      members.push_back(given + "=" +
                        (value != nullptr ? emit::LiteralIn("python", *value) : "None"));
    }
    if (put) {
      arguments.push_back("package." + in.Type(step.row_entity) + "(" + Join(members, ", ") + ")");
      if (step.kind != WriteStepCode::Kind::kPut) {
        continue;
      }
      for (const Field& field : step.asked) {
        named.push_back(in.Variable(emit::StepMemberWords(*call.write, step, field.name)) + "=" +
                        emit::LiteralIn("python", *row.Find(field.name)));
      }
      for (const StoredCopy& copy : step.entity->copies) {
        const auto found = call.copies.find(copy.attribute);
        if (copy.given()) {
          named.push_back(
              in.Variable(emit::GivenCopyWords(*call.write, copy)) + "=" +
              (found != call.copies.end() ? emit::LiteralIn("python", found->second) : "None"));
        }
      }
    } else {
      named.insert(named.end(), members.begin(), members.end());
    }
  }
  arguments.insert(arguments.end(), named.begin(), named.end());
  code.Line("attempt(" + Quoted(call.write->name) + ", lambda: package." +
            SnakeCase(call.write->name) + "(" + Join(arguments, ", ") + "))");
}

void PythonItem(const NamesIn& in, const ItemCall& call, Code& code) {
  std::vector<std::string> members;
  for (const Field& field : call.entity->fields) {
    if (const AttributeValue* value = call.row.Find(field.name)) {
      members.push_back(in.Name(field.name) + "=" + emit::LiteralIn("python", *value));
    }
  }
  code.Line("attempt(" + Quoted(call.name()) +
            ", lambda: db.put_item(TableName=" + Quoted(call.entity->table) + ", Item=package." +
            SnakeCase(in.Words(call.entity->name)) + "_item(package." + in.Type(call.entity->name) +
            "(" + Join(members, ", ") + "))))");
}

}  // namespace

std::string PythonScript(const Program& program, const Script& script) {
  const NamesIn in("python", program);
  Code code("    ", 88, Folding::kNone);
  code.Line("from decimal import Decimal");
  code.Line("import os");
  code.Line("import boto3");
  code.Line("from printing import attempt, emit, rows_of");
  code.Line("import " + program.module + " as package");
  code.Line();
  code.Line(
      "db = boto3.resource(\"dynamodb\", "
      "endpoint_url=os.environ[\"AWS_ENDPOINT_URL\"]).meta.client");
  for (const ReadCall& call : script.reads) {
    PythonRead(in, call, code);
  }
  for (const WriteCall& call : script.writes) {
    PythonWrite(in, call, code);
  }
  for (const ReadCall& call : script.reads_after) {
    PythonRead(in, call, code);
  }
  for (const ItemCall& call : script.items) {
    PythonItem(in, call, code);
  }
  code.Line("Decimal");
  return code.text();
}

// The same calls with a resource in place of its client.
std::string Boto3Script(const Program& program, const Script& script) {
  std::string text = PythonScript(program, script);
  const auto replace = [&text](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  };
  replace(").meta.client\n", ")\n");
  replace(" db.put_item(", " db.meta.client.put_item(");
  return text;
}

// The same calls, one after the other, each waited for.
std::string PythonAsyncScript(const Program& program, const Script& script) {
  std::istringstream lines(PythonScript(program, script));
  std::string out = "import asyncio\nimport aioboto3\nfrom printing import attempt_async\n";
  std::string body;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("from ") || line.starts_with("import os") ||
        line.starts_with("import " + program.module)) {
      out += line + "\n";
    } else if (line.starts_with("answer = ")) {
      body += "        answer = await " + line.substr(9) + "\n";
    } else if (line.starts_with("attempt(")) {
      line.replace(line.find(", lambda: "), 10, ", ");
      body += "        await attempt_async" + line.substr(7) + "\n";
    } else if (line.starts_with("emit(")) {
      body += "        " + line + "\n";
    }
  }
  return out +
         "async def main():\n    session = aioboto3.Session()\n"
         "    async with session.resource(\"dynamodb\", "
         "endpoint_url=os.environ[\"AWS_ENDPOINT_URL\"]) as "
         "resource:\n        db = resource.meta.client\n" +
         body + "asyncio.run(main())\n";
}

}  // namespace prejoin::gen
