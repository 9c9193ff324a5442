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
//   // More pages while page->last_evaluated_key; prejoin/pages.h goes through all of them.
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
#include "prejoin/vectors.h"

namespace prejoin {

class Database;

namespace engine {  // For Prejoin's own layers (src/engine/engine_of.h); programs do not need it.
class Engine;
Engine& EngineOf(Database& database);
std::unique_ptr<Database> DatabaseOn(std::unique_ptr<Engine> engine);
}  // namespace engine

// A database: tables with their items, indexes, streams and backups.
//
// Threads: all calls may be made from any number of threads at the same time. A call blocks until
// its answer is final.
//
// Durability: when a call that changes something returns success, the change is as durable as
// Options::sync says, and every later read that asks for strong consistency shows it. A call that
// returns an error has changed nothing, unless it says otherwise below. No read shows what is not
// yet durable. After a crash, a write is there as a whole, with its index entries and stream record,
// or not at all.
//
// Errors: no call throws or ends the process. Every call can fail with kValidation (the input breaks
// one of DynamoDB's rules; the message is DynamoDB's), kResourceNotFound or kTableNotFound (no such
// table or index), kCorruption (stored bytes are wrong; nothing is guessed) and kIo (the disk is full
// or has failed; reads continue). Below stands what a call adds to these.
class Database {
 public:
  // Opens the directory, or makes an empty database there; without a path, everything is in memory
  // and ends with the object. Fails if another Database, in this process or another, has the
  // directory open, or if a newer version has written what this one does not know.
  static Result<std::unique_ptr<Database>> Open(const Options& options);
  // Ends background work, then closes. No call may be under way.
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // ---- One item ---------------------------------------------------------------------------------

  // Puts the item in the place of the one with the same primary key, if there is one. Fails with
  // kConditionalCheckFailed, and ConditionFailureDetail where asked for, if the condition does not
  // hold.
  Result<PutItemOutput> PutItem(const PutItemInput& input);
  // The item with this primary key; no item is no error. Eventually consistent unless
  // `consistent_read` is set; on one machine both show all that is committed.
  Result<GetItemOutput> GetItem(const GetItemInput& input);
  // Changes attributes of the item with this primary key, or makes one: no other write comes
  // between what the expression reads and what it writes. Fails as PutItem does.
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input);
  // Deletes the item with this primary key; success if there is none and no condition asks for one.
  // Fails as PutItem does.
  Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input);

  // ---- Many items -------------------------------------------------------------------------------

  // One page of the items with one partition key, in the order of the sort key, from the table or
  // an index. A page ends after `limit` items or 1 MB read, before the filter; it may be empty and
  // not the last. The last one has no last_evaluated_key. Items that are written between two pages
  // may or may not be seen; none is seen twice.
  Result<QueryOutput> Query(const QueryInput& input);
  // One page of all items, in no particular order but always the same. Pages are as Query's; with
  // `segment`, several callers read a part each.
  Result<ScanOutput> Scan(const ScanInput& input);
  // The nearest items by a vector index, at most 100, nearest first: all of them in one answer of up
  // to 16 MB. Every committed write is seen.
  Result<SearchVectorsOutput> SearchVectors(const SearchVectorsInput& input);
  // Up to 100 items by their keys. Items that do not fit into 16 MB come back in unprocessed_keys: request them
  // again. The items are not read at one moment.
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input);
  // Up to 25 puts and deletes, each of them on its own: if the call fails with kIo, some may
  // have happened. Conditions have no place here.
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input);

  // ---- Transactions -----------------------------------------------------------------------------

  // Up to 100 items, all as they were at one moment. Fails with kTransactionCanceled and
  // CancellationDetail.
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input);
  // Up to 100 writes and checks, all or none, at one moment. Fails with kTransactionCanceled and
  // CancellationDetail: one reason for each item. With a client_request_token the same request
  // succeeds again within ten minutes without happening again; another request with that token
  // fails with kIdempotentParameterMismatch.
  Result<TransactWriteItemsOutput> TransactWriteItems(const TransactWriteItemsInput& input);

  // ---- PartiQL (docs/partiql.md) ----------------------------------------------------------------

  // One statement, with the answer and the errors of the operation that it stands for. A SELECT
  // gives a page; next_token, with the same statement and parameters, the one behind it.
  Result<ExecuteStatementOutput> ExecuteStatement(const ExecuteStatementInput& input);
  // Up to 25 statements on one item each, all reads or all writes, each on its own: its error
  // is in its response.
  Result<BatchExecuteStatementOutput> BatchExecuteStatement(
      const BatchExecuteStatementInput& input);
  // Up to 100 statements on one item each, all reads or all writes, as TransactGetItems and
  // TransactWriteItems do it.
  Result<ExecuteTransactionOutput> ExecuteTransaction(const ExecuteTransactionInput& input);

  // ---- Tables -----------------------------------------------------------------------------------

  // The table can be used as soon as this returns, although its status is CREATING, as DynamoDB's
  // answer has it. Fails with kResourceInUse if there is one of that name.
  Result<TableDescription> CreateTable(const CreateTableInput& input);
  // The table as it is now. Item counts are exact, not hours old.
  Result<TableDescription> DescribeTable(const std::string& table_name);
  // One change: throughput, stream, an index more or less. An index that is added is built while
  // the table is used, and can be read once its status is ACTIVE. Fails with kResourceInUse while
  // an earlier change continues.
  Result<TableDescription> UpdateTable(const UpdateTableInput& input);
  // The table is gone for all later calls; its space is freed in the background. Fails with
  // kResourceInUse while it is being made or changed, and with kValidation if it is protected.
  Result<TableDescription> DeleteTable(const std::string& table_name);
  // Names in ascending order, 100 at a time at the most.
  Result<ListTablesOutput> ListTables(const ListTablesInput& input);
  // Limits of the account, for programs that ask. Nothing is throttled by them.
  AccountLimits DescribeLimits();
  // Adds tags to a table, or gives those that are there another value. 50 at the most.
  Status TagResource(const std::string& arn, const std::vector<Tag>& tags);
  // Takes tags away; one that does not exist is no error.
  Status UntagResource(const std::string& arn, const std::vector<std::string>& tag_keys);
  Result<ListTagsOutput> ListTagsOfResource(const std::string& arn);

  // ---- Expiry -----------------------------------------------------------------------------------

  // Names the attribute whose seconds since 1970 say when an item expires, or ends that. Expired
  // items are deleted by a sweep (Options::ttl_sweep_seconds), and until then they are read.
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input);
  Result<TimeToLiveDescription> DescribeTimeToLive(const std::string& table_name);

  // ---- Backups ----------------------------------------------------------------------------------

  // The table as it is now, to be restored at any time, even when the table is gone. It takes no
  // copy; it costs the old images of what is changed afterwards.
  Result<BackupDetails> CreateBackup(const CreateBackupInput& input);
  // Both fail with kBackupNotFound.
  Result<BackupDescription> DescribeBackup(const std::string& arn);
  Result<BackupDescription> DeleteBackup(const std::string& arn);
  Result<ListBackupsOutput> ListBackups(const ListBackupsInput& input);
  // Keeps, or no longer keeps, what is needed to restore the table to any second of the last days.
  Result<ContinuousBackups> UpdateContinuousBackups(const UpdateContinuousBackupsInput& input);
  Result<ContinuousBackups> DescribeContinuousBackups(const std::string& table_name);
  // A new table with the items of a backup, or of a moment of a table that is kept for it. It is
  // CREATING, and cannot be read or written, until all its items are there.
  Result<TableDescription> RestoreTableFromBackup(const RestoreTableFromBackupInput& input);
  Result<TableDescription> RestoreTableToPointInTime(const RestoreTableToPointInTimeInput& input);

  // ---- Time: Options::clock ------------------------------------------------------------------------

  // Does everything that is due by the clock: deletes expired items, and stream records, tokens and
  // backups whose time is over. A database does so by itself from time to time, by the machine's
  // clock; call this after a clock of your own was moved.
  void CatchUp();

  // ---- Streams: the changes of a table for a day --------------------------------------------------

  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input);
  // The shards of a stream. The changes of one item are in one shard, or in it and its children, in
  // their order.
  Result<StreamDescription> DescribeStream(const DescribeStreamInput& input);
  // A place in a shard to read from; it can be used for 15 minutes.
  Result<std::string> GetShardIterator(const GetShardIteratorInput& input);
  // The next records of a shard, none if there are none yet, and the place after them: no place
  // means that the shard is closed and read to its end. Fails with kExpiredIterator, and with
  // kTrimmedDataAccess for records older than a day.
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input);

 private:
  friend engine::Engine& engine::EngineOf(Database& database);
  friend std::unique_ptr<Database> engine::DatabaseOn(std::unique_ptr<engine::Engine> engine);

  explicit Database(std::unique_ptr<engine::Engine> engine);
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace prejoin

#endif  // PREJOIN_DATABASE_H_
