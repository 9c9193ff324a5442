#include "gen/cpp/cpp.h"
#include "gen/entity_steps.h"
#include "gen/infra/infra.h"
#include "gen/shape.h"
#include "gen/words.h"

namespace prejoin::gen::cpp {
namespace {

std::string ParameterType(const Field& field) {
  if (field.name == "shard") {
    return "int";
  }
  if (ShapeOf(field.type) == Shape::kNumber) {
    return "const Number&";
  }
  return ShapeOf(field.type) == Shape::kBool ? "bool" : "std::string_view";
}

class EntityWriter : public EntitySteps {
 public:
  EntityWriter(const Program& program, Files& files)
      : EntitySteps(Cpp(), program, files.source), header_(files.header) {}

 private:
  // Declared with a comment, defined with one statement.
  void Function(const char* comment, const std::string& head, const std::string& body) {
    if (*comment != '\0') {
      header_.Line(comment);
    }
    header_.Line(head + ";");
    code_.Gap();
    const std::string whole = head + " { " + body + " }";
    if (whole.size() <= kWidth) {
      code_.Line(whole);
    } else {
      code_.Block(head + " {", "}", [&] { code_.Line(body); });
    }
  }

  void Type(const EntityCode& entity) override {
    header_.Gap();
    header_.Line("// ---- " + entity.name);
    Struct(EntityTypeName(entity.name), entity.fields, header_);
    header_.Gap();
  }

  static std::string Parameter(const Field& field) {
    return ParameterType(field) + " " + Name(field.name);
  }

  void KeyMaker(const KeyFunction& function) override {
    const std::vector<std::string> parts = KeyParts(
        function, [](const std::string& text) { return "std::string(" + Quoted(text) + ")"; },
        [](const std::string& call) { return call == "shard" ? "std::to_string(shard)" : call; });
    const std::string head = "std::string " + KeyFunctionName(language_, function) + "(" +
                             Join(Each(function.arguments, Parameter), ", ") + ")";
    const std::string body = "return " + Join(parts, " + ") + ";";
    const std::vector<std::vector<std::string>> checks = PartChecks(function);
    if (checks.empty()) {
      Function("", head, body);
      return;
    }
    header_.Line(head + ";");
    code_.Gap();
    code_.Block(head + " {", "}", [&] {
      for (const std::vector<std::string>& check : checks) {
        const std::size_t plain = std::min<std::size_t>(check.size(), 3);
        std::string rules;
        for (std::size_t i = plain; i < check.size(); ++i) {
          rules += (i > plain ? ", " : "") + check[i];
        }
        code_.Line("CheckPart(" +
                   Join({check.begin(), check.begin() + static_cast<std::ptrdiff_t>(plain)}, ", ") +
                   (rules.empty() ? "" : ", {" + rules + "}") + ");");
      }
      code_.Line(body);
    });
  }

  void KeyObjectCode(const EntityCode& entity, const std::vector<std::string>& pairs) override {
    Function("// The primary key of the item.",
             "Item " + PascalCase(entity.name) + "Key(" +
                 Join(Each(entity.identity, Parameter), ", ") + ")",
             "return " + language_.Object(pairs) + ";");
  }

  void ItemCode(const EntityCode& entity) override {
    std::vector<std::string> parameters = {"const " + EntityTypeName(entity.name) + "& row"};
    for (const StoredCopy& copy : entity.copies) {
      parameters.push_back("const std::optional<AttributeValue>& " + Name(copy.attribute));
    }
    const std::string head = "Item ItemOf(" + Join(parameters, ", ") + ")";
    header_.Line("// The item of a row, with every key that it has.");
    header_.Line(head + ";");
    code_.Gap();
    code_.Block(head + " {", "}", [&] {
      code_.Line("Item out;");
      ItemMembers(entity);
      code_.Line("return out;");
    });
  }

  void Member(const std::string& attribute, const std::string& value) override {
    code_.Line("Set(out, " + Quoted(attribute) + ", " + value + ");");
  }

  void SparseMember(const std::string& attribute, const std::vector<Field>& needed,
                    const std::string& value) override {
    const std::vector<std::string> tests = Each(needed, [](const Field& field) {
      const std::string member = "row." + Name(field.name);
      return ShapeOf(field.type) == Shape::kText ? member + " && !" + member + "->empty()" : member;
    });
    code_.Line("if (" + Join(tests, " && ") + ") Set(out, " + Quoted(attribute) + ", " + value +
               ");");
  }

  void FromItemCode(const EntityCode& entity) override {
    const std::string type = EntityTypeName(entity.name);
    const std::string head =
        type + " To" + PascalCase(entity.name) + "(const Item& item, Reader& reader)";
    header_.Line(head + ";");
    code_.Gap();
    code_.Block(head + " {", "}", [&] {
      code_.Line(type + " row;");
      for (const FieldSource& source : entity.sources) {
        code_.Line("reader.Read(" + Quoted(source.field.name) + ", " + ReadText(source, "item") +
                   ", row." + Name(source.field.name) + ");");
      }
      code_.Line("return row;");
    });
  }

  void IsEntityCode(const EntityCode& entity, const TableCode& table) override {
    Function("", "bool Is" + PascalCase(entity.name) + "(const Item& item)",
             "return EntityOf(item, " + PascalCase(table.name) + "Layouts(), " +
                 Quoted(table.type_attribute) + ") == " + Quoted(entity.name) + ";");
  }

  void BeginLayouts(const TableCode& table) override {
    code_.Gap();
    code_.Line("const std::vector<Layout>& " + PascalCase(table.name) + "Layouts() {");
    code_.In();
    code_.Line("static const std::vector<Layout> kLayouts = {");
    code_.In();
  }

  std::string LayoutKey(const LayoutTest::Key& key) const override {
    return language_.Pair(key.attribute, TextsOf(key.literals));
  }

  void LayoutCode(const LayoutTest& layout, const std::vector<std::string>& keys) override {
    code_.Line("{" + Quoted(layout.entity) + ", " + Quoted(layout.type_value) + ", {" +
               Join(keys, ", ") + "}},");
  }

  void EndLayouts() override {
    code_.Out();
    code_.Line("};");
    code_.Line("return kLayouts;");
    code_.Out();
    code_.Line("}");
  }

  Code& header_;
};

std::string SchemaText(const KeySchema& schema) {
  std::vector<std::string> parts;
  for (const KeySchemaElement& one : schema) {
    parts.push_back("{" + Quoted(one.attribute_name) +
                    ", KeyType::" + (one.key_type == KeyType::kHash ? "kHash" : "kRange") + "}");
  }
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
    if (projection.non_key_attributes) {
      code.Line("index.projection->non_key_attributes = Texts" +
                TextsOf(*projection.non_key_attributes) + ";");
    }
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
      for (const AttributeDefinition& one : spec.input.attribute_definitions) {
        code.Line("input.attribute_definitions.push_back({" + Quoted(one.attribute_name) +
                  ", ScalarType::" +
                  (one.type == ScalarType::kString   ? "kString"
                   : one.type == ScalarType::kNumber ? "kNumber"
                                                     : "kBinary") +
                  "});");
      }
      for (const IndexSpecification& index : spec.Local()) {
        IndexCode(index, "local_indexes", code);
      }
      for (const IndexSpecification& index : spec.Global()) {
        IndexCode(index, "global_indexes", code);
      }
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
  EntityWriter writer(program, files);
  writer.AllLayouts();
  for (const EntityCode& entity : program.entities) {
    writer.Entity(entity);
  }
}

}  // namespace prejoin::gen::cpp
