// `prejoin prove --as-tenant`: every pattern as one tenant against data of many, with the policy enforced.
#ifndef PREJOIN_CLI_ACCESS_PROVE_TENANTS_H_
#define PREJOIN_CLI_ACCESS_PROVE_TENANTS_H_

#include <string>

#include "cli/verb.h"
#include "model/prove/prove.h"

namespace prejoin::cli {

ExitCode ProveAsTenants(const std::string& path, const model::Model& model,
                        const model::ProofScale& scale);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_ACCESS_PROVE_TENANTS_H_
