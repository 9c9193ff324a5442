// Tables of Terraform as a CloudFormation template.
#ifndef PREJOIN_DRAFT_FORMATS_TERRAFORM_JSON_H_
#define PREJOIN_DRAFT_FORMATS_TERRAFORM_JSON_H_

#include <string>
#include <string_view>
#include <vector>

namespace prejoin::draft {

bool LooksLikeTerraform(std::string_view text);

struct TerraformTables {
  std::string json;                // A CloudFormation template.
  std::vector<std::string> notes;  // Each names something that only a plan or another file states.
  int unread = 0;                  // Tables whose key it does not state.
};

// Other resources are left out.
TerraformTables ReadTerraform(std::string_view text);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FORMATS_TERRAFORM_JSON_H_
