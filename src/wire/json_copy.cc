#include "wire/json_copy.h"

#include "wire/json_writer.h"

namespace prejoin::wire {

void AppendJson(JsonValue value, std::string& out) {
  switch (value.type()) {
    case JsonType::kNull:
      out.append("null");
      return;
    case JsonType::kBool:
      out.append(value.boolean() ? "true" : "false");
      return;
    case JsonType::kInteger:
    case JsonType::kDecimal:
      out.append(value.number_text());
      return;
    case JsonType::kString:
      AppendJsonString(value.string(), out);
      return;
    case JsonType::kArray:
      AppendJsonArray(value.elements(), out, [&](JsonValue element) { AppendJson(element, out); });
      return;
    case JsonType::kObject:
      break;
  }
  ObjectWriter object(out);
  for (const auto& [name, member] : value.fields()) {
    AppendJson(member, object.Key(name));
  }
}

}  // namespace prejoin::wire
