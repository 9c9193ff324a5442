// Files of items: an export of AWS or of ours, a directory of files, or one file.
#ifndef PREJOIN_CLI_TRANSFER_ITEM_FILES_H_
#define PREJOIN_CLI_TRANSFER_ITEM_FILES_H_

#include <optional>
#include <string>
#include <vector>

#include "prejoin/result.h"
#include "transfer/import_job.h"

namespace prejoin::cli {

struct ItemFiles {
  std::vector<transfer::ObjectFile> files;
  std::optional<std::string> create_table;  // From an export of ours.
  bool incremental = false;

  // The format of the files, by their names.
  transfer::LineFormat Format() const;
};

Result<ItemFiles> FindItemFiles(const std::string& path);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_TRANSFER_ITEM_FILES_H_
