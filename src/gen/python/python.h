// Python for boto3: a package with entities, patterns, writes and what they need, typed for mypy --strict.
#ifndef PREJOIN_GEN_PYTHON_PYTHON_H_
#define PREJOIN_GEN_PYTHON_PYTHON_H_

#include <string>
#include <vector>

#include "gen/code.h"
#include "gen/language.h"
#include "gen/program.h"
#include "gen/target.h"

namespace prejoin::gen {

std::vector<GeneratedFile> GeneratePython(const Program& program);
std::vector<GeneratedFile> GeneratePythonAsync(const Program& program);

}  // namespace prejoin::gen

namespace prejoin::gen::python {

// ---- spelling.cc
const Language& Python();
Code NewCode();
std::string Name(const std::string& name);  // snake_case, never a keyword.
std::string TypeOf(const Field& field);
std::string ReadText(const FieldSource& source, const std::string& item);
std::string TupleText(const std::vector<std::string>& literals);  // ("STU#", "")
std::string TableText(const std::string& table);
std::string LayoutsName(const std::string& table);
// `name: type` or `name: type | None = None`, for each.
std::vector<std::string> Members(const std::vector<Field>& fields);
std::string WithImports(const Program& program, const std::string& body,
                        const std::vector<std::string>& modules);

std::string EntitiesFile(const Program& program);
std::string PatternsFile(const Program& program);
std::string WritesFile(const Program& program);

void PatternCode(const PatternFunction& pattern, bool exported, Code& code);

}  // namespace prejoin::gen::python

#endif  // PREJOIN_GEN_PYTHON_PYTHON_H_
