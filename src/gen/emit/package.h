// A package of generated code: the program's entities, patterns and writes as one language's table spells them, in files.
#ifndef PREJOIN_GEN_EMIT_PACKAGE_H_
#define PREJOIN_GEN_EMIT_PACKAGE_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gen/code.h"
#include "gen/emit/expressions.h"
#include "gen/program.h"
#include "gen/target.h"

namespace prejoin::gen::emit {

std::vector<GeneratedFile> GeneratePackage(std::string_view language, const Program& program);

// A literal, for code that calls generated code.
std::string LiteralIn(std::string_view language, const AttributeValue& value,
                      Expressions::Place place = Expressions::Place::kStored);

// Single thread.
class Package : public Expressions {
 public:
  Package(std::string_view language, const Program& program);

  std::vector<GeneratedFile> Files();
  // The current content of a place.
  std::string Body(const std::string& place);
  Code NewCode() const;
  void Entities();
  // One file: what is above the body, the imports that it needs among it, the body, what stands below.
  std::string FileText(const std::string& place, const std::string& body) const;

 private:
  // Writes an entry to the place of the section at hand, and what the entry has for other places to those.
  void Emit(const std::string& entry, const Parts& parts);
  // As the language's formatter lays it out.
  std::string Laid(const std::string& text) const;
  void Add(const std::string& place, const std::string& text);
  std::string Readme() const;
  std::string Support(const std::string& path) const;
  Parts FileParts() const;
  // The names that a file imports, by module: from_reading.
  Parts ImportsOf(const std::string& place, const std::string& text) const;

  // ---- entities.cc
  void Entity(const EntityCode& entity);
  Parts EntityParts(const EntityCode& entity) const;
  void SecondLayout(const EntityCode& layout);
  void KeyMaker(const EntityCode& entity, const KeyFunction& function);
  void Nested(const NestedType& nested);
  std::vector<std::string> KeyChecks(const KeyFunction& function) const;
  std::vector<std::string> KeyPairs(const EntityCode& entity, const TableCode& table) const;
  std::vector<std::string> ItemMembers(const EntityCode& entity) const;
  // For languages in which an item has a type of its own: its members as they are declared, and with their values.
  struct StoredAttribute {
    Field field;
    std::string value;
  };
  std::vector<StoredAttribute> StoredAttributes(const EntityCode& entity) const;
  Parts StoredParts(const EntityCode& entity) const;
  void Layouts(const TableCode& table);
  void Tables();
  // For languages that create the tables themselves.
  std::vector<std::string> TableSpecs() const;

  // ---- patterns.cc, refreshes.cc, writes.cc
  friend class PatternCode;
  friend class WriteCode;
  friend class WriteInputs;
  void Pattern(const PatternFunction& pattern, bool exported);
  void Refresh(const WriteStepCode& step, const CopyRefresh& refresh);
  void Writes();

  const std::string language_;
  std::string section_;
  std::map<std::string, Code> places_;
  std::vector<GeneratedFile> entity_files_;
};

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_PACKAGE_H_
