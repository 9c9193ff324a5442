// Contributor Insights and resource policies as JSON.
#ifndef PREJOIN_WIRE_OPS_TABLE_TABLE_SETTINGS_H_
#define PREJOIN_WIRE_OPS_TABLE_TABLE_SETTINGS_H_

#include <string>
#include <vector>

#include "json/reader.h"
#include "prejoin/result.h"
#include "prejoin/table_settings.h"

namespace prejoin::wire {

Result<UpdateContributorInsightsInput> ParseUpdateContributorInsightsInput(json::Value root);
void PrintUpdateContributorInsightsOutput(const InsightsDescription& output, std::string& out);

Result<DescribeContributorInsightsInput> ParseDescribeContributorInsightsInput(json::Value root);
void PrintDescribeContributorInsightsOutput(const InsightsDescription& output, std::string& out);

Result<ListContributorInsightsInput> ParseListContributorInsightsInput(json::Value root);
void PrintListContributorInsightsOutput(const ListContributorInsightsOutput& output,
                                        std::string& out);

// {"Reports":[{"TableName":…,"MostAccessedPartitionKeys":[{"Key":{…},"Count":…,"ErrorMax":…}],…}]}:
// our own, because AWS shows the counts in CloudWatch.
void PrintInsightsReports(const std::vector<InsightsReport>& reports, std::string& out);

Result<PutResourcePolicyInput> ParsePutResourcePolicyInput(json::Value root);
void PrintPutResourcePolicyOutput(const std::string& revision_id, std::string& out);

Result<std::string> ParseGetResourcePolicyInput(json::Value root);  // The ARN.
void PrintGetResourcePolicyOutput(const ResourcePolicy& output, std::string& out);

Result<DeleteResourcePolicyInput> ParseDeleteResourcePolicyInput(json::Value root);
void PrintDeleteResourcePolicyOutput(const std::string& revision_id, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_OPS_TABLE_TABLE_SETTINGS_H_
