// TypeScript for the AWS SDK, version 3: entities.ts, patterns.ts, writes.ts and what they need.
#ifndef PREJOIN_GEN_TYPESCRIPT_TYPESCRIPT_H_
#define PREJOIN_GEN_TYPESCRIPT_TYPESCRIPT_H_

#include <string>
#include <vector>

#include "gen/code.h"
#include "gen/language.h"
#include "gen/program.h"
#include "gen/target.h"

namespace prejoin::gen {

std::vector<GeneratedFile> GenerateTypeScript(const Program& program);

}  // namespace prejoin::gen

namespace prejoin::gen::typescript {

// ---- spelling.cc
const Language& TypeScript();
std::string TypeOf(const Field& field);
std::string ReadText(const FieldSource& source, const std::string& item);
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
void PatternCode(const PatternFunction& pattern, bool exported, Code& code);

}  // namespace prejoin::gen::typescript

#endif  // PREJOIN_GEN_TYPESCRIPT_TYPESCRIPT_H_
