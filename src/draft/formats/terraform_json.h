// Tables of Terraform as a CloudFormation template.
#ifndef PREJOIN_DRAFT_FORMATS_TERRAFORM_JSON_H_
#define PREJOIN_DRAFT_FORMATS_TERRAFORM_JSON_H_

#include <string>
#include <string_view>

namespace prejoin::draft {

bool LooksLikeTerraform(std::string_view text);

// Other resources are left out.
std::string TerraformToJson(std::string_view text);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FORMATS_TERRAFORM_JSON_H_
