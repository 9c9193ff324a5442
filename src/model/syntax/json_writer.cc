#include "model/syntax/json_writer.h"

#include <cmath>
#include <cstdio>

namespace prejoin::model {

void JsonWriter::NewLine() {
  out_ += '\n';
  out_.append(has_members_.size() * 2, ' ');
}

void JsonWriter::Separate() {
  if (after_name_) {
    after_name_ = false;
    return;
  }
  if (has_members_.empty()) return;
  if (has_members_.back()) out_ += ',';
  has_members_.back() = true;
  NewLine();
}

JsonWriter& JsonWriter::BeginObject() {
  Separate();
  out_ += '{';
  has_members_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::EndObject() {
  const bool members = has_members_.back();
  has_members_.pop_back();
  if (members) NewLine();
  out_ += '}';
  return *this;
}

JsonWriter& JsonWriter::BeginArray() {
  Separate();
  out_ += '[';
  has_members_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::EndArray() {
  const bool members = has_members_.back();
  has_members_.pop_back();
  if (members) NewLine();
  out_ += ']';
  return *this;
}

JsonWriter& JsonWriter::Name(std::string_view name) {
  String(name);
  out_ += ": ";
  after_name_ = true;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view text) {
  Separate();
  out_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (byte < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", byte);
      out_ += escaped;
    } else {
      out_ += c;
    }
  }
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::Number(double number) {
  Separate();
  char text[40];
  if (number == std::floor(number) && std::abs(number) < 1e15) {
    std::snprintf(text, sizeof(text), "%.0f", number);
  } else {
    std::snprintf(text, sizeof(text), "%.10g", number);
  }
  out_ += text;
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) {
  Separate();
  out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Null() {
  Separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::Value(const AttributeValue& value) {
  switch (value.type()) {
    case ValueType::kString:
      return String(*value.string());
    case ValueType::kNumber:
      Separate();
      value.number()->AppendTo(out_);
      return *this;
    case ValueType::kBool:
      return Bool(*value.boolean());
    case ValueType::kList:
      BeginArray();
      for (const AttributeValue& member : *value.list()) Value(member);
      return EndArray();
    case ValueType::kMap:
      BeginObject();
      for (const auto& [name, member] : *value.map()) Name(name).Value(member);
      return EndObject();
    case ValueType::kStringSet:
      BeginArray();
      for (const std::string& member : *value.string_set()) String(member);
      return EndArray();
    case ValueType::kNumberSet:
      BeginArray();
      for (const auto& member : *value.number_set()) Value(AttributeValue(member));
      return EndArray();
    default:
      return Null();
  }
}

}  // namespace prejoin::model
