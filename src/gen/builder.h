// Shared by the parts of BuildProgram: fields, where they are in items, and key functions.
#ifndef PREJOIN_GEN_BUILDER_H_
#define PREJOIN_GEN_BUILDER_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gen/program.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::gen {

// Borrows both. Single thread.
struct Builder {
  const model::Model& model;
  Program& program;
  std::map<std::string, std::string> nested_names = {};  // By "Entity.attribute.member".

  // ---- build_entity.cc
  void AddEntities();
  void AddTables();
  // The types of maps inside an attribute or member, the inner ones first.
  void AddNested(const model::Attribute& attribute, const std::string& entity,
                 const std::string& path);
  // The function for the first `parts` parts of a template; made when it is asked for first.
  const KeyFunction* Function(const model::Reference<model::Entity>& entity, const model::StoredAttribute& stored,
                              std::size_t parts, bool open_shard);
  // A key of `entity` from values that `value_of` gives by attribute.
  template <class ValueOf>
  KeyCall Call(const model::Reference<model::Entity>& entity,
               const model::StoredAttribute& stored, const ValueOf& value_of);
  // The attributes that find an item of the entity.
  std::vector<Field> Identity(const model::Entity& entity) const;
  Field FieldOf(const model::Entity& entity, std::string_view attribute) const;
  // An attribute or member; `path` is "Entity.attribute".
  Field FieldOf(const model::Attribute& attribute, const std::string& path) const;
  FieldSource SourceIn(const model::Entity& entity, std::string_view attribute,
                       const model::View& view) const;

  // ---- build_pattern.cc
  // False, with the reason in `refusal`, when no key supports it.
  bool BuildPattern(const model::Pattern& pattern, PatternFunction& function, std::string& refusal);

  // ---- build_read.cc
  Read ReadOf(const model::Plan& plan, const model::Request& request);

  // ---- build_write.cc
  void AddWrites();

  // ---- build_beside.cc
  // The step's items in the second layouts among those that it writes; with the reason if there is no code.
  std::string AddBeside(WriteStepCode& code,
                        const std::vector<model::Model::Placement>& written);
  WriteStepCode::Place PlaceOf(const model::Model::Placement& placement, const WriteStepCode& code,
                               const std::set<std::string>& changed) const;
  // True if a second layout has the number in a key, or in an item that cannot be counted up in place.
  bool IsKeptBeside(const model::WriteStep& step, const WriteStepCode& code,
                    const std::string& name) const;

  // ---- build_totals.cc
  // Whether a sum or count that transactions keep follows from this attribute, or from the rows at all (empty).
  bool IsSummed(const std::string& entity, const std::string& attribute) const;
  // Totals in a new row begin with nothing; in one that is put again they stay as they are.
  void AddOwnTotals(WriteStepCode& code) const;
  // The totals elsewhere that a step changes, and the rows that go with a deleted one; with the reason if there is no code.
  std::string AddTotals(WriteStepCode& code, const std::string& except = {}) const;
  std::string AddCascade(WriteStepCode& code);
  // Why a write of these rows has no place to go.
  std::string WhyNothingStores(const std::string& rows) const;
  // The lock item of a unique attribute.
  LockCode LockOf(const model::Entity& entity, const std::string& attribute);
  // A function that finds the rows of `holder` that point at one of `original`, with what `more` names; null if no key does.
  const PatternFunction* FindRows(const EntityCode& holder, const EntityCode& original,
                                  const std::string& name, const std::vector<std::string>& more);
};

// A sum or count that the write of a row keeps right itself.
bool IsKeptTotal(const model::StoredAttribute& stored);

// True for the one shard there is, whose number is a fixed text.
inline bool IsLoneShard(const model::TemplatePart& part) {
  return part.transform == model::TemplateTransform::kShard && part.argument == 1;
}

// A parameter or literal of a pattern.
Value ValueOf(const model::Operand& operand, AttributeType type);

// The field of the current row.
Value RowValue(const Field& field);

// The texts around the attributes of a template: one more than there are attributes.
std::vector<std::string> LiteralsOf(const model::KeyTemplate& key);

template <class ValueOf>
KeyCall Builder::Call(const model::Reference<model::Entity>& entity, const model::StoredAttribute& stored,
                      const ValueOf& value_of) {
  KeyCall call;
  if (stored.key.natural) {
    call.arguments.push_back(value_of(stored.key.parts[0].attribute));
    return call;
  }
  call.function = Function(entity, stored, stored.key.parts.size(), /*open_shard=*/false);
  for (const Field& argument : call.function->arguments) {
    call.arguments.push_back(value_of(argument.name));
  }
  return call;
}

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_BUILDER_H_
