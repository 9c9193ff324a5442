#include "gen/code.h"
#include "gen/infra/infra.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace {

using infra::TableSpec;

std::string AttributeText(const TableSpec& spec, const std::string& name) {
  std::string type = "STRING";
  for (const AttributeDefinition& one : spec.input.attribute_definitions) {
    if (one.attribute_name == name && one.type == ScalarType::kNumber) {
      type = "NUMBER";
    }
    if (one.attribute_name == name && one.type == ScalarType::kBinary) {
      type = "BINARY";
    }
  }
  return "{ name: " + Quoted(name) + ", type: AttributeType." + type + " }";
}

std::vector<std::string> AttributesOf(const TableSpec& spec, const KeySchema& schema,
                                      KeyType type) {
  std::vector<std::string> out;
  for (const KeySchemaElement& element : schema) {
    if (element.key_type == type) {
      out.push_back(AttributeText(spec, element.attribute_name));
    }
  }
  return out;
}

void KeyLines(const TableSpec& spec, const KeySchema& schema, bool local, Code& code) {
  const std::vector<std::string> hash = AttributesOf(spec, schema, KeyType::kHash);
  const std::vector<std::string> range = AttributesOf(spec, schema, KeyType::kRange);
  const auto line = [&](const std::string& one, const std::string& many,
                        const std::vector<std::string>& all) {
    if (all.size() == 1) {
      code.Line(one + ": " + all[0] + ",");
    }
    if (all.size() > 1) {
      code.Line(many + ": [");
      code.In();
      for (const std::string& attribute : all) {
        code.Line(attribute + ",");
      }
      code.Out();
      code.Line("],");
    }
  };
  if (!local) {
    line("partitionKey", "partitionKeys", hash);
  }
  line("sortKey", "sortKeys", range);
}

void IndexLines(const char* member, const TableSpec& spec,
                const std::vector<IndexSpecification>& indexes, bool local, Code& code) {
  if (indexes.empty()) {
    return;
  }
  code.Line(std::string(member) + ": [");
  code.In();
  for (const IndexSpecification& index : indexes) {
    code.Line("{");
    code.In();
    code.Line("indexName: " + Quoted(index.index_name) + ",");
    KeyLines(spec, index.key_schema, local, code);
    const Projection projection = index.projection.value_or(Projection());
    code.Line("projectionType: ProjectionType." + infra::ProjectionText(projection) + ",");
    if (projection.non_key_attributes) {
      std::vector<std::string> names;
      for (const std::string& one : *projection.non_key_attributes) {
        names.push_back(Quoted(one));
      }
      code.Line("nonKeyAttributes: [" + Join(names, ", ") + "],");
    }
    code.Out();
    code.Line("},");
  }
  code.Out();
  code.Line("],");
}

void TableLines(const Program& program, const TableSpec& spec, Code& code) {
  const std::string name = CamelCase(spec.input.table_name);
  code.Line("this." + name + " = new TableV2(this, " +
            Quoted(PascalCase(spec.input.table_name) + "Table") + ", {");
  code.In();
  code.Line("tableName: " + Quoted(spec.input.table_name) + ",");
  KeyLines(spec, spec.input.key_schema, false, code);
  code.Line("billing: Billing.onDemand(),");
  IndexLines("localSecondaryIndexes", spec, spec.Local(), true, code);
  IndexLines("globalSecondaryIndexes", spec, spec.Global(), false, code);
  if (spec.stream) {
    code.Line("dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,");
  }
  if (!spec.ttl.empty()) {
    code.Line("timeToLiveAttribute: " + Quoted(spec.ttl) + ",");
  }
  code.Line("pointInTimeRecoverySpecification: {");
  code.In();
  code.Line("pointInTimeRecoveryEnabled: true,");
  code.Out();
  code.Line("},");
  code.Line("removalPolicy: RemovalPolicy.RETAIN,");
  code.Line("tags: [{ key: \"model\", value: " + Quoted(program.module) + " }],");
  code.Out();
  code.Line("});");
}

std::string AwsCliIndex(const IndexSpecification& index) {
  std::vector<std::string> keys;
  for (const KeySchemaElement& one : index.key_schema) {
    keys.push_back("{AttributeName=" + one.attribute_name +
                   ",KeyType=" + infra::KeyTypeText(one.key_type) + "}");
  }
  const Projection projection = index.projection.value_or(Projection());
  std::string text = "IndexName=" + index.index_name + ",KeySchema=[" + Join(keys, ",") +
                     "],Projection={ProjectionType=" + infra::ProjectionText(projection);
  if (projection.non_key_attributes) {
    text += ",NonKeyAttributes=[" + Join(*projection.non_key_attributes, ",") + "]";
  }
  return "'" + text + "}'";
}

}  // namespace

std::vector<GeneratedFile> GenerateCdk(const Program& program) {
  const std::vector<TableSpec> specs = infra::TableSpecs(program);
  bool stream = false;
  bool indexes = false;
  for (const TableSpec& spec : specs) {
    stream = stream || spec.stream;
    indexes = indexes || !spec.Local().empty() || !spec.Global().empty();
  }
  Code code;
  code.Line("// " + HeaderText(program));
  code.Line();
  code.Line("import { RemovalPolicy } from \"aws-cdk-lib\";");
  std::vector<std::string> names = {"AttributeType", "Billing"};
  if (indexes) {
    names.emplace_back("ProjectionType");
  }
  if (stream) {
    names.emplace_back("StreamViewType");
  }
  names.emplace_back("TableV2");
  code.List("import {", names, "} from \"aws-cdk-lib/aws-dynamodb\";", ",", " ");
  code.Line("import { Construct } from \"constructs\";");
  code.Line();
  code.Line("/** The tables of the model; add it to a stack of yours. */");
  code.Line("export class " + PascalCase(program.module) + "Tables extends Construct {");
  code.In();
  for (const TableSpec& spec : specs) {
    code.Line("readonly " + CamelCase(spec.input.table_name) + ": TableV2;");
  }
  code.Gap();
  code.Line("constructor(scope: Construct, id: string) {");
  code.In();
  code.Line("super(scope, id);");
  for (const TableSpec& spec : specs) {
    TableLines(program, spec, code);
  }
  code.Out();
  code.Line("}");
  code.Out();
  code.Line("}");
  return {{program.module + "_tables.ts", code.text()}};
}

std::vector<GeneratedFile> GenerateAwsCli(const Program& program) {
  Code code("  ", 1000, Folding::kNone);
  code.Line("#!/usr/bin/env bash");
  code.Line("# " + HeaderText(program));
  code.Line(
      "# More options for each call: ENDPOINT=\"--endpoint-url http://127.0.0.1:8000\" "
      "./create_tables.sh");
  code.Line("set -euo pipefail");
  for (const TableSpec& spec : infra::TableSpecs(program)) {
    std::vector<std::string> lines = {"aws dynamodb create-table ${ENDPOINT:-}",
                                      "--table-name " + spec.input.table_name,
                                      "--billing-mode PAY_PER_REQUEST"};
    // Each attribute and index has its own line, so that another one changes none of theirs.
    lines.emplace_back("--attribute-definitions");
    for (const AttributeDefinition& one : spec.input.attribute_definitions) {
      lines.push_back("  AttributeName=" + one.attribute_name +
                      ",AttributeType=" + infra::ScalarText(one.type));
    }
    std::string keys = "--key-schema";
    for (const KeySchemaElement& one : spec.input.key_schema) {
      keys +=
          " AttributeName=" + one.attribute_name + ",KeyType=" + infra::KeyTypeText(one.key_type);
    }
    lines.push_back(std::move(keys));
    for (const bool local : {true, false}) {
      std::vector<std::string> texts;
      for (const IndexSpecification& index : local ? spec.Local() : spec.Global()) {
        texts.push_back(AwsCliIndex(index));
      }
      if (!texts.empty()) {
        lines.push_back(std::string(local ? "--local" : "--global") + "-secondary-indexes");
      }
      for (const std::string& text : texts) {
        lines.push_back("  " + text);
      }
    }
    if (spec.stream) {
      lines.emplace_back(
          "--stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES");
    }
    lines.push_back("--tags Key=model,Value=" + program.module);
    code.Gap();
    code.Line(Join(lines, " \\\n  "));
    code.Line("aws dynamodb wait table-exists ${ENDPOINT:-} --table-name " + spec.input.table_name);
    code.Line("aws dynamodb update-continuous-backups ${ENDPOINT:-} --table-name " +
              spec.input.table_name +
              " \\\n  --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true");
    if (!spec.ttl.empty()) {
      code.Line("aws dynamodb update-time-to-live ${ENDPOINT:-} --table-name " +
                spec.input.table_name +
                " \\\n  --time-to-live-specification Enabled=true,AttributeName=" + spec.ttl);
    }
  }
  return {{"create_tables.sh", code.text()}};
}

}  // namespace prejoin::gen
