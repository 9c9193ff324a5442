#include <set>

#include "gen/code.h"
#include "gen/emit/package.h"
#include "gen/request_text.h"
#include "gen/words.h"
#include "tests/gen/script.h"

namespace prejoin::gen {
namespace {

std::string JavaLiteral(const AttributeValue* value) {
  return value != nullptr ? emit::LiteralIn("java", *value) : "null";
}

void JavaRead(const NamesIn& in, const ReadCall& call, Code& code) {
  const PatternFunction& pattern = *call.pattern;
  const ReadArguments given = ArgumentsOf(call);
  std::vector<std::string> arguments;
  for (const Field& field : given.fields) {
    arguments.push_back(JavaLiteral(given.row.Find(field.name)));
  }
  std::vector<std::string> sections;
  const std::vector<std::string> names = SectionNames(pattern);
  for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
    const Section& section = pattern.sections[i];
    const std::string from =
        pattern.sections.size() == 1 ? "answer" : "answer." + in.Name(names[i]) + "()";
    if (section.measured()) {
      sections.push_back(std::string("measured(\"") + MeasureName(section) + "\", " + from + ")");
      continue;
    }
    std::string members = "values()";
    for (const Output& output : section.outputs) {
      members += ".with(" + Quoted(output.field.name) + ", r." +
                 in.Name(MemberName(output.field, section.outputs)) + "())";
    }
    sections.push_back((section.at_most_one ? "rowAs(" : "rowsAs(") + from + ", r -> " + members +
                       ")");
  }
  const std::string function =
      "patterns." + CamelCase(pattern.name) + "(" + Join(arguments, ", ") + ")";
  if (!call.outcome.empty()) {
    code.Line("attempt(" + Quoted(pattern.name) + ", () -> " + function + ");");
    return;
  }
  code.Line("{ var answer = " + function + ";");
  code.Line("emit(" + Quoted(pattern.name) + ", " + Join(sections, ", ") + "); }");
}

void JavaWrite(const NamesIn& in, const WriteCall& call, Code& code) {
  std::vector<std::string> arguments;
  std::set<std::string> seen;
  for (const WriteStepCode& step : call.write->steps) {
    if (!seen.insert(step.parameter).second) {
      continue;
    }
    if (step.many) {
      std::vector<std::string> rows;
      for (const model::Row& one : RowsOf(call, step)) {
        std::vector<std::string> parts;
        for (const Field& field : step.row) {
          parts.push_back(JavaLiteral(one.Find(field.name)));
        }
        rows.push_back("new " + in.Type(step.row_entity) + "(" + Join(parts, ", ") + ")");
      }
      arguments.push_back("List.of(" + Join(rows, ", ") + ")");
      continue;
    }
    const model::Row& row = call.rows.at(step.parameter);
    std::vector<std::string> members;
    for (const Field& field : step.row) {
      members.push_back(JavaLiteral(row.Find(field.name)));
    }
    if (step.kind != WriteStepCode::Kind::kPut && step.kind != WriteStepCode::Kind::kPutIn) {
      arguments.insert(arguments.end(), members.begin(), members.end());
      continue;
    }
    arguments.push_back("new " + in.Type(step.row_entity) + "(" + Join(members, ", ") + ")");
    if (step.kind != WriteStepCode::Kind::kPut) {
      continue;
    }
    for (const Field& field : step.asked) {
      arguments.push_back(JavaLiteral(row.Find(field.name)));
    }
    for (const StoredCopy& copy : step.entity->copies) {
      const auto found = call.copies.find(copy.attribute);
      if (copy.given()) {
        arguments.push_back(JavaLiteral(found != call.copies.end() ? &found->second : nullptr));
      }
    }
  }
  code.Line("attempt(" + Quoted(call.write->name) + ", () -> writes." +
            CamelCase(call.write->name) + "(" + Join(arguments, ", ") + "));");
}

void JavaItem(const NamesIn& in, const ItemCall& call, Code& code) {
  std::vector<std::string> members;
  for (const Field& field : call.entity->fields) {
    members.push_back(JavaLiteral(call.row.Find(field.name)));
  }
  code.Line("attempt(" + Quoted(call.name()) + ", () -> db.putItem(put -> put.tableName(" +
            Quoted(call.entity->table) + ").item(EntityItems." +
            CamelCase(in.Words(call.entity->name)) + "Item(new " + in.Type(call.entity->name) +
            "(" + Join(members, ", ") + ")))));");
}

}  // namespace

// Java limits a method to 64 KB, so each call has its own.
std::string JavaScript(const Program& program, const Script& script) {
  const NamesIn in("java", program);
  Code body("  ", 100, Folding::kNone);
  Code calls("  ", 100, Folding::kNone);
  int count = 0;
  const auto method = [&](const auto& write) {
    const std::string name = "call" + std::to_string(++count);
    body.Block("static void " + name + "(DynamoDbClient db, Patterns patterns, Writes writes) {",
               "}", write);
    calls.Line(name + "(db, patterns, writes);");
  };
  for (const ReadCall& call : script.reads) {
    method([&] { JavaRead(in, call, body); });
  }
  for (const WriteCall& call : script.writes) {
    method([&] { JavaWrite(in, call, body); });
  }
  for (const ReadCall& call : script.reads_after) {
    method([&] { JavaRead(in, call, body); });
  }
  for (const ItemCall& call : script.items) {
    method([&] { JavaItem(in, call, body); });
  }
  std::string package = program.module;
  std::erase(package, '_');
  std::string head = "package " + package + ";\n\nimport static " + package + ".ItemValues.*;\n";
  for (const char* name : {"java.math.BigDecimal", "java.util.List", "java.util.Map",
                           "java.util.Set", "software.amazon.awssdk.core.SdkBytes",
                           "software.amazon.awssdk.services.dynamodb.DynamoDbClient"}) {
    head += std::string("import ") + name + ";\n";
  }
  return head + "\npublic final class Script extends Printing {\n" + body.text() +
         "  public static void run(DynamoDbClient db) {\n    var patterns = new "
         "Patterns(db);\n    var writes = new Writes(db);\n" +
         calls.text() + "  }\n}\n";
}

}  // namespace prejoin::gen
