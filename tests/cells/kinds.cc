// The storage contract (tests/storage) over cells.
#include "cells/cell_folder.h"
#include "cells/cell_store.h"
#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

Result<std::unique_ptr<Store>> OpenInMemory(const std::string&) {
  return cells::NewMemoryCells(8);
}

Result<std::unique_ptr<Store>> OpenOnDisk(const std::string& path) {
  RocksStoreOptions options;
  options.path = path;
  options.block_cache_bytes = 8u << 20;
  return cells::OpenCells(options, 4);
}

}  // namespace

std::vector<Kind> KindsUnderTest() {
  return {{"CellsInMemory", OpenInMemory, Keeps::kNothing}, {"CellsOnDisk", OpenOnDisk}};
}

}  // namespace prejoin::storage
