// The depth of a value is limited when it is written, so printing may recurse.
#include "json/item_json.h"

#include <cstring>

#include "json/writer.h"
#include "value/base64.h"

namespace prejoin::json {
namespace {

void AppendBinary(std::string_view bytes, std::string& out) {
  out.push_back('"');
  AppendBase64(bytes, out);
  out.push_back('"');
}

// Canonical number texts need no escaping.
void AppendNumberText(std::string_view text, std::string& out) {
  out.push_back('"');
  out.append(text);
  out.push_back('"');
}

void AppendView(ValueView value, std::string& out) {
  switch (value.type()) {
    case ValueType::kString:
      out.append("{\"S\":");
      AppendString(value.string(), out);
      break;
    case ValueType::kNumber:
      out.append("{\"N\":");
      AppendNumberText(value.number_text(), out);
      break;
    case ValueType::kBinary:
      out.append("{\"B\":");
      AppendBinary(value.binary(), out);
      break;
    case ValueType::kBool:
      out.append(value.boolean() ? "{\"BOOL\":true" : "{\"BOOL\":false");
      break;
    case ValueType::kNull:
      out.append("{\"NULL\":true");
      break;
    case ValueType::kList:
      out.append("{\"L\":");
      AppendArray(value.list(), out, [&](ValueView element) { AppendView(element, out); });
      break;
    case ValueType::kMap:
      out.append("{\"M\":");
      AppendItem(value.map(), out);
      break;
    case ValueType::kStringSet:
      out.append("{\"SS\":");
      AppendArray(value.set(), out, [&](std::string_view s) { AppendString(s, out); });
      break;
    case ValueType::kNumberSet:
      out.append("{\"NS\":");
      AppendArray(value.set(), out, [&](std::string_view n) { AppendNumberText(n, out); });
      break;
    case ValueType::kBinarySet:
      out.append("{\"BS\":");
      AppendArray(value.set(), out, [&](std::string_view b) { AppendBinary(b, out); });
      break;
  }
  out.push_back('}');
}

char* Copy(std::string_view text, char* to) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

// `,"name":{"S":"text"}` in one step: most attributes are such, and growing the string once instead
// of nine times is worth a third of the time that printing takes. False if something needs
// escaping; nothing is written then.
bool AppendPlainAttribute(std::string_view name, ValueType type, std::string_view text, bool first,
                          std::string& out) {
  if (NeedsEscape(name) || (type == ValueType::kString && NeedsEscape(text))) {
    return false;
  }
  const std::string_view before = first ? "\"" : ",\"";
  const std::string_view between = type == ValueType::kString ? "\":{\"S\":\"" : "\":{\"N\":\"";
  const std::string_view after = "\"}";
  const std::size_t old_size = out.size();
  out.resize(old_size + before.size() + name.size() + between.size() + text.size() + after.size());
  char* to = out.data() + old_size;
  to = Copy(before, to);
  to = Copy(name, to);
  to = Copy(between, to);
  to = Copy(text, to);
  Copy(after, to);
  return true;
}

}  // namespace

void AppendItem(ItemView item, std::string& out) {
  out.push_back('{');
  bool first = true;
  for (const auto& [name, value] : item) {
    const ValueType type = value.type();
    const bool is_text = type == ValueType::kString || type == ValueType::kNumber;
    if (is_text && AppendPlainAttribute(name, type, value.string(), first, out)) {
      first = false;
      continue;
    }
    if (!first) {
      out.push_back(',');
    }
    first = false;
    AppendString(name, out);
    out.push_back(':');
    AppendView(value, out);
  }
  out.push_back('}');
}

void AppendItem(const StoredItem& item, std::string& out) {
  AppendItem(ItemView(item.body()), out);
}

void AppendItem(const Item& item, std::string& out) {
  ObjectWriter object(out);
  for (const auto& [name, value] : item) {
    AppendValue(value, object.Key(name));
  }
}

// Few values come this way (keys, rarely an unprocessed item), so one way of printing is enough.
void AppendValue(const AttributeValue& value, std::string& out) {
  std::string encoded;
  EncodeValue(value, encoded);
  AppendView(ValueView(encoded.data()), out);
}

}  // namespace prejoin::json
