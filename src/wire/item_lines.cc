#include "wire/item_lines.h"

#include <optional>
#include <string>
#include <utility>

#include "json/base64.h"
#include "json/item_json.h"
#include "json/reader.h"
#include "json/writer.h"
#include "wire/attribute_value.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {
namespace {

Error NotAnItem(const std::string& why) { return ValidationError("not an item: " + why); }

Result<Item> ReadOne(json::Value value) {
  InputReader reader;
  Item item;
  if (const Status read = ReadItem(reader, value, Order::kItem, item); !read) {
    return NotAnItem(read.error().message);
  }
  if (const Status finished = reader.Finish(); !finished) {
    return ValidationError(finished.error().message);
  }
  return item;
}

Result<Item> ParseBare(std::string_view line) {
  const auto document = json::Document::Parse(line);
  if (!document) {
    return NotAnItem("the line is not JSON");
  }
  return ReadOne(document->root());
}

std::optional<json::Value> Find(json::Value object, std::string_view wanted) {
  if (object.type() == json::Type::kObject) {
    for (const auto& [name, value] : object.fields()) {
      if (name == wanted) {
        return value;
      }
    }
  }
  return std::nullopt;
}

Result<transfer::ItemOrKey> ParseChange(std::string_view line) {
  const auto document = json::Document::Parse(line);
  if (!document) {
    return NotAnItem("the line is not JSON");
  }
  const auto keys = Find(document->root(), "Keys");
  const auto image = Find(document->root(), "NewImage");
  if (!keys) {
    return NotAnItem("the line has no \"Keys\"");
  }
  transfer::ItemOrKey change{.item = {}, .deleted = !image};
  PJ_ASSIGN_OR_RETURN(change.item, ReadOne(image ? *image : *keys));
  return change;
}

Result<Item> ParseWrapped(std::string_view line) {
  const auto document = json::Document::Parse(line);
  if (!document) {
    return NotAnItem("the line is not JSON");
  }
  const auto item = Find(document->root(), "Item");
  if (!item) {
    return NotAnItem("the line has no \"Item\"");
  }
  return ReadOne(*item);
}

Result<std::string> DecodeKey(std::string_view text) {
  auto bytes = json::DecodeBase64(text);
  return bytes ? std::move(bytes) : Result<std::string>(ValidationError("not base64"));
}

void AppendStoredItem(ItemView item, std::string& out) { json::AppendItem(item, out); }

}  // namespace

transfer::ItemText JsonItemText() {
  return {.parse_wrapped = ParseWrapped,
          .parse_bare = ParseBare,
          .parse_change = ParseChange,
          .append_item = AppendStoredItem,
          .append_string = json::AppendString,
          .decode_base64 = DecodeKey};
}

}  // namespace prejoin::wire
