#include <set>

#include "gen/cpp/cpp.h"
#include "gen/infra/infra.h"
#include "gen/shape.h"
#include "gen/words.h"

namespace prejoin::gen::cpp {
namespace {

std::string ParameterType(const Field& field) {
  if (field.name == "shard") return "int";
  if (ShapeOf(field.type) == Shape::kNumber) return "const Number&";
  return ShapeOf(field.type) == Shape::kBool ? "bool" : "std::string_view";
}

std::string PartText(const model::TemplatePart& part, bool open_shard) {
  if (part.is_literal()) return "std::string(" + Quoted(part.literal) + ")";
  if (open_shard && part.transform == model::TemplateTransform::kShard)
    return "std::to_string(shard)";
  return PartCall(Cpp(), part, open_shard);
}

void KeyFunctionCode(const KeyFunction& function, Files& files) {
  std::vector<std::string> parameters;
  for (const Field& argument : function.arguments)
    parameters.push_back(ParameterType(argument) + " " + Name(argument.name));
  std::vector<std::string> parts;
  for (const model::TemplatePart& part : function.parts)
    parts.push_back(PartText(part, function.open_shard));
  const std::string head =
      "std::string " + KeyFunctionName(Cpp(), function) + "(" + Join(parameters, ", ") + ")";
  files.header.Line(head + ";");
  files.source.Gap();
  files.source.Line(head + " { return " + Join(parts, " + ") + "; }");
}

void KeyItemCode(const EntityCode& entity, const TableCode& table, Files& files) {
  std::vector<std::string> parts;
  for (const std::string& name : table.key) {
    std::string text = Name(name);
    for (const StoredKey& key : entity.keys) {
      if (key.attribute != name) continue;
      KeyCall call = key.call;
      for (Value& argument : call.arguments) argument.source.field.optional = false;
      text = KeyText(Cpp(), call, {"", "item"});
    }
    parts.push_back("{" + Quoted(name) + ", " + text + "}");
  }
  std::vector<std::string> parameters;
  for (const Field& field : entity.identity)
    parameters.push_back(ParameterType(field) + " " + Name(field.name));
  const std::string head =
      "Item " + PascalCase(entity.name) + "Key(" + Join(parameters, ", ") + ")";
  files.header.Line("// The primary key of the item.");
  files.header.Line(head + ";");
  files.source.Gap();
  files.source.Line(head + " { return Item{" + Join(parts, ", ") + "}; }");
}

void ItemCode(const EntityCode& entity, Files& files) {
  std::vector<std::string> parameters = {"const " + EntityTypeName(entity.name) + "& row"};
  for (const StoredCopy& copy : entity.copies)
    parameters.push_back("const std::optional<AttributeValue>& " + Name(copy.attribute));
  const std::string head =
      "Item " + PascalCase(entity.name) + "Item(" + Join(parameters, ", ") + ")";
  files.header.Line("// The item of a row, with every key that it has.");
  files.header.Line(head + ";");
  Code& code = files.source;
  code.Gap();
  code.Line(head + " {");
  code.In();
  code.Line("Item out;");
  for (const StoredKey& key : entity.keys) {
    std::vector<std::string> tests;
    std::set<std::string> seen;
    for (const Value& argument : key.call.arguments) {
      if (!argument.source.field.optional || !seen.insert(argument.name).second) continue;
      tests.push_back("row." + Name(argument.name));
      if (ShapeOf(argument.type) == Shape::kText)
        tests.push_back("!row." + Name(argument.name) + "->empty()");
    }
    const std::string set =
        "Set(out, " + Quoted(key.attribute) + ", " + KeyText(Cpp(), key.call) + ");";
    code.Line(key.call.function == nullptr || tests.empty()
                  ? set
                  : "if (" + Join(tests, " && ") + ") " + set);
  }
  if (!entity.type_attribute.empty())
    code.Line("Set(out, " + Quoted(entity.type_attribute) + ", " + Quoted(entity.type_value) +
              ");");
  for (const Field& field : entity.plain)
    code.Line("Set(out, " + Quoted(field.name) + ", row." + Name(field.name) + ");");
  for (const StoredCopy& copy : entity.copies)
    code.Line("Set(out, " + Quoted(copy.attribute) + ", " + Name(copy.attribute) + ");");
  for (const StoredRows& rows : entity.rows)
    code.Line("Set(out, " + Quoted(rows.attribute) + ", " +
              (rows.map ? "Item()" : "AttributeValue::List()") + ");");
  code.Line("return out;");
  code.Out();
  code.Line("}");
}

void FromItemCode(const EntityCode& entity, const TableCode& table, Files& files) {
  const std::string type = EntityTypeName(entity.name);
  files.header.Line(type + " To" + PascalCase(entity.name) + "(const Item& item, Reader& reader);");
  Code& code = files.source;
  code.Gap();
  code.Line(type + " To" + PascalCase(entity.name) + "(const Item& item, Reader& reader) {");
  code.In();
  code.Line(type + " row;");
  for (const FieldSource& source : entity.sources)
    code.Line("reader.Read(" + Quoted(source.field.name) + ", " + ReadText(source, "item") +
              ", row." + Name(source.field.name) + ");");
  code.Line("return row;");
  code.Out();
  code.Line("}");
  if (table.layouts.size() < 2) return;
  files.header.Line("bool Is" + PascalCase(entity.name) + "(const Item& item);");
  code.Gap();
  code.Line("bool Is" + PascalCase(entity.name) + "(const Item& item) {");
  code.In();
  code.Line("return EntityOf(item, " + PascalCase(table.name) + "Layouts(), " +
            Quoted(table.type_attribute) + ") == " + Quoted(entity.name) + ";");
  code.Out();
  code.Line("}");
}

void LayoutsCode(const TableCode& table, Code& code) {
  code.Gap();
  code.Line("const std::vector<Layout>& " + PascalCase(table.name) + "Layouts() {");
  code.In();
  code.Line("static const std::vector<Layout> kLayouts = {");
  code.In();
  for (const LayoutTest& layout : table.layouts) {
    std::vector<std::string> keys;
    for (const LayoutTest::Key& key : layout.keys)
      keys.push_back("{" + Quoted(key.attribute) + ", " + TextsOf(key.literals) + "}");
    code.Line("{" + Quoted(layout.entity) + ", " + Quoted(layout.type_value) + ", {" +
              Join(keys, ", ") + "}},");
  }
  code.Out();
  code.Line("};");
  code.Line("return kLayouts;");
  code.Out();
  code.Line("}");
}

std::string SchemaText(const KeySchema& schema) {
  std::vector<std::string> parts;
  for (const KeySchemaElement& one : schema)
    parts.push_back("{" + Quoted(one.attribute_name) +
                    ", KeyType::" + (one.key_type == KeyType::kHash ? "kHash" : "kRange") + "}");
  return "{" + Join(parts, ", ") + "}";
}

void IndexCode(const IndexSpecification& index, const char* list, Code& code) {
  const Projection projection = index.projection.value_or(Projection());
  const ProjectionType type = projection.type.value_or(ProjectionType::kAll);
  code.Block("{", "}", [&] {
    code.Line("IndexSpecification index;");
    code.Line("index.index_name = " + Quoted(index.index_name) + ";");
    code.Line("index.key_schema = " + SchemaText(index.key_schema) + ";");
    code.Line("index.projection.emplace();");
    code.Line(std::string("index.projection->type = ProjectionType::") +
              (type == ProjectionType::kAll        ? "kAll"
               : type == ProjectionType::kKeysOnly ? "kKeysOnly"
                                                   : "kInclude") +
              ";");
    if (projection.non_key_attributes)
      code.Line("index.projection->non_key_attributes = Texts" +
                TextsOf(*projection.non_key_attributes) + ";");
    code.Line(std::string("if (!input.") + list + ") input." + list + ".emplace();");
    code.Line(std::string("input.") + list + "->push_back(std::move(index));");
  });
}

void CreateTablesCode(const Program& program, Files& files) {
  files.header.Gap();
  files.header.Line("// Creates the tables of the model; fails if one of them is there.");
  files.header.Line("Status CreateTables(Database& db);");
  Code& code = files.source;
  code.Gap();
  code.Line("Status CreateTables(Database& db) {");
  code.In();
  for (const infra::TableSpec& spec : infra::TableSpecs(program)) {
    code.Block("{", "}", [&] {
      code.Line("CreateTableInput input;");
      code.Line("input.table_name = " + Quoted(spec.input.table_name) + ";");
      code.Line("input.billing_mode = BillingMode::kPayPerRequest;");
      code.Line("input.key_schema = " + SchemaText(spec.input.key_schema) + ";");
      for (const AttributeDefinition& one : spec.input.attribute_definitions)
        code.Line("input.attribute_definitions.push_back({" + Quoted(one.attribute_name) +
                  ", ScalarType::" +
                  (one.type == ScalarType::kString   ? "kString"
                   : one.type == ScalarType::kNumber ? "kNumber"
                                                     : "kBinary") +
                  "});");
      for (const IndexSpecification& index : spec.Local()) IndexCode(index, "local_indexes", code);
      for (const IndexSpecification& index : spec.Global())
        IndexCode(index, "global_indexes", code);
      code.Line("if (auto made = db.CreateTable(input); !made.has_value()) return made.error();");
    });
  }
  code.Line("return {};");
  code.Out();
  code.Line("}");
}

}  // namespace

void EntitiesCode(const Program& program, Files& files) {
  CreateTablesCode(program, files);
  for (const TableCode& table : program.tables) {
    if (table.layouts.size() > 1) LayoutsCode(table, files.source);
  }
  for (const EntityCode& entity : program.entities) {
    files.header.Gap();
    files.header.Line("// ---- " + entity.name);
    Struct(EntityTypeName(entity.name), entity.fields, files.header);
    files.header.Gap();
    for (const KeyFunction& function : program.key_functions) {
      if (function.entity == entity.name) KeyFunctionCode(function, files);
    }
    if (entity.table.empty()) continue;
    const TableCode& table = *program.FindTable(entity.table);
    KeyItemCode(entity, table, files);
    ItemCode(entity, files);
    FromItemCode(entity, table, files);
  }
}

}  // namespace prejoin::gen::cpp
