// C++20 for Prejoin's embedded library: one header and one source file, and what they need.
#ifndef PREJOIN_GEN_CPP_CPP_H_
#define PREJOIN_GEN_CPP_CPP_H_

#include <string>
#include <vector>

#include "gen/code.h"
#include "gen/language.h"
#include "gen/program.h"
#include "gen/target.h"

namespace prejoin::gen {

std::vector<GeneratedFile> GenerateCpp(const Program& program);

}  // namespace prejoin::gen

namespace prejoin::gen::cpp {

// ---- spelling.cc
const Language& Cpp();
inline constexpr std::size_t kWidth = 100;
// Ends a function that gives a refused part of a key as its error.
inline constexpr const char* kEndOfTry =
    "} catch (const InvalidKeyPart& refused) {\n  return refused.error();\n}";
Code NewCode();
std::string Name(const std::string& name);  // snake_case, never a keyword.
std::string TypeOf(const Field& field);
std::string MemberType(const Field& field);  // std::optional<…> where the field is.
// As a member of that type is initialised.
std::string MemberLiteral(const Field& field, const AttributeValue& value);
// std::optional<AttributeValue>
std::string ReadText(const FieldSource& source, const std::string& item);
std::string TextsOf(const std::vector<std::string>& texts);
std::string ArgumentsType(const PatternFunction& pattern);
void Struct(const std::string& name, const std::vector<Field>& fields, Code& code);

// Declarations go to `header`, definitions to `source`.
struct Files {
  Code header;
  Code source;
};
void EntitiesCode(const Program& program, Files& files);
void PatternCode(const PatternFunction& pattern, bool exported, Files& files);
void WritesCode(const Program& program, Files& files);

}  // namespace prejoin::gen::cpp

#endif  // PREJOIN_GEN_CPP_CPP_H_
