#include "transfer/item_lines.h"

#include <string>

#include "json/attribute_value.h"
#include "json/reader.h"

namespace prejoin::transfer {
namespace {

Error NotAnItem(const std::string& why) { return ValidationError("not an item: " + why); }

Result<json::Document> ParseLine(std::string_view line) {
  auto document = json::Document::Parse(line);
  if (!document) {
    return NotAnItem("the line is not JSON");
  }
  return document;
}

}  // namespace

Result<Item> ParseWrappedItem(std::string_view line) {
  PJ_ASSIGN_OR_RETURN(const json::Document document, ParseLine(line));
  const auto item = document.root().Find("Item");
  if (!item) {
    return NotAnItem("the line has no \"Item\"");
  }
  return json::ReadItem(*item);
}

Result<Item> ParseBareItem(std::string_view line) {
  PJ_ASSIGN_OR_RETURN(const json::Document document, ParseLine(line));
  return json::ReadItem(document.root());
}

Result<ItemOrKey> ParseChange(std::string_view line) {
  PJ_ASSIGN_OR_RETURN(const json::Document document, ParseLine(line));
  const auto keys = document.root().Find("Keys");
  const auto image = document.root().Find("NewImage");
  if (!keys) {
    return NotAnItem("the line has no \"Keys\"");
  }
  ItemOrKey change{.item = {}, .deleted = !image};
  PJ_ASSIGN_OR_RETURN(change.item, json::ReadItem(image ? *image : *keys));
  return change;
}

}  // namespace prejoin::transfer
