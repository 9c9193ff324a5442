#include "wire/members/search_fields.h"

#include <algorithm>
#include <string>

#include "json/type_checks.h"

namespace prejoin::wire {
namespace {

struct SearchField {
  std::string_view name;
  std::string_view expected;
};

// In the order in which a missing one is found.
constexpr SearchField kSearchFields[] = {
    {"TableName", "a string"},
    {"IndexName", "a string"},
    {"SearchVector", "a sequence"},
    {"TopK", "i32"},
};

// " at line 1 column 17" for the end of the first `size` bytes.
std::string PlaceBehind(std::string_view body, std::size_t size) {
  const std::string_view before = body.substr(0, size);
  const auto lines = std::ranges::count(before, '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 without one.
  return " at line " + std::to_string(lines + 1) + " column " +
         std::to_string(before.size() - line_start);
}

// After the value of the object's field with that number. The text is known to be an object.
std::size_t EndOfField(std::string_view body, std::size_t number) {
  std::size_t depth = 0;
  bool in_string = false;
  std::size_t last = 0;  // After the last byte that is no space.
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (in_string) {
      i += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return last;
    } else if (c == ',' && depth == 1 && number-- == 0) {
      return last;
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      continue;
    }
    last = i + 1;
  }
  return last;
}

}  // namespace

Status CheckSearchFields(json::Value root, std::string_view body) {
  if (root.type() != json::Type::kObject) {
    return {};
  }
  std::size_t number = 0;
  for (const auto& [name, value] : root.fields()) {
    const auto* field = std::ranges::find(kSearchFields, name, &SearchField::name);
    if (field != std::end(kSearchFields) && value.is_null()) {
      return json::SerializationError("invalid type: null, expected " +
                                      std::string(field->expected) +
                                      PlaceBehind(body, EndOfField(body, number)));
    }
    ++number;
  }
  for (const SearchField& field : kSearchFields) {
    if (!root.Find(field.name)) {
      return Error{ErrorCode::kValidation, "missing field `" + std::string(field.name) + "`" +
                                               PlaceBehind(body, body.rfind('}') + 1)};
    }
  }
  return {};
}

}  // namespace prejoin::wire
