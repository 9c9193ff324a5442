#include <set>

#include "gen/shape.h"
#include "gen/support_file.h"
#include "gen/typescript/typescript.h"
#include "gen/words.h"

namespace prejoin::gen::typescript {
namespace {

std::string PartText(const model::TemplatePart& part, bool open_shard) {
  if (part.is_literal()) {
    std::string out;
    for (const char c : part.literal) {
      if (c == '`' || c == '\\' || c == '$') out += '\\';
      out += c;
    }
    return out;
  }
  return "${" + PartCall(TypeScript(), part, open_shard) + "}";
}

void KeyFunctionCode(const KeyFunction& function, Code& code) {
  std::vector<std::string> parameters;
  for (const Field& argument : function.arguments)
    parameters.push_back(CamelCase(argument.name) + ": " + TypeOf(argument));
  std::string text;
  for (const model::TemplatePart& part : function.parts)
    text += PartText(part, function.open_shard);
  const bool plain = text.find('$') == std::string::npos;
  code.Gap();
  code.List("export function " + KeyFunctionName(TypeScript(), function) + "(", parameters,
            "): string {");
  code.In();
  code.Line("return " + (plain ? Quoted(text) : "`" + text + "`") + ";");
  code.Out();
  code.Line("}");
}

void KeyObjectCode(const EntityCode& entity, const TableCode& table, Code& code) {
  code.Gap();
  std::vector<std::string> parts;
  for (const std::string& name : table.key) {
    std::string text = "row." + CamelCase(name);
    for (const StoredKey& key : entity.keys) {
      if (key.attribute == name) text = KeyText(TypeScript(), key.call);
    }
    parts.push_back(PropertyName(name) + ": " + text);
  }
  std::vector<std::string> names;
  for (const Field& field : entity.identity) names.push_back(Quoted(CamelCase(field.name)));
  code.Line("/** The primary key of the item. */");
  code.List("export function " + KeyObjectFunction(entity.name) + "(",
            {"row: Pick<" + EntityTypeName(entity.name) + ", " + Join(names, " | ") + ">"},
            "): Item {");
  code.In();
  code.List("return {", parts, "};", ",", " ");
  code.Out();
  code.Line("}");
}

void SparseKey(const StoredKey& key, Code& code) {
  std::vector<std::string> tests;
  std::set<std::string> seen;
  for (const Value& argument : key.call.arguments) {
    if (!argument.source.field.optional || !seen.insert(argument.name).second) continue;
    tests.push_back("row." + CamelCase(argument.name) + " === undefined");
    if (ShapeOf(argument.type) == Shape::kText)
      tests.push_back("row." + CamelCase(argument.name) + " === \"\"");
  }
  code.Line(PropertyName(key.attribute) + ":");
  code.In();
  code.List("", {Join(tests, " || ")}, "", "");
  code.In();
  code.Line("? undefined");
  code.Line(": " + KeyText(TypeScript(), key.call) + ",");
  code.Out();
  code.Out();
}

void ItemFunctionCode(const EntityCode& entity, Code& code) {
  code.Gap();
  std::vector<std::string> parameters = {"row: " + EntityTypeName(entity.name)};
  std::vector<std::string> copies;
  for (const StoredCopy& copy : entity.copies)
    copies.push_back(PropertyName(copy.attribute) + "?: unknown");
  if (!copies.empty()) parameters.push_back("copies: { " + Join(copies, "; ") + " }");
  code.Line("/** The item of a row, with every key that it has. */");
  code.List("export function " + ItemFunction(entity.name) + "(", parameters, "): Item {");
  code.In();
  code.Line("return compact({");
  code.In();
  for (const StoredKey& key : entity.keys) {
    if (key.sparse && key.call.function != nullptr) {
      SparseKey(key, code);
    } else {
      code.Line(PropertyName(key.attribute) + ": " + KeyText(TypeScript(), key.call) + ",");
    }
  }
  if (!entity.type_attribute.empty())
    code.Line(PropertyName(entity.type_attribute) + ": " + Quoted(entity.type_value) + ",");
  for (const Field& field : entity.plain)
    code.Line(PropertyName(field.name) + ": row." + CamelCase(field.name) + ",");
  for (const StoredCopy& copy : entity.copies) {
    const std::string name = PropertyName(copy.attribute);
    code.Line(name + ": copies" + (name[0] == '"' ? "[" + name + "]" : "." + name) + ",");
  }
  for (const StoredRows& rows : entity.rows)
    code.Line(PropertyName(rows.attribute) + ": " + (rows.map ? "{}" : "[]") + ",");
  code.Out();
  code.Line("});");
  code.Out();
  code.Line("}");
}

void FromItemCode(const EntityCode& entity, Code& code) {
  code.Gap();
  code.List("export function " + FromItemFunction(entity.name) + "(", {"item: Item"},
            "): " + EntityTypeName(entity.name) + " {");
  code.In();
  code.Line("return {");
  code.In();
  for (const FieldSource& source : entity.sources)
    code.List(CamelCase(source.field.name) + ": ", {ReadText(source, "item")}, ",", "");
  code.Out();
  code.Line("};");
  code.Out();
  code.Line("}");
}

void IsEntityCode(const EntityCode& entity, const TableCode& table, Code& code) {
  const std::string type = table.type_attribute.empty() ? "" : ", " + Quoted(table.type_attribute);
  code.Gap();
  code.Block("export function is" + PascalCase(entity.name) + "(item: Item): boolean {", "}", [&] {
    code.Line("return entityOf(item, " + LayoutsName(table.name) + type +
              ") === " + Quoted(entity.name) + ";");
  });
}

void TableCodeText(const TableCode& table, Code& code) {
  code.Gap();
  code.Line("const " + LayoutsName(table.name) + ": readonly Layout[] = [");
  code.In();
  for (const LayoutTest& layout : table.layouts) {
    code.Line("{");
    code.In();
    code.Line("entity: " + Quoted(layout.entity) + ",");
    code.Line("type: " + Quoted(layout.type_value) + ",");
    std::vector<std::string> keys;
    for (const LayoutTest::Key& key : layout.keys) {
      keys.push_back(PropertyName(key.attribute) + ": " +
                     (key.literals.empty() ? "null" : "[" + QuotedList(key.literals) + "]"));
    }
    code.List("keys: {", keys, "},", ",", " ");
    code.Out();
    code.Line("},");
  }
  code.Out();
  code.Line("];");
}

}  // namespace

std::string EntitiesFile(const Program& program) {
  Code code;
  code.Line("/** The tables' names; change them here for another stage or account. */");
  code.Line("export const tables = {");
  code.In();
  for (const TableCode& table : program.tables)
    code.Line(PropertyName(table.name) + ": " + Quoted(table.name) + ",");
  code.Out();
  code.Line("};");
  for (const EntityCode& entity : program.entities) {
    code.Gap();
    code.Line("// ---- " + entity.name);
    code.Gap();
    code.Line("export interface " + EntityTypeName(entity.name) + " {");
    code.In();
    MemberLines(entity.fields, code);
    code.Out();
    code.Line("}");
    for (const KeyFunction& function : program.key_functions) {
      if (function.entity == entity.name) KeyFunctionCode(function, code);
    }
    if (entity.table.empty()) continue;
    KeyObjectCode(entity, *program.FindTable(entity.table), code);
    ItemFunctionCode(entity, code);
    FromItemCode(entity, code);
    const TableCode& table = *program.FindTable(entity.table);
    if (table.layouts.size() > 1) IsEntityCode(entity, table, code);
  }
  for (const TableCode& table : program.tables) {
    if (table.layouts.size() > 1) TableCodeText(table, code);
  }
  return WithImports(program, code.text(), {"reading"});
}

}  // namespace prejoin::gen::typescript
