#include "json/plain_value.h"

#include "json/writer.h"
#include "value/base64.h"

namespace prejoin::json {

void AppendPlain(const AttributeValue& value, std::string& out) {
  switch (value.type()) {
    case ValueType::kString:
      AppendString(*value.string(), out);
      return;
    case ValueType::kNumber:
      value.number()->AppendTo(out);
      return;
    case ValueType::kBool:
      out += *value.boolean() ? "true" : "false";
      return;
    case ValueType::kNull:
      out += "null";
      return;
    case ValueType::kBinary:
      out += '"';
      AppendBase64(*value.binary(), out);
      out += '"';
      return;
    case ValueType::kList:
      AppendArray(*value.list(), out, [&](const AttributeValue& one) { AppendPlain(one, out); });
      return;
    case ValueType::kMap:
      AppendPlain(*value.map(), out);
      return;
    case ValueType::kStringSet:
      AppendArray(*value.string_set(), out,
                  [&](const std::string& one) { AppendString(one, out); });
      return;
    case ValueType::kNumberSet:
      AppendArray(*value.number_set(), out, [&](const Number& one) { one.AppendTo(out); });
      return;
    case ValueType::kBinarySet:
      AppendArray(*value.binary_set(), out, [&](const std::string& one) {
        out += '"';
        AppendBase64(one, out);
        out += '"';
      });
      return;
  }
}

void AppendPlain(const Item& item, std::string& out) {
  ObjectWriter object(out);
  for (const auto& [name, value] : item) {
    AppendPlain(value, object.Key(name));
  }
}

}  // namespace prejoin::json
