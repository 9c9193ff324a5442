// Infrastructure: the tables of a model for CloudFormation, CDK, Terraform and the AWS CLI, and the policies of its roles.
#ifndef PREJOIN_GEN_INFRA_INFRA_H_
#define PREJOIN_GEN_INFRA_INFRA_H_

#include <string>
#include <vector>

#include "gen/program.h"
#include "gen/target.h"
#include "prejoin/operations.h"

namespace prejoin::gen {

std::vector<GeneratedFile> GenerateCloudFormation(const Program& program);
std::vector<GeneratedFile> GenerateCdk(const Program& program);
std::vector<GeneratedFile> GenerateTerraform(const Program& program);
std::vector<GeneratedFile> GenerateAwsCli(const Program& program);
std::vector<GeneratedFile> GenerateIam(const Program& program);

}  // namespace prejoin::gen

namespace prejoin::gen::infra {

// One table as its index and key lists say it.
struct TableSpec {
  CreateTableInput input;
  bool stream = false;  // A copy is kept from it.
  std::string ttl;      // The attribute that says when an item expires; empty: none.

  std::vector<IndexSpecification> Global() const {
    return input.global_indexes.value_or(std::vector<IndexSpecification>());
  }
  std::vector<IndexSpecification> Local() const {
    return input.local_indexes.value_or(std::vector<IndexSpecification>());
  }
};
std::vector<TableSpec> TableSpecs(const Program& program);

std::string ScalarText(ScalarType type);                   // "S"
std::string KeyTypeText(KeyType type);                     // "HASH"
std::string ProjectionText(const Projection& projection);  // "INCLUDE"

}  // namespace prejoin::gen::infra

#endif  // PREJOIN_GEN_INFRA_INFRA_H_
