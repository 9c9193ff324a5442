#include "json/indented_writer.h"

#include <cmath>
#include <cstdio>

#include "json/writer.h"

namespace prejoin::json {

void IndentedWriter::NewLine() {
  out_ += '\n';
  out_.append(has_members_.size() * 2, ' ');
}

void IndentedWriter::Separate() {
  if (after_name_) {
    after_name_ = false;
    return;
  }
  if (has_members_.empty()) {
    return;
  }
  if (has_members_.back()) {
    out_ += ',';
  }
  has_members_.back() = true;
  NewLine();
}

IndentedWriter& IndentedWriter::BeginObject() {
  Separate();
  out_ += '{';
  has_members_.push_back(false);
  return *this;
}

IndentedWriter& IndentedWriter::EndObject() {
  const bool members = has_members_.back();
  has_members_.pop_back();
  if (members) {
    NewLine();
  }
  out_ += '}';
  return *this;
}

IndentedWriter& IndentedWriter::BeginArray() {
  Separate();
  out_ += '[';
  has_members_.push_back(false);
  return *this;
}

IndentedWriter& IndentedWriter::EndArray() {
  const bool members = has_members_.back();
  has_members_.pop_back();
  if (members) {
    NewLine();
  }
  out_ += ']';
  return *this;
}

IndentedWriter& IndentedWriter::Name(std::string_view name) {
  String(name);
  out_ += ": ";
  after_name_ = true;
  return *this;
}

IndentedWriter& IndentedWriter::String(std::string_view text) {
  Separate();
  AppendString(text, out_);
  return *this;
}

IndentedWriter& IndentedWriter::Number(double number) {
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

IndentedWriter& IndentedWriter::Bool(bool value) {
  Separate();
  out_ += value ? "true" : "false";
  return *this;
}

IndentedWriter& IndentedWriter::Null() {
  Separate();
  out_ += "null";
  return *this;
}

IndentedWriter& IndentedWriter::Value(const AttributeValue& value) {
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
      for (const AttributeValue& member : *value.list()) {
        Value(member);
      }
      return EndArray();
    case ValueType::kMap:
      BeginObject();
      for (const auto& [name, member] : *value.map()) {
        Name(name).Value(member);
      }
      return EndObject();
    case ValueType::kStringSet:
      BeginArray();
      for (const std::string& member : *value.string_set()) {
        String(member);
      }
      return EndArray();
    case ValueType::kNumberSet:
      BeginArray();
      for (const auto& member : *value.number_set()) {
        Value(AttributeValue(member));
      }
      return EndArray();
    default:
      return Null();
  }
}

}  // namespace prejoin::json
