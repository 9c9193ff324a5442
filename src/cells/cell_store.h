// Several stores behind the seam of one (storage/store.h).
#ifndef PREJOIN_CELLS_CELL_STORE_H_
#define PREJOIN_CELLS_CELL_STORE_H_

#include <cstddef>
#include <memory>

#include "cells/cell_commit.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::cells {

// A store over `cells`, in the order of their slices, whose number IsCellCount (slices.h). Completes what a stop interrupted, first.
// `cleared_together`: as CellCommit has it; a test makes it small.
Result<std::unique_ptr<storage::Store>> OpenCellStore(
    Cells cells, Durability durability,
    std::size_t cleared_together = CellCommit::kClearedTogether);

// Keeps everything in memory.
std::unique_ptr<storage::Store> NewMemoryCells(std::size_t count);

}  // namespace prejoin::cells

#endif  // PREJOIN_CELLS_CELL_STORE_H_
