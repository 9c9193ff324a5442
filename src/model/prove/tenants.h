// Tenants of a model: the policy that keeps them apart, and the proof that it does.
#ifndef PREJOIN_MODEL_PROVE_TENANTS_H_
#define PREJOIN_MODEL_PROVE_TENANTS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/prove/backend.h"
#include "model/prove/prove.h"

namespace prejoin::model {

// The tenant that a caller acts for is this tag of its user or role.
inline constexpr const char* kTenantVariable = "${aws:PrincipalTag/tenant}";

struct TenantPolicy {
  std::string document;           // In AWS's JSON.
  std::vector<std::string> keys;  // The leading keys that it allows, as patterns.
  std::vector<std::string>
      left_out;  // Keys that do not begin with the tenant, or not clearly: why, in words.
};
// kValidation if the model has no `tenant`, or no key that begins with it.
Result<TenantPolicy> MakeTenantPolicy(const Model& model);

// The answers of one pattern, over all tenants.
struct TenantPatternProof {
  std::string name;
  bool for_tenants = false;  // Every key that it reads begins with the tenant.
  int own_runs = 0;          // Answers that are the tenant's own: right, and not refused.
  int foreign_runs = 0;      // Answers with rows of others: refused.
  std::size_t rows = 0;
  std::vector<std::string> problems;
};

struct TenantReport {
  std::vector<std::string> tenants;
  std::vector<TenantPatternProof> patterns;
  bool all_right = false;  // Also that something was proved.
};

// A database with all of the data, as seen by somebody who acts for this tenant, with the policy enforced: it answers kAccessDenied.
using EnterAsTenant = std::function<Result<std::unique_ptr<Backend>>(const AttributeValue& tenant)>;

// Runs every pattern as every tenant (a few of them, if there are many) with arguments of all tenants. `data` is what the database holds.
Result<TenantReport> ProveTenants(const Model& model, const Dataset& data,
                                  const EnterAsTenant& enter);

// The data that a proof of this scale is about.
Dataset ProofData(const Model& model, const ProofScale& scale);

std::string RenderTenants(const TenantReport& report, const TenantPolicy& policy);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TENANTS_H_
