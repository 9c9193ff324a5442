// TypeScript for the AWS SDK, version 3: entities.ts, patterns.ts, writes.ts and what they need.
#ifndef PREJOIN_GEN_TYPESCRIPT_TYPESCRIPT_H_
#define PREJOIN_GEN_TYPESCRIPT_TYPESCRIPT_H_

#include <string>
#include <vector>

#include "gen/code.h"
#include "gen/program.h"
#include "gen/target.h"

namespace prejoin::gen {

std::vector<GeneratedFile> GenerateTypeScript(const Program& program);

}  // namespace prejoin::gen

namespace prejoin::gen::typescript {

// ---- spelling.cc
std::string TypeOf(const Field& field);
std::string Literal(const AttributeValue& value);
std::string KeyFunctionName(const KeyFunction& function);
// `row` is the expression that members are taken from, `item` that of the item at hand.
struct Names {
  std::string row = "row";
  std::string item = "item";
};
std::string ValueText(const Value& value, const Names& names);
std::string KeyText(const KeyCall& call, const Names& names);
std::string ReadText(const FieldSource& source, const std::string& item);
// `{ PK: …, SK: … }`
std::string KeyObject(const std::vector<KeyValue>& key, const Names& names);
std::string PropertyName(const std::string& attribute);
std::string TableText(const std::string& table);
// "studentItem", "toStudent", "studentKey", "schoolLayouts"
std::string ItemFunction(const std::string& entity);
std::string FromItemFunction(const std::string& entity);
std::string KeyObjectFunction(const std::string& entity);
std::string LayoutsName(const std::string& table);
// Members of an object type, one line each.
void MemberLines(const std::vector<Field>& fields, Code& code);
// The file's header, the names that `body` uses of each module as imports, and the body.
std::string WithImports(const Program& program, const std::string& body,
                        const std::vector<std::string>& modules);

// ---- Each makes one file.
std::string EntitiesFile(const Program& program);
std::string PatternsFile(const Program& program);
std::string WritesFile(const Program& program);
std::string ReadmeFile(const Program& program);

// A function for a pattern; `exported` ones are documented.
void PatternCode(const Program& program, const PatternFunction& pattern, bool exported, Code& code);

}  // namespace prejoin::gen::typescript

#endif  // PREJOIN_GEN_TYPESCRIPT_TYPESCRIPT_H_
