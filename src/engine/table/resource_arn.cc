#include "engine/table/resource_arn.h"

#include <algorithm>

namespace prejoin::engine {
namespace {

struct KindName {
  std::string_view name;
  ResourceKind kind;
};
constexpr KindName kKindNames[] = {
    {"index", ResourceKind::kIndex},   {"stream", ResourceKind::kStream},
    {"backup", ResourceKind::kBackup}, {"export", ResourceKind::kExport},
    {"import", ResourceKind::kImport},
};

// The text up to the separator, which goes with it; all of it if there is none.
std::string_view TakePart(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return part;
}

// Labels of streams are times, with colons.
bool IsId(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return c == ':' || IsResourceName(std::string_view(&c, 1));
  });
}

}  // namespace

bool IsResourceName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

std::optional<ResourceArn> ParseResourceArn(std::string_view text) {
  constexpr std::string_view kService = "arn:aws:dynamodb:";
  if (!text.starts_with(kService)) {
    return std::nullopt;
  }
  text.remove_prefix(kService.size());
  ResourceArn arn;
  arn.region = TakePart(text, ':');
  arn.account = TakePart(text, ':');
  if (!IsResourceName(arn.region) || !IsResourceName(arn.account) ||
      TakePart(text, '/') != "table") {
    return std::nullopt;
  }
  const bool has_more = text.find('/') != std::string_view::npos;
  arn.table = TakePart(text, '/');
  if (!IsResourceName(arn.table)) {
    return std::nullopt;
  }
  if (!has_more) {
    return arn;
  }
  const std::string_view kind = TakePart(text, '/');
  const auto* found = std::ranges::find(kKindNames, kind, &KindName::name);
  if (found == std::end(kKindNames) || !IsId(text)) {
    return std::nullopt;
  }
  arn.kind = found->kind;
  arn.id = text;
  return arn;
}

}  // namespace prejoin::engine
