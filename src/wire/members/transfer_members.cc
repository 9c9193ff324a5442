// Members that requests for imports and exports share.
#include "wire/members/transfer_members.h"

#include <cctype>

namespace prejoin::wire {
namespace {

constexpr std::size_t kBucketBytesMax = 255;
constexpr std::size_t kAccountDigits = 12;

bool IsAlphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool IsBucketName(std::string_view text) {
  if (text.size() < 2 || !IsAlphanumeric(text.front()) || !IsAlphanumeric(text.back())) {
    return false;
  }
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsAlphanumeric(c) || c == '.' || c == '-' || c == '_'; });
}

}  // namespace

Status ReadBucketName(InputReader& reader, json::Value value, const Path& path, std::string& out) {
  PJ_RETURN_IF_ERROR(reader.ReadString(value, out));
  reader.CheckLength(path, out, out.size(), {0, kBucketBytesMax});
  if (!IsBucketName(out)) {
    reader.Violate(
        path, out,
        R"(Member must satisfy regular expression pattern: ^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)");
  }
  return {};
}

Status ReadBucketOwner(InputReader& reader, json::Value value, const Path& path,
                       std::optional<std::string>& out) {
  PJ_RETURN_IF_ERROR(reader.ReadString(value, out));
  if (out->size() != kAccountDigits ||
      !std::all_of(out->begin(), out->end(), [](char c) { return c >= '0' && c <= '9'; })) {
    reader.Violate(path, *out, "Member must satisfy regular expression pattern: [0-9]{12}");
  }
  return {};
}

Status ReadClientToken(InputReader& reader, json::Value value, const Path& path,
                       std::optional<std::string>& out) {
  PJ_RETURN_IF_ERROR(reader.ReadString(value, out));
  if (out->empty() || out->find('$') != std::string::npos) {
    reader.Violate(path, *out, R"(Member must satisfy regular expression pattern: ^[^\$]+$)");
  }
  return {};
}

}  // namespace prejoin::wire
