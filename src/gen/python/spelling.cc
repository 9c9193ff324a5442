#include <algorithm>
#include <array>

#include "gen/python/python.h"
#include "gen/shape.h"
#include "gen/support_file.h"
#include "gen/words.h"

namespace prejoin::gen::python {
namespace {

// What a module defines at its top level.
std::vector<std::string> DefinitionsOf(std::string_view text) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("def ") || line.starts_with("class ")) {
      line.remove_prefix(line.find(' ') + 1);
    } else if (line.empty() || line[0] == ' ' || line[0] == '#' || line[0] == ')' ||
               (line.find(" = ") == std::string_view::npos &&
                line.find(": ") == std::string_view::npos)) {
      continue;
    }
    const std::size_t stop = line.find_first_of(" (:=");
    const std::string name(line.substr(0, stop));
    if (name != "from" && name != "import" && name[0] != '_' && name[0] != '@')
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool MentionsName(std::string_view text, std::string_view name) {
  const auto inside = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.';
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool assigned = end < text.size() && text[end] == '=';
    if ((at == 0 || !inside(text[at - 1])) && !assigned &&
        (end == text.size() || !inside(text[end]) || text[end] == '.'))
      return true;
  }
  return false;
}

std::string LiteralTuple(const std::vector<std::string>& literals) {
  std::vector<std::string> texts;
  for (const std::string& literal : literals) texts.push_back(Quoted(literal));
  return "(" + Join(texts, ", ") + (texts.size() == 1 ? ",)" : ")");
}

}  // namespace

Code NewCode() { return Code("    ", 88, Folding::kOneLine); }

std::string Name(const std::string& name) {
  constexpr std::array kKeywords = {
      "and",    "as",   "assert", "async", "await", "break", "class",  "def",    "del",
      "elif",   "else", "except", "for",   "from",  "db",    "global", "if",     "in",
      "import", "is",   "lambda", "not",   "or",    "pass",  "raise",  "return", "try",
      "while",  "with", "yield",  "none",  "true",  "false", "item",   "items"};
  const std::string snake = SnakeCase(name);
  const bool keyword = std::find(kKeywords.begin(), kKeywords.end(), snake) != kKeywords.end();
  return keyword ? snake + "_" : snake;
}

std::string TypeOf(const Field& field) {
  if (!field.values.empty()) {
    std::vector<std::string> texts;
    for (const std::string& value : field.values) texts.push_back(Quoted(value));
    return "Literal[" + Join(texts, ", ") + "]";
  }
  switch (ShapeOf(field.type)) {
    case Shape::kText:
      return "str";
    case Shape::kNumber:
      return "Decimal";
    case Shape::kBool:
      return "bool";
    case Shape::kBinary:
      return "bytes";
    case Shape::kList:
      return "list[Any]";
    case Shape::kMap:
      return "dict[str, Any]";
    case Shape::kTextSet:
      return "set[str]";
    case Shape::kNumberSet:
      return "set[Decimal]";
  }
  return "Any";
}

std::string Literal(const AttributeValue& value) {
  if (value.string() != nullptr) return Quoted(*value.string());
  if (value.number() != nullptr) return "Decimal(\"" + value.number()->ToString() + "\")";
  if (value.boolean() != nullptr) return *value.boolean() ? "True" : "False";
  std::vector<std::string> parts;
  if (value.list() != nullptr) {
    for (const AttributeValue& one : *value.list()) parts.push_back(Literal(one));
    return "[" + Join(parts, ", ") + "]";
  }
  if (value.map() != nullptr) {
    for (const auto& [name, one] : *value.map())
      parts.push_back(Quoted(name) + ": " + Literal(one));
    return "{" + Join(parts, ", ") + "}";
  }
  if (value.string_set() != nullptr) {
    for (const std::string& one : *value.string_set()) parts.push_back(Quoted(one));
    return "{" + Join(parts, ", ") + "}";
  }
  if (value.number_set() != nullptr) {
    for (const Number& one : *value.number_set())
      parts.push_back("Decimal(\"" + one.ToString() + "\")");
    return "{" + Join(parts, ", ") + "}";
  }
  if (value.binary() != nullptr) {
    for (const char c : *value.binary())
      parts.push_back(std::to_string(static_cast<unsigned char>(c)));
    return "bytes([" + Join(parts, ", ") + "])";
  }
  return "None";
}

std::string KeyFunctionName(const KeyFunction& function) {
  std::string name = function.entity + " " + SnakeCase(function.attribute);
  if (function.open_shard) name += " shard";
  if (!function.whole) {
    name += " prefix";
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
      if (function.arguments[i].name != "shard")
        name += (i == 0 ? " by " : " ") + function.arguments[i].name;
    }
    if (!function.parts.back().is_literal() && !function.arguments.empty()) name += " start";
  }
  return SnakeCase(name);
}

std::string ReadText(const FieldSource& source, const std::string& item) {
  const Source& from = source.source;
  const Shape shape = ShapeOf(source.field.type);
  if (from.literals.empty()) {
    const std::string name = Quoted(from.attribute);
    const std::string direct =
        source.field.optional ? item + ".get(" + name + ")" : item + "[" + name + "]";
    if (shape != Shape::kBinary) return direct;
    if (!source.field.optional) return "as_bytes(" + direct + ")";
    return "as_bytes(" + direct + ") if " + name + " in " + item + " else None";
  }
  const std::string text = "key_part(" + item + ", " + Quoted(from.attribute) + ", " +
                           LiteralTuple(from.literals) + ", " + std::to_string(from.part) + ")";
  if (shape == Shape::kNumber) return "Decimal(" + text + ")";
  if (shape == Shape::kBool) return text + " == \"true\"";
  return source.field.values.empty() ? text : "cast(" + TypeOf(source.field) + ", " + text + ")";
}

std::string ValueText(const Value& value, const Names& names) {
  switch (value.kind) {
    case Value::Kind::kParameter:
      return Name(value.name);
    case Value::Kind::kLiteral:
      return Literal(value.literal);
    case Value::Kind::kEach:
      return "each";
    case Value::Kind::kShard:
      return "shard";
    case Value::Kind::kItem:
      if (value.source.field.name.empty())
        return names.item + "[" + Quoted(value.source.source.attribute) + "]";
      return ReadText(value.source, names.item);
    case Value::Kind::kRow:
      return names.row.empty() ? Name(value.name) : names.row + "." + Name(value.name);
  }
  return "None";
}

std::string KeyText(const KeyCall& call, const Names& names) {
  std::string text;
  if (call.function == nullptr) {
    text = ValueText(call.arguments[0], names);
  } else {
    std::vector<std::string> arguments;
    for (const Value& argument : call.arguments) arguments.push_back(ValueText(argument, names));
    text = KeyFunctionName(*call.function) + "(" + Join(arguments, ", ") + ")";
  }
  return call.after ? "after(" + text + ")" : text;
}

std::string KeyObject(const std::vector<KeyValue>& key, const Names& names) {
  std::vector<std::string> parts;
  for (const KeyValue& one : key)
    parts.push_back(Quoted(one.attribute) + ": " + KeyText(one.call, names));
  return "{" + Join(parts, ", ") + "}";
}

std::string TableText(const std::string& table) { return "TABLES[" + Quoted(table) + "]"; }
std::string LayoutsName(const std::string& table) { return UpperSnakeCase(table) + "_LAYOUTS"; }

std::vector<std::string> Members(const std::vector<Field>& fields) {
  std::vector<std::string> members;
  for (const Field& field : fields)
    members.push_back(Name(field.name) + ": " + TypeOf(field) +
                      (field.optional ? " | None = None" : ""));
  return members;
}

std::string WithImports(const Program& program, const std::string& body,
                        const std::vector<std::string>& modules) {
  const std::string used_text = WithoutTexts(body);
  Code code = NewCode();
  code.Line("# " + HeaderText(program));
  code.Gap();
  code.Line("from __future__ import annotations");
  code.Gap();
  if (MentionsName(used_text, "dataclass")) code.Line("from dataclasses import dataclass");
  if (MentionsName(used_text, "Decimal")) code.Line("from decimal import Decimal");
  std::vector<std::string> typing;
  for (const char* name : {"Any", "Literal"}) {
    if (MentionsName(used_text, name)) typing.emplace_back(name);
  }
  if (used_text.find("cast(Literal") != std::string::npos) typing.emplace_back("cast");
  if (!typing.empty()) code.Line("from typing import " + Join(typing, ", "));
  code.Gap();
  for (const std::string& module : modules) {
    const std::string text = module == "entities"
                                 ? EntitiesFile(program)
                                 : std::string(SupportFile("python/" + module + ".py"));
    std::vector<std::string> constants;
    std::vector<std::string> used;
    for (const std::string& name : DefinitionsOf(text)) {
      if (!MentionsName(used_text, name)) continue;
      used.push_back(name);
    }
    // As ruff sorts them: constants, classes, functions.
    const auto rank = [](const std::string& name) {
      const bool upper =
          std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
      if (upper && name.size() > 1) return 0;
      return name[0] >= 'A' && name[0] <= 'Z' ? 1 : 2;
    };
    std::stable_sort(used.begin(), used.end(),
                     [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
    if (used.empty()) continue;
    const std::string one = "from ." + module + " import " + Join(used, ", ");
    if (one.size() <= 88) {
      code.Line(one);
    } else {
      code.Line("from ." + module + " import (");
      code.In();
      for (const std::string& name : used) code.Line(name + ",");
      code.Out();
      code.Line(")");
    }
  }
  std::string out = code.text();
  while (out.ends_with("\n\n")) out.pop_back();
  std::string rest = body;
  while (rest.starts_with("\n")) rest.erase(0, 1);
  const bool definition =
      rest.starts_with("def ") || rest.starts_with("class ") || rest.starts_with("@");
  return out + (definition ? "\n\n" : "\n") + rest;
}

}  // namespace prejoin::gen::python
