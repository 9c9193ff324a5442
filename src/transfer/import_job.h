// Reading files of items into a table: the work of ImportTable and of `prejoin import`.
#ifndef PREJOIN_TRANSFER_IMPORT_JOB_H_
#define PREJOIN_TRANSFER_IMPORT_JOB_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "prejoin/item.h"
#include "prejoin/result.h"
#include "prejoin/table.h"
#include "transfer/bucket.h"
#include "transfer/byte_source.h"
#include "transfer/import_description.h"

namespace prejoin::transfer {

struct ImportProgress {
  std::uint64_t file_bytes = 0;  // Read from the files, compressed.
  std::int64_t processed = 0;    // Lines or records, good and bad.
  std::int64_t imported = 0;
  std::int64_t errors = 0;
};

// The destination of items. `Add` may keep them back for a while; an error that it returns for an item
// (kValidation) belongs to that item, any other ends the import.
class ItemSink {
 public:
  virtual ~ItemSink() = default;
  virtual Status Add(Item item) = 0;
  // The same for an item that is to go.
  virtual Status Remove(Item key) = 0;
  // After the last item: everything is in the table, durably.
  virtual Status Finish() = 0;
};

enum class LineFormat { kWrapped, kBare, kChanges, kCsv };

struct ImportSource {
  std::vector<ObjectFile> files;
  LineFormat format = LineFormat::kWrapped;
  // Nullopt: by the file's name, .gz or .zst.
  std::optional<Compression> compression = Compression::kNone;
  char delimiter = ',';
  std::optional<std::vector<std::string>> headers;  // Nullopt: the first record of each file.
  // CSV has no types: keys get theirs from here, everything else is text.
  std::vector<AttributeDefinition> key_types;
};

struct ImportCallbacks {
  // Every now and then, with the figures so far. False: stop.
  std::function<bool(const ImportProgress&)> on_progress;
  // For each item that could not be imported: "file:line" and why.
  std::function<void(const std::string& place, const std::string& why)> on_error;
};

// Runs until the files end. Errors of single items or files are counted, not returned.
Status ImportFiles(const ImportSource& source, ItemSink& sink, const ImportCallbacks& callbacks,
                   ImportProgress& progress);

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_IMPORT_JOB_H_
