// The logical half: entities and relationships, without keys of tables.
#include "gen/code.h"
#include "gen/shape.h"
#include "gen/tools/tools.h"
#include "gen/words.h"
#include "json/indented_writer.h"
#include "model/chart/chart.h"

namespace prejoin::gen {
namespace {

std::string MermaidMark(const model::Attribute& attribute) {
  if (attribute.is_key && attribute.references) {
    return " PK,FK";
  }
  if (attribute.is_key) {
    return " PK";
  }
  return attribute.references ? " FK" : attribute.unique ? " UK" : "";
}

std::string MermaidLine(model::RelationshipKind kind) {
  if (kind == model::RelationshipKind::kOneToOne) {
    return " ||--|| ";
  }
  return kind == model::RelationshipKind::kManyToMany ? " }o--o{ " : " ||--o{ ";
}

void SchemaType(const Field& field, json::IndentedWriter& json) {
  switch (ShapeOf(field.type)) {
    case Shape::kNumber:
      json.Field("type", "number");
      break;
    case Shape::kBool:
      json.Field("type", "boolean");
      break;
    case Shape::kMap:
      json.Field("type", "object");
      break;
    case Shape::kList:
      json.Field("type", "array");
      break;
    case Shape::kTextSet:
    case Shape::kNumberSet:
      json.Field("type", "array");
      json.Field("uniqueItems", true);
      break;
    case Shape::kText:
    case Shape::kBinary:
      json.Field("type", "string");
      if (field.type == AttributeType::kDate) {
        json.Field("format", "date");
      }
      if (field.type == AttributeType::kTime) {
        json.Field("format", "date-time");
      }
  }
  if (field.values.empty()) {
    return;
  }
  json.Name("enum").BeginArray();
  for (const std::string& value : field.values) {
    json.String(value);
  }
  json.EndArray();
}

// Text for one cell of a Markdown table.
std::string CellText(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
  }
  return out;
}

}  // namespace

std::vector<GeneratedFile> GenerateMermaid(const Program& program) {
  Code code("    ", 1000, Folding::kNone);
  code.Line("%% " + HeaderText(program));
  code.Line("erDiagram");
  code.In();
  for (const model::Entity& entity : program.model->entities) {
    code.Block(entity.name.text + " {", "}", [&] {
      for (const model::Attribute& attribute : entity.attributes) {
        code.Line(std::string(model::AttributeTypeName(attribute.type)) + " " +
                  attribute.name.text + MermaidMark(attribute));
      }
    });
  }
  for (const model::Relationship& one : program.model->relationships) {
    if (one.kind == model::RelationshipKind::kHierarchy) {
      continue;
    }
    if (one.through.text.empty()) {
      code.Line(one.from.text + MermaidLine(one.kind) + one.to.text + " : " + one.name.text);
    } else {
      code.Line(one.from.text + " ||--o{ " + one.through.text + " : " + one.name.text);
      code.Line(one.to.text + " ||--o{ " + one.through.text + " : " + one.name.text);
    }
  }
  return {{program.module + ".mmd", code.text()}};
}

std::vector<GeneratedFile> GenerateDbml(const Program& program) {
  Code code("  ", 1000, Folding::kNone);
  code.Line("// " + HeaderText(program));
  for (const model::Entity& entity : program.model->entities) {
    const std::vector<std::string> keys = entity.KeyNames();
    code.Gap();
    code.Block("Table " + entity.name.text + " {", "}", [&] {
      for (const model::Attribute& attribute : entity.attributes) {
        std::vector<std::string> marks;
        if (attribute.is_key && keys.size() == 1) {
          marks.emplace_back("pk");
        }
        if (attribute.unique) {
          marks.emplace_back("unique");
        }
        if (!attribute.optional && !(attribute.is_key && keys.size() == 1)) {
          marks.emplace_back("not null");
        }
        if (attribute.references) {
          marks.push_back("ref: > " + attribute.references->entity.text + "." +
                          attribute.references->attribute.text);
        }
        code.Line("\"" + attribute.name.text + "\" \"" +
                  std::string(model::AttributeTypeName(attribute.type)) + "\"" +
                  (marks.empty() ? "" : " [" + Join(marks, ", ") + "]"));
      }
      if (keys.size() < 2) {
        return;
      }
      code.Gap();
      code.Block("indexes {", "}", [&] { code.Line("(" + Join(keys, ", ") + ") [pk]"); });
    });
  }
  return {{program.module + ".dbml", code.text()}};
}

std::vector<GeneratedFile> GenerateJsonSchema(const Program& program) {
  json::IndentedWriter json;
  json.BeginObject();
  json.Field("$schema", "https://json-schema.org/draft/2020-12/schema");
  json.Field("title", program.title);
  json.Field("$comment", HeaderText(program));
  json.Name("$defs").BeginObject();
  for (const EntityCode& entity : program.entities) {
    json.Name(entity.name).BeginObject();
    json.Field("type", "object");
    json.Name("properties").BeginObject();
    for (const Field& field : entity.fields) {
      json.Name(field.name).BeginObject();
      SchemaType(field, json);
      json.EndObject();
    }
    json.EndObject();
    json.Name("required").BeginArray();
    for (const Field& field : entity.fields) {
      if (!field.optional) {
        json.String(field.name);
      }
    }
    json.EndArray();
    json.Field("additionalProperties", false);
    json.EndObject();
  }
  json.EndObject().EndObject();
  return {{program.module + ".schema.json", json.Finish()}};
}

std::vector<GeneratedFile> GenerateMarkdown(const Program& program) {
  std::string text = "<!-- " + HeaderText(program) + " -->\n\n";
  text += model::DrawChart(*program.model, model::ChartFormat::kMarkdown);
  text +=
      "\n## Access patterns\n\n| pattern | | requests | consistency |\n| --- | --- | --- | --- |\n";
  for (const PatternFunction& pattern : program.patterns) {
    text += "| " + pattern.pattern->name.text + " | " + CellText(pattern.pattern->title) + " | " +
            CellText(pattern.summary) + " | " + (pattern.strong ? "strong" : "eventual") + " |\n";
  }
  return {{program.module + ".md", text}};
}

}  // namespace prejoin::gen
