// A DynamoDB-compatible database inside your program. No server, no exceptions.
//
//   auto opened = prejoin::Database::Open({.path = "data"});  // Open({}) keeps all in memory.
//   if (!opened) { … opened.error().message … }
//   prejoin::Database& database = **opened;
//   auto put = database.PutItem(
//       {.table_name = "Music", .item = {{"Artist", "No One You Know"}, {"Year", 2015}}});
//   if (!put && put.error().code == prejoin::ErrorCode::kConditionalCheckFailed) { … }
//
//   auto page = database.Query({.table_name = "Music",
//                               .key_condition_expression = "Artist = :a",
//                               .expression_attribute_values =
//                                   prejoin::AttributeValues{{":a", "No One You Know"}}});
//   for (const prejoin::StoredItem& item : page->items) { … *item.Find("Year")->number() … }
//   // More pages while page->last_evaluated_key: it is the next exclusive_start_key.
//
// Names and rules are DynamoDB's own: each call is an operation of its API Reference. A whole
// program: examples/embedded.
#ifndef PREJOIN_DATABASE_H_
#define PREJOIN_DATABASE_H_

#include <memory>
#include <string>
#include <vector>

#include "prejoin/backups.h"
#include "prejoin/item.h"
#include "prejoin/operations.h"
#include "prejoin/options.h"
#include "prejoin/result.h"
#include "prejoin/statements.h"
#include "prejoin/streams.h"
#include "prejoin/table.h"
#include "prejoin/time_to_live.h"

namespace prejoin {

namespace engine {
class Engine;
}

// Thread-safe. One object for a directory: a second one, in this process or another, is refused.
// Every call blocks until its answer is final: a write is durable (as Options::sync
// says) when its call returns, and a read never returns what is not yet durable.
class Database {
 public:
  static Result<std::unique_ptr<Database>> Open(const Options& options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Result<PutItemOutput> PutItem(const PutItemInput& input);
  Result<GetItemOutput> GetItem(const GetItemInput& input);
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input);
  Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input);
  Result<QueryOutput> Query(const QueryInput& input);
  Result<ScanOutput> Scan(const ScanInput& input);
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input);
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input);
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input);
  Result<TransactWriteItemsOutput> TransactWriteItems(const TransactWriteItemsInput& input);

  // PartiQL.
  Result<ExecuteStatementOutput> ExecuteStatement(const ExecuteStatementInput& input);
  Result<BatchExecuteStatementOutput> BatchExecuteStatement(
      const BatchExecuteStatementInput& input);
  Result<ExecuteTransactionOutput> ExecuteTransaction(const ExecuteTransactionInput& input);

  // The table can be used as soon as this returns, although its status is CREATING, as DynamoDB's
  // answer has it.
  Result<TableDescription> CreateTable(const CreateTableInput& input);
  Result<TableDescription> DescribeTable(const std::string& table_name);
  Result<TableDescription> UpdateTable(const UpdateTableInput& input);
  Result<TableDescription> DeleteTable(const std::string& table_name);
  Result<ListTablesOutput> ListTables(const ListTablesInput& input);
  AccountLimits DescribeLimits();
  Status TagResource(const std::string& arn, const std::vector<Tag>& tags);
  Status UntagResource(const std::string& arn, const std::vector<std::string>& tag_keys);
  Result<ListTagsOutput> ListTagsOfResource(const std::string& arn);

  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input);
  Result<TimeToLiveDescription> DescribeTimeToLive(const std::string& table_name);

  // A backup takes no copy; it costs the old images of what is changed afterwards. A restored table
  // is CREATING until all its items are there.
  Result<BackupDetails> CreateBackup(const CreateBackupInput& input);
  Result<BackupDescription> DescribeBackup(const std::string& arn);
  Result<BackupDescription> DeleteBackup(const std::string& arn);
  Result<ListBackupsOutput> ListBackups(const ListBackupsInput& input);
  Result<ContinuousBackups> UpdateContinuousBackups(const UpdateContinuousBackupsInput& input);
  Result<ContinuousBackups> DescribeContinuousBackups(const std::string& table_name);
  Result<TableDescription> RestoreTableFromBackup(const RestoreTableFromBackupInput& input);
  Result<TableDescription> RestoreTableToPointInTime(const RestoreTableToPointInTimeInput& input);

  // The changes of a table whose stream is enabled, for a day.
  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input);
  Result<StreamDescription> DescribeStream(const DescribeStreamInput& input);
  Result<std::string> GetShardIterator(const GetShardIteratorInput& input);
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input);

  // For the layers of Prejoin itself.
  static std::unique_ptr<Database> On(std::unique_ptr<engine::Engine> engine);
  engine::Engine& engine() { return *engine_; }

 private:
  explicit Database(std::unique_ptr<engine::Engine> engine);
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace prejoin

#endif  // PREJOIN_DATABASE_H_
