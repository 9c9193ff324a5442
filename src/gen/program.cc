#include "gen/program.h"

#include "gen/words.h"

namespace prejoin::gen {

StoredKey WriteStepCode::WithConstants(StoredKey stored) const {
  for (Value& argument : stored.call.arguments) {
    for (const auto& [name, value] : constants) {
      if (argument.kind == Value::Kind::kRow && argument.name == name) {
        argument = {};
        argument.kind = Value::Kind::kLiteral;
        argument.literal = value;
      }
    }
  }
  return stored;
}

std::vector<MissingCode> Program::Missing() const {
  std::vector<MissingCode> all = refused;
  for (const WriteFunction& write : writes) {
    if (!write.refusal.empty()) {
      all.push_back({MissingCode::Kind::kWrite, write.write->name.text, write.refusal});
    }
  }
  return all;
}

const EntityCode* Program::FindEntity(std::string_view name) const {
  for (const EntityCode& entity : entities) {
    if (entity.name == name) {
      return &entity;
    }
  }
  return nullptr;
}

const EntityCode* Program::FindLayout(std::string_view name) const {
  for (const EntityCode& layout : second_layouts) {
    if (layout.name == name) {
      return &layout;
    }
  }
  return FindEntity(name);
}

std::string Program::CodeName(std::string_view entity) const {
  const EntityCode* found = FindLayout(entity);
  return found != nullptr ? found->code_name : std::string(entity);
}

std::string Program::TypeName(std::string_view entity) const {
  const EntityCode* found = FindLayout(entity);
  return PascalCase(CodeName(found != nullptr ? model->RowsOf(found->name) : std::string(entity)));
}

const TableCode* Program::FindTable(std::string_view name) const {
  for (const TableCode& table : tables) {
    if (table.name == name) {
      return &table;
    }
  }
  return nullptr;
}

}  // namespace prejoin::gen
