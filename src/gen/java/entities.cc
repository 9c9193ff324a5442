#include "gen/entity_steps.h"
#include "gen/java/java.h"
#include "gen/words.h"

namespace prejoin::gen::java {
namespace {

// Keys go to one file, items to another, and each entity has its own.
class EntityWriter : public EntitySteps {
 public:
  EntityWriter(const Program& program, Code& items, Code& keys)
      : EntitySteps(Java(), program, items), keys_(keys) {}

  std::vector<GeneratedFile> TakeFiles() { return std::move(files_); }

 private:
  static constexpr const char* kItem = "Map<String, AttributeValue>";

  void Type(const EntityCode& entity) override {
    Code code = NewCode();
    const std::string type = EntityTypeName(entity.name);
    Record("public record ", type, "A row of the entity " + entity.name + ".", entity.fields, code);
    files_.push_back({type + ".java", File(program_, code.text())});
  }

  static std::string KeyParameters(std::vector<Field> fields) {
    std::vector<std::string> parameters;
    for (Field& field : fields) {
      field.optional = false;
      parameters.push_back(field.name == "shard" ? "int shard"
                                                 : TypeOf(field) + " " + Name(field.name));
    }
    return Join(parameters, ", ");
  }

  void KeyMaker(const KeyFunction& function) override {
    const std::vector<std::string> parts = KeyParts(
        function, [](const std::string& text) { return Quoted(text); },
        [](const std::string& call) { return call == "shard" ? "String.valueOf(shard)" : call; });
    keys_.Gap();
    keys_.Block("public static String " + KeyFunctionName(language_, function) + "(" +
                    KeyParameters(function.arguments) + ") {",
                "}", [&] {
                  for (const std::vector<std::string>& check : PartChecks(function)) {
                    keys_.Line("checkPart(" + Join(check, ", ") + ");");
                  }
                  keys_.Line("return " + Join(parts, " + ") + ";");
                });
  }

  void KeyObjectCode(const EntityCode& entity, const std::vector<std::string>& pairs) override {
    keys_.Gap();
    Comment({"The primary key of the item."}, keys_);
    keys_.Block(std::string("public static ") + kItem + " " + CamelCase(entity.name) + "Key(" +
                    KeyParameters(entity.identity) + ") {",
                "}", [&] { keys_.Line("return " + language_.Object(pairs) + ";"); });
  }

  void ItemCode(const EntityCode& entity) override {
    std::string parameters = EntityTypeName(entity.name) + " row";
    for (const StoredCopy& copy : entity.copies) {
      parameters += ", Object " + Name(copy.attribute);
    }
    code_.Gap();
    Comment({"The item of a row, with every key that it has."}, code_);
    code_.Block(std::string("static ") + kItem + " " + CamelCase(entity.name) + "Item(" +
                    parameters + ") {",
                "}", [&] {
                  code_.Line("return values()");
                  code_.In();
                  code_.In();
                  ItemMembers(entity);
                  code_.Line(".item();");
                  code_.Out();
                  code_.Out();
                });
  }

  void Member(const std::string& attribute, const std::string& value) override {
    code_.Line(language_.Pair(attribute, value));
  }

  void SparseMember(const std::string& attribute, const std::vector<Field>& needed,
                    const std::string& value) override {
    const std::vector<std::string> members =
        Each(needed, [](const Field& field) { return Java().Member("row", field.name); });
    Member(attribute, "whenPresent(() -> " + value + ", " + Join(members, ", ") + ")");
  }

  void FromItemCode(const EntityCode& entity) override {
    const std::string type = EntityTypeName(entity.name);
    std::vector<std::string> members;
    for (const FieldSource& source : entity.sources) {
      members.push_back(RowText(source, "item"));
    }
    code_.Gap();
    code_.Block("static " + type + " to" + PascalCase(entity.name) + "(" + kItem + " item) {", "}",
                [&] { code_.Line("return new " + type + "(" + Join(members, ", ") + ");"); });
  }

  void IsEntityCode(const EntityCode& entity, const TableCode& table) override {
    code_.Gap();
    code_.Block("static boolean is" + PascalCase(entity.name) + "(" + kItem + " item) {", "}", [&] {
      code_.Line("return entityOf(item, " + UpperSnakeCase(table.name) + "_LAYOUTS, " +
                 Quoted(table.type_attribute) + ").equals(" + Quoted(entity.name) + ");");
    });
  }

  void BeginLayouts(const TableCode& table) override {
    code_.Gap();
    code_.Line("private static final List<Layout> " + UpperSnakeCase(table.name) + "_LAYOUTS =");
    layouts_.clear();
  }

  std::string LayoutKey(const LayoutTest::Key& key) const override {
    return Quoted(key.attribute) + ", List.of(" + QuotedList(key.literals) + ")";
  }

  void LayoutCode(const LayoutTest& layout, const std::vector<std::string>& keys) override {
    layouts_.push_back("new Layout(" + Quoted(layout.entity) + ", " + Quoted(layout.type_value) +
                       ", Map.of(" + Join(keys, ", ") + "))");
  }

  void EndLayouts() override {
    code_.In();
    code_.In();
    code_.Line("List.of(" + Join(layouts_, ", ") + ");");
    code_.Out();
    code_.Out();
  }

  Code& keys_;
  std::vector<std::string> layouts_;
  std::vector<GeneratedFile> files_;
};

std::string TableNamesFile(const Program& program) {
  std::vector<Field> tables;
  std::vector<std::string> names;
  for (const TableCode& table : program.tables) {
    tables.push_back({table.name, AttributeType::kText, false, {}});
    names.push_back(Quoted(table.name));
  }
  Code code = NewCode();
  Comment({"What the tables are called, for example in another stage or account."}, code);
  code.Block("public record TableNames(" + Parameters(tables) + ") {", "}", [&] {
    Comment({"As the model names them."}, code);
    code.Block("public static TableNames ofModel() {", "}",
               [&] { code.Line("return new TableNames(" + Join(names, ", ") + ");"); });
  });
  return File(program, code.text());
}

}  // namespace

std::vector<GeneratedFile> EntityFiles(const Program& program) {
  Code items = NewCode();
  Code keys = NewCode();
  EntityWriter writer(program, items, keys);
  Comment({"The only place where keys are made."}, keys);
  keys.Line("public final class Keys {");
  keys.In();
  keys.Line("private Keys() {}");
  Comment({"Rows as items, and items as rows."}, items);
  items.Line("final class EntityItems {");
  items.In();
  items.Line("private EntityItems() {}");
  writer.AllLayouts();
  for (const EntityCode& entity : program.entities) {
    writer.Entity(entity);
  }
  keys.Out();
  keys.Line("}");
  items.Out();
  items.Line("}");
  std::vector<GeneratedFile> files = writer.TakeFiles();
  files.push_back(
      {"EntityItems.java", File(program, items.text(), {"ItemValues", "KeyParts", "Keys"})});
  files.push_back({"Keys.java", File(program, keys.text(), {"ItemValues", "KeyParts"})});
  files.push_back({"TableNames.java", TableNamesFile(program)});
  return files;
}

}  // namespace prejoin::gen::java
