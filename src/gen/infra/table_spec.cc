#include "gen/infra/infra.h"
#include "model/prove/backend.h"

namespace prejoin::gen::infra {

std::vector<TableSpec> TableSpecs(const Program& program) {
  std::vector<TableSpec> specs;
  for (const TableCode& table : program.tables) {
    TableSpec spec{model::MakeCreateTable(*program.model, *table.table), false, {}};
    // The copies follow the table that holds the original.
    for (const EntityCode& holder : program.entities) {
      for (const StoredCopy& copy : holder.copies) {
        if (copy.upkeep == model::CopyUpkeep::kStream && copy.original.table == table.name) {
          spec.stream = true;
        }
      }
    }
    // A table has one such attribute, whichever of its entities names it.
    for (const EntityCode& entity : program.entities) {
      if (entity.table == table.name && spec.ttl.empty()) {
        spec.ttl = entity.entity->ttl.text;
      }
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

std::string ScalarText(ScalarType type) {
  return type == ScalarType::kString ? "S" : type == ScalarType::kNumber ? "N" : "B";
}

std::string KeyTypeText(KeyType type) { return type == KeyType::kHash ? "HASH" : "RANGE"; }

std::string ProjectionText(const Projection& projection) {
  switch (projection.type.value_or(ProjectionType::kAll)) {
    case ProjectionType::kAll:
      return "ALL";
    case ProjectionType::kKeysOnly:
      return "KEYS_ONLY";
    case ProjectionType::kInclude:
      return "INCLUDE";
  }
  return "ALL";
}

}  // namespace prejoin::gen::infra
