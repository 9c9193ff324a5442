// Deleting the spaces of what was dropped.
#ifndef PREJOIN_ENGINE_TABLE_SPACE_DROP_H_
#define PREJOIN_ENGINE_TABLE_SPACE_DROP_H_

#include <cstdint>
#include <vector>

#include "engine/engine.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

// In the background, once nobody works with the versions that used them.
void DropSpaces(Engine& engine, std::vector<std::uint32_t> spaces, Retirements old_versions);

// At start, in the background: deletes what was dropped before the last stop and is still there,
// that is, spaces below the next one to be given out that nobody uses.
void SweepSpaces(Engine& engine, Catalog::Spaces spaces);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_SPACE_DROP_H_
