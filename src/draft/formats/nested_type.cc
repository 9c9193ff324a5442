#include "draft/formats/nested_type.h"

#include "draft/formats/formats.h"
#include "draft/json_fields.h"
#include "draft/names.h"
#include "model/syntax/quoted.h"

namespace prejoin::draft {
namespace {

// A map that is nested deeper stays a plain map.
constexpr int kDepthMax = 8;

std::string TypeAt(json::Value attribute, std::string_view members, const std::string& plain, int depth);

// " values ("a", "b")" for a closed list: ElectroDB's type, OneTable's `enum`.
std::string ValuesText(json::Value member) {
  const auto type = Member(member, "type");
  const bool listed = type && type->type() == json::Type::kArray;
  std::string text;
  for (const std::string& value : TextsOf(listed ? type : Member(member, "enum"))) {
    text += (text.empty() ? "" : ", ") + model::Quoted(value);
  }
  return text.empty() ? "" : " values (" + text + ")";
}

// "(street text optional, zip number)"; empty if a member cannot be said.
std::string MembersText(std::optional<json::Value> members, std::string_view name, int depth) {
  std::string text;
  for (const NamedValue& one : MembersOf(members)) {
    if (!IsName(one.name)) {
      return "";
    }
    const std::string type = TextOf(one.value, "type");
    const std::string plain = TypeOfLetter(type.empty() ? "string" : type);
    text += (text.empty() ? "" : ", ") + one.name + " " + TypeAt(one.value, name, plain, depth) +
            (FlagOf(one.value, "required") ? "" : " optional") + (plain == "text" ? ValuesText(one.value) : "");
  }
  return text.empty() ? "" : "(" + text + ")";
}

std::string TypeAt(json::Value attribute, std::string_view members, const std::string& plain, int depth) {
  if (depth > kDepthMax || (plain != "map" && plain != "list")) {
    return plain;
  }
  const auto holder = plain == "map" ? std::optional(attribute) : Member(attribute, "items");
  const std::string inside = MembersText(Member(holder, members), members, depth + 1);
  return inside.empty() ? plain : plain + " of " + inside;
}

}  // namespace

std::string NestedType(json::Value attribute, std::string_view members, const std::string& plain) {
  return TypeAt(attribute, members, plain, 0);
}

}  // namespace prejoin::draft
