#include "server/operation_names.h"

#include <algorithm>
#include <array>

namespace prejoin::server {
namespace {

constexpr std::string_view kTablePrefix = "DynamoDB_20120810.";
constexpr std::string_view kStreamsPrefix = "DynamoDBStreams_20120810.";

constexpr auto kNames = std::to_array<std::string_view>({
    "none",
    "BatchExecuteStatement",
    "BatchGetItem",
    "BatchWriteItem",
    "CreateBackup",
    "CreateGlobalTable",
    "CreateTable",
    "DeleteBackup",
    "DeleteItem",
    "DeleteResourcePolicy",
    "DeleteTable",
    "DescribeBackup",
    "DescribeContinuousBackups",
    "DescribeContributorInsights",
    "DescribeEndpoints",
    "DescribeExport",
    "DescribeGlobalTable",
    "DescribeGlobalTableSettings",
    "DescribeImport",
    "DescribeKinesisStreamingDestination",
    "DescribeLimits",
    "DescribeStream",
    "DescribeTable",
    "DescribeTableReplicaAutoScaling",
    "DescribeTimeToLive",
    "DisableKinesisStreamingDestination",
    "EnableKinesisStreamingDestination",
    "ExecuteStatement",
    "ExecuteTransaction",
    "ExportTableToPointInTime",
    "GetItem",
    "GetRecords",
    "GetResourcePolicy",
    "GetShardIterator",
    "ImportTable",
    "ListBackups",
    "ListContributorInsights",
    "ListExports",
    "ListGlobalTables",
    "ListImports",
    "ListStreams",
    "ListTables",
    "ListTagsOfResource",
    "PutItem",
    "PutResourcePolicy",
    "Query",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "Scan",
    "TagResource",
    "TransactGetItems",
    "TransactWriteItems",
    "UntagResource",
    "UpdateContinuousBackups",
    "UpdateContributorInsights",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
    "UpdateItem",
    "UpdateKinesisStreamingDestination",
    "UpdateTable",
    "UpdateTableReplicaAutoScaling",
    "UpdateTimeToLive",
});
static_assert(std::is_sorted(kNames.begin() + 1, kNames.end()));

bool IsStreamsOperation(std::string_view name) {
  return name == "DescribeStream" || name == "GetRecords" || name == "GetShardIterator" ||
         name == "ListStreams";
}

}  // namespace

std::span<const std::string_view> OperationNames() { return kNames; }

std::uint32_t OperationOfTarget(std::string_view target) {
  const bool streams = target.starts_with(kStreamsPrefix);
  if (!streams && !target.starts_with(kTablePrefix)) return kNoOperation;
  const std::string_view name =
      target.substr(streams ? kStreamsPrefix.size() : kTablePrefix.size());
  const auto at = std::lower_bound(kNames.begin() + 1, kNames.end(), name);
  if (at == kNames.end() || *at != name || streams != IsStreamsOperation(name)) return kNoOperation;
  return static_cast<std::uint32_t>(at - kNames.begin());
}

}  // namespace prejoin::server
