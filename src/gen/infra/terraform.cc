#include <algorithm>

#include "gen/code.h"
#include "gen/infra/infra.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace {

using infra::TableSpec;

// `terraform fmt` puts the equals signs of neighbouring lines below each other.
void Assignments(const std::vector<std::pair<std::string, std::string>>& lines, Code& code) {
  std::size_t width = 0;
  for (const auto& [name, value] : lines) {
    width = std::max(width, name.size());
  }
  for (const auto& [name, value] : lines) {
    code.Line(name + std::string(width - name.size(), ' ') + " = " + value);
  }
}

std::vector<std::pair<std::string, std::string>> ProjectionLines(const IndexSpecification& index) {
  const Projection projection = index.projection.value_or(Projection());
  std::vector<std::pair<std::string, std::string>> lines = {
      {"projection_type", Quoted(infra::ProjectionText(projection))}};
  if (projection.non_key_attributes) {
    std::vector<std::string> names;
    for (const std::string& one : *projection.non_key_attributes) {
      names.push_back(Quoted(one));
    }
    lines.emplace_back("non_key_attributes", "[" + Join(names, ", ") + "]");
  }
  return lines;
}

void GlobalIndex(const IndexSpecification& index, Code& code) {
  code.Gap();
  code.Line("global_secondary_index {");
  code.In();
  std::vector<std::pair<std::string, std::string>> lines = {{"name", Quoted(index.index_name)}};
  for (const auto& line : ProjectionLines(index)) {
    lines.push_back(line);
  }
  Assignments(lines, code);
  // One block for each key attribute: the form that can say keys of several attributes.
  for (const KeySchemaElement& element : index.key_schema) {
    code.Gap();
    code.Line("key_schema {");
    code.In();
    Assignments({{"attribute_name", Quoted(element.attribute_name)},
                 {"key_type", Quoted(infra::KeyTypeText(element.key_type))}},
                code);
    code.Out();
    code.Line("}");
  }
  code.Out();
  code.Line("}");
}

void TableBlock(const Program& program, const TableSpec& spec, Code& code) {
  code.Gap();
  code.Line("resource \"aws_dynamodb_table\" " + Quoted(SnakeCase(spec.input.table_name)) + " {");
  code.In();
  std::vector<std::pair<std::string, std::string>> lines = {
      {"name", Quoted(spec.input.table_name)}, {"billing_mode", "\"PAY_PER_REQUEST\""}};
  for (const KeySchemaElement& element : spec.input.key_schema) {
    lines.emplace_back(element.key_type == KeyType::kHash ? "hash_key" : "range_key",
                       Quoted(element.attribute_name));
  }
  if (spec.stream) {
    lines.emplace_back("stream_enabled", "true");
    lines.emplace_back("stream_view_type", "\"NEW_AND_OLD_IMAGES\"");
  }
  Assignments(lines, code);
  for (const AttributeDefinition& one : spec.input.attribute_definitions) {
    code.Gap();
    code.Line("attribute {");
    code.In();
    Assignments(
        {{"name", Quoted(one.attribute_name)}, {"type", Quoted(infra::ScalarText(one.type))}},
        code);
    code.Out();
    code.Line("}");
  }
  for (const IndexSpecification& index : spec.Local()) {
    code.Gap();
    code.Line("local_secondary_index {");
    code.In();
    std::vector<std::pair<std::string, std::string>> local = {
        {"name", Quoted(index.index_name)},
        {"range_key", Quoted(index.key_schema.back().attribute_name)}};
    for (const auto& line : ProjectionLines(index)) {
      local.push_back(line);
    }
    Assignments(local, code);
    code.Out();
    code.Line("}");
  }
  for (const IndexSpecification& index : spec.Global()) {
    GlobalIndex(index, code);
  }
  if (!spec.ttl.empty()) {
    code.Gap();
    code.Block("ttl {", "}", [&] {
      Assignments({{"attribute_name", Quoted(spec.ttl)}, {"enabled", "true"}}, code);
    });
  }
  code.Gap();
  code.Block("point_in_time_recovery {", "}", [&] { code.Line("enabled = true"); });
  code.Gap();
  code.Block("tags = {", "}", [&] { code.Line("model = " + Quoted(program.module)); });
  code.Out();
  code.Line("}");
}

}  // namespace

std::vector<GeneratedFile> GenerateTerraform(const Program& program) {
  Code code("  ", 1000, Folding::kNone);
  code.Line("# " + HeaderText(program));
  const std::vector<TableSpec> specs = infra::TableSpecs(program);
  if (std::ranges::any_of(specs, [](const TableSpec& spec) { return !spec.Global().empty(); })) {
    code.Line(
        "# The key_schema blocks of its indexes need the provider hashicorp/aws at 6.28 or later, "
        "where they take the "
        "place of hash_key and range_key.");
  }
  for (const TableSpec& spec : specs) {
    TableBlock(program, spec, code);
  }
  return {{program.module + ".tf", code.text()}};
}

}  // namespace prejoin::gen
