#include "json/copy.h"

#include "json/writer.h"

namespace prejoin::json {

void AppendCopy(Value value, std::string& out) {
  switch (value.type()) {
    case Type::kNull:
      out.append("null");
      return;
    case Type::kBool:
      out.append(value.boolean() ? "true" : "false");
      return;
    case Type::kInteger:
    case Type::kDecimal:
      out.append(value.number_text());
      return;
    case Type::kString:
      AppendString(value.string(), out);
      return;
    case Type::kArray:
      AppendArray(value.elements(), out, [&](Value element) { AppendCopy(element, out); });
      return;
    case Type::kObject:
      break;
  }
  ObjectWriter object(out);
  for (const auto& [name, member] : value.fields()) {
    AppendCopy(member, object.Key(name));
  }
}

}  // namespace prejoin::json
