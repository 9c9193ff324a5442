// Item counts and sizes over a stop: saved by a clean close, counted again after any other end.
#ifndef PREJOIN_ENGINE_TABLE_TABLE_STATS_H_
#define PREJOIN_ENGINE_TABLE_TABLE_STATS_H_

#include <cstdint>
#include <string>

#include "engine/engine.h"
#include "engine/table/catalog.h"
#include "engine/table/table.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

// Sets the figures by reading the whole space. Writers may go on; what they change while this runs
// may be missed.
Status CountSpace(storage::Store& store, std::uint32_t space, Stats& stats);

// Counts a table and its indexes again in the background, after a stop that could not save the
// figures.
void Recount(Engine& engine, std::string table_name);

// At close, after the last write.
Status SaveStats(storage::Store& store, const Catalog& catalog);

// At open. Takes the saved figures back and forgets them, so that they are never believed twice.
// False: there were none, because the database was new or did not close.
Result<bool> LoadStats(storage::Store& store, const Catalog& catalog);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_TABLE_STATS_H_
