// Java for the AWS SDK, version 2: one package. Records for entities, Keys, and the classes Patterns and Writes with a method for each.
#ifndef PREJOIN_GEN_JAVA_JAVA_H_
#define PREJOIN_GEN_JAVA_JAVA_H_

#include <string>
#include <vector>

#include "gen/code.h"
#include "gen/language.h"
#include "gen/program.h"
#include "gen/target.h"

namespace prejoin::gen {

std::vector<GeneratedFile> GenerateJava(const Program& program);

}  // namespace prejoin::gen

namespace prejoin::gen::java {

// ---- spelling.cc
const Language& Java();
Code NewCode();
std::string PackageName(const Program& program);  // studentsandcourses
std::string Name(const std::string& name);        // camelCase, never a name that is taken.
std::string Method(const std::string& name);      // Of a pattern or write.
std::string TypeOf(const Field& field);           // Boxed where the field is optional.
// The stored value, null if there is none; in Java's type; and for a row, where it may have to be there.
std::string StoredText(const FieldSource& source, const std::string& item);
std::string TypedText(const FieldSource& source, const std::string& item);
std::string RowText(const FieldSource& source, const std::string& item);
std::string TableText(const std::string& table);
std::string Parameters(const std::vector<Field>& fields);  // String id, BigDecimal year
// A Javadoc comment of some paragraphs.
void Comment(const std::vector<std::string>& paragraphs, Code& code);
// A record with what may be null in its comment; `head` stands in front: "public record ".
void Record(const std::string& head, const std::string& name, const std::string& about,
            const std::vector<Field>& fields, Code& code);
// Header, package, imports of what the body uses, body. `statics`: classes of the package whose functions it uses.
std::string File(const Program& program, const std::string& body,
                 const std::vector<const char*>& statics = {});
// A class whose methods need the database: its fields and constructors, then `body`.
std::string DatabaseClass(const Program& program, const std::string& name, const std::string& about,
                          const std::string& body, const std::vector<const char*>& statics);

std::vector<GeneratedFile> EntityFiles(const Program& program);
void PatternCode(const PatternFunction& pattern, bool exported, Code& code);
void WritesCode(const Program& program, Code& code);

}  // namespace prejoin::gen::java

#endif  // PREJOIN_GEN_JAVA_JAVA_H_
