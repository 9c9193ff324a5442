// In the place of the store on disk, in the shared library of `make dist`: Debian compiles the archive of RocksDB for programs, and its
// thread-local variables cannot be part of a shared library.
#include "cells/cell_folder.h"

namespace prejoin::cells {

Result<std::unique_ptr<storage::Store>> OpenCells(const storage::RocksStoreOptions& options, std::size_t) {
  return Error{ErrorCode::kIo, "cannot open " + options.path +
                                   ": this build of the library keeps everything in memory. Use the program (prejoin serve --data), or the "
                                   "library of a build on this machine (cmake --install)"};
}

}  // namespace prejoin::cells
