// The directory of a database of several cells (docs/formats/cells.md).
#ifndef PREJOIN_CELLS_CELL_FOLDER_H_
#define PREJOIN_CELLS_CELL_FOLDER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::cells {

// Opens the directory with the cells that it was made with, or makes it. `count`: how many the caller expects; 0: as many as there are, and
// one in a new directory. One cell is a store as storage::OpenRocksStore has it, without a router. Refuses another number of cells
// than the directory has, a directory that is a cell itself, and commits that are not synced (options.sync).
Result<std::unique_ptr<storage::Store>> OpenCells(const storage::RocksStoreOptions& options,
                                                  std::size_t count);

// A cell of a database, or the only store of a directory.
struct CellFolder {
  std::string path;
  std::string feature;  // The cell's own; empty if the directory has one store.
};
// Refuses what OpenCells refuses. Changes nothing.
Result<std::vector<CellFolder>> CellFoldersIn(const std::string& path);

// Runs `work` on the database as it is on the disk, with what a start would complete of commits over several cells: nothing is changed
// (storage::ReadRocksStore).
Status ReadCells(const std::string& path, FunctionRef<Status(storage::Store&)> work);

}  // namespace prejoin::cells

#endif  // PREJOIN_CELLS_CELL_FOLDER_H_
