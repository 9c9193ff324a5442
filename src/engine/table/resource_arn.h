// The one reader of resource names. The access check and the operation both read a resource's ARN here, so the two cannot take
// the same text for different resources.
#ifndef PREJOIN_ENGINE_TABLE_RESOURCE_ARN_H_
#define PREJOIN_ENGINE_TABLE_RESOURCE_ARN_H_

#include <optional>
#include <string>
#include <string_view>

#include "prejoin/options.h"

namespace prejoin::engine {

enum class ResourceKind { kTable, kIndex, kStream, kBackup, kExport, kImport };

// Borrows from the text that was read.
struct ResourceArn {
  std::string_view region;
  std::string_view account;
  std::string_view table;
  ResourceKind kind = ResourceKind::kTable;
  std::string_view
      id;  // The index's name, the stream's label, the id of a backup, export or import; empty for a table.

  bool IsOf(const Options& options) const {
    return region == options.region && account == options.account_id;
  }
};

// Reads arn:aws:dynamodb:REGION:ACCOUNT:table/NAME, or that and /index/NAME, /stream/LABEL, /backup/ID, /export/ID or /import/ID.
// Nullopt for anything else: another service, an empty part, a character that no table name has, a tail after any of these.
std::optional<ResourceArn> ParseResourceArn(std::string_view text);

// The characters of table and index names: [a-zA-Z0-9_.-]
bool IsResourceName(std::string_view text);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_RESOURCE_ARN_H_
