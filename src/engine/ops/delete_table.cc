#include <memory>

#include "engine/background.h"
#include "engine/catalog.h"
#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/stream_catalog.h"

namespace prejoin::engine {

Result<TableDescription> DeleteTable(Engine& engine, RequestContext& context,
                                     const std::string& table_name) {
  TableDescription description;
  std::vector<std::uint32_t> spaces_to_drop;
  StreamPtr retired_stream;
  SequenceNumber retired_at = 0;
  const auto change = engine.catalog().Change(
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
        if (current->stream != nullptr) {
          // Its records can be read for another day.
          retired_stream = current->stream;
          PJ_ASSIGN_OR_RETURN(retired_at,
                              engine.streams().Retire(retired_stream, engine.clock().NowMs()));
        }
        return std::unique_ptr<Table>();
      });
  PJ_RETURN_IF_ERROR(change);
  context.Saw(change->ticket);
  if (retired_stream != nullptr) {
    engine.streams().Close(retired_stream, retired_at);
  }
  for (const std::uint32_t space : spaces_to_drop) {
    engine.background().DropSpace(space, change->old_retired);
  }
  description.status = TableStatus::kDeleting;
  return description;
}

}  // namespace prejoin::engine
