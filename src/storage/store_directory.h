// The marker that tells our directories from foreign ones (docs/formats/store.md).
#ifndef PREJOIN_STORAGE_STORE_DIRECTORY_H_
#define PREJOIN_STORAGE_STORE_DIRECTORY_H_

#include <string>

#include "prejoin/result.h"

namespace prejoin::storage {

// Whether the data behind the marker must exist already.
enum class DirectoryState { kCreating, kReady };

// Creates the directory if it is missing and marks it if it is empty. Refuses one that has files
// but no marker, or a marker of a format that we do not know.
Result<DirectoryState> ClaimStoreDirectory(const std::string& path);

// Records that the data exists, so that from now on its absence is damage.
Status MarkStoreDirectoryReady(const std::string& path);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_STORE_DIRECTORY_H_
