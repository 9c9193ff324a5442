// Contributor Insights and resource policies as JSON.
#ifndef PREJOIN_WIRE_TABLE_SETTINGS_H_
#define PREJOIN_WIRE_TABLE_SETTINGS_H_

#include <string>
#include <vector>

#include "prejoin/result.h"
#include "prejoin/table_settings.h"
#include "wire/json_reader.h"

namespace prejoin::wire {

Result<UpdateContributorInsightsInput> ParseUpdateContributorInsightsInput(JsonValue root);
void PrintUpdateContributorInsightsOutput(const InsightsDescription& output, std::string& out);

Result<DescribeContributorInsightsInput> ParseDescribeContributorInsightsInput(JsonValue root);
void PrintDescribeContributorInsightsOutput(const InsightsDescription& output, std::string& out);

Result<ListContributorInsightsInput> ParseListContributorInsightsInput(JsonValue root);
void PrintListContributorInsightsOutput(const ListContributorInsightsOutput& output,
                                        std::string& out);

// {"Reports":[{"TableName":…,"MostAccessedPartitionKeys":[{"Key":{…},"Count":…,"ErrorMax":…}],…}]}:
// our own, because AWS shows the counts in CloudWatch.
void PrintInsightsReports(const std::vector<InsightsReport>& reports, std::string& out);

Result<PutResourcePolicyInput> ParsePutResourcePolicyInput(JsonValue root);
void PrintPutResourcePolicyOutput(const std::string& revision_id, std::string& out);

Result<std::string> ParseGetResourcePolicyInput(JsonValue root);  // The ARN.
void PrintGetResourcePolicyOutput(const ResourcePolicy& output, std::string& out);

Result<DeleteResourcePolicyInput> ParseDeleteResourcePolicyInput(JsonValue root);
void PrintDeleteResourcePolicyOutput(const std::string& revision_id, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_TABLE_SETTINGS_H_
