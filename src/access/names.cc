#include "access/names.h"

#include <algorithm>
#include <string>
#include <utility>

namespace prejoin::access {
namespace {

bool IsNameLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("+=,.@_-").find(c) != std::string_view::npos;
}

Error RefusedName(std::string message) { return Error{ErrorCode::kValidation, std::move(message)}; }

Error RefusedLength(std::string_view member, std::string_view text, const std::string& rule) {
  return RefusedName("1 validation error detected: Value '" + std::string(text) + "' at '" +
                     std::string(member) +
                     "' failed to satisfy constraint: Member must have length " + rule);
}

}  // namespace

Status CheckName(std::string_view member, std::string_view text, NameLength length) {
  if (text.size() < length.min) {
    return RefusedLength(member, text, "greater than or equal to " + std::to_string(length.min));
  }
  if (text.size() > length.max) {
    return RefusedLength(member, text, "less than or equal to " + std::to_string(length.max));
  }
  if (!std::ranges::all_of(text, IsNameLetter)) {
    return RefusedName("The specified value for " + std::string(member) +
                       " is invalid. It must contain only alphanumeric characters and/or the "
                       "following: +=,.@_-");
  }
  return {};
}

}  // namespace prejoin::access
