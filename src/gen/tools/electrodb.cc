// Entities for ElectroDB. A key is a template there as here, but its functions are few: padding belongs to the attribute, and folding of
// case or shards cannot be said. An index that needs those is left out, with a comment; an entity whose own key does, altogether.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "gen/code.h"
#include "gen/infra/infra.h"
#include "gen/shape.h"
#include "gen/tools/tools.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace {

class ElectroEntity {
 public:
  ElectroEntity(const Program& program, const EntityCode& entity, const infra::TableSpec& spec,
                Code& code)
      : program_(program), entity_(entity), spec_(spec), code_(code) {}

  void Write() {
    for (const StoredKey& key : entity_.keys) {
      CollectPadding(key);
    }
    const std::optional<std::vector<std::string>> primary = KeyLines(spec_.input.key_schema);
    code_.Gap();
    if (!primary) {
      code_.Line("// " + entity_.name + ": ElectroDB's templates cannot make its primary key.");
      return;
    }
    for (const auto& layout : program_.model->LayoutsOf(entity_.name)) {
      if (!layout.layout->of.text.empty()) {
        code_.Line("// " + entity_.name + " is stored as " + layout.layout->entity.text +
                   " too, which this does not write.");
      }
    }
    code_.Line("export const " + program_.TypeName(entity_.name) + " = new Entity(");
    code_.In();
    code_.Block("{", "},", [&] {
      code_.Line("model: { entity: " + Quoted(entity_.name) +
                 ", version: \"1\", service: " + Quoted(program_.module) + " },");
      code_.Block("attributes: {", "},", [&] { Attributes(); });
      code_.Block("indexes: {", "},", [&] {
        Index("primary", "", *primary);
        for (const IndexSpecification& index : spec_.Global()) {
          Secondary(index);
        }
        for (const IndexSpecification& index : spec_.Local()) {
          Secondary(index);
        }
      });
    });
    code_.Line("{ table: " + Quoted(spec_.input.table_name) + " },");
    code_.Out();
    code_.Line(");");
  }

 private:
  // An attribute is padded everywhere or nowhere.
  void CollectPadding(const StoredKey& key) {
    if (key.call.function == nullptr) {
      return;
    }
    for (const model::TemplatePart& part : key.call.function->parts) {
      if (part.is_literal()) {
        continue;
      }
      const int width = part.transform == model::TemplateTransform::kPad ? part.argument : 0;
      const auto [known, added] = padding_.emplace(part.attribute, width);
      if (!added && known->second != width) {
        uneven_.insert(part.attribute);
      }
    }
  }

  static std::string TypeText(const Field& field) {
    if (!field.values.empty()) {
      return "[" + QuotedList(field.values) + "] as const";
    }
    switch (ShapeOf(field.type)) {
      case Shape::kText:
        return Quoted("string");
      case Shape::kNumber:
        return Quoted("number");
      case Shape::kBool:
        return Quoted("boolean");
      case Shape::kTextSet:
        return "\"set\", items: \"string\"";
      case Shape::kNumberSet:
        return "\"set\", items: \"number\"";
      default:
        return Quoted("any");
    }
  }

  void Attributes() {
    for (const Field& field : entity_.fields) {
      std::string text = "type: " + TypeText(field);
      if (!field.optional) {
        text += ", required: true";
      }
      if (const auto found = padding_.find(field.name);
          found != padding_.end() && found->second > 0) {
        text += ", padding: { length: " + std::to_string(found->second) + ", char: \"0\" }";
      }
      code_.Line(PropertyName(field.name) + ": { " + text + " },");
    }
    for (const StoredCopy& copy : entity_.copies) {
      code_.Line(PropertyName(copy.attribute) + ": { type: \"any\" },");
    }
    for (const StoredRows& rows : entity_.rows) {
      code_.Line(PropertyName(rows.attribute) + ": { type: \"any\" },");
    }
    if (!entity_.type_attribute.empty()) {
      code_.Line(PropertyName(entity_.type_attribute) +
                 ": { type: \"string\", default: " + Quoted(entity_.type_value) + " },");
    }
  }

  struct Key {
    std::string text;                    // field: "PK", composite: ["id"], …
    std::vector<std::string> composite;  // The attributes in it.
  };

  // `pk: { … }` and `sk: { … }`; nullopt if a part cannot be said.
  std::optional<std::vector<std::string>> KeyLines(const KeySchema& schema) const {
    std::vector<std::string> lines;
    std::set<std::string> seen;
    for (const KeySchemaElement& element : schema) {
      const std::optional<Key> key = KeyOf(element.attribute_name);
      if (!key) {
        return std::nullopt;
      }
      // ElectroDB takes an attribute twice only in a sort key that has no other.
      for (const std::string& attribute : key->composite) {
        if (!seen.insert(attribute).second && key->composite.size() > 1) {
          return std::nullopt;
        }
      }
      lines.push_back((element.key_type == KeyType::kHash ? "pk: { " : "sk: { ") + key->text +
                      " },");
    }
    return lines;
  }

  std::optional<Key> KeyOf(const std::string& attribute) const {
    const std::string field = "field: " + Quoted(attribute);
    for (const Field& own : entity_.fields) {
      if (own.name != attribute) {
        continue;
      }
      return Key{field + ", composite: [" + Quoted(attribute) + "]" +
                     (ShapeOf(own.type) == Shape::kText ? ", casing: \"none\"" : ""),
                 {attribute}};
    }
    for (const StoredKey& key : entity_.keys) {
      if (key.attribute == attribute) {
        return TemplateKey(field, key);
      }
    }
    return std::nullopt;
  }

  std::optional<Key> TemplateKey(const std::string& field, const StoredKey& key) const {
    std::string text;
    std::vector<std::string> composite;
    if (key.call.function == nullptr) {
      const Value& value = key.call.arguments[0];
      if (ShapeOf(value.type) != Shape::kText) {
        return std::nullopt;
      }
      text = "${" + value.name + "}";
      composite.push_back(value.name);
    } else {
      for (const model::TemplatePart& part : key.call.function->parts) {
        if (part.is_literal()) {
          text += part.literal;
          continue;
        }
        const bool known = part.transform == model::TemplateTransform::kNone ||
                           part.transform == model::TemplateTransform::kPad;
        if (!known || uneven_.contains(part.attribute)) {
          return std::nullopt;
        }
        text += "${" + part.attribute + "}";
        composite.push_back(part.attribute);
      }
    }
    return Key{field + ", composite: [" + QuotedList(composite) + "], template: " + Quoted(text) +
                   ", casing: \"none\"",
               composite};
  }

  void Secondary(const IndexSpecification& index) {
    if (!tools::IsIn(entity_, index)) {
      return;
    }
    const auto lines = KeyLines(index.key_schema);
    if (!lines || tools::HasSeveralAttributes(index)) {
      code_.Line("// " + index.index_name + ": ElectroDB's templates cannot make its keys.");
      return;
    }
    Index(index.index_name, index.index_name, *lines);
  }

  void Index(const std::string& name, const std::string& index,
             const std::vector<std::string>& lines) {
    code_.Block(PropertyName(name) + ": {", "},", [&] {
      if (!index.empty()) {
        code_.Line("index: " + Quoted(index) + ",");
      }
      for (const std::string& line : lines) {
        code_.Line(line);
      }
    });
  }

  const Program& program_;
  const EntityCode& entity_;
  const infra::TableSpec& spec_;
  Code& code_;
  std::map<std::string, int> padding_;
  std::set<std::string> uneven_;
};

}  // namespace

std::vector<GeneratedFile> GenerateElectroDb(const Program& program) {
  Code code;
  code.Line("// " + HeaderText(program));
  code.Prose(
      "// ",
      "ElectroDB stores every attribute beside the keys, and marks its items; to read items that "
      "other code wrote, "
      "pass { ignoreOwnership: true }. Copies and rows inside items are yours to keep right.");
  code.Gap();
  code.Line("import { Entity } from \"electrodb\";");
  const std::vector<infra::TableSpec> specs = infra::TableSpecs(program);
  for (const EntityCode& entity : program.entities) {
    for (const infra::TableSpec& spec : specs) {
      if (spec.input.table_name == entity.table) {
        ElectroEntity(program, entity, spec, code).Write();
      }
    }
  }
  return {{program.module + ".electrodb.ts", code.text()}};
}

}  // namespace prejoin::gen
