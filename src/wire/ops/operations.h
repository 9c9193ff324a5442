// Every operation as JSON: how its request is read and its answer written. One operation, one file:
// PutItem is in wire/ops/item/put_item.cc. A parser is given the root of the body; the dispatch table in
// service.cc joins the halves.
#ifndef PREJOIN_WIRE_OPS_OPERATIONS_H_
#define PREJOIN_WIRE_OPS_OPERATIONS_H_

#include <string>
#include <vector>

#include "engine/ops/operations.h"
#include "json/reader.h"
#include "prejoin/backups.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "prejoin/statements.h"
#include "prejoin/streams.h"
#include "prejoin/table.h"
#include "prejoin/table_settings.h"
#include "prejoin/time_to_live.h"
#include "prejoin/vectors.h"
#include "transfer/export_description.h"
#include "transfer/import_description.h"

namespace prejoin::wire {

Result<SearchVectorsInput> ParseSearchVectorsInput(json::Value root);
void PrintSearchVectorsOutput(const SearchVectorsOutput& output, std::string& out);

Result<PutItemInput> ParsePutItemInput(json::Value root);
void PrintPutItemOutput(const PutItemOutput& output, std::string& out);

Result<GetItemInput> ParseGetItemInput(json::Value root);
void PrintGetItemOutput(const GetItemOutput& output, std::string& out);

Result<UpdateItemInput> ParseUpdateItemInput(json::Value root);
void PrintUpdateItemOutput(const UpdateItemOutput& output, std::string& out);

Result<DeleteItemInput> ParseDeleteItemInput(json::Value root);
void PrintDeleteItemOutput(const DeleteItemOutput& output, std::string& out);

Result<QueryInput> ParseQueryInput(json::Value root);
void PrintQueryOutput(const QueryOutput& output, std::string& out);

Result<ScanInput> ParseScanInput(json::Value root);
void PrintScanOutput(const ScanOutput& output, std::string& out);

Result<BatchGetItemInput> ParseBatchGetItemInput(json::Value root);
// Gives tables that the request names by their ARN that name in the answer too.
void NameAsAsked(json::Value root, BatchGetItemOutput& output);
void PrintBatchGetItemOutput(const BatchGetItemOutput& output, std::string& out);

Result<BatchWriteItemInput> ParseBatchWriteItemInput(json::Value root);
void PrintBatchWriteItemOutput(const BatchWriteItemOutput& output, std::string& out);

Result<TransactGetItemsInput> ParseTransactGetItemsInput(json::Value root);
void PrintTransactGetItemsOutput(const TransactGetItemsOutput& output, std::string& out);

Result<TransactWriteItemsInput> ParseTransactWriteItemsInput(json::Value root);
void PrintTransactWriteItemsOutput(const TransactWriteItemsOutput& output, std::string& out);

Result<CreateTableInput> ParseCreateTableInput(json::Value root);
void PrintCreateTableOutput(const TableDescription& output, std::string& out);

Result<std::string> ParseDescribeTableInput(json::Value root);  // The table's name.
void PrintDescribeTableOutput(const TableDescription& output, std::string& out);

Result<UpdateTableInput> ParseUpdateTableInput(json::Value root);
void PrintUpdateTableOutput(const TableDescription& output, std::string& out);

Result<std::string> ParseDeleteTableInput(json::Value root);  // The table's name.
void PrintDeleteTableOutput(const TableDescription& output, std::string& out);

Result<ListTablesInput> ParseListTablesInput(json::Value root);
void PrintListTablesOutput(const ListTablesOutput& output, std::string& out);

void PrintDescribeLimitsOutput(const AccountLimits& output, std::string& out);
void PrintDescribeEndpointsOutput(const std::string& address, std::string& out);

struct TagResourceInput {
  std::string arn;
  std::vector<Tag> tags;
};
Result<TagResourceInput> ParseTagResourceInput(json::Value root);

struct UntagResourceInput {
  std::string arn;
  std::vector<std::string> tag_keys;
};
Result<UntagResourceInput> ParseUntagResourceInput(json::Value root);

Result<std::string> ParseListTagsOfResourceInput(json::Value root);  // The ARN.
void PrintListTagsOfResourceOutput(const ListTagsOutput& output, std::string& out);

Result<UpdateTimeToLiveInput> ParseUpdateTimeToLiveInput(json::Value root);
void PrintUpdateTimeToLiveOutput(const TimeToLiveSpecification& output, std::string& out);

Result<std::string> ParseDescribeTimeToLiveInput(json::Value root);  // The table's name.
void PrintDescribeTimeToLiveOutput(const TimeToLiveDescription& output, std::string& out);

// ---- Contributor Insights, resource policies

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

// ---- Backups

Result<CreateBackupInput> ParseCreateBackupInput(json::Value root);
void PrintCreateBackupOutput(const BackupDetails& output, std::string& out);

Result<std::string> ParseDescribeBackupInput(json::Value root);  // The ARN.
void PrintDescribeBackupOutput(const BackupDescription& output, std::string& out);

Result<std::string> ParseDeleteBackupInput(json::Value root);  // The ARN.
void PrintDeleteBackupOutput(const BackupDescription& output, std::string& out);

Result<ListBackupsInput> ParseListBackupsInput(json::Value root);
void PrintListBackupsOutput(const ListBackupsOutput& output, std::string& out);

Result<UpdateContinuousBackupsInput> ParseUpdateContinuousBackupsInput(json::Value root);
void PrintUpdateContinuousBackupsOutput(const ContinuousBackups& output, std::string& out);

Result<std::string> ParseDescribeContinuousBackupsInput(json::Value root);  // The table's name.
void PrintDescribeContinuousBackupsOutput(const ContinuousBackups& output, std::string& out);

Result<RestoreTableFromBackupInput> ParseRestoreTableFromBackupInput(json::Value root);
void PrintRestoreTableFromBackupOutput(const TableDescription& output, std::string& out);

Result<RestoreTableToPointInTimeInput> ParseRestoreTableToPointInTimeInput(json::Value root);
void PrintRestoreTableToPointInTimeOutput(const TableDescription& output, std::string& out);

// ---- Imports and exports

Result<transfer::ImportTableInput> ParseImportTableInput(json::Value root);
// Of ImportTable and DescribeImport.
void PrintImportOutput(const transfer::ImportDescription& output, std::string& out);
Result<std::string> ParseDescribeImportInput(json::Value root);  // The ARN.
Result<transfer::ListImportsInput> ParseListImportsInput(json::Value root);
void PrintListImportsOutput(const transfer::ListImportsOutput& output, std::string& out);

Result<transfer::ExportTableInput> ParseExportTableInput(json::Value root);
// Of ExportTableToPointInTime and DescribeExport.
void PrintExportOutput(const transfer::ExportDescription& output, std::string& out);
Result<std::string> ParseDescribeExportInput(json::Value root);  // The ARN.
Result<transfer::ListExportsInput> ParseListExportsInput(json::Value root);
void PrintListExportsOutput(const transfer::ListExportsOutput& output, std::string& out);

// ---- PartiQL

Result<ExecuteStatementInput> ParseExecuteStatementInput(json::Value root);
void PrintExecuteStatementOutput(const ExecuteStatementOutput& output, std::string& out);

Result<BatchExecuteStatementInput> ParseBatchExecuteStatementInput(json::Value root);
void PrintBatchExecuteStatementOutput(const BatchExecuteStatementOutput& output, std::string& out);

Result<ExecuteTransactionInput> ParseExecuteTransactionInput(json::Value root);
void PrintExecuteTransactionOutput(const ExecuteTransactionOutput& output, std::string& out);

// ---- Global tables, auto scaling of replicas, Kinesis: none of it is here (engine/ops/table/one_region.cc)

Result<std::string> ParseCreateGlobalTableInput(json::Value root);  // All give the global table's
Result<std::string> ParseGlobalTableNameInput(json::Value root);    // name.

struct UpdateGlobalTableInput {
  std::string name;
  engine::GlobalTableUpdate update = engine::GlobalTableUpdate::kNothing;
};
Result<UpdateGlobalTableInput> ParseUpdateGlobalTableInput(json::Value root);

Status CheckListGlobalTablesInput(json::Value root);
void PrintListGlobalTablesOutput(std::string& out);

Result<engine::KinesisDestination> ParseKinesisDestinationInput(json::Value root);
void PrintDescribeKinesisStreamingDestinationOutput(const std::string& table_name,
                                                    std::string& out);

// ---- The second service, DynamoDBStreams_20120810

Result<ListStreamsInput> ParseListStreamsInput(json::Value root);
void PrintListStreamsOutput(const ListStreamsOutput& output, std::string& out);

Result<DescribeStreamInput> ParseDescribeStreamInput(json::Value root);
void PrintDescribeStreamOutput(const StreamDescription& output, std::string& out);

Result<GetShardIteratorInput> ParseGetShardIteratorInput(json::Value root);
void PrintGetShardIteratorOutput(const std::string& iterator, std::string& out);

Result<GetRecordsInput> ParseGetRecordsInput(json::Value root);
void PrintGetRecordsOutput(const GetRecordsOutput& output, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_OPS_OPERATIONS_H_
