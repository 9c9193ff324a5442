#include <algorithm>
#include <array>

#include "gen/python/python.h"
#include "gen/shape.h"
#include "gen/support_file.h"
#include "gen/words.h"

namespace prejoin::gen::python {
namespace {

// The names that a module defines at its top level.
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
    if (name != "from" && name != "import" && name[0] != '_' && name[0] != '@') {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// A keyword argument has its name in front of an equals sign.
bool MentionsName(std::string_view text, std::string_view name) {
  return Mentions(text, name, {.assigned = '=', .spread = false});
}

std::string QuotedName(const std::string& name) { return Quoted(name); }

}  // namespace

const Language& Python() {
  static constexpr Language kPython = {.variable = SnakeCase,
                                       .function = SnakeCase,
                                       .name = Name,
                                       .arguments = "",
                                       .property = QuotedName,
                                       .pair = {"", ""},
                                       .pair_middle = ": ",
                                       .object = {"{", "}"},
                                       .attribute = Indexed,
                                       .read = ReadText,
                                       .item_value = ReadText,
                                       .present = "",
                                       .literals = {.text = {"", ""},
                                                    .number = {"Decimal(\"", "\")"},
                                                    .list = {"[", "]"},
                                                    .map = {"{", "}"},
                                                    .empty_map = {"{", "}"},
                                                    .text_set = {"{", "}"},
                                                    .number_set = {"{", "}"},
                                                    .set_number = {"Decimal(\"", "\")"},
                                                    .binary = {"bytes([", "])"},
                                                    .yes = "True",
                                                    .no = "False",
                                                    .nothing = "None"}};
  return kPython;
}

std::string TupleText(const std::vector<std::string>& literals) {
  return "(" + QuotedList(literals) + (literals.size() == 1 ? ",)" : ")");
}

Code NewCode() { return Code("    ", 88, Folding::kOneLine); }

std::string Name(const std::string& name) {
  constexpr std::array kKeywords = {
      "and",      "as",        "assert", "async",    "await",    "break",   "class",     "def",
      "del",      "elif",      "else",   "except",   "for",      "from",    "db",        "global",
      "if",       "in",        "import", "is",       "lambda",   "not",     "or",        "pass",
      "raise",    "return",    "try",    "while",    "with",     "yield",   "none",      "true",
      "false",    "item",      "items",  "wanted",   "rows",     "part",    "padded",    "lower",
      "upper",    "after",     "least",  "greatest", "matches",  "compact", "present",   "distinct",
      "put",      "update",    "remove", "write",    "shard_of", "before",  "move_lock", "only_if",
      "increase", "check_part"};
  const std::string snake = SnakeCase(name);
  const bool keyword = std::find(kKeywords.begin(), kKeywords.end(), snake) != kKeywords.end();
  return keyword ? snake + "_" : snake;
}

std::string TypeOf(const Field& field) {
  if (!field.values.empty()) {
    return "Literal[" + QuotedList(field.values) + "]";
  }
  if (!field.nested.empty()) {
    return ShapeOf(field.type) == Shape::kList ? "list[" + field.nested + "]" : field.nested;
  }
  constexpr ShapeWords kTypes = {"str",       "Decimal",        "bool",     "bytes",
                                 "list[Any]", "dict[str, Any]", "set[str]", "set[Decimal]"};
  return kTypes(ShapeOf(field.type));
}

std::string ReadText(const FieldSource& source, const std::string& item) {
  const Source& from = source.source;
  const Shape shape = ShapeOf(source.field.type);
  if (from.literals.empty()) {
    const std::string name = Quoted(from.attribute);
    const std::string direct =
        source.field.optional ? item + ".get(" + name + ")" : item + "[" + name + "]";
    if (shape != Shape::kBinary) {
      return direct;
    }
    if (!source.field.optional) {
      return "as_bytes(" + direct + ")";
    }
    return "as_bytes(" + direct + ") if " + name + " in " + item + " else None";
  }
  const std::string text = "key_part(" + item + ", " + Quoted(from.attribute) + ", " +
                           TupleText(from.literals) + ", " + std::to_string(from.part) + ")";
  if (shape == Shape::kNumber) {
    return "Decimal(" + text + ")";
  }
  if (shape == Shape::kBool) {
    return text + " == \"true\"";
  }
  return source.field.values.empty() ? text : "cast(" + TypeOf(source.field) + ", " + text + ")";
}

std::string TableText(const std::string& table) { return "TABLES[" + Quoted(table) + "]"; }
std::string LayoutsName(const std::string& table) { return UpperSnakeCase(table) + "_LAYOUTS"; }

std::vector<std::string> Members(const std::vector<Field>& fields) {
  std::vector<std::string> members;
  for (const Field& field : fields) {
    members.push_back(Name(field.name) + ": " + TypeOf(field) +
                      (field.optional ? " | None = None" : ""));
  }
  return members;
}

namespace {

// The definitions of a file that a text mentions, as ruff sorts them: constants, classes, functions.
std::vector<std::string> NamesUsed(const std::string& file, const std::string& used_text) {
  std::vector<std::string> used;
  for (const std::string& name : DefinitionsOf(file)) {
    if (MentionsName(used_text, name)) {
      used.push_back(name);
    }
  }
  const auto rank = [](const std::string& name) {
    const bool upper =
        std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (upper && name.size() > 1) {
      return 0;
    }
    return name[0] >= 'A' && name[0] <= 'Z' ? 1 : 2;
  };
  std::stable_sort(used.begin(), used.end(),
                   [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  return used;
}

}  // namespace

std::string WithImports(const Program& program, const std::string& body,
                        const std::vector<std::string>& modules) {
  const std::string used_text = WithoutTexts(body);
  Code code = NewCode();
  code.Line("# " + HeaderText(program));
  code.Gap();
  code.Line("from __future__ import annotations");
  code.Gap();
  if (MentionsName(used_text, "dataclass")) {
    code.Line("from dataclasses import dataclass");
  }
  if (MentionsName(used_text, "Decimal")) {
    code.Line("from decimal import Decimal");
  }
  std::vector<std::string> typing;
  for (const char* name : {"Any", "Literal", "TypedDict"}) {
    if (MentionsName(used_text, name)) {
      typing.emplace_back(name);
    }
  }
  if (used_text.find("cast(Literal") != std::string::npos) {
    typing.emplace_back("cast");
  }
  if (!typing.empty()) {
    code.Line("from typing import " + Join(typing, ", "));
  }
  code.Gap();
  for (const std::string& module : modules) {
    const std::string text = module == "entities"
                                 ? EntitiesFile(program)
                                 : std::string(SupportFile("python/" + module + ".py"));
    const std::vector<std::string> used = NamesUsed(text, used_text);
    if (used.empty()) {
      continue;
    }
    const std::string one = "from ." + module + " import " + Join(used, ", ");
    if (one.size() <= 88) {
      code.Line(one);
    } else {
      code.Line("from ." + module + " import (");
      code.In();
      for (const std::string& name : used) {
        code.Line(name + ",");
      }
      code.Out();
      code.Line(")");
    }
  }
  std::string out = code.text();
  while (out.ends_with("\n\n")) {
    out.pop_back();
  }
  std::string rest = body;
  while (rest.starts_with("\n")) {
    rest.erase(0, 1);
  }
  const bool definition =
      rest.starts_with("def ") || rest.starts_with("class ") || rest.starts_with("@");
  return out + (definition ? "\n\n" : "\n") + rest;
}

}  // namespace prejoin::gen::python
