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
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) {
    return false;
  }
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

// The names that a module exports: what stands behind `export` and its keywords.
std::vector<std::string> ExportsOf(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view keyword :
       {"export async function ", "export function ", "export const ", "export class ",
        "export type ", "export interface "}) {
    for (std::size_t at = text.find(keyword); at != std::string_view::npos;
         at = text.find(keyword, at + 1)) {
      if (at != 0 && text[at - 1] != '\n') {
        continue;
      }
      const std::size_t start = at + keyword.size();
      const std::size_t end = text.find_first_of(" <(:=", start);
      const bool type = keyword == "export type " || keyword == "export interface ";
      names.push_back((type ? "type " : "") + std::string(text.substr(start, end - start)));
    }
  }
  return names;
}

std::string MemberVariable(const std::string& name) { return CamelCase(name); }

}  // namespace

const Language& TypeScript() {
  constexpr Around kSet = {"new Set([", "])"};
  constexpr Around kNothing = {"", ""};
  static constexpr LiteralStyle kLiterals = {.text = kNothing,
                                             .number = kNothing,
                                             .list = {"[", "]"},
                                             .map = {"{ ", " }"},
                                             .empty_map = {"{", "}"},
                                             .text_set = kSet,
                                             .number_set = kSet,
                                             .set_number = kNothing,
                                             .binary = {"new Uint8Array([", "])"},
                                             .yes = "true",
                                             .no = "false",
                                             .nothing = "null"};
  static constexpr Language kTypeScript = {.variable = CamelCase,
                                           .function = CamelCase,
                                           .name = MemberVariable,
                                           .arguments = "args.",
                                           .property = PropertyName,
                                           .pair = kNothing,
                                           .pair_middle = ": ",
                                           .object = {"{ ", " }"},
                                           .attribute = Indexed,
                                           .read = ReadText,
                                           .item_value = ReadText,
                                           .present = "",
                                           .literals = kLiterals};
  return kTypeScript;
}

std::string PropertyName(const std::string& attribute) {
  return IsIdentifier(attribute) ? attribute : Quoted(attribute);
}

std::string TypeOf(const Field& field) {
  if (!field.values.empty()) {
    std::vector<std::string> texts;
    for (const std::string& value : field.values) {
      texts.push_back(Quoted(value));
    }
    return Join(texts, " | ");
  }
  if (!field.nested.empty()) {
    return field.nested + (ShapeOf(field.type) == Shape::kList ? "[]" : "");
  }
  constexpr ShapeWords kTypes = {"string",      "number",     "boolean",
                                 "Uint8Array",  "unknown[]",  "Record<string, unknown>",
                                 "Set<string>", "Set<number>"};
  return kTypes(ShapeOf(field.type));
}

std::string ReadText(const FieldSource& source, const std::string& item) {
  const Source& from = source.source;
  const std::string type = TypeOf(source.field);
  if (from.literals.empty()) {
    const std::string reader = source.field.optional ? "optional" : "attribute";
    return reader + "<" + type + ">(" + item + ", " + Quoted(from.attribute) + ")";
  }
  const std::string text = "keyPart(" + item + ", " + Quoted(from.attribute) + ", " + "[" +
                           QuotedList(from.literals) + "], " + std::to_string(from.part) + ")";
  if (ShapeOf(source.field.type) == Shape::kNumber) {
    return "Number(" + text + ")";
  }
  if (ShapeOf(source.field.type) == Shape::kBool) {
    return text + " === \"true\"";
  }
  return source.field.values.empty() ? text : text + " as " + type;
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
      if (Mentions(used_text, name.starts_with("type ") ? name.substr(5) : name,
                   {.assigned = ':', .spread = true})) {
        used.push_back(name);
      }
    }
    // As prettier's users sort them: by name, types among the others.
    const auto plain = [](const std::string& name) {
      return name.starts_with("type ") ? name.substr(5) : name;
    };
    std::sort(used.begin(), used.end(),
              [&](const std::string& a, const std::string& b) { return plain(a) < plain(b); });
    if (used.empty()) {
      continue;
    }
    code.List("import {", used, "} from \"./" + module + ".js\";", ",", " ");
  }
  code.Gap();
  return code.text() + body;
}

}  // namespace prejoin::gen::typescript
