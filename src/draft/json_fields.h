// Looking into JSON of other programs, where anything may be missing or of another type.
#ifndef PREJOIN_DRAFT_JSON_FIELDS_H_
#define PREJOIN_DRAFT_JSON_FIELDS_H_

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/reader.h"
#include "prejoin/item.h"

namespace prejoin::draft {

// The member of an object; nullopt if it is no object, has none, or the member is null.
std::optional<json::Value> Member(std::optional<json::Value> object, std::string_view name);
// Members of members.
std::optional<json::Value> Member(std::optional<json::Value> object,
                                  std::initializer_list<std::string_view> path);

// The text of a member, or of the value itself; empty if it is not a text.
std::string TextOf(std::optional<json::Value> value);
std::string TextOf(std::optional<json::Value> object, std::string_view name);
bool FlagOf(std::optional<json::Value> object, std::string_view name);

// Elements of an array; none if it is no array. A single text counts as an array of it.
std::vector<json::Value> ElementsOf(std::optional<json::Value> value);
std::vector<std::string> TextsOf(std::optional<json::Value> value);

struct NamedValue {
  std::string name;
  json::Value value;
};
// Members of an object, in order; none if it is no object.
std::vector<NamedValue> MembersOf(std::optional<json::Value> value);

// DynamoDB's typed JSON, {"S": "x"}. NoSQL Workbench writes plain JSON inside maps now and then, so
// whatever does not look typed is read as plain.
AttributeValue ReadLooseValue(json::Value value, int depth = 0);
Item ReadLooseItem(json::Value object);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_JSON_FIELDS_H_
