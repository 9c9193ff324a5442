// The dispatch table. To add an operation: its Parse and Print in a file of its own, declared in
// wire/ops/operations.h, and one row here, which also says what callers must be allowed to touch.
#include "wire/service.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/fault_relay.h"
#include "engine/ops/operations.h"
#include "json/reader.h"
#include "transfer/transfers.h"
#include "wire/access_check.h"
#include "wire/answers/error_json.h"
#include "wire/members/search_fields.h"
#include "wire/members/statement_members.h"
#include "wire/members/table_name_input.h"
#include "wire/members/transfer_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

struct Call {
  engine::Engine& engine;
  transfer::Transfers& transfers;
  engine::RequestContext& context;
  json::Value root;
  std::string_view host;
  std::string_view body;  // The text that `root` was read from.
  std::string& out;
};

using Handler = Status (*)(Call&);

// Every operation has the same shape: parse, run, print.
template <auto kParse, auto kRun, auto kPrint>
Status Run(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, kParse(call.root));
  PJ_ASSIGN_OR_RETURN(const auto output, kRun(call.engine, call.context, input));
  kPrint(output, call.out);
  return {};
}

Status RunDescribeLimits(Call& call) {
  PrintDescribeLimitsOutput(AccountLimits(), call.out);
  return {};
}

Status RunDescribeEndpoints(Call& call) {
  // Clients with endpoint discovery send everything there: it must be this server.
  PrintDescribeEndpointsOutput(std::string(call.host), call.out);
  return {};
}

// A table that was asked for by its ARN is answered by its ARN.
Status RunBatchGetItem(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseBatchGetItemInput(call.root));
  PJ_ASSIGN_OR_RETURN(auto output, engine::BatchGetItem(call.engine, call.context, input));
  NameAsAsked(call.root, output);
  PrintBatchGetItemOutput(output, call.out);
  return {};
}

// The two have no answer: DynamoDB sends an empty body.
Status RunTagResource(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseTagResourceInput(call.root));
  return engine::TagResource(call.engine, call.context, input.arn, input.tags);
}

Status RunUntagResource(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseUntagResourceInput(call.root));
  return engine::UntagResource(call.engine, call.context, input.arn, input.tag_keys);
}

// Global tables, auto scaling of replicas and Kinesis: nothing of it is here to be found.
Status RunCreateGlobalTable(Call& call) {
  PJ_RETURN_IF_ERROR(ParseCreateGlobalTableInput(call.root));
  return engine::CreateGlobalTable();
}

Status RunUpdateGlobalTable(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseUpdateGlobalTableInput(call.root));
  return engine::UpdateGlobalTable(input.name, input.update);
}

template <auto kParse, auto kRefuse>
Status Refuse(Call& call) {
  PJ_ASSIGN_OR_RETURN(const std::string name, kParse(call.root));
  return kRefuse(name);
}

Status RunListGlobalTables(Call& call) {
  PJ_RETURN_IF_ERROR(CheckListGlobalTablesInput(call.root));
  PrintListGlobalTablesOutput(call.out);
  return {};
}

template <auto kRefuse>
Status RefuseKinesis(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto destination, ParseKinesisDestinationInput(call.root));
  return kRefuse(call.engine, destination);
}

Status RunDescribeKinesisStreamingDestination(Call& call) {
  PJ_ASSIGN_OR_RETURN(const std::string table_name, ParseTableNameInput(call.root));
  PJ_RETURN_IF_ERROR(engine::DescribeKinesisStreamingDestination(call.engine, table_name));
  PrintDescribeKinesisStreamingDestinationOutput(table_name, call.out);
  return {};
}

Status RunImportTable(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseImportTableInput(call.root));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.ImportTable(call.context, input));
  PrintImportOutput(output, call.out);
  return {};
}

Status RunDescribeImport(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto arn, ParseDescribeImportInput(call.root));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.DescribeImport(arn));
  PrintImportOutput(output, call.out);
  return {};
}

Status RunListImports(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseListImportsInput(call.root));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.ListImports(input));
  PrintListImportsOutput(output, call.out);
  return {};
}

Status RunExportTableToPointInTime(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseExportTableInput(call.root));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.ExportTable(call.context, input));
  PrintExportOutput(output, call.out);
  return {};
}

Status RunDescribeExport(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto arn, ParseDescribeExportInput(call.root));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.DescribeExport(arn));
  PrintExportOutput(output, call.out);
  return {};
}

Status RunListExports(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseListExportsInput(call.root));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.ListExports(input));
  PrintListExportsOutput(output, call.out);
  return {};
}

Status RunSearchVectors(Call& call) {
  PJ_RETURN_IF_ERROR(CheckSearchFields(call.root, call.body));
  return Run<ParseSearchVectorsInput, engine::SearchVectors, PrintSearchVectorsOutput>(call);
}

struct Operation {
  std::string_view target;
  Handler handler;
  NamedResource resource;  // Asked about before a caller's operation runs.
};

constexpr NamedResource kItsItems = {Naming::kItems};
constexpr NamedResource kAllTables = {Naming::kAllTables};
constexpr NamedResource kEverything = {Naming::kAll};

// In order of target, for binary search.
constexpr Operation kOperations[] = {
    {"DynamoDBStreams_20120810.DescribeStream",
     Run<ParseDescribeStreamInput, engine::DescribeStream, PrintDescribeStreamOutput>,
     {Naming::kArn, "StreamArn"}},
    {"DynamoDBStreams_20120810.GetRecords",
     Run<ParseGetRecordsInput, engine::GetRecords, PrintGetRecordsOutput>, kItsItems},
    {"DynamoDBStreams_20120810.GetShardIterator",
     Run<ParseGetShardIteratorInput, engine::GetShardIterator, PrintGetShardIteratorOutput>,
     {Naming::kArn, "StreamArn"}},
    {"DynamoDBStreams_20120810.ListStreams",
     Run<ParseListStreamsInput, engine::ListStreams, PrintListStreamsOutput>, kEverything},
    {"DynamoDB_20120810.BatchExecuteStatement",
     Run<ParseBatchExecuteStatementInput, engine::BatchExecuteStatement,
         PrintBatchExecuteStatementOutput>,
     kItsItems},
    {"DynamoDB_20120810.BatchGetItem", RunBatchGetItem, kItsItems},
    {"DynamoDB_20120810.BatchWriteItem",
     Run<ParseBatchWriteItemInput, engine::BatchWriteItem, PrintBatchWriteItemOutput>, kItsItems},
    {"DynamoDB_20120810.CreateBackup",
     Run<ParseCreateBackupInput, engine::CreateBackup, PrintCreateBackupOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.CreateGlobalTable",
     RunCreateGlobalTable,
     {Naming::kGlobal, "GlobalTableName"}},
    {"DynamoDB_20120810.CreateTable",
     Run<ParseCreateTableInput, engine::CreateTable, PrintCreateTableOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.DeleteBackup",
     Run<ParseDeleteBackupInput, engine::DeleteBackup, PrintDeleteBackupOutput>,
     {Naming::kArn, "BackupArn"}},
    {"DynamoDB_20120810.DeleteItem",
     Run<ParseDeleteItemInput, engine::DeleteItem, PrintDeleteItemOutput>, kItsItems},
    {"DynamoDB_20120810.DeleteResourcePolicy",
     Run<ParseDeleteResourcePolicyInput, engine::DeleteResourcePolicy,
         PrintDeleteResourcePolicyOutput>,
     {Naming::kArn, "ResourceArn"}},
    {"DynamoDB_20120810.DeleteTable",
     Run<ParseDeleteTableInput, engine::DeleteTable, PrintDeleteTableOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.DescribeBackup",
     Run<ParseDescribeBackupInput, engine::DescribeBackup, PrintDescribeBackupOutput>,
     {Naming::kArn, "BackupArn"}},
    {"DynamoDB_20120810.DescribeContinuousBackups",
     Run<ParseDescribeContinuousBackupsInput, engine::DescribeContinuousBackups,
         PrintDescribeContinuousBackupsOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.DescribeContributorInsights",
     Run<ParseDescribeContributorInsightsInput, engine::DescribeContributorInsights,
         PrintDescribeContributorInsightsOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.DescribeEndpoints", RunDescribeEndpoints, kEverything},
    {"DynamoDB_20120810.DescribeExport", RunDescribeExport, {Naming::kArn, "ExportArn"}},
    {"DynamoDB_20120810.DescribeGlobalTable",
     Refuse<ParseGlobalTableNameInput, engine::DescribeGlobalTable>,
     {Naming::kGlobal, "GlobalTableName"}},
    {"DynamoDB_20120810.DescribeGlobalTableSettings",
     Refuse<ParseGlobalTableNameInput, engine::GlobalTableSettings>,
     {Naming::kGlobal, "GlobalTableName"}},
    {"DynamoDB_20120810.DescribeImport", RunDescribeImport, {Naming::kArn, "ImportArn"}},
    {"DynamoDB_20120810.DescribeKinesisStreamingDestination",
     RunDescribeKinesisStreamingDestination,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.DescribeLimits", RunDescribeLimits, kEverything},
    {"DynamoDB_20120810.DescribeTable",
     Run<ParseDescribeTableInput, engine::DescribeTable, PrintDescribeTableOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.DescribeTableReplicaAutoScaling",
     Refuse<ParseTableNameInput, engine::ReplicaAutoScaling>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.DescribeTimeToLive",
     Run<ParseDescribeTimeToLiveInput, engine::DescribeTimeToLive, PrintDescribeTimeToLiveOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.DisableKinesisStreamingDestination",
     RefuseKinesis<engine::DisableKinesisStreamingDestination>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.EnableKinesisStreamingDestination",
     RefuseKinesis<engine::EnableKinesisStreamingDestination>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.ExecuteStatement",
     Run<ParseExecuteStatementInput, engine::ExecuteStatement, PrintExecuteStatementOutput>,
     kItsItems},
    {"DynamoDB_20120810.ExecuteTransaction",
     Run<ParseExecuteTransactionInput, engine::ExecuteTransaction, PrintExecuteTransactionOutput>,
     kItsItems},
    {"DynamoDB_20120810.ExportTableToPointInTime",
     RunExportTableToPointInTime,
     {Naming::kArn, "TableArn"}},
    {"DynamoDB_20120810.GetItem", Run<ParseGetItemInput, engine::GetItem, PrintGetItemOutput>,
     kItsItems},
    {"DynamoDB_20120810.GetResourcePolicy",
     Run<ParseGetResourcePolicyInput, engine::GetResourcePolicy, PrintGetResourcePolicyOutput>,
     {Naming::kArn, "ResourceArn"}},
    {"DynamoDB_20120810.ImportTable",
     RunImportTable,
     {Naming::kNewTable, "TableCreationParameters"}},
    {"DynamoDB_20120810.ListBackups",
     Run<ParseListBackupsInput, engine::ListBackups, PrintListBackupsOutput>, kEverything},
    {"DynamoDB_20120810.ListContributorInsights",
     Run<ParseListContributorInsightsInput, engine::ListContributorInsights,
         PrintListContributorInsightsOutput>,
     kEverything},
    {"DynamoDB_20120810.ListExports", RunListExports, kEverything},
    {"DynamoDB_20120810.ListGlobalTables", RunListGlobalTables, kEverything},
    {"DynamoDB_20120810.ListImports", RunListImports, kEverything},
    {"DynamoDB_20120810.ListTables",
     Run<ParseListTablesInput, engine::ListTables, PrintListTablesOutput>, kAllTables},
    {"DynamoDB_20120810.ListTagsOfResource",
     Run<ParseListTagsOfResourceInput, engine::ListTagsOfResource, PrintListTagsOfResourceOutput>,
     {Naming::kArn, "ResourceArn"}},
    {"DynamoDB_20120810.PutItem", Run<ParsePutItemInput, engine::PutItem, PrintPutItemOutput>,
     kItsItems},
    {"DynamoDB_20120810.PutResourcePolicy",
     Run<ParsePutResourcePolicyInput, engine::PutResourcePolicy, PrintPutResourcePolicyOutput>,
     {Naming::kArn, "ResourceArn"}},
    {"DynamoDB_20120810.Query", Run<ParseQueryInput, engine::Query, PrintQueryOutput>, kItsItems},
    {"DynamoDB_20120810.RestoreTableFromBackup",
     Run<ParseRestoreTableFromBackupInput, engine::RestoreTableFromBackup,
         PrintRestoreTableFromBackupOutput>,
     {Naming::kArn, "BackupArn", "TargetTableName"}},
    {"DynamoDB_20120810.RestoreTableToPointInTime",
     Run<ParseRestoreTableToPointInTimeInput, engine::RestoreTableToPointInTime,
         PrintRestoreTableToPointInTimeOutput>,
     {Naming::kTable, "SourceTableName", "TargetTableName"}},
    {"DynamoDB_20120810.Scan", Run<ParseScanInput, engine::Scan, PrintScanOutput>, kItsItems},
    {"DynamoDB_20120810.SearchVectors", RunSearchVectors, kItsItems},
    {"DynamoDB_20120810.TagResource", RunTagResource, {Naming::kArn, "ResourceArn"}},
    {"DynamoDB_20120810.TransactGetItems",
     Run<ParseTransactGetItemsInput, engine::TransactGetItems, PrintTransactGetItemsOutput>,
     kItsItems},
    {"DynamoDB_20120810.TransactWriteItems",
     Run<ParseTransactWriteItemsInput, engine::TransactWriteItems, PrintTransactWriteItemsOutput>,
     kItsItems},
    {"DynamoDB_20120810.UntagResource", RunUntagResource, {Naming::kArn, "ResourceArn"}},
    {"DynamoDB_20120810.UpdateContinuousBackups",
     Run<ParseUpdateContinuousBackupsInput, engine::UpdateContinuousBackups,
         PrintUpdateContinuousBackupsOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.UpdateContributorInsights",
     Run<ParseUpdateContributorInsightsInput, engine::UpdateContributorInsights,
         PrintUpdateContributorInsightsOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.UpdateGlobalTable",
     RunUpdateGlobalTable,
     {Naming::kGlobal, "GlobalTableName"}},
    {"DynamoDB_20120810.UpdateGlobalTableSettings",
     Refuse<ParseGlobalTableNameInput, engine::GlobalTableSettings>,
     {Naming::kGlobal, "GlobalTableName"}},
    {"DynamoDB_20120810.UpdateItem",
     Run<ParseUpdateItemInput, engine::UpdateItem, PrintUpdateItemOutput>, kItsItems},
    {"DynamoDB_20120810.UpdateKinesisStreamingDestination",
     RefuseKinesis<engine::UpdateKinesisStreamingDestination>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.UpdateTable",
     Run<ParseUpdateTableInput, engine::UpdateTable, PrintUpdateTableOutput>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.UpdateTableReplicaAutoScaling",
     Refuse<ParseTableNameInput, engine::ReplicaAutoScaling>,
     {Naming::kTable, "TableName"}},
    {"DynamoDB_20120810.UpdateTimeToLive",
     Run<ParseUpdateTimeToLiveInput, engine::UpdateTimeToLive, PrintUpdateTimeToLiveOutput>,
     {Naming::kTable, "TableName"}},
};
constexpr std::size_t kUnknownIndex = std::size(kOperations);

// For a caller who may not do everything.
Status RunChecked(const Operation& operation, Call& call) {
  const std::string_view name = operation.target.substr(operation.target.find('.') + 1);
  engine::AccessControl& access = *call.context.access;
  access.Begin(TermsOf(name, call.root));
  PJ_RETURN_IF_ERROR(
      CheckNamedResources(access, call.engine, {name, operation.resource, call.root}));
  Status status = operation.handler(call);
  if (!status) {
    return VisibleError(access, {name, operation.resource, call.root}, std::move(status.error()));
  }
  return status;
}

static_assert(std::is_sorted(std::begin(kOperations), std::end(kOperations),
                             [](const Operation& a, const Operation& b) {
                               return a.target < b.target;
                             }));

}  // namespace

Service::Service(engine::Engine& engine, const std::string& bucket_root)
    : engine_(engine), transfers_(std::make_unique<transfer::Transfers>(engine, bucket_root)) {}

Service::~Service() = default;

void Service::Stop() { transfers_->Stop(); }

void Service::DrainForTesting() { transfers_->DrainForTesting(); }

Answer Service::Handle(std::string_view target, std::string_view body, const RequestBudget& budget,
                       std::string_view host, engine::AccessControl* access) const {
  Answer answer;
  Status status;
  const std::size_t index = OperationIndex(target);
  if (index == kUnknownIndex) {
    // DynamoDB reads the body before it looks for the operation; only an empty one is let pass.
    const bool readable = body.empty() || json::Document::Parse(body).has_value();
    status = Error{readable ? ErrorCode::kUnknownOperation : ErrorCode::kSerialization, ""};
  } else {
    engine::RequestContext context = engine::BeginRequest(engine_);
    context.budget = budget;
    context.access = access;
    const auto document = json::Document::Parse(body);
    if (document) {
      Call call{engine_, *transfers_, context, document->root(), host, body, answer.body};
      status = access == nullptr ? kOperations[index].handler(call)
                                 : RunChecked(kOperations[index], call);
    } else {
      status = document.error();
    }
    answer.ticket = engine::AwaitedTicket(engine_, context);
    answer.work = context.budget.work();
  }
  if (!status.has_value()) {
    answer.abandoned = budget.is_trial() && status.error().code == ErrorCode::kOverBudget;
    answer.status = StatusOf(status.error().code);
    if (answer.status == 500) {
      engine_.faults().NoteError(OperationName(index), status.error());
    }
    answer.body.clear();
    AppendError(status.error(), answer.body);
  }
  return answer;
}

std::string Service::InsightsReports() const {
  std::string out;
  PrintInsightsReports(engine::ReportInsights(engine_), out);
  return out;
}

bool Service::MayTry(std::size_t index) {
  static constexpr std::string_view kNames[] = {
      "BatchGetItem",       "BatchWriteItem", "DeleteItem", "DescribeTable", "GetItem",
      "ListTables",         "PutItem",        "Query",      "Scan",          "TransactGetItems",
      "TransactWriteItems", "UpdateItem"};
  return std::ranges::find(kNames, OperationName(index)) != std::end(kNames);
}

std::size_t Service::OperationCount() { return kUnknownIndex + 1; }

std::size_t Service::OperationIndex(std::string_view target) {
  const auto* found =
      std::lower_bound(std::begin(kOperations), std::end(kOperations), target,
                       [](const Operation& a, std::string_view b) { return a.target < b; });
  return found != std::end(kOperations) && found->target == target
             ? static_cast<std::size_t>(found - std::begin(kOperations))
             : kUnknownIndex;
}

std::string_view Service::OperationName(std::size_t index) {
  if (index >= kUnknownIndex) {
    return "Unknown";
  }
  const std::string_view target = kOperations[index].target;
  return target.substr(target.find('.') + 1);
}

}  // namespace prejoin::wire
