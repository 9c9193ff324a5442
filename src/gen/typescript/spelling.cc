#include <algorithm>
#include <map>
#include <set>

#include "gen/shape.h"
#include "gen/support_file.h"
#include "gen/typescript/typescript.h"
#include "gen/words.h"

namespace prejoin::gen::typescript {
namespace {

bool IsIdentifier(const std::string& name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

std::string Literals(const Source& source) {
  std::vector<std::string> texts;
  for (const std::string& literal : source.literals) texts.push_back(Quoted(literal));
  return "[" + Join(texts, ", ") + "]";
}

// The names that a module exports: what stands behind `export` and its keywords.
std::vector<std::string> ExportsOf(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view keyword :
       {"export async function ", "export function ", "export const ", "export class ",
        "export type ", "export interface "}) {
    for (std::size_t at = text.find(keyword); at != std::string_view::npos;
         at = text.find(keyword, at + 1)) {
      if (at != 0 && text[at - 1] != '\n') continue;
      const std::size_t start = at + keyword.size();
      const std::size_t end = text.find_first_of(" <(:=", start);
      const bool type = keyword == "export type " || keyword == "export interface ";
      names.push_back((type ? "type " : "") + std::string(text.substr(start, end - start)));
    }
  }
  return names;
}

bool Mentions(std::string_view text, std::string_view name) {
  const auto inside = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.';
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool member = at >= 3 && text.substr(at - 3, 3) == "...";
    if ((at == 0 || !inside(text[at - 1]) || member) &&
        (end == text.size() || (!inside(text[end]) || text[end] == '.')) &&
        (end == text.size() || text[end] != ':'))
      return true;
  }
  return false;
}

}  // namespace

std::string PropertyName(const std::string& attribute) {
  return IsIdentifier(attribute) ? attribute : Quoted(attribute);
}

std::string TypeOf(const Field& field) {
  if (!field.values.empty()) {
    std::vector<std::string> texts;
    for (const std::string& value : field.values) texts.push_back(Quoted(value));
    return Join(texts, " | ");
  }
  switch (ShapeOf(field.type)) {
    case Shape::kText:
      return "string";
    case Shape::kNumber:
      return "number";
    case Shape::kBool:
      return "boolean";
    case Shape::kBinary:
      return "Uint8Array";
    case Shape::kList:
      return "unknown[]";
    case Shape::kMap:
      return "Record<string, unknown>";
    case Shape::kTextSet:
      return "Set<string>";
    case Shape::kNumberSet:
      return "Set<number>";
  }
  return "unknown";
}

std::string Literal(const AttributeValue& value) {
  if (value.string() != nullptr) return Quoted(*value.string());
  if (value.number() != nullptr) return value.number()->ToString();
  if (value.boolean() != nullptr) return *value.boolean() ? "true" : "false";
  std::vector<std::string> parts;
  if (value.list() != nullptr) {
    for (const AttributeValue& one : *value.list()) parts.push_back(Literal(one));
    return "[" + Join(parts, ", ") + "]";
  }
  if (value.map() != nullptr) {
    for (const auto& [name, one] : *value.map())
      parts.push_back(PropertyName(name) + ": " + Literal(one));
    return parts.empty() ? "{}" : "{ " + Join(parts, ", ") + " }";
  }
  if (value.string_set() != nullptr) {
    for (const std::string& one : *value.string_set()) parts.push_back(Quoted(one));
    return "new Set([" + Join(parts, ", ") + "])";
  }
  if (value.number_set() != nullptr) {
    for (const Number& one : *value.number_set()) parts.push_back(one.ToString());
    return "new Set([" + Join(parts, ", ") + "])";
  }
  if (value.binary() != nullptr) {
    for (const char c : *value.binary())
      parts.push_back(std::to_string(static_cast<unsigned char>(c)));
    return "new Uint8Array([" + Join(parts, ", ") + "])";
  }
  return "null";
}

std::string KeyFunctionName(const KeyFunction& function) {
  std::string name = CamelCase(function.entity) + PascalCase(function.attribute);
  if (function.open_shard) name += "Shard";
  if (function.whole) return name;
  name += "Prefix";
  for (std::size_t i = 0; i < function.arguments.size(); ++i) {
    if (function.arguments[i].name == "shard") continue;
    name += (i == 0 ? "By" : "") + PascalCase(function.arguments[i].name);
  }
  // A prefix may end before or behind the delimiter.
  if (!function.parts.empty() && !function.parts.back().is_literal() && !function.arguments.empty())
    name += "Start";
  return name;
}

std::string ReadText(const FieldSource& source, const std::string& item) {
  const Source& from = source.source;
  const std::string type = TypeOf(source.field);
  if (from.literals.empty()) {
    const std::string reader = source.field.optional ? "optional" : "attribute";
    return reader + "<" + type + ">(" + item + ", " + Quoted(from.attribute) + ")";
  }
  const std::string text = "keyPart(" + item + ", " + Quoted(from.attribute) + ", " +
                           Literals(from) + ", " + std::to_string(from.part) + ")";
  if (ShapeOf(source.field.type) == Shape::kNumber) return "Number(" + text + ")";
  if (ShapeOf(source.field.type) == Shape::kBool) return text + " === \"true\"";
  return source.field.values.empty() ? text : text + " as " + type;
}

std::string ValueText(const Value& value, const Names& names) {
  switch (value.kind) {
    case Value::Kind::kParameter:
      return "args." + CamelCase(value.name);
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
      return names.row + "." + CamelCase(value.name);
  }
  return "undefined";
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
    parts.push_back(PropertyName(one.attribute) + ": " + KeyText(one.call, names));
  return "{ " + Join(parts, ", ") + " }";
}

std::string TableText(const std::string& table) {
  return IsIdentifier(table) ? "tables." + table : "tables[" + Quoted(table) + "]";
}

std::string ItemFunction(const std::string& entity) { return CamelCase(entity) + "Item"; }
std::string FromItemFunction(const std::string& entity) { return "to" + PascalCase(entity); }
std::string KeyObjectFunction(const std::string& entity) { return CamelCase(entity) + "Key"; }
std::string LayoutsName(const std::string& table) { return CamelCase(table) + "Layouts"; }

void MemberLines(const std::vector<Field>& fields, Code& code) {
  for (const Field& field : fields) {
    code.Line(CamelCase(field.name) + (field.optional ? "?: " : ": ") + TypeOf(field) +
              (field.optional ? " | undefined;" : ";"));
  }
}

std::string WithImports(const Program& program, const std::string& body,
                        const std::vector<std::string>& modules) {
  const std::string used_text = WithoutTexts(body);
  Code code;
  code.Line("// " + HeaderText(program));
  code.Line();
  for (const std::string& module : modules) {
    const std::string text = module == "entities"
                                 ? EntitiesFile(program)
                                 : std::string(SupportFile("typescript/" + module + ".ts"));
    std::vector<std::string> used;
    for (const std::string& name : ExportsOf(text)) {
      if (Mentions(used_text, name.starts_with("type ") ? name.substr(5) : name))
        used.push_back(name);
    }
    // As prettier's users sort them: by name, types among the others.
    const auto plain = [](const std::string& name) {
      return name.starts_with("type ") ? name.substr(5) : name;
    };
    std::sort(used.begin(), used.end(),
              [&](const std::string& a, const std::string& b) { return plain(a) < plain(b); });
    if (used.empty()) continue;
    code.List("import {", used, "} from \"./" + module + ".js\";", ",", " ");
  }
  code.Gap();
  return code.text() + body;
}

}  // namespace prejoin::gen::typescript
