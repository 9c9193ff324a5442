#include "wire/names.h"

#include <algorithm>
#include <utility>

#include "json/copy.h"

namespace prejoin::wire {
namespace {

constexpr std::size_t kNameBytesMin = 3;
constexpr std::size_t kNameBytesMax = 255;

// A bad table name is all that DynamoDB tells about a request: it needs the name to find out who
// may ask.
void CheckName(InputReader& reader, const Path& path, std::string_view text, std::string_view name,
               std::size_t bytes_min) {
  InputReader alone;
  alone.CheckLength(path, text, name.size(), {bytes_min, kNameBytesMax});
  if (!name.empty()) {
    alone.CheckPattern(path, name);
  }
  if (const Status status = alone.Finish(); !status.has_value()) {
    reader.Refuse(Order::kTableName, status.error().message);
  }
}

}  // namespace

std::string_view TableNameOf(std::string_view text) {
  // arn:aws:dynamodb:us-east-1:123456789012:table/Name
  constexpr std::string_view kMark = ":table/";
  const std::size_t mark = text.find(kMark);
  if (!text.starts_with("arn:") || mark == std::string_view::npos) {
    return text;
  }
  const std::string_view rest = text.substr(mark + kMark.size());
  return rest.substr(0, rest.find('/'));
}

Status ReadTableName(InputReader& reader, json::Value value, const Path& path, std::string& out) {
  PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
  const std::string_view name = TableNameOf(text);
  CheckName(reader, path, text, name, 1);
  if (name.size() < kNameBytesMin) {
    reader.Refuse(Order::kRequest,
                  "TableName must be at least 3 characters long and at most 255 characters long");
  }
  out = std::string(name);
  return {};
}

Status ReadNewTableName(InputReader& reader, json::Value value, const Path& path,
                        std::string& out) {
  PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
  CheckName(reader, path, text, text, kNameBytesMin);
  out = std::string(text);
  return {};
}

std::string TableKeyFault(const Path& path, json::Value tables, std::string_view key,
                          EchoForm echo) {
  const std::string_view name = TableNameOf(key);
  if (name.size() >= kNameBytesMin && name.size() <= kNameBytesMax &&
      std::all_of(name.begin(), name.end(), IsNameCharacter)) {
    return "";
  }
  std::string shown;
  if (echo == EchoForm::kJson) {
    json::AppendCopy(tables, shown);
  } else {
    shown = PrintEcho(tables);
  }
  return "Value '" + shown + "' at '" + path.Print() +
         "' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have "
         "length less than or equal to 255, Member must have length greater than or equal to 3, "
         "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]";
}

void CheckTableKey(InputReader& reader, const Path& path, json::Value tables, std::string_view key,
                   EchoForm echo) {
  if (std::string fault = TableKeyFault(path, tables, key, echo); !fault.empty()) {
    reader.ViolateText(std::move(fault));
  }
}

}  // namespace prejoin::wire
