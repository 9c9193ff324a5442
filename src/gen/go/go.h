// Go for the AWS SDK, version 2: one package; its Client has a method for each pattern and write. Laid out as gofmt does.
#ifndef PREJOIN_GEN_GO_GO_H_
#define PREJOIN_GEN_GO_GO_H_

#include <string>
#include <vector>

#include "gen/code.h"
#include "gen/language.h"
#include "gen/program.h"
#include "gen/target.h"

namespace prejoin::gen {

std::vector<GeneratedFile> GenerateGo(const Program& program);

}  // namespace prejoin::gen

namespace prejoin::gen::go {

// ---- spelling.cc
const Language& Go();
Code NewCode();
std::string PackageName(const Program& program);  // studentsandcourses
std::string Field(const std::string& name);       // StudentID
std::string Variable(std::string_view name);      // studentID, never a name that is taken.
std::string TypeOf(const gen::Field& field);      // *string where the field is optional.
// As a value of that type.
std::string TypedLiteral(const gen::Field& field, const AttributeValue& value);
// The stored value, nil if there is none; and in the type of its field, for a row.
std::string StoredText(const FieldSource& source, const std::string& item);
std::string RowText(const FieldSource& source, const std::string& item);
std::string TableText(const std::string& table);
// The struct of arguments of a write's step.
std::string ArgumentsType(const WriteFunction& write, const WriteStepCode& step);
// A struct type, gofmt's columns included.
void Struct(const std::string& name, const std::vector<gen::Field>& fields, Code& code);
// A function without a name; on three lines where gofmt would break it.
std::string FunctionText(const std::string& signature, const std::string& given);
// The first lines of every file.
std::string Header(const Program& program);
// The header, its imports and the body, with gofmt's columns.
std::string File(const Program& program, const std::string& body);

// A pattern under the name that its method has: CoursesByID, findCourses.
PatternFunction Named(const PatternFunction& pattern, bool exported);
void PatternCode(const PatternFunction& pattern, bool exported, Code& code);
void EntitiesCode(const Program& program, Code& code);
void WritesCode(const Program& program, Code& code);

}  // namespace prejoin::gen::go

#endif  // PREJOIN_GEN_GO_GO_H_
