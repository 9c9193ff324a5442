// The definition of a table that is being restored.
#ifndef PREJOIN_ENGINE_HISTORY_RESTORED_TABLE_H_
#define PREJOIN_ENGINE_HISTORY_RESTORED_TABLE_H_

#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/table/catalog.h"
#include "engine/table/table.h"
#include "prejoin/backups.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Returns `definition` with the overrides, empty, CREATING. Leaves out what DynamoDB does not restore either:
// stream, time to live, recovery, tags, policy.
Result<std::unique_ptr<Table>> MakeRestoredTable(const Engine& engine, const Table& definition,
                                                 const std::string& table_name,
                                                 const RestoreOverrides& overrides,
                                                 SpaceAllocator& spaces);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_RESTORED_TABLE_H_
