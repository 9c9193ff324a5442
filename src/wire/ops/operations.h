// Every operation as JSON: how its request is read and its answer written. One operation, one file:
// PutItem is in wire/ops/item/put_item.cc. A parser is given the body; the dispatch table in
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
#include "wire/members/request_body.h"

namespace prejoin::wire {

Result<SearchVectorsInput> ParseSearchVectorsInput(const RequestBody& request);
void PrintSearchVectorsOutput(const SearchVectorsOutput& output, std::string& out);

Result<PutItemInput> ParsePutItemInput(const RequestBody& request);
void PrintPutItemOutput(const PutItemOutput& output, std::string& out);

Result<GetItemInput> ParseGetItemInput(const RequestBody& request);
void PrintGetItemOutput(const GetItemOutput& output, std::string& out);

Result<UpdateItemInput> ParseUpdateItemInput(const RequestBody& request);
void PrintUpdateItemOutput(const UpdateItemOutput& output, std::string& out);

Result<DeleteItemInput> ParseDeleteItemInput(const RequestBody& request);
void PrintDeleteItemOutput(const DeleteItemOutput& output, std::string& out);

Result<QueryInput> ParseQueryInput(const RequestBody& request);
void PrintQueryOutput(const QueryOutput& output, std::string& out);

Result<ScanInput> ParseScanInput(const RequestBody& request);
void PrintScanOutput(const ScanOutput& output, std::string& out);

Result<BatchGetItemInput> ParseBatchGetItemInput(const RequestBody& request);
// Gives tables that the request names by their ARN that name in the answer too.
void NameAsAsked(const RequestBody& body, BatchGetItemOutput& output);
void PrintBatchGetItemOutput(const BatchGetItemOutput& output, std::string& out);

Result<BatchWriteItemInput> ParseBatchWriteItemInput(const RequestBody& request);
void PrintBatchWriteItemOutput(const BatchWriteItemOutput& output, std::string& out);

Result<TransactGetItemsInput> ParseTransactGetItemsInput(const RequestBody& request);
void PrintTransactGetItemsOutput(const TransactGetItemsOutput& output, std::string& out);

Result<TransactWriteItemsInput> ParseTransactWriteItemsInput(const RequestBody& request);
void PrintTransactWriteItemsOutput(const TransactWriteItemsOutput& output, std::string& out);

Result<CreateTableInput> ParseCreateTableInput(const RequestBody& request);
void PrintCreateTableOutput(const TableDescription& output, std::string& out);

Result<std::string> ParseDescribeTableInput(const RequestBody& request);  // The table's name.
void PrintDescribeTableOutput(const TableDescription& output, std::string& out);

Result<UpdateTableInput> ParseUpdateTableInput(const RequestBody& request);
void PrintUpdateTableOutput(const TableDescription& output, std::string& out);

Result<std::string> ParseDeleteTableInput(const RequestBody& request);  // The table's name.
void PrintDeleteTableOutput(const TableDescription& output, std::string& out);

Result<ListTablesInput> ParseListTablesInput(const RequestBody& request);
void PrintListTablesOutput(const ListTablesOutput& output, std::string& out);

void PrintDescribeLimitsOutput(const AccountLimits& output, std::string& out);
void PrintDescribeEndpointsOutput(const std::string& address, std::string& out);

struct TagResourceInput {
  std::string arn;
  std::vector<Tag> tags;
};
Result<TagResourceInput> ParseTagResourceInput(const RequestBody& request);

struct UntagResourceInput {
  std::string arn;
  std::vector<std::string> tag_keys;
};
Result<UntagResourceInput> ParseUntagResourceInput(const RequestBody& request);

Result<std::string> ParseListTagsOfResourceInput(const RequestBody& request);  // The ARN.
void PrintListTagsOfResourceOutput(const ListTagsOutput& output, std::string& out);

Result<UpdateTimeToLiveInput> ParseUpdateTimeToLiveInput(const RequestBody& request);
void PrintUpdateTimeToLiveOutput(const TimeToLiveSpecification& output, std::string& out);

Result<std::string> ParseDescribeTimeToLiveInput(const RequestBody& request);  // The table's name.
void PrintDescribeTimeToLiveOutput(const TimeToLiveDescription& output, std::string& out);

// ---- Contributor Insights, resource policies

Result<UpdateContributorInsightsInput> ParseUpdateContributorInsightsInput(
    const RequestBody& request);
void PrintUpdateContributorInsightsOutput(const InsightsDescription& output, std::string& out);

Result<DescribeContributorInsightsInput> ParseDescribeContributorInsightsInput(
    const RequestBody& request);
void PrintDescribeContributorInsightsOutput(const InsightsDescription& output, std::string& out);

Result<ListContributorInsightsInput> ParseListContributorInsightsInput(const RequestBody& request);
void PrintListContributorInsightsOutput(const ListContributorInsightsOutput& output,
                                        std::string& out);

// {"Reports":[{"TableName":…,"MostAccessedPartitionKeys":[{"Key":{…},"Count":…,"ErrorMax":…}],…}]}:
// our own, because AWS shows the counts in CloudWatch.
void PrintInsightsReports(const std::vector<InsightsReport>& reports, std::string& out);

Result<PutResourcePolicyInput> ParsePutResourcePolicyInput(const RequestBody& request);
void PrintPutResourcePolicyOutput(const std::string& revision_id, std::string& out);

Result<std::string> ParseGetResourcePolicyInput(const RequestBody& request);  // The ARN.
void PrintGetResourcePolicyOutput(const ResourcePolicy& output, std::string& out);

Result<DeleteResourcePolicyInput> ParseDeleteResourcePolicyInput(const RequestBody& request);
void PrintDeleteResourcePolicyOutput(const std::string& revision_id, std::string& out);

// ---- Backups

Result<CreateBackupInput> ParseCreateBackupInput(const RequestBody& request);
void PrintCreateBackupOutput(const BackupDetails& output, std::string& out);

Result<std::string> ParseDescribeBackupInput(const RequestBody& request);  // The ARN.
void PrintDescribeBackupOutput(const BackupDescription& output, std::string& out);

Result<std::string> ParseDeleteBackupInput(const RequestBody& request);  // The ARN.
void PrintDeleteBackupOutput(const BackupDescription& output, std::string& out);

Result<ListBackupsInput> ParseListBackupsInput(const RequestBody& request);
void PrintListBackupsOutput(const ListBackupsOutput& output, std::string& out);

Result<UpdateContinuousBackupsInput> ParseUpdateContinuousBackupsInput(const RequestBody& request);
void PrintUpdateContinuousBackupsOutput(const ContinuousBackups& output, std::string& out);

Result<std::string> ParseDescribeContinuousBackupsInput(
    const RequestBody& request);  // The table's name.
void PrintDescribeContinuousBackupsOutput(const ContinuousBackups& output, std::string& out);

Result<RestoreTableFromBackupInput> ParseRestoreTableFromBackupInput(const RequestBody& request);
void PrintRestoreTableFromBackupOutput(const TableDescription& output, std::string& out);

Result<RestoreTableToPointInTimeInput> ParseRestoreTableToPointInTimeInput(
    const RequestBody& request);
void PrintRestoreTableToPointInTimeOutput(const TableDescription& output, std::string& out);

// ---- Imports and exports

Result<transfer::ImportTableInput> ParseImportTableInput(const RequestBody& request);
// For ImportTable and DescribeImport.
void PrintImportOutput(const transfer::ImportDescription& output, std::string& out);
Result<std::string> ParseDescribeImportInput(const RequestBody& request);  // The ARN.
Result<transfer::ListImportsInput> ParseListImportsInput(const RequestBody& request);
void PrintListImportsOutput(const transfer::ListImportsOutput& output, std::string& out);

Result<transfer::ExportTableInput> ParseExportTableInput(const RequestBody& request);
// For ExportTableToPointInTime and DescribeExport.
void PrintExportOutput(const transfer::ExportDescription& output, std::string& out);
Result<std::string> ParseDescribeExportInput(const RequestBody& request);  // The ARN.
Result<transfer::ListExportsInput> ParseListExportsInput(const RequestBody& request);
void PrintListExportsOutput(const transfer::ListExportsOutput& output, std::string& out);

// ---- PartiQL

Result<ExecuteStatementInput> ParseExecuteStatementInput(const RequestBody& request);
void PrintExecuteStatementOutput(const ExecuteStatementOutput& output, std::string& out);

Result<BatchExecuteStatementInput> ParseBatchExecuteStatementInput(const RequestBody& request);
void PrintBatchExecuteStatementOutput(const BatchExecuteStatementOutput& output, std::string& out);

Result<ExecuteTransactionInput> ParseExecuteTransactionInput(const RequestBody& request);
void PrintExecuteTransactionOutput(const ExecuteTransactionOutput& output, std::string& out);

// ---- Global tables of 2017, auto scaling of replicas, Kinesis: none of it is here (engine/ops/table/one_region.cc)

Result<std::string> ParseCreateGlobalTableInput(
    const RequestBody& request);  // All give the global table's
Result<std::string> ParseGlobalTableNameInput(const RequestBody& request);  // name.

struct UpdateGlobalTableInput {
  std::string name;
  engine::GlobalTableUpdate update = engine::GlobalTableUpdate::kNothing;
};
Result<UpdateGlobalTableInput> ParseUpdateGlobalTableInput(const RequestBody& request);

Status CheckListGlobalTablesInput(const RequestBody& request);
void PrintListGlobalTablesOutput(std::string& out);
void PrintReplicaAutoScaling(const engine::ReplicaAutoScaling& output, std::string& out);

Result<engine::KinesisDestination> ParseKinesisDestinationInput(const RequestBody& request);
void PrintDescribeKinesisStreamingDestinationOutput(const std::string& table_name,
                                                    std::string& out);

// ---- The second service, DynamoDBStreams_20120810

Result<ListStreamsInput> ParseListStreamsInput(const RequestBody& request);
void PrintListStreamsOutput(const ListStreamsOutput& output, std::string& out);

Result<DescribeStreamInput> ParseDescribeStreamInput(const RequestBody& request);
void PrintDescribeStreamOutput(const StreamDescription& output, std::string& out);

Result<GetShardIteratorInput> ParseGetShardIteratorInput(const RequestBody& request);
void PrintGetShardIteratorOutput(const std::string& iterator, std::string& out);

Result<GetRecordsInput> ParseGetRecordsInput(const RequestBody& request);
void PrintGetRecordsOutput(const GetRecordsOutput& output, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_OPS_OPERATIONS_H_
