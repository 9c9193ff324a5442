#include "gen/entity_steps.h"
#include "gen/shape.h"
#include "gen/typescript/typescript.h"
#include "gen/words.h"

namespace prejoin::gen::typescript {
namespace {

class EntityWriter : public EntitySteps {
 public:
  EntityWriter(const Program& program, Code& code) : EntitySteps(TypeScript(), program, code) {}

 private:
  const char* KeyRow() const override { return "row"; }

  // export function name(parameters): result { … }
  template <class Body>
  void Function(const std::string& name, const std::vector<std::string>& parameters,
                const std::string& result, const Body& body) {
    code_.List("export function " + name + "(", parameters, "): " + result + " {");
    code_.In();
    body();
    code_.Out();
    code_.Line("}");
  }

  void Type(const EntityCode& entity) override {
    code_.Gap();
    code_.Line("// ---- " + entity.name);
    for (const NestedType& nested : program_.nested) {
      if (nested.entity == entity.name) {
        Nested(nested);
      }
    }
    code_.Gap();
    code_.Block("export interface " + EntityTypeName(entity.name) + " {", "}",
                [&] { MemberLines(entity.fields, code_); });
  }

  // Members keep the names that they have in the item.
  void Nested(const NestedType& nested) {
    code_.Gap();
    code_.Block("export interface " + nested.name + " {", "}", [&] {
      for (const Field& field : nested.members) {
        code_.Line(PropertyName(field.name) + (field.optional ? "?: " : ": ") + TypeOf(field) +
                   (field.optional ? " | undefined;" : ";"));
      }
    });
  }

  static std::string LiteralText(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '`' || c == '\\' || c == '$') {
        out += '\\';
      }
      out += c;
    }
    return out;
  }

  void KeyMaker(const KeyFunction& function) override {
    const std::string text = Join(
        KeyParts(function, LiteralText, [](const std::string& call) { return "${" + call + "}"; }),
        "");
    const bool plain = text.find('$') == std::string::npos;
    code_.Gap();
    Function(KeyFunctionName(language_, function),
             Each(function.arguments,
                  [](const Field& field) { return CamelCase(field.name) + ": " + TypeOf(field); }),
             "string", [&] {
               for (const std::vector<std::string>& check : PartChecks(function)) {
                 code_.List("checkPart(", check, ");");
               }
               code_.Line("return " + (plain ? Quoted(text) : "`" + text + "`") + ";");
             });
  }

  void KeyObjectCode(const EntityCode& entity, const std::vector<std::string>& pairs) override {
    const std::vector<std::string> names =
        Each(entity.identity, [](const Field& field) { return Quoted(CamelCase(field.name)); });
    code_.Gap();
    code_.Line("/** The primary key of the item. */");
    Function(KeyObjectFunction(entity.name),
             {"row: Pick<" + EntityTypeName(entity.name) + ", " + Join(names, " | ") + ">"}, "Item",
             [&] { code_.List("return {", pairs, "};", ",", " "); });
  }

  void ItemCode(const EntityCode& entity) override {
    std::vector<std::string> parameters = {"row: " + EntityTypeName(entity.name)};
    std::vector<std::string> copies;
    for (const StoredCopy& copy : entity.copies) {
      copies.push_back(PropertyName(copy.attribute) + "?: unknown");
    }
    if (!copies.empty()) {
      parameters.push_back("copies: { " + Join(copies, "; ") + " }");
    }
    code_.Gap();
    code_.Line("/** The item of a row, with every key that it has. */");
    Function(gen::typescript::ItemFunction(entity.name), parameters, "Item",
             [&] { code_.Block("return compact({", "});", [&] { ItemMembers(entity); }); });
  }

  void Member(const std::string& attribute, const std::string& value) override {
    code_.Line(language_.Pair(attribute, value) + ",");
  }

  std::string CopyText(const StoredCopy& copy) const override {
    const std::string name = PropertyName(copy.attribute);
    return "copies" + (name[0] == '"' ? "[" + name + "]" : "." + name);
  }

  void SparseMember(const std::string& attribute, const std::vector<Field>& needed,
                    const std::string& value) override {
    const std::vector<std::string> tests = Each(needed, [](const Field& field) {
      const std::string member = "row." + CamelCase(field.name);
      return member + " === undefined" +
             (ShapeOf(field.type) == Shape::kText ? " || " + member + " === \"\"" : "");
    });
    code_.Line(PropertyName(attribute) + ":");
    code_.In();
    code_.List("", {Join(tests, " || ")}, "", "");
    code_.In();
    code_.Line("? undefined");
    code_.Line(": " + value + ",");
    code_.Out();
    code_.Out();
  }

  void FromItemCode(const EntityCode& entity) override {
    code_.Gap();
    Function(FromItemFunction(entity.name), {"item: Item"}, EntityTypeName(entity.name), [&] {
      code_.Block("return {", "};", [&] {
        for (const FieldSource& source : entity.sources) {
          code_.List(CamelCase(source.field.name) + ": ", {ReadText(source, "item")}, ",", "");
        }
      });
    });
  }

  void IsEntityCode(const EntityCode& entity, const TableCode& table) override {
    const std::string type =
        table.type_attribute.empty() ? "" : ", " + Quoted(table.type_attribute);
    code_.Gap();
    Function("is" + PascalCase(entity.name), {"item: Item"}, "boolean", [&] {
      code_.Line("return entityOf(item, " + LayoutsName(table.name) + type +
                 ") === " + Quoted(entity.name) + ";");
    });
  }

  void BeginLayouts(const TableCode& table) override {
    code_.Gap();
    code_.Line("const " + LayoutsName(table.name) + ": readonly Layout[] = [");
    code_.In();
  }

  std::string LayoutKey(const LayoutTest::Key& key) const override {
    return language_.Pair(key.attribute,
                          key.literals.empty() ? "null" : "[" + QuotedList(key.literals) + "]");
  }

  void LayoutCode(const LayoutTest& layout, const std::vector<std::string>& keys) override {
    code_.Block("{", "},", [&] {
      code_.Line("entity: " + Quoted(layout.entity) + ",");
      code_.Line("type: " + Quoted(layout.type_value) + ",");
      code_.List("keys: {", keys, "},", ",", " ");
    });
  }

  void EndLayouts() override {
    code_.Out();
    code_.Line("];");
  }
};

}  // namespace

std::string EntitiesFile(const Program& program) {
  Code code;
  EntityWriter writer(program, code);
  code.Line("/** The tables' names; change them here for another stage or account. */");
  code.Block("export const tables = {", "};", [&] {
    for (const TableCode& table : program.tables) {
      code.Line(PropertyName(table.name) + ": " + Quoted(table.name) + ",");
    }
  });
  for (const EntityCode& entity : program.entities) {
    writer.Entity(entity);
  }
  writer.AllLayouts();
  return WithImports(program, code.text(), {"reading"});
}

}  // namespace prejoin::gen::typescript
