// All operations of the engine. One operation, one file: PutItem is in engine/ops/item/put_item.cc.
#ifndef PREJOIN_ENGINE_OPS_OPERATIONS_H_
#define PREJOIN_ENGINE_OPS_OPERATIONS_H_

#include <string>
#include <vector>

#include "engine/engine.h"
#include "prejoin/backups.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "prejoin/statements.h"
#include "prejoin/streams.h"
#include "prejoin/table.h"
#include "prejoin/table_settings.h"
#include "prejoin/time_to_live.h"
#include "prejoin/vectors.h"

namespace prejoin::engine {

Result<PutItemOutput> PutItem(Engine&, RequestContext&, const PutItemInput&);
Result<GetItemOutput> GetItem(Engine&, RequestContext&, const GetItemInput&);
Result<UpdateItemOutput> UpdateItem(Engine&, RequestContext&, const UpdateItemInput&);
Result<DeleteItemOutput> DeleteItem(Engine&, RequestContext&, const DeleteItemInput&);
Result<QueryOutput> Query(Engine&, RequestContext&, const QueryInput&);
Result<ScanOutput> Scan(Engine&, RequestContext&, const ScanInput&);
Result<SearchVectorsOutput> SearchVectors(Engine&, RequestContext&, const SearchVectorsInput&);
Result<BatchGetItemOutput> BatchGetItem(Engine&, RequestContext&, const BatchGetItemInput&);
Result<BatchWriteItemOutput> BatchWriteItem(Engine&, RequestContext&, const BatchWriteItemInput&);
Result<TransactGetItemsOutput> TransactGetItems(Engine&, RequestContext&,
                                                const TransactGetItemsInput&);
Result<TransactWriteItemsOutput> TransactWriteItems(Engine&, RequestContext&,
                                                    const TransactWriteItemsInput&);
// The first fault in the expressions of one action, whatever its table.
Status CheckExpressions(const TransactWrite& action);

Result<TableDescription> CreateTable(Engine&, RequestContext&, const CreateTableInput&);
Result<TableDescription> DescribeTable(Engine&, RequestContext&, const std::string& table_name);
Result<TableDescription> UpdateTable(Engine&, RequestContext&, const UpdateTableInput&);
Result<TableDescription> DeleteTable(Engine&, RequestContext&, const std::string& table_name);
Result<ListTablesOutput> ListTables(Engine&, RequestContext&, const ListTablesInput&);

Status TagResource(Engine&, RequestContext&, const std::string& arn, const std::vector<Tag>& tags);
Status UntagResource(Engine&, RequestContext&, const std::string& arn,
                     const std::vector<std::string>& tag_keys);
Result<ListTagsOutput> ListTagsOfResource(Engine&, RequestContext&, const std::string& arn);

Result<TimeToLiveSpecification> UpdateTimeToLive(Engine&, RequestContext&,
                                                 const UpdateTimeToLiveInput&);
Result<TimeToLiveDescription> DescribeTimeToLive(Engine&, RequestContext&,
                                                 const std::string& table_name);

// Contributor Insights and resource policies.
Result<InsightsDescription> UpdateContributorInsights(Engine&, RequestContext&,
                                                      const UpdateContributorInsightsInput&);
Result<InsightsDescription> DescribeContributorInsights(Engine&, RequestContext&,
                                                        const DescribeContributorInsightsInput&);
Result<ListContributorInsightsOutput> ListContributorInsights(Engine&, RequestContext&,
                                                              const ListContributorInsightsInput&);

// The counts of each table and index whose accesses are counted. AWS shows them in CloudWatch.
std::vector<InsightsReport> ReportInsights(Engine&);

// The revision of the policy; the old one if the document is the same.
Result<std::string> PutResourcePolicy(Engine&, RequestContext&, const PutResourcePolicyInput&);
Result<ResourcePolicy> GetResourcePolicy(Engine&, RequestContext&, const std::string& arn);
// The revision that was deleted; empty if there was no policy.
Result<std::string> DeleteResourcePolicy(Engine&, RequestContext&,
                                         const DeleteResourcePolicyInput&);

Result<BackupDetails> CreateBackup(Engine&, RequestContext&, const CreateBackupInput&);
Result<BackupDescription> DescribeBackup(Engine&, RequestContext&, const std::string& arn);
Result<BackupDescription> DeleteBackup(Engine&, RequestContext&, const std::string& arn);
Result<ListBackupsOutput> ListBackups(Engine&, RequestContext&, const ListBackupsInput&);

Result<ContinuousBackups> UpdateContinuousBackups(Engine&, RequestContext&,
                                                  const UpdateContinuousBackupsInput&);
Result<ContinuousBackups> DescribeContinuousBackups(Engine&, RequestContext&,
                                                    const std::string& table_name);

Result<TableDescription> RestoreTableFromBackup(Engine&, RequestContext&,
                                                const RestoreTableFromBackupInput&);
Result<TableDescription> RestoreTableToPointInTime(Engine&, RequestContext&,
                                                   const RestoreTableToPointInTimeInput&);

// PartiQL.
Result<ExecuteStatementOutput> ExecuteStatement(Engine&, RequestContext&,
                                                const ExecuteStatementInput&);
Result<BatchExecuteStatementOutput> BatchExecuteStatement(Engine&, RequestContext&,
                                                          const BatchExecuteStatementInput&);
Result<ExecuteTransactionOutput> ExecuteTransaction(Engine&, RequestContext&,
                                                    const ExecuteTransactionInput&);

Result<ListStreamsOutput> ListStreams(Engine&, RequestContext&, const ListStreamsInput&);
Result<StreamDescription> DescribeStream(Engine&, RequestContext&, const DescribeStreamInput&);
Result<std::string> GetShardIterator(Engine&, RequestContext&, const GetShardIteratorInput&);
Result<GetRecordsOutput> GetRecords(Engine&, RequestContext&, const GetRecordsInput&);

// ---- Beyond one service: global tables of 2017, auto scaling, and Kinesis. None of it exists here, so these answer as AWS does
// for a table that has none of it. All of them are in engine/ops/table/one_region.cc.

// Global tables of 2017, which AWS itself refuses to make by now.
Status CreateGlobalTable();
enum class GlobalTableUpdate { kNothing, kCreateReplica, kDeleteReplica };
Status UpdateGlobalTable(const std::string& name, GlobalTableUpdate update);
Status DescribeGlobalTable(const std::string& name);
// For reading and changing them.
Status GlobalTableSettings(const std::string& name);

// The replicas of a table in all regions, its own included, by name. None of them scales.
struct ReplicaAutoScaling {
  TableDescription table;
  std::vector<ReplicaDescription> replicas;
};
Result<ReplicaAutoScaling> DescribeReplicaAutoScaling(Engine&, RequestContext&,
                                                      const std::string& table_name);
Status UpdateReplicaAutoScaling(Engine&, const std::string& table_name);

struct KinesisDestination {
  std::string table_name;
  std::string stream_arn;
};
Status EnableKinesisStreamingDestination(Engine&, const KinesisDestination&);
Status DisableKinesisStreamingDestination(Engine&, const KinesisDestination&);
Status UpdateKinesisStreamingDestination(Engine&, const KinesisDestination&);
// There are none, if the table exists.
Status DescribeKinesisStreamingDestination(Engine&, const std::string& table_name);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_OPS_OPERATIONS_H_
