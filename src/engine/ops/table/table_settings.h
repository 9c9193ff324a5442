// Contributor Insights and resource policies.
#ifndef PREJOIN_ENGINE_OPS_TABLE_TABLE_SETTINGS_H_
#define PREJOIN_ENGINE_OPS_TABLE_TABLE_SETTINGS_H_

#include <string>
#include <vector>

#include "engine/engine.h"
#include "prejoin/result.h"
#include "prejoin/table_settings.h"

namespace prejoin::engine {

Result<InsightsDescription> UpdateContributorInsights(Engine&, RequestContext&,
                                                      const UpdateContributorInsightsInput&);
Result<InsightsDescription> DescribeContributorInsights(Engine&, RequestContext&,
                                                        const DescribeContributorInsightsInput&);
Result<ListContributorInsightsOutput> ListContributorInsights(Engine&, RequestContext&,
                                                              const ListContributorInsightsInput&);

// What was counted, for each table and index whose accesses are counted. AWS shows this in
// CloudWatch.
std::vector<InsightsReport> ReportInsights(Engine&);

// The revision of the policy; the old one if the document is the same.
Result<std::string> PutResourcePolicy(Engine&, RequestContext&, const PutResourcePolicyInput&);
Result<ResourcePolicy> GetResourcePolicy(Engine&, RequestContext&, const std::string& arn);
// The revision that was deleted; empty if there was no policy.
Result<std::string> DeleteResourcePolicy(Engine&, RequestContext&,
                                         const DeleteResourcePolicyInput&);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_OPS_TABLE_TABLE_SETTINGS_H_
