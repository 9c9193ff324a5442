#include <algorithm>

#include "gen/emit/package.h"
#include "gen/infra/infra.h"
#include "gen/python/async.h"
#include "gen/target.h"
#include "gen/tools/tools.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace {

std::vector<GeneratedFile> TypeScript(const Program& program) {
  return emit::GeneratePackage("typescript", program);
}
std::vector<GeneratedFile> Python(const Program& program) {
  return emit::GeneratePackage("python", program);
}
std::vector<GeneratedFile> Boto3(const Program& program) {
  return emit::GeneratePackage("boto3", program);
}
std::vector<GeneratedFile> Go(const Program& program) {
  return emit::GeneratePackage("go", program);
}
std::vector<GeneratedFile> GoStructs(const Program& program) {
  return emit::GeneratePackage("go-structs", program);
}
std::vector<GeneratedFile> Java(const Program& program) {
  return emit::GeneratePackage("java", program);
}
std::vector<GeneratedFile> JavaBeans(const Program& program) {
  return emit::GeneratePackage("java-beans", program);
}
std::vector<GeneratedFile> Rust(const Program& program) {
  return emit::GeneratePackage("rust", program);
}
std::vector<GeneratedFile> Cpp(const Program& program) {
  return emit::GeneratePackage("cpp", program);
}

constexpr Target kTargets[] = {
    {"typescript", "TypeScript for the AWS SDK, version 3", TypeScript, true},
    {"python", "Python for boto3, typed", Python, true},
    {"python-async", "The same for aioboto3", GeneratePythonAsync, true},
    {"boto3", "Python in the style of boto3's resources: table.query, Key and Attr", Boto3, true},
    {"go", "Go for the AWS SDK, version 2", Go, true},
    {"go-structs", "Go with structs tagged dynamodbav, for attributevalue", GoStructs, true},
    {"java", "Java for the AWS SDK, version 2", Java, true},
    {"java-beans", "Java with annotated beans, for the DynamoDB Enhanced Client", JavaBeans, true},
    {"rust", "Rust for aws-sdk-dynamodb", Rust, true},
    {"cpp", "C++20 for Prejoin's embedded library", Cpp, true},
    {"cloudformation", "Tables as a CloudFormation template", GenerateCloudFormation},
    {"cdk", "Tables as a CDK construct in TypeScript", GenerateCdk},
    {"terraform", "Tables as Terraform resources", GenerateTerraform},
    {"aws-cli", "A script that creates the tables with the AWS CLI", GenerateAwsCli},
    {"iam", "A policy for each pattern and write, with dynamodb:LeadingKeys", GenerateIam, false,
     true},
    {"mermaid", "The entities as a Mermaid diagram", GenerateMermaid},
    {"dbml", "The entities as DBML", GenerateDbml},
    {"json-schema", "The entities as JSON Schema", GenerateJsonSchema},
    {"markdown", "Documentation: charts, keys, access patterns", GenerateMarkdown},
    {"workbench", "A model for NoSQL Workbench, with the sample data", GenerateWorkbench},
    {"onetable", "A schema for OneTable", GenerateOneTable},
    {"electrodb", "Entities for ElectroDB", GenerateElectroDb},
    {"pynamodb", "Models for PynamoDB", GeneratePynamoDb},
    {"pytest", "Fixtures for pytest: a server with the sample for each test", GeneratePytest},
    {"vitest", "The same for vitest, Jest and node:test", GenerateVitest},
    {"go-test", "The same for go test", GenerateGoTest},
    {"junit", "The same for JUnit 5 and 6", GenerateJUnit},
};

// A policy has no place for a header: it is this model's if it mentions its tables and of no other.
bool IsPolicyOf(std::string_view text, const Program& program) {
  constexpr std::string_view kTable = ":table/";
  if (!text.starts_with("{\n  \"Version\": \"2012-10-17\"")) {
    return false;
  }
  bool found = false;
  for (std::size_t at = text.find(kTable); at != std::string_view::npos;
       at = text.find(kTable, at + 1)) {
    const std::size_t start = at + kTable.size();
    const std::size_t end = std::min(text.find_first_of("/\"", start), text.size());
    if (program.FindTable(text.substr(start, end - start)) == nullptr) {
      return false;
    }
    found = true;
  }
  return found;
}

}  // namespace

std::span<const Target> AllTargets() { return kTargets; }

const Target* FindTarget(std::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) {
      return &target;
    }
  }
  return nullptr;
}

std::vector<MissingCode> MissingIn(const Program& program, const Target& target) {
  std::vector<MissingCode> missing;
  if (target.functions) {
    missing = program.Missing();
  } else if (target.policies) {
    missing = program.refused;
  }
  return missing;
}

bool IsGenerated(std::string_view path, std::string_view text, const Program& program) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.starts_with("read_") || name.starts_with("write_")) {
    return IsPolicyOf(text, program);
  }
  // Go's tools want other words around the same.
  constexpr std::size_t kHeaderMax = 1000;
  text = text.substr(0, kHeaderMax);
  const std::size_t at = text.find("enerated by prejoin gen ");
  if (at == std::string_view::npos) {
    return false;
  }
  text = text.substr(at, text.find('\n', at) - at);
  return text.find(" from " + program.file + " (") != std::string_view::npos;
}

std::string HeaderText(const Program& program) {
  return "Generated by prejoin gen " + program.version + " from " + program.file + " (" +
         CommentText(program.title) + "). Do not edit.";
}

}  // namespace prejoin::gen
