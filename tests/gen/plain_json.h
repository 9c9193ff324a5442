// Values as plain JSON in one line: what the scripts of tests/gen print.
#ifndef PREJOIN_TESTS_GEN_PLAIN_JSON_H_
#define PREJOIN_TESTS_GEN_PLAIN_JSON_H_

#include <string>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::gen {

inline std::string JsonText(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

inline std::string PlainJson(const AttributeValue& value) {
  if (value.string() != nullptr) {
    return JsonText(*value.string());
  }
  if (value.number() != nullptr) {
    return value.number()->ToString();
  }
  if (value.boolean() != nullptr) {
    return *value.boolean() ? "true" : "false";
  }
  std::string out;
  const auto add = [&](const std::string& one) { out += (out.empty() ? "" : ", ") + one; };
  if (value.list() != nullptr) {
    for (const AttributeValue& one : *value.list()) {
      add(PlainJson(one));
    }
    return "[" + out + "]";
  }
  if (value.map() != nullptr) {
    for (const auto& [name, one] : *value.map()) {
      add(JsonText(name) + ": " + PlainJson(one));
    }
    return "{" + out + "}";
  }
  if (value.string_set() != nullptr) {
    for (const std::string& one : *value.string_set()) {
      add(JsonText(one));
    }
    return "[" + out + "]";
  }
  if (value.number_set() != nullptr) {
    for (const Number& one : *value.number_set()) {
      add(one.ToString());
    }
    return "[" + out + "]";
  }
  return "null";
}

}  // namespace prejoin::gen

#endif  // PREJOIN_TESTS_GEN_PLAIN_JSON_H_
