#include "gen/program.h"

namespace prejoin::gen {

const EntityCode* Program::FindEntity(std::string_view name) const {
  for (const EntityCode& entity : entities) {
    if (entity.name == name) {
      return &entity;
    }
  }
  return nullptr;
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
