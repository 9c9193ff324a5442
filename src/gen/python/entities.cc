#include <algorithm>

#include "gen/entity_steps.h"
#include "gen/python/python.h"
#include "gen/shape.h"
#include "gen/words.h"

namespace prejoin::gen::python {
namespace {

class EntityWriter : public EntitySteps {
 public:
  EntityWriter(const Program& program, Code& code) : EntitySteps(Python(), program, code) {}

 private:
  void Gap() {
    code_.Gap();
    code_.Line();
  }

  // def name(parameters) -> result: with one thing in it.
  template <class Body>
  void Function(const std::string& name, const std::vector<std::string>& parameters,
                const std::string& result, const Body& body) {
    Gap();
    code_.Line("def " + name + "(" + Join(parameters, ", ") + ") -> " + result + ":");
    code_.In();
    body();
    code_.Out();
  }

  void Type(const EntityCode& entity) override {
    for (const NestedType& nested : program_.nested) {
      if (nested.entity == entity.name) {
        Nested(nested);
      }
    }
    Gap();
    code_.Line("@dataclass(frozen=True, kw_only=True)");
    code_.Line("class " + EntityTypeName(entity.name) + ":");
    code_.In();
    for (const std::string& member : Members(entity.fields)) {
      code_.Line(member);
    }
    code_.Out();
  }

  // Members keep the names that they have in the item. Those that may be absent are in a class of their own, because
  // Python 3.10 has no other way to say so.
  void Nested(const NestedType& nested) {
    const bool plain = std::ranges::all_of(
        nested.members, [](const Field& field) { return Name(field.name) == field.name; });
    if (!plain) {
      Gap();
      code_.Line(nested.name + " = TypedDict(");
      code_.In();
      code_.Line(Quoted(nested.name) + ",");
      code_.Block("{", "},", [&] {
        for (const Field& field : nested.members) {
          code_.Line(Quoted(field.name) + ": " + Quoted(TypeOf(field)) + ",");
        }
      });
      code_.Line("total=False,");
      code_.Out();
      code_.Line(")");
      return;
    }
    const auto is_optional = [](const Field& field) { return field.optional; };
    const bool all = std::ranges::all_of(nested.members, is_optional);
    const bool some = std::ranges::any_of(nested.members, is_optional);
    const std::string base = some && !all ? nested.name + "Required" : "TypedDict";
    if (some && !all) {
      NestedClass(base, "TypedDict", nested.members, false);
    }
    NestedClass(nested.name, base + (some ? ", total=False" : ""), nested.members, some);
  }

  void NestedClass(const std::string& name, const std::string& base,
                   const std::vector<Field>& members, bool optional) {
    Gap();
    code_.Line("class " + name + "(" + base + "):");
    code_.In();
    for (const Field& field : members) {
      if (field.optional == optional) {
        code_.Line(field.name + ": " + TypeOf(field));
      }
    }
    code_.Out();
  }

  static std::string Parameter(const Field& field) {
    return Name(field.name) + ": " + (field.name == "shard" ? "int" : TypeOf(field));
  }

  static std::string LiteralText(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '{' || c == '}') {
        out += c;
      }
      if (c == '"' || c == '\\') {
        out += '\\';
      }
      out += c;
    }
    return out;
  }

  void KeyMaker(const KeyFunction& function) override {
    bool plain = true;
    const std::vector<std::string> parts =
        KeyParts(function, LiteralText, [&](const std::string& call) {
          plain = false;
          return "{" + call + "}";
        });
    Function(KeyFunctionName(language_, function), Each(function.arguments, Parameter), "str", [&] {
      for (const std::vector<std::string>& check : PartChecks(function)) {
        code_.Line("check_part(" + Join(check, ", ") + ")");
      }
      code_.Line(std::string("return ") + (plain ? "" : "f") + "\"" + Join(parts, "") + "\"");
    });
  }

  void KeyObjectCode(const EntityCode& entity, const std::vector<std::string>& pairs) override {
    Function(SnakeCase(entity.name) + "_key", Each(entity.identity, Parameter), "Item", [&] {
      code_.Line("\"\"\"The primary key of the item.\"\"\"");
      code_.Line("return " + language_.Object(pairs));
    });
  }

  void ItemCode(const EntityCode& entity) override {
    std::vector<std::string> parameters = {"row: " + EntityTypeName(entity.name)};
    for (const StoredCopy& copy : entity.copies) {
      parameters.push_back(Name(copy.attribute) + ": Any");
    }
    Function(SnakeCase(entity.name) + "_item", parameters, "Item", [&] {
      code_.Line("\"\"\"The item of a row, with every key that it has.\"\"\"");
      code_.Block("return compact(", ")",
                  [&] { code_.Block("{", "}", [&] { ItemMembers(entity); }); });
    });
  }

  void Member(const std::string& attribute, const std::string& value) override {
    code_.Line(language_.Pair(attribute, value) + ",");
  }

  void SparseMember(const std::string& attribute, const std::vector<Field>& needed,
                    const std::string& value) override {
    const std::vector<std::string> tests = Each(needed, [](const Field& field) {
      const std::string member = "row." + Name(field.name);
      return ShapeOf(field.type) == Shape::kText ? member : member + " is not None";
    });
    Member(attribute, value + " if " + Join(tests, " and ") + " else None");
  }

  void FromItemCode(const EntityCode& entity) override {
    const std::string type = EntityTypeName(entity.name);
    Function("to_" + SnakeCase(entity.name), {"item: Item"}, type, [&] {
      code_.Block("return " + type + "(", ")", [&] {
        for (const FieldSource& source : entity.sources) {
          code_.Line(Name(source.field.name) + "=" + ReadText(source, "item") + ",");
        }
      });
    });
  }

  void IsEntityCode(const EntityCode& entity, const TableCode& table) override {
    const std::string type =
        table.type_attribute.empty() ? "" : ", " + Quoted(table.type_attribute);
    Function("is_" + SnakeCase(entity.name), {"item: Item"}, "bool", [&] {
      code_.Line("return entity_of(item, " + LayoutsName(table.name) + type +
                 ") == " + Quoted(entity.name));
    });
  }

  void BeginLayouts(const TableCode& table) override {
    code_.Gap();
    code_.Line(LayoutsName(table.name) + " = (");
    code_.In();
  }

  std::string LayoutKey(const LayoutTest::Key& key) const override {
    return language_.Pair(key.attribute, key.literals.empty() ? "None" : TupleText(key.literals));
  }

  void LayoutCode(const LayoutTest& layout, const std::vector<std::string>& keys) override {
    code_.Line("Layout(" + Quoted(layout.entity) + ", " + Quoted(layout.type_value) + ", " +
               language_.Object(keys) + "),");
  }

  void EndLayouts() override {
    code_.Out();
    code_.Line(")");
  }
};

}  // namespace

std::string EntitiesFile(const Program& program) {
  Code code = NewCode();
  EntityWriter writer(program, code);
  code.Line("# The tables' names; change them here for another stage or account.");
  code.Block("TABLES = {", "}", [&] {
    for (const TableCode& table : program.tables) {
      code.Line(Quoted(table.name) + ": " + Quoted(table.name) + ",");
    }
  });
  writer.AllLayouts();
  for (const EntityCode& entity : program.entities) {
    writer.Entity(entity);
  }
  return WithImports(program, code.text(), {"reading"});
}

}  // namespace prejoin::gen::python
