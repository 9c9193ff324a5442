#include "prejoin/database.h"

#include <utility>

#include "base/worker.h"
#include "engine/engine_of.h"
#include "engine/input_checks.h"
#include "engine/ops/operations.h"

namespace prejoin {
namespace {

// Checks the input, runs one operation and waits until its answer can no longer be taken back.
template <class Operation, class Input, class... More>
auto Finish(engine::Engine& engine, Operation operation, const Input& input, const More&... more)
    -> decltype(operation(engine, std::declval<engine::RequestContext&>(), input, more...)) {
  PJ_RETURN_IF_ERROR(engine::CheckInput(input));
  engine::RequestContext context(engine.store());
  auto answer = operation(engine, context, input, more...);
  const storage::Ticket ticket = context.AwaitedTicket(engine.store());
  if (!engine.store().IsDurable(ticket)) {
    PJ_RETURN_IF_ERROR(engine.store().WaitDurable(ticket));
  }
  return answer;
}

}  // namespace

Result<std::unique_ptr<Database>> Database::Open(const Options& options) {
  PJ_ASSIGN_OR_RETURN(std::unique_ptr<engine::Engine> engine, engine::Engine::Open(options));
  return engine::DatabaseOn(std::move(engine));
}

engine::Engine& engine::EngineOf(Database& database) { return *database.engine_; }

std::unique_ptr<Database> engine::DatabaseOn(std::unique_ptr<Engine> engine) {
  return std::unique_ptr<Database>(new Database(std::move(engine)));
}

Database::Database(std::unique_ptr<engine::Engine> engine) : engine_(std::move(engine)) {}
void Database::CatchUp() { engine_->background().SweepNow(); }

Database::~Database() = default;

Result<PutItemOutput> Database::PutItem(const PutItemInput& input) {
  return Finish(*engine_, engine::PutItem, input);
}
Result<GetItemOutput> Database::GetItem(const GetItemInput& input) {
  return Finish(*engine_, engine::GetItem, input);
}
Result<UpdateItemOutput> Database::UpdateItem(const UpdateItemInput& input) {
  return Finish(*engine_, engine::UpdateItem, input);
}
Result<DeleteItemOutput> Database::DeleteItem(const DeleteItemInput& input) {
  return Finish(*engine_, engine::DeleteItem, input);
}
Result<QueryOutput> Database::Query(const QueryInput& input) {
  return Finish(*engine_, engine::Query, input);
}
Result<ScanOutput> Database::Scan(const ScanInput& input) {
  return Finish(*engine_, engine::Scan, input);
}
Result<SearchVectorsOutput> Database::SearchVectors(const SearchVectorsInput& input) {
  return Finish(*engine_, engine::SearchVectors, input);
}
Result<BatchGetItemOutput> Database::BatchGetItem(const BatchGetItemInput& input) {
  return Finish(*engine_, engine::BatchGetItem, input);
}
Result<BatchWriteItemOutput> Database::BatchWriteItem(const BatchWriteItemInput& input) {
  return Finish(*engine_, engine::BatchWriteItem, input);
}
Result<TransactGetItemsOutput> Database::TransactGetItems(const TransactGetItemsInput& input) {
  return Finish(*engine_, engine::TransactGetItems, input);
}
Result<TransactWriteItemsOutput> Database::TransactWriteItems(
    const TransactWriteItemsInput& input) {
  return Finish(*engine_, engine::TransactWriteItems, input);
}
Result<ExecuteStatementOutput> Database::ExecuteStatement(const ExecuteStatementInput& input) {
  return Finish(*engine_, engine::ExecuteStatement, input);
}
Result<BatchExecuteStatementOutput> Database::BatchExecuteStatement(
    const BatchExecuteStatementInput& input) {
  return Finish(*engine_, engine::BatchExecuteStatement, input);
}
Result<ExecuteTransactionOutput> Database::ExecuteTransaction(
    const ExecuteTransactionInput& input) {
  return Finish(*engine_, engine::ExecuteTransaction, input);
}
Result<TableDescription> Database::CreateTable(const CreateTableInput& input) {
  return Finish(*engine_, engine::CreateTable, input);
}
Result<TableDescription> Database::DescribeTable(const std::string& table_name) {
  return Finish(*engine_, engine::DescribeTable, table_name);
}
Result<TableDescription> Database::UpdateTable(const UpdateTableInput& input) {
  return Finish(*engine_, engine::UpdateTable, input);
}
Result<TableDescription> Database::DeleteTable(const std::string& table_name) {
  return Finish(*engine_, engine::DeleteTable, table_name);
}
Result<ListTablesOutput> Database::ListTables(const ListTablesInput& input) {
  return Finish(*engine_, engine::ListTables, input);
}
AccountLimits Database::DescribeLimits() { return {}; }
Status Database::TagResource(const std::string& arn, const std::vector<Tag>& tags) {
  return Finish(*engine_, engine::TagResource, arn, tags);
}
Status Database::UntagResource(const std::string& arn, const std::vector<std::string>& tag_keys) {
  return Finish(*engine_, engine::UntagResource, arn, tag_keys);
}
Result<ListTagsOutput> Database::ListTagsOfResource(const std::string& arn) {
  return Finish(*engine_, engine::ListTagsOfResource, arn);
}
Result<TimeToLiveSpecification> Database::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  return Finish(*engine_, engine::UpdateTimeToLive, input);
}
Result<TimeToLiveDescription> Database::DescribeTimeToLive(const std::string& table_name) {
  return Finish(*engine_, engine::DescribeTimeToLive, table_name);
}
Result<BackupDetails> Database::CreateBackup(const CreateBackupInput& input) {
  return Finish(*engine_, engine::CreateBackup, input);
}
Result<BackupDescription> Database::DescribeBackup(const std::string& arn) {
  return Finish(*engine_, engine::DescribeBackup, arn);
}
Result<BackupDescription> Database::DeleteBackup(const std::string& arn) {
  return Finish(*engine_, engine::DeleteBackup, arn);
}
Result<ListBackupsOutput> Database::ListBackups(const ListBackupsInput& input) {
  return Finish(*engine_, engine::ListBackups, input);
}
Result<ContinuousBackups> Database::UpdateContinuousBackups(
    const UpdateContinuousBackupsInput& input) {
  return Finish(*engine_, engine::UpdateContinuousBackups, input);
}
Result<ContinuousBackups> Database::DescribeContinuousBackups(const std::string& table_name) {
  return Finish(*engine_, engine::DescribeContinuousBackups, table_name);
}
Result<TableDescription> Database::RestoreTableFromBackup(
    const RestoreTableFromBackupInput& input) {
  return Finish(*engine_, engine::RestoreTableFromBackup, input);
}
Result<TableDescription> Database::RestoreTableToPointInTime(
    const RestoreTableToPointInTimeInput& input) {
  return Finish(*engine_, engine::RestoreTableToPointInTime, input);
}
Result<ListStreamsOutput> Database::ListStreams(const ListStreamsInput& input) {
  return Finish(*engine_, engine::ListStreams, input);
}
Result<StreamDescription> Database::DescribeStream(const DescribeStreamInput& input) {
  return Finish(*engine_, engine::DescribeStream, input);
}
Result<std::string> Database::GetShardIterator(const GetShardIteratorInput& input) {
  return Finish(*engine_, engine::GetShardIterator, input);
}
Result<GetRecordsOutput> Database::GetRecords(const GetRecordsInput& input) {
  return Finish(*engine_, engine::GetRecords, input);
}

}  // namespace prejoin
