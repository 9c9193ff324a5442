#include "gen/entity_steps.h"
#include "gen/go/go.h"
#include "gen/words.h"

namespace prejoin::gen::go {
namespace {

class EntityWriter : public EntitySteps {
 public:
  EntityWriter(const Program& program, Code& code) : EntitySteps(Go(), program, code) {}

 private:
  // A function with one statement, after a comment if there is one.
  void Function(const std::string& comment, const std::string& head, const std::string& body) {
    code_.Gap();
    if (!comment.empty()) {
      code_.Line("// " + comment);
    }
    code_.Block("func " + head + " {", "}", [&] { code_.Line(body); });
  }

  void Type(const EntityCode& entity) override {
    const std::string type = EntityTypeName(entity.name);
    code_.Gap();
    code_.Line("// " + type + " is a row of the entity " + entity.name + ".");
    Struct(type, entity.fields, code_);
  }

  static std::string Parameter(const gen::Field& field) {
    const std::string type = field.name == "shard" ? "int" : TypeOf({"", field.type, false, {}});
    return Variable(field.name) + " " + type;
  }

  void KeyMaker(const KeyFunction& function) override {
    const std::vector<std::string> parts = KeyParts(
        function, [](const std::string& text) { return Quoted(text); },
        [](const std::string& call) { return call == "shard" ? "strconv.Itoa(shard)" : call; });
    const std::string name = KeyFunctionName(language_, function);
    const std::string comment = name + " makes " +
                                (function.whole ? "the key " : "the beginning of the key ") +
                                function.attribute + ".";
    const std::string head = name + "(" + Join(Each(function.arguments, Parameter), ", ") + ") ";
    if (!function.refuses()) {
      Function(comment, head + "string", "return " + Join(parts, " + "));
      return;
    }
    code_.Gap();
    code_.Line("// " + comment);
    code_.Block("func " + head + "(string, error) {", "}", [&] {
      code_.Line("var check keyCheck");
      for (const std::vector<std::string>& one : PartChecks(function)) {
        code_.Line("check.part(" + Join(one, ", ") + ")");
      }
      code_.Line("return check.key(" + Join(parts, " + ") + ")");
    });
  }

  void KeyObjectCode(const EntityCode& entity, const std::vector<std::string>& pairs) override {
    const std::string name = language_.function(entity.name + " key");
    Function(name + " is the primary key of the item.",
             name + "(" + Join(Each(entity.identity, Parameter), ", ") + ") (Item, error)",
             "return orRefused(" + FunctionText("func() Item", language_.Object(pairs)) + ")");
  }

  void ItemCode(const EntityCode& entity) override {
    std::vector<std::string> parameters;
    for (const StoredCopy& copy : entity.copies) {
      parameters.push_back(Variable(copy.attribute) + " any");
    }
    code_.Gap();
    code_.Line("// Item is the item of the row, with every key that it has.");
    code_.Block("func (row " + EntityTypeName(entity.name) + ") Item(" + Join(parameters, ", ") +
                    ") (Item, error) {",
                "}", [&] {
                  code_.Line("return orRefused(func() Item {");
                  code_.In();
                  code_.Block("return values{", "}.item()", [&] { ItemMembers(entity); });
                  code_.Out();
                  code_.Line("})");
                });
  }

  std::string CopyText(const StoredCopy& copy) const override { return Variable(copy.attribute); }

  void Member(const std::string& attribute, const std::string& value) override {
    code_.Line(language_.Pair(attribute, value) + ",");
  }

  void SparseMember(const std::string& attribute, const std::vector<gen::Field>& needed,
                    const std::string& value) override {
    const std::vector<std::string> members =
        Each(needed, [](const gen::Field& one) { return "row." + Field(one.name); });
    Member(attribute, "whenPresent(" + FunctionText("func() string", value) + ", " +
                          Join(members, ", ") + ")");
  }

  void FromItemCode(const EntityCode& entity) override {
    const std::string type = EntityTypeName(entity.name);
    code_.Gap();
    code_.Block(
        "func to" + PascalCase(entity.name) + "(r *reader, _ int, item Item) " + type + " {", "}",
        [&] {
          code_.Block("return " + type + "{", "}", [&] {
            for (const FieldSource& source : entity.sources) {
              code_.Line(Field(source.field.name) + ": " + RowText(source, "item") + ",");
            }
          });
        });
  }

  void IsEntityCode(const EntityCode& entity, const TableCode& table) override {
    Function("", "is" + PascalCase(entity.name) + "(item Item) bool",
             "return entityOf(item, " + CamelCase(table.name) + "Layouts, " +
                 Quoted(table.type_attribute) + ") == " + Quoted(entity.name));
  }

  void BeginLayouts(const TableCode& table) override {
    code_.Gap();
    code_.Line("var " + CamelCase(table.name) + "Layouts = []layout{");
    code_.In();
  }

  std::string LayoutKey(const LayoutTest::Key& key) const override {
    return "{" + Quoted(key.attribute) + ", " +
           (key.literals.empty() ? "nil" : "[]string{" + QuotedList(key.literals) + "}") + "}";
  }

  void LayoutCode(const LayoutTest& layout, const std::vector<std::string>& keys) override {
    code_.Line("{" + Quoted(layout.entity) + ", " + Quoted(layout.type_value) + ", []keyLayout{" +
               Join(keys, ", ") + "}},");
  }

  void EndLayouts() override {
    code_.Out();
    code_.Line("}");
  }
};

}  // namespace

void EntitiesCode(const Program& program, Code& code) {
  std::vector<gen::Field> tables;
  for (const TableCode& table : program.tables) {
    tables.push_back({table.name, AttributeType::kText, false, {}});
  }
  code.Line("// Client reads and writes the tables of the model. It is safe for concurrent use.");
  code.Block("type Client struct {", "}", [&] {
    code.Line("DB     DB");
    code.Line("Tables TableNames");
  });
  code.Gap();
  code.Line(
      "// TableNames are what the tables are called, for example in another stage or account.");
  Struct("TableNames", tables, code);
  code.Gap();
  code.Line("// New has the names of the tables from the model.");
  code.Block("func New(db DB) *Client {", "}", [&] {
    code.Block("return &Client{DB: db, Tables: TableNames{", "}}", [&] {
      for (const TableCode& table : program.tables) {
        code.Line(Field(table.name) + ": " + Quoted(table.name) + ",");
      }
    });
  });
  EntityWriter writer(program, code);
  writer.AllLayouts();
  for (const EntityCode& entity : program.entities) {
    writer.Entity(entity);
  }
}

}  // namespace prejoin::gen::go
