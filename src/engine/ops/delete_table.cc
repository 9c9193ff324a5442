#include <memory>

#include "engine/background.h"
#include "engine/catalog.h"
#include "engine/errors.h"
#include "engine/ops/operations.h"

namespace prejoin::engine {

Result<TableDescription> DeleteTable(Engine& engine, RequestContext& context,
                                     const std::string& table_name) {
  TableDescription description;
  std::vector<std::uint32_t> spaces_to_drop;
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
            if (current == nullptr) {
              return TableNotFound(table_name);
            }
            if (current->description.deletion_protection) {
              return ValidationError(
                  "Resource cannot be deleted as it is currently protected against deletion. "
                  "Disable deletion protection first.");
            }
            description = Describe(*current);
            spaces_to_drop = SpacesOf(*current);
            return std::unique_ptr<Table>();
          }));
  context.Saw(change.ticket);
  for (const std::uint32_t space : spaces_to_drop) {
    engine.background().DropSpace(space, change.old_retired);
  }
  description.status = TableStatus::kDeleting;
  return description;
}

}  // namespace prejoin::engine
