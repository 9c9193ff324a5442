#include "wire/names.h"

#include <algorithm>
#include <utility>

#include "engine/errors.h"
#include "engine/table/resource_arn.h"
#include "engine/table/table_build.h"

namespace prejoin::wire {
namespace {

constexpr std::size_t kNameBytesMin = 3;
constexpr std::size_t kNameBytesMax = 255;

// Returns false if the name is bad. That is then all that DynamoDB tells about a request: it needs the
// name to find out who may ask.
bool CheckName(InputReader& reader, const Path& path, std::string_view text, std::string_view name,
               std::size_t bytes_min) {
  InputReader alone;
  alone.CheckLength(path, text, name.size(), {bytes_min, kNameBytesMax});
  if (!name.empty()) {
    alone.CheckPattern(path, name);
  }
  if (const Status status = alone.Finish(); !status.has_value()) {
    reader.Refuse(Order::kTableName, status.error().message);
    return false;
  }
  return true;
}

Error InvalidTableArn(std::string_view text) {
  return engine::InvalidParameter("Invalid TableArn: Invalid ResourceArn provided as input " +
                                  std::string(text));
}

// Names are read twice, by the check and here: whatever lets the two differ ends here, not in the table of somebody else.
Status CheckTableAsked(const InputReader& reader, const std::string& name) {
  const NameScope* const names = reader.names();
  if (names == nullptr || names->asked == nullptr) {
    return {};
  }
  return CheckAsked(reader, engine::TableArn(names->options, name));
}

// A bad name is refused as such: nothing was asked about it, and nothing is done with it.
Status TakeNewName(InputReader& reader, const Path& path, std::string_view text,
                   std::string_view name, std::string& out) {
  if (!CheckName(reader, path, text, name, kNameBytesMin)) {
    return {};
  }
  out = std::string(name);
  return CheckTableAsked(reader, out);
}

}  // namespace

Result<std::string_view> ResolveTable(const NameScope* names, std::string_view text) {
  if (!text.starts_with("arn:")) {
    return text;
  }
  const auto arn = engine::ParseResourceArn(text);
  if (names == nullptr || !arn || arn->kind != engine::ResourceKind::kTable) {
    return InvalidTableArn(text);
  }
  if (arn->account != names->options.account_id) {
    return Error{ErrorCode::kAccessDenied,
                 "The caller is not authorized to access the resource: " + std::string(text) +
                     " because no resource-based policy allows the action"};
  }
  if (arn->region != names->options.region) {
    return engine::ResourceNotFound("Requested resource not found: Table: " + std::string(text) +
                                    " not found");
  }
  return arn->table;
}

Status ReadTableName(InputReader& reader, json::Value value, const Path& path, std::string& out) {
  PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
  const auto resolved = ResolveTable(reader.names(), text);
  if (!resolved) {
    if (resolved.error().code != ErrorCode::kValidation) {
      return resolved.error();
    }
    reader.Refuse(Order::kTableName, resolved.error().message);
    return {};
  }
  const std::string_view name = *resolved;
  CheckName(reader, path, text, name, 1);
  if (name.size() < kNameBytesMin) {
    reader.Refuse(Order::kRequest,
                  "TableName must be at least 3 characters long and at most 255 characters long");
  }
  out = std::string(name);
  return CheckTableAsked(reader, out);
}

Status ReadNewTableName(InputReader& reader, json::Value value, const Path& path,
                        std::string& out) {
  PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
  return TakeNewName(reader, path, text, text, out);
}

Status ReadCreatedTableName(InputReader& reader, json::Value value, const Path& path,
                            std::string& out) {
  PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
  const auto resolved = ResolveTable(reader.names(), text);
  if (!resolved && resolved.error().code == ErrorCode::kAccessDenied) {
    return resolved.error();
  }
  // No table is made in another region, and none is missing there.
  if (!resolved) {
    reader.Refuse(Order::kTableName, InvalidTableArn(text).message);
    return {};
  }
  return TakeNewName(reader, path, text, *resolved, out);
}

Status ReadGlobalTableName(InputReader& reader, json::Value value, const Path& path,
                           std::string& out) {
  PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
  CheckName(reader, path, text, text, kNameBytesMin);
  out = std::string(text);
  return {};
}

bool IsTableName(std::string_view name) {
  return name.size() >= kNameBytesMin && name.size() <= kNameBytesMax &&
         std::all_of(name.begin(), name.end(), IsNameCharacter);
}

std::string TableKeyFault(const Path& path, std::string_view shown) {
  return "Value '" + std::string(shown) + "' at '" + path.Print() +
         "' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have "
         "length less than or equal to 255, Member must have length greater than or equal to 3, "
         "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]";
}

}  // namespace prejoin::wire
