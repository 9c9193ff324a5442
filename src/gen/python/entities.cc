#include <set>

#include "gen/python/python.h"
#include "gen/shape.h"
#include "gen/words.h"

namespace prejoin::gen::python {
namespace {

std::string PartText(const model::TemplatePart& part, bool open_shard) {
  if (part.is_literal()) {
    std::string out;
    for (const char c : part.literal) {
      if (c == '{' || c == '}') out += c;
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out;
  }
  return "{" + PartCall(Python(), part, open_shard) + "}";
}

void TwoLines(Code& code) {
  code.Gap();
  code.Line();
}

void KeyFunctionCode(const KeyFunction& function, Code& code) {
  std::vector<std::string> parameters;
  for (const Field& argument : function.arguments)
    parameters.push_back(Name(argument.name) + ": " +
                         (argument.name == "shard" ? "int" : TypeOf(argument)));
  std::string text;
  bool plain = true;
  for (const model::TemplatePart& part : function.parts) {
    text += PartText(part, function.open_shard);
    plain = plain && part.is_literal();
  }
  TwoLines(code);
  code.Line("def " + KeyFunctionName(Python(), function) + "(" + Join(parameters, ", ") +
            ") -> str:");
  code.In();
  code.Line(std::string("return ") + (plain ? "" : "f") + "\"" + text + "\"");
  code.Out();
}

void KeyObjectCode(const EntityCode& entity, const TableCode& table, Code& code) {
  std::vector<std::string> parameters;
  for (const Field& field : entity.identity)
    parameters.push_back(Name(field.name) + ": " + TypeOf(field));
  std::vector<std::string> parts;
  for (const std::string& name : table.key) {
    std::string text = Name(name);
    for (const StoredKey& key : entity.keys) {
      if (key.attribute == name) text = KeyText(Python(), key.call, {"", "item"});
    }
    parts.push_back(Quoted(name) + ": " + text);
  }
  TwoLines(code);
  code.Line("def " + SnakeCase(entity.name) + "_key(" + Join(parameters, ", ") + ") -> Item:");
  code.In();
  code.Line("\"\"\"The primary key of the item.\"\"\"");
  code.Line("return {" + Join(parts, ", ") + "}");
  code.Out();
}

std::string SparseText(const StoredKey& key) {
  std::vector<std::string> tests;
  std::set<std::string> seen;
  for (const Value& argument : key.call.arguments) {
    if (!argument.source.field.optional || !seen.insert(argument.name).second) continue;
    const std::string member = "row." + Name(argument.name);
    tests.push_back(ShapeOf(argument.type) == Shape::kText ? member : member + " is not None");
  }
  return KeyText(Python(), key.call) + " if " + Join(tests, " and ") + " else None";
}

void ItemFunctionCode(const EntityCode& entity, Code& code) {
  std::vector<std::string> parameters = {"row: " + EntityTypeName(entity.name)};
  for (const StoredCopy& copy : entity.copies) parameters.push_back(Name(copy.attribute) + ": Any");
  TwoLines(code);
  code.Line("def " + SnakeCase(entity.name) + "_item(" + Join(parameters, ", ") + ") -> Item:");
  code.In();
  code.Line("\"\"\"The item of a row, with every key that it has.\"\"\"");
  code.Line("return compact(");
  code.In();
  code.Line("{");
  code.In();
  for (const StoredKey& key : entity.keys)
    code.Line(Quoted(key.attribute) + ": " +
              (key.sparse && key.call.function != nullptr ? SparseText(key)
                                                          : KeyText(Python(), key.call)) +
              ",");
  if (!entity.type_attribute.empty())
    code.Line(Quoted(entity.type_attribute) + ": " + Quoted(entity.type_value) + ",");
  for (const Field& field : entity.plain)
    code.Line(Quoted(field.name) + ": row." + Name(field.name) + ",");
  for (const StoredCopy& copy : entity.copies)
    code.Line(Quoted(copy.attribute) + ": " + Name(copy.attribute) + ",");
  for (const StoredRows& rows : entity.rows)
    code.Line(Quoted(rows.attribute) + ": " + (rows.map ? "{}" : "[]") + ",");
  code.Out();
  code.Line("}");
  code.Out();
  code.Line(")");
  code.Out();
}

void FromItemCode(const EntityCode& entity, Code& code) {
  TwoLines(code);
  code.Line("def to_" + SnakeCase(entity.name) + "(item: Item) -> " + EntityTypeName(entity.name) +
            ":");
  code.In();
  code.Line("return " + EntityTypeName(entity.name) + "(");
  code.In();
  for (const FieldSource& source : entity.sources)
    code.Line(Name(source.field.name) + "=" + ReadText(source, "item") + ",");
  code.Out();
  code.Line(")");
  code.Out();
}

void IsEntityCode(const EntityCode& entity, const TableCode& table, Code& code) {
  const std::string type = table.type_attribute.empty() ? "" : ", " + Quoted(table.type_attribute);
  TwoLines(code);
  code.Line("def is_" + SnakeCase(entity.name) + "(item: Item) -> bool:");
  code.In();
  code.Line("return entity_of(item, " + LayoutsName(table.name) + type +
            ") == " + Quoted(entity.name));
  code.Out();
}

void LayoutsCode(const TableCode& table, Code& code) {
  code.Gap();
  code.Line(LayoutsName(table.name) + " = (");
  code.In();
  for (const LayoutTest& layout : table.layouts) {
    std::vector<std::string> keys;
    for (const LayoutTest::Key& key : layout.keys) {
      keys.push_back(Quoted(key.attribute) + ": " +
                     (key.literals.empty() ? "None" : TupleText(key.literals)));
    }
    code.Line("Layout(" + Quoted(layout.entity) + ", " + Quoted(layout.type_value) + ", {" +
              Join(keys, ", ") + "}),");
  }
  code.Out();
  code.Line(")");
}

}  // namespace

std::string EntitiesFile(const Program& program) {
  Code code = NewCode();
  code.Line("# The tables' names; change them here for another stage or account.");
  code.Line("TABLES = {");
  code.In();
  for (const TableCode& table : program.tables)
    code.Line(Quoted(table.name) + ": " + Quoted(table.name) + ",");
  code.Out();
  code.Line("}");
  for (const TableCode& table : program.tables) {
    if (table.layouts.size() > 1) LayoutsCode(table, code);
  }
  for (const EntityCode& entity : program.entities) {
    TwoLines(code);
    code.Line("@dataclass(frozen=True, kw_only=True)");
    code.Line("class " + EntityTypeName(entity.name) + ":");
    code.In();
    for (const std::string& member : Members(entity.fields)) code.Line(member);
    code.Out();
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
  return WithImports(program, code.text(), {"reading"});
}

}  // namespace prejoin::gen::python
