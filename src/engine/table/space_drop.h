// Deletes the spaces of dropped tables and indexes.
#ifndef PREJOIN_ENGINE_TABLE_SPACE_DROP_H_
#define PREJOIN_ENGINE_TABLE_SPACE_DROP_H_

#include <cstdint>
#include <set>
#include <vector>

#include "engine/engine.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

// In the background, once nobody works with the versions that used them. Their notes (DroppedKey)
// are there already.
void DropSpaces(Engine& engine, std::vector<std::uint32_t> spaces, Retirements old_versions);

// At start, in the background: deletes spaces that have a note and are not among those in use. A
// space without a note is never deleted, also if nobody here knows what it is for.
void SweepDroppedSpaces(Engine& engine, std::set<std::uint32_t> used);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_SPACE_DROP_H_
