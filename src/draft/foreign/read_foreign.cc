#include "draft/foreign/read_foreign.h"

#include <array>
#include <utility>

#include "base/utf8.h"
#include "draft/decode_samples.h"
#include "draft/formats/formats.h"
#include "draft/formats/prisma_sql.h"
#include "draft/formats/program_json.h"
#include "draft/formats/resolve_functions.h"
#include "draft/formats/terraform_json.h"
#include "draft/formats/yaml_json.h"
#include "draft/json_fields.h"
#include "draft/sql/read_sql.h"
#include "draft/workload/cloud_trail.h"
#include "json/reader.h"

namespace prejoin::draft {
namespace {

constexpr std::array<std::pair<std::string_view, ForeignFormat>, 9> kNames = {{
    {"workbench", ForeignFormat::kWorkbench},
    {"table", ForeignFormat::kTableJson},
    {"onetable", ForeignFormat::kOneTable},
    {"electrodb", ForeignFormat::kElectroDb},
    {"toolbox", ForeignFormat::kToolbox},
    {"aws-schema", ForeignFormat::kAwsSchema},
    {"terraform", ForeignFormat::kTerraform},
    {"prisma", ForeignFormat::kPrisma},
    {"sql", ForeignFormat::kSql},
}};

bool Has(json::Value root, std::string_view name) { return Member(root, name).has_value(); }

// Recognises a format by the members that only it has.
ForeignFormat Recognise(json::Value root) {
  if (root.type() == json::Type::kArray) {
    const std::vector<json::Value> all = ElementsOf(root);
    return all.empty() ? ForeignFormat::kUnknown : Recognise(all[0]);
  }
  if (Has(root, "DataModel")) {
    return ForeignFormat::kWorkbench;
  }
  if (Has(root, "Resources") || Member(root, {"resources", "Resources"}) || Has(root, "Table") ||
      Has(root, "KeySchema")) {
    return ForeignFormat::kTableJson;
  }
  if (Has(root, "models") && Has(root, "indexes")) {
    return ForeignFormat::kOneTable;
  }
  if (Has(root, "tables")) {
    return ForeignFormat::kAwsSchema;
  }
  if (Has(root, "attributes") && Has(root, "indexes")) {
    return ForeignFormat::kElectroDb;
  }
  if (Has(root, "entityName") || Has(root, "entities") || Has(root, "schema")) {
    const auto entities = Member(root, "entities");
    const std::vector<NamedValue> members = MembersOf(entities);
    const bool electro = !members.empty() && Has(members[0].value, "indexes");
    return electro ? ForeignFormat::kElectroDb : ForeignFormat::kToolbox;
  }
  for (const NamedValue& one : MembersOf(root)) {
    if (Has(one.value, "attributes") && Has(one.value, "indexes")) {
      return ForeignFormat::kElectroDb;
    }
  }
  return ForeignFormat::kUnknown;
}

Result<Draft> ReadJson(json::Value root, ForeignFormat format) {
  switch (format == ForeignFormat::kUnknown ? Recognise(root) : format) {
    case ForeignFormat::kWorkbench:
      return ReadWorkbench(root);
    case ForeignFormat::kTableJson:
      return ReadTableJson(root);
    case ForeignFormat::kOneTable:
      return ReadOneTable(root);
    case ForeignFormat::kElectroDb:
      return ReadElectroDb(root);
    case ForeignFormat::kToolbox:
      return ReadToolbox(root);
    case ForeignFormat::kAwsSchema:
      return ReadAwsSchema(root);
    case ForeignFormat::kTerraform:
    case ForeignFormat::kPrisma:
    case ForeignFormat::kSql:
    case ForeignFormat::kUnknown:
      break;
  }
  return ValidationError("this JSON is of no format that import-model reads");
}

// A template, or a description of a table by `aws --output yaml`.
bool LooksLikeYaml(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return has("AWSTemplateFormatVersion") || has("AWS::DynamoDB::") ||
         has("AWS::Serverless::SimpleTable") || has("KeySchema:");
}

struct OtherProgram {
  std::string_view sign;
  std::string_view advice;
};
constexpr std::string_view kSynth =
    "this is a CDK program; give the synthesized template: cdk synth > template.yaml";
constexpr auto kPrograms = std::to_array<OtherProgram>({
    {"aws-cdk", kSynth},
    {"aws_cdk", kSynth},
    {"awscdk", kSynth},
    {"Amazon.CDK", kSynth},
    {"drizzle-orm", "this is a Drizzle schema; give its SQL: npx drizzle-kit export > schema.sql"},
    {"typeorm", "these are TypeORM entities; give their SQL: npx typeorm schema:log, or a dump of the "
                "database's schema"},
    {"sequelize", "these are Sequelize models; give a dump of the database's schema"},
    {"django.db", "these are Django models; give their SQL: python manage.py sqlmigrate, or a dump of the "
                  "database's schema"},
    {"sqlalchemy", "these are SQLAlchemy models; give a dump of the database's schema"},
    {"ActiveRecord::Schema", "this is a Rails schema; give db/structure.sql (config.active_record.schema_format = "
                             ":sql)"},
    {"dynamoose", "this is a Dynamoose program; give the table: prejoin infer --table NAME, or aws dynamodb "
                  "describe-table"},
    {"pynamodb", "this is a PynamoDB program; give the table: prejoin infer --table NAME, or aws dynamodb "
                 "describe-table"},
    {"@pulumi/", "this is a Pulumi program; give the tables: aws dynamodb describe-table"},
    {"boto3", "this is a program that uses tables and does not define their keys; give the table: prejoin infer "
              "--table NAME, or aws dynamodb describe-table"},
});

// Advice for a text that is clearly something else; empty if it may be SQL.
std::string OtherThanSql(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (has("CREATE TABLE") || has("create table")) {
    return "";
  }
  for (const OtherProgram& one : kPrograms) {
    if (has(one.sign)) {
      return std::string(one.advice);
    }
  }
  if (has("new Entity(") || has("new Table(") || has("import ") || has("require(") ||
      has("export default") || has("export const") || has("module.exports")) {
    return "this is a program without a schema that can be read from its text; let it print its "
           "schema: JSON.stringify of ElectroDB's entity.schema, of OneTable's schema, or of "
           "DynamoDB-Toolbox's entity.build(…DTO)";
  }
  return "";
}

}  // namespace

ForeignFormat FormatOfName(std::string_view name) {
  for (const auto& [known, format] : kNames) {
    if (known == name) {
      return format;
    }
  }
  return ForeignFormat::kUnknown;
}

namespace {

bool StartsLikeJson(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && (text[start] == '{' || text[start] == '[');
}

// The text as it is, but for templates. A thread has one document, so this one ends before the next begins.
Result<std::string> WithoutFunctions(std::string text) {
  const auto document = json::Document::Parse(text);
  if (!document) {
    return ValidationError("the file is not JSON");
  }
  if (!Has(document->root(), "Resources") && !Has(document->root(), "resources")) {
    return text;
  }
  return ResolveFunctions(document->root());
}

// Formats that are read as another one.
bool Is(ForeignFormat format, const ForeignText& foreign, bool (*looks_like)(std::string_view)) {
  return foreign.format == format || (foreign.format == ForeignFormat::kUnknown &&
                                      !StartsLikeJson(foreign.text) && looks_like(foreign.text));
}

Result<Draft> ReadAny(const ForeignText& foreign);

Result<Draft> ReadTerraformTables(const ForeignText& foreign) {
  TerraformTables tables = ReadTerraform(foreign.text);
  if (tables.unread > 0 && tables.json.find("AttributeName") == std::string::npos) {
    return ValidationError(tables.notes[0]);
  }
  PJ_ASSIGN_OR_RETURN(Draft draft,
                      ReadAny({tables.json, foreign.name, ForeignFormat::kTableJson, {}}));
  draft.notes = {"From Terraform: the tables' keys and indexes."};
  draft.notes.insert(draft.notes.end(), tables.notes.begin(), tables.notes.end());
  draft.unread_tables = tables.unread;
  return draft;
}

Result<Draft> ReadAny(const ForeignText& foreign) {
  if (Is(ForeignFormat::kTerraform, foreign, LooksLikeTerraform)) {
    return ReadTerraformTables(foreign);
  }
  if (Is(ForeignFormat::kPrisma, foreign, LooksLikePrisma)) {
    PJ_ASSIGN_OR_RETURN(Draft draft,
                        ReadSql(PrismaToSql(foreign.text), std::string(foreign.query_log),
                                foreign.log_seconds));
    draft.notes = {"From a Prisma schema: the logical half. `prejoin check` proposes keys for it."};
    return draft;
  }
  const bool is_json = StartsLikeJson(foreign.text);
  const bool is_yaml =
      !is_json && (foreign.format == ForeignFormat::kTableJson ||
                   (foreign.format == ForeignFormat::kUnknown && LooksLikeYaml(foreign.text)));
  // An object of JavaScript begins like JSON, too.
  const bool may_be_program = !is_yaml && (!is_json || !json::Document::Parse(foreign.text)) &&
                              (foreign.format == ForeignFormat::kUnknown ||
                               foreign.format == ForeignFormat::kOneTable ||
                               foreign.format == ForeignFormat::kElectroDb ||
                               foreign.format == ForeignFormat::kTableJson) &&
                              foreign.text.find("CREATE TABLE") == std::string_view::npos;
  if (may_be_program) {
    if (const std::string json = ProgramToJson(foreign.text); !json.empty()) {
      // It copies numbers as they are, and would find the same program in them again.
      if (!json::Document::Parse(json)) {
        return ValidationError("a number in the file has too many digits to be read");
      }
      return ReadAny({json, foreign.name, foreign.format, {}});
    }
  }
  if (!is_json && !is_yaml && foreign.format == ForeignFormat::kUnknown) {
    if (const std::string why = OtherThanSql(foreign.text); !why.empty()) {
      return ValidationError(why);
    }
  }
  if (foreign.format == ForeignFormat::kSql ||
      (foreign.format == ForeignFormat::kUnknown && !is_json && !is_yaml)) {
    return ReadSql(std::string(foreign.text), std::string(foreign.query_log), foreign.log_seconds);
  }
  std::string text(foreign.text);
  if (is_yaml) {
    PJ_ASSIGN_OR_RETURN(text, YamlToJson(foreign.text));
  }
  PJ_ASSIGN_OR_RETURN(text, WithoutFunctions(std::move(text)));
  const auto document = json::Document::Parse(text);
  if (!document) {
    return ValidationError("the file is not JSON");
  }
  PJ_ASSIGN_OR_RETURN(Draft draft, ReadJson(document->root(), foreign.format));
  RemoveRepeatedAttributes(draft);
  if (draft.relationships.empty()) {
    AddRelationshipsByName(draft);
  }
  DecodeSamples(draft, /*keep_all=*/true);
  AddKeyPatterns(draft);
  return draft;
}

}  // namespace

Result<Draft> ReadForeign(const ForeignText& foreign) {
  if (!IsUtf8(foreign.text) || !IsUtf8(foreign.query_log)) {
    return ValidationError("the file is not UTF-8 text; convert it first, for example with iconv");
  }
  const bool is_trail = LooksLikeCloudTrail(foreign.query_log);
  ForeignText schema = foreign;
  if (is_trail) {
    schema.query_log = {};
  }
  PJ_ASSIGN_OR_RETURN(Draft draft, ReadAny(schema));
  if (is_trail) {
    PJ_RETURN_IF_ERROR(AddCloudTrail(foreign.query_log, foreign.log_seconds, draft));
  } else if (!foreign.query_log.empty() && !draft.tables.empty()) {
    return ValidationError(
        "statements of SQL need an SQL or Prisma schema; for tables of DynamoDB, give the data events of CloudTrail");
  }
  if (draft.title.empty()) {
    draft.title = foreign.name;
  }
  return draft;
}

}  // namespace prejoin::draft
