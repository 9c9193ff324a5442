// Items of a table as some file or database has them, for audits and proofs.
#ifndef PREJOIN_CLI_STORED_ITEMS_H_
#define PREJOIN_CLI_STORED_ITEMS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::cli {

struct ReadProgress {
  std::int64_t items = 0;
  std::uint64_t file_bytes = 0;
};

struct ItemVisit {
  std::function<Status(const Item& item)> item;
  std::function<void(const ReadProgress& progress)> progress;  // May be empty.
};

// The items of an export, of files of lines, or of one JSON document: the answer of a Scan, or an array. A line or
// element that is no item is an error that names it.
Status EachStoredItem(const std::string& path, const ItemVisit& visit);

// Resolves the path in `items from "file"` of the model file `model_path`.
std::string BesideModel(const std::string& model_path, const std::string& file);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_STORED_ITEMS_H_
