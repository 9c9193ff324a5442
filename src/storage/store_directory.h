// The marker that tells our directories from foreign ones (docs/formats/store.md).
#ifndef PREJOIN_STORAGE_STORE_DIRECTORY_H_
#define PREJOIN_STORAGE_STORE_DIRECTORY_H_

#include <string>
#include <string_view>
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

// Refuses a directory that is not a data directory of ours, or has a database of several cells or a part of one: other than the one whose
// feature is `cell`, which the caller opens together with the others. Changes nothing.
Status CheckStoreDirectory(StoreFolder& folder, std::string_view cell = {});

// Records that the data exists, so that from now on its absence is damage.
Status MarkStoreDirectoryReady(StoreFolder& folder);

// Features of a database of several cells, and of each cell (src/cells/cell_folder.h): they begin so.
inline constexpr std::string_view kCellsFeature = "cells-";
inline constexpr std::string_view kCellFeature = "cell-";

// What a directory is, for those that have to know before they open it.
struct DirectoryContent {
  bool marked = false;                // It has our marker.
  bool unused = false;                // It is missing or empty.
  std::vector<std::string> features;  // That the data needs.
};
Result<DirectoryContent> LookIntoStoreDirectory(StoreFolder& folder);
// Creates the directory if it is missing, and marks it as one that needs `feature` and nothing else. Atomic and durable.
Status MarkStoreDirectory(StoreFolder& folder, const std::string& feature);

// Adds a feature to those that the data needs. Durable when it returns.
Status AddFeature(StoreFolder& folder, const std::string& feature);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_STORE_DIRECTORY_H_
