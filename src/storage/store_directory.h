// The marker that tells our directories from foreign ones (docs/formats/store.md).
#ifndef PREJOIN_STORAGE_STORE_DIRECTORY_H_
#define PREJOIN_STORAGE_STORE_DIRECTORY_H_

#include <string>
#include <vector>

#include "prejoin/result.h"
#include "storage/store_folder.h"

namespace prejoin::storage {

// States if the data that the marker describes must exist already.
enum class DirectoryState { kCreating, kReady };

// Creates the directory if it is missing and marks it if it is empty. Refuses one that has files
// but no marker, or a marker of a format that we do not know, or that needs a feature besides
// `known_features`.
Result<DirectoryState> ClaimStoreDirectory(StoreFolder& folder,
                                           const std::vector<std::string>& known_features);

// Refuses a directory that is not a data directory of ours. Changes nothing.
Status CheckStoreDirectory(StoreFolder& folder);

// Records that the data exists, so that from now on its absence is damage.
Status MarkStoreDirectoryReady(StoreFolder& folder);

// Adds a feature to those that the data needs. Durable when it returns.
Status AddFeature(StoreFolder& folder, const std::string& feature);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_STORE_DIRECTORY_H_
