// Names of tables and indexes in requests. An operation learns which table a text means here and nowhere else, and only of tables that
// policies were asked about (NameScope).
#ifndef PREJOIN_WIRE_NAMES_H_
#define PREJOIN_WIRE_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

#include "wire/members/input_reader.h"

namespace prejoin::wire {

// The table's name where DynamoDB takes a name or an ARN: the text itself, or what an ARN of this region and account names. kValidation for
// an ARN of anything but a table, kAccessDenied for another account's, kResourceNotFound for another region's.
Result<std::string_view> ResolveTable(const NameScope* names, std::string_view text);

// A name or an ARN, of a table that should exist.
Status ReadTableName(InputReader& reader, json::Value value, const Path& path, std::string& out);
// The name of a table to be made, or, for CreateTable, the ARN that it will have.
Status ReadCreatedTableName(InputReader& reader, json::Value value, const Path& path,
                            std::string& out);
// The name of a table to be restored or imported: no ARN.
Status ReadNewTableName(InputReader& reader, json::Value value, const Path& path, std::string& out);
// The name of a global table. There are none, so it is not used.
Status ReadGlobalTableName(InputReader& reader, json::Value value, const Path& path,
                           std::string& out);

bool IsTableName(std::string_view name);
// Returns DynamoDB's error for a map of tables at `path` with a key that is not a valid table name. `shown` repeats the map.
std::string TableKeyFault(const Path& path, std::string_view shown);

template <class Out>
Status ReadIndexName(InputReader& reader, json::Value value, const Path& path, Out& out) {
  PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
  reader.CheckPattern(path, text);
  reader.CheckLength(path, text, text.size(), {3, 255});
  out = std::string(text);
  return {};
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_NAMES_H_
