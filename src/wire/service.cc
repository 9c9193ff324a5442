// The dispatch table. To add an operation: its Parse and Print in a file of its own, declared in
// wire/ops/operations.h, and one row here, which also says what callers must be allowed to touch.
#include "wire/service.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/fault_relay.h"
#include "engine/ops/operations.h"
#include "engine/physics/physics.h"
#include "json/reader.h"
#include "transfer/transfers.h"
#include "wire/access_check.h"
#include "wire/answers/error_json.h"
#include "wire/answers/physics_json.h"
#include "wire/members/search_fields.h"
#include "wire/members/statement_members.h"
#include "wire/members/table_name_input.h"
#include "wire/members/transfer_members.h"
#include "wire/ops/operations.h"
#include "wire/request_counts.h"

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
  NameScope names{engine.options()};

  RequestBody request() const { return {root, &names}; }
};

using Handler = Status (*)(Call&);

// Every operation has the same shape: parse, run, print.
template <auto kParse, auto kRun, auto kPrint>
Status Run(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, kParse(call.request()));
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
  PJ_ASSIGN_OR_RETURN(const auto input, ParseBatchGetItemInput(call.request()));
  PJ_ASSIGN_OR_RETURN(auto output, engine::BatchGetItem(call.engine, call.context, input));
  NameAsAsked(call.request(), output);
  PrintBatchGetItemOutput(output, call.out);
  return {};
}

// The two have no answer: DynamoDB sends an empty body.
Status RunTagResource(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseTagResourceInput(call.request()));
  return engine::TagResource(call.engine, call.context, input.arn, input.tags);
}

Status RunUntagResource(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseUntagResourceInput(call.request()));
  return engine::UntagResource(call.engine, call.context, input.arn, input.tag_keys);
}

// Global tables of 2017 and Kinesis: nothing of it is here to be found.
Status RunCreateGlobalTable(Call& call) {
  PJ_RETURN_IF_ERROR(ParseCreateGlobalTableInput(call.request()));
  return engine::CreateGlobalTable();
}

Status RunUpdateGlobalTable(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseUpdateGlobalTableInput(call.request()));
  return engine::UpdateGlobalTable(input.name, input.update);
}

template <auto kParse, auto kRefuse>
Status Refuse(Call& call) {
  PJ_ASSIGN_OR_RETURN(const std::string name, kParse(call.request()));
  return kRefuse(name);
}

Status RunListGlobalTables(Call& call) {
  PJ_RETURN_IF_ERROR(CheckListGlobalTablesInput(call.request()));
  PrintListGlobalTablesOutput(call.out);
  return {};
}

Status RunUpdateReplicaAutoScaling(Call& call) {
  PJ_ASSIGN_OR_RETURN(const std::string table_name, ParseTableNameInput(call.request()));
  return engine::UpdateReplicaAutoScaling(call.engine, table_name);
}

template <auto kRefuse>
Status RefuseKinesis(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto destination, ParseKinesisDestinationInput(call.request()));
  return kRefuse(call.engine, destination);
}

Status RunDescribeKinesisStreamingDestination(Call& call) {
  PJ_ASSIGN_OR_RETURN(const std::string table_name, ParseTableNameInput(call.request()));
  PJ_RETURN_IF_ERROR(engine::DescribeKinesisStreamingDestination(call.engine, table_name));
  PrintDescribeKinesisStreamingDestinationOutput(table_name, call.out);
  return {};
}

Status RunImportTable(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseImportTableInput(call.request()));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.ImportTable(call.context, input));
  PrintImportOutput(output, call.out);
  return {};
}

Status RunDescribeImport(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto arn, ParseDescribeImportInput(call.request()));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.DescribeImport(arn));
  PrintImportOutput(output, call.out);
  return {};
}

Status RunListImports(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseListImportsInput(call.request()));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.ListImports(input));
  PrintListImportsOutput(output, call.out);
  return {};
}

Status RunExportTableToPointInTime(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseExportTableInput(call.request()));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.ExportTable(call.context, input));
  PrintExportOutput(output, call.out);
  return {};
}

Status RunDescribeExport(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto arn, ParseDescribeExportInput(call.request()));
  PJ_ASSIGN_OR_RETURN(const auto output, call.transfers.DescribeExport(arn));
  PrintExportOutput(output, call.out);
  return {};
}

Status RunListExports(Call& call) {
  PJ_ASSIGN_OR_RETURN(const auto input, ParseListExportsInput(call.request()));
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
  Resources resources;  // Asked about before a caller's operation runs.
  Effect effect;
  Running running;
};

using enum Effect;
using enum Running;

constexpr Resources kItsItems = {About::kItems};

constexpr NamedMember kTableName[] = {{"TableName", Naming::kTable}};
constexpr Resources kTable = {About::kNamed, kTableName};
constexpr NamedMember kTableOrIndexNames[] = {{"TableName", Naming::kTableOrIndex}};
constexpr Resources kTableOrIndex = {About::kNamed, kTableOrIndexNames};
constexpr NamedMember kGlobalTableName[] = {{"GlobalTableName", Naming::kGlobalTable}};
constexpr Resources kGlobalTable = {About::kNamed, kGlobalTableName};
constexpr NamedMember kGlobalOnlyName[] = {{"GlobalTableName", Naming::kGlobalOnly}};
constexpr Resources kGlobalOnly = {About::kNamed, kGlobalOnlyName};

constexpr MemberAction kCreateTableActions[] = {{"ResourcePolicy", "PutResourcePolicy"},
                                                {"Tags", "TagResource"}};
constexpr Resources kCreatedTable = {About::kNamed, kTableName, kCreateTableActions,
                                     "ResourcePolicy"};
constexpr NamedMember kImportedTableName[] = {
    {"TableCreationParameters.TableName", Naming::kTable}};
constexpr Resources kImportedTable = {About::kNamed, kImportedTableName};

// A restore reads and fills the table that it makes, and AWS asks for that.
constexpr std::string_view kRestoreActions[] = {
    "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "UpdateItem"};
constexpr NamedMember kRestoredBackupNames[] = {
    {"BackupArn", Naming::kArn}, {"TargetTableName", Naming::kTable, kRestoreActions}};
constexpr Resources kRestoredBackup = {About::kNamed, kRestoredBackupNames};
constexpr NamedMember kRestoredTableNames[] = {
    {"SourceTableArn", Naming::kTable},
    {"SourceTableName", Naming::kTable},
    {"TargetTableName", Naming::kTable, kRestoreActions}};
constexpr Resources kRestoredTable = {About::kNamed, kRestoredTableNames};

constexpr NamedMember kBackupArn[] = {{"BackupArn", Naming::kArn}};
constexpr Resources kBackup = {About::kNamed, kBackupArn};
constexpr NamedMember kExportArn[] = {{"ExportArn", Naming::kArn}};
constexpr Resources kExport = {About::kNamed, kExportArn};
constexpr NamedMember kImportArn[] = {{"ImportArn", Naming::kArn}};
constexpr Resources kImport = {About::kNamed, kImportArn};
constexpr NamedMember kResourceArn[] = {{"ResourceArn", Naming::kArn}};
constexpr Resources kResource = {About::kNamed, kResourceArn};
constexpr Resources kResourceWithPolicy = {About::kNamed, kResourceArn, {}, "Policy"};
constexpr NamedMember kStreamArn[] = {{"StreamArn", Naming::kArn}};
constexpr Resources kStream = {About::kNamed, kStreamArn};
constexpr NamedMember kTableArn[] = {{"TableArn", Naming::kArn}};
constexpr Resources kExportedTable = {About::kNamed, kTableArn};
constexpr Resources kTableOrAll = {About::kNamedOrAll, kTableArn};

constexpr NamedMember kTableFilter[] = {{"TableName", Naming::kFilter}};
constexpr Resources kFiltered = {About::kAll, kTableFilter};
constexpr Resources kAllTables = {About::kAllTables};
constexpr Resources kEverything = {About::kAll};

// In order of target, to be read.
constexpr Operation kOperations[] = {
    {"DynamoDBStreams_20120810.DescribeStream",
     Run<ParseDescribeStreamInput, engine::DescribeStream, PrintDescribeStreamOutput>, kStream,
     kReads, kOnce},
    {"DynamoDBStreams_20120810.GetRecords",
     Run<ParseGetRecordsInput, engine::GetRecords, PrintGetRecordsOutput>, kItsItems, kReads,
     kOnce},
    {"DynamoDBStreams_20120810.GetShardIterator",
     Run<ParseGetShardIteratorInput, engine::GetShardIterator, PrintGetShardIteratorOutput>,
     kStream, kReads, kOnce},
    {"DynamoDBStreams_20120810.ListStreams",
     Run<ParseListStreamsInput, engine::ListStreams, PrintListStreamsOutput>, kFiltered, kReads,
     kOnce},
    {"DynamoDB_20120810.BatchExecuteStatement",
     Run<ParseBatchExecuteStatementInput, engine::BatchExecuteStatement,
         PrintBatchExecuteStatementOutput>,
     kItsItems, kWrites, kOnce},
    {"DynamoDB_20120810.BatchGetItem", RunBatchGetItem, kItsItems, kReads, kTriedOnLoop},
    {"DynamoDB_20120810.BatchWriteItem",
     Run<ParseBatchWriteItemInput, engine::BatchWriteItem, PrintBatchWriteItemOutput>, kItsItems,
     kWrites, kTriedOnLoop},
    {"DynamoDB_20120810.CreateBackup",
     Run<ParseCreateBackupInput, engine::CreateBackup, PrintCreateBackupOutput>, kTable, kWrites,
     kOnce},
    {"DynamoDB_20120810.CreateGlobalTable", RunCreateGlobalTable, kGlobalTable, kWrites, kOnce},
    {"DynamoDB_20120810.CreateTable",
     Run<ParseCreateTableInput, engine::CreateTable, PrintCreateTableOutput>, kCreatedTable,
     kWrites, kOnce},
    {"DynamoDB_20120810.DeleteBackup",
     Run<ParseDeleteBackupInput, engine::DeleteBackup, PrintDeleteBackupOutput>, kBackup, kWrites,
     kOnce},
    {"DynamoDB_20120810.DeleteItem",
     Run<ParseDeleteItemInput, engine::DeleteItem, PrintDeleteItemOutput>, kItsItems, kWrites,
     kTriedOnLoop},
    {"DynamoDB_20120810.DeleteResourcePolicy",
     Run<ParseDeleteResourcePolicyInput, engine::DeleteResourcePolicy,
         PrintDeleteResourcePolicyOutput>,
     kResource, kWrites, kOnce},
    {"DynamoDB_20120810.DeleteTable",
     Run<ParseDeleteTableInput, engine::DeleteTable, PrintDeleteTableOutput>, kTable, kWrites,
     kOnce},
    {"DynamoDB_20120810.DescribeBackup",
     Run<ParseDescribeBackupInput, engine::DescribeBackup, PrintDescribeBackupOutput>, kBackup,
     kReads, kOnce},
    {"DynamoDB_20120810.DescribeContinuousBackups",
     Run<ParseDescribeContinuousBackupsInput, engine::DescribeContinuousBackups,
         PrintDescribeContinuousBackupsOutput>,
     kTable, kReads, kOnce},
    {"DynamoDB_20120810.DescribeContributorInsights",
     Run<ParseDescribeContributorInsightsInput, engine::DescribeContributorInsights,
         PrintDescribeContributorInsightsOutput>,
     kTableOrIndex, kReads, kOnce},
    {"DynamoDB_20120810.DescribeEndpoints", RunDescribeEndpoints, kEverything, kReads, kOnce},
    {"DynamoDB_20120810.DescribeExport", RunDescribeExport, kExport, kReads, kOnce},
    {"DynamoDB_20120810.DescribeGlobalTable",
     Refuse<ParseGlobalTableNameInput, engine::DescribeGlobalTable>, kGlobalOnly, kReads, kOnce},
    {"DynamoDB_20120810.DescribeGlobalTableSettings",
     Refuse<ParseGlobalTableNameInput, engine::GlobalTableSettings>, kGlobalOnly, kReads, kOnce},
    {"DynamoDB_20120810.DescribeImport", RunDescribeImport, kImport, kReads, kOnce},
    {"DynamoDB_20120810.DescribeKinesisStreamingDestination",
     RunDescribeKinesisStreamingDestination, kTable, kReads, kOnce},
    {"DynamoDB_20120810.DescribeLimits", RunDescribeLimits, kEverything, kReads, kOnce},
    {"DynamoDB_20120810.DescribeTable",
     Run<ParseDescribeTableInput, engine::DescribeTable, PrintDescribeTableOutput>, kTable, kReads,
     kTriedOnLoop},
    {"DynamoDB_20120810.DescribeTableReplicaAutoScaling",
     Run<ParseTableNameInput, engine::DescribeReplicaAutoScaling, PrintReplicaAutoScaling>, kTable,
     kReads, kOnce},
    {"DynamoDB_20120810.DescribeTimeToLive",
     Run<ParseDescribeTimeToLiveInput, engine::DescribeTimeToLive, PrintDescribeTimeToLiveOutput>,
     kTable, kReads, kOnce},
    {"DynamoDB_20120810.DisableKinesisStreamingDestination",
     RefuseKinesis<engine::DisableKinesisStreamingDestination>, kTable, kWrites, kOnce},
    {"DynamoDB_20120810.EnableKinesisStreamingDestination",
     RefuseKinesis<engine::EnableKinesisStreamingDestination>, kTable, kWrites, kOnce},
    {"DynamoDB_20120810.ExecuteStatement",
     Run<ParseExecuteStatementInput, engine::ExecuteStatement, PrintExecuteStatementOutput>,
     kItsItems, kDependsOnStatement, kRepeatable},
    {"DynamoDB_20120810.ExecuteTransaction",
     Run<ParseExecuteTransactionInput, engine::ExecuteTransaction, PrintExecuteTransactionOutput>,
     kItsItems, kWrites, kRepeatable},
    {"DynamoDB_20120810.ExportTableToPointInTime", RunExportTableToPointInTime, kExportedTable,
     kWrites, kOnce},
    {"DynamoDB_20120810.GetItem", Run<ParseGetItemInput, engine::GetItem, PrintGetItemOutput>,
     kItsItems, kReads, kTriedOnLoop},
    {"DynamoDB_20120810.GetResourcePolicy",
     Run<ParseGetResourcePolicyInput, engine::GetResourcePolicy, PrintGetResourcePolicyOutput>,
     kResource, kReads, kOnce},
    {"DynamoDB_20120810.ImportTable", RunImportTable, kImportedTable, kWrites, kOnce},
    {"DynamoDB_20120810.ListBackups",
     Run<ParseListBackupsInput, engine::ListBackups, PrintListBackupsOutput>, kFiltered, kReads,
     kOnce},
    {"DynamoDB_20120810.ListContributorInsights",
     Run<ParseListContributorInsightsInput, engine::ListContributorInsights,
         PrintListContributorInsightsOutput>,
     kFiltered, kReads, kOnce},
    {"DynamoDB_20120810.ListExports", RunListExports, kTableOrAll, kReads, kOnce},
    {"DynamoDB_20120810.ListGlobalTables", RunListGlobalTables, kEverything, kReads, kOnce},
    {"DynamoDB_20120810.ListImports", RunListImports, kTableOrAll, kReads, kOnce},
    {"DynamoDB_20120810.ListTables",
     Run<ParseListTablesInput, engine::ListTables, PrintListTablesOutput>, kAllTables, kReads,
     kTriedOnLoop},
    {"DynamoDB_20120810.ListTagsOfResource",
     Run<ParseListTagsOfResourceInput, engine::ListTagsOfResource, PrintListTagsOfResourceOutput>,
     kResource, kReads, kOnce},
    {"DynamoDB_20120810.PutItem", Run<ParsePutItemInput, engine::PutItem, PrintPutItemOutput>,
     kItsItems, kWrites, kTriedOnLoop},
    {"DynamoDB_20120810.PutResourcePolicy",
     Run<ParsePutResourcePolicyInput, engine::PutResourcePolicy, PrintPutResourcePolicyOutput>,
     kResourceWithPolicy, kWrites, kOnce},
    {"DynamoDB_20120810.Query", Run<ParseQueryInput, engine::Query, PrintQueryOutput>, kItsItems,
     kReads, kTriedOnLoop},
    {"DynamoDB_20120810.RestoreTableFromBackup",
     Run<ParseRestoreTableFromBackupInput, engine::RestoreTableFromBackup,
         PrintRestoreTableFromBackupOutput>,
     kRestoredBackup, kWrites, kOnce},
    {"DynamoDB_20120810.RestoreTableToPointInTime",
     Run<ParseRestoreTableToPointInTimeInput, engine::RestoreTableToPointInTime,
         PrintRestoreTableToPointInTimeOutput>,
     kRestoredTable, kWrites, kOnce},
    {"DynamoDB_20120810.Scan", Run<ParseScanInput, engine::Scan, PrintScanOutput>, kItsItems,
     kReads, kTriedOnLoop},
    {"DynamoDB_20120810.SearchVectors", RunSearchVectors, kItsItems, kReads, kOnce},
    {"DynamoDB_20120810.TagResource", RunTagResource, kResource, kWrites, kOnce},
    {"DynamoDB_20120810.TransactGetItems",
     Run<ParseTransactGetItemsInput, engine::TransactGetItems, PrintTransactGetItemsOutput>,
     kItsItems, kReads, kTriedOnLoop},
    {"DynamoDB_20120810.TransactWriteItems",
     Run<ParseTransactWriteItemsInput, engine::TransactWriteItems, PrintTransactWriteItemsOutput>,
     kItsItems, kWrites, kTriedOnLoop},
    {"DynamoDB_20120810.UntagResource", RunUntagResource, kResource, kWrites, kOnce},
    {"DynamoDB_20120810.UpdateContinuousBackups",
     Run<ParseUpdateContinuousBackupsInput, engine::UpdateContinuousBackups,
         PrintUpdateContinuousBackupsOutput>,
     kTable, kWrites, kOnce},
    {"DynamoDB_20120810.UpdateContributorInsights",
     Run<ParseUpdateContributorInsightsInput, engine::UpdateContributorInsights,
         PrintUpdateContributorInsightsOutput>,
     kTableOrIndex, kWrites, kOnce},
    {"DynamoDB_20120810.UpdateGlobalTable", RunUpdateGlobalTable, kGlobalTable, kWrites, kOnce},
    {"DynamoDB_20120810.UpdateGlobalTableSettings",
     Refuse<ParseGlobalTableNameInput, engine::GlobalTableSettings>, kGlobalTable, kWrites, kOnce},
    {"DynamoDB_20120810.UpdateItem",
     Run<ParseUpdateItemInput, engine::UpdateItem, PrintUpdateItemOutput>, kItsItems, kWrites,
     kTriedOnLoop},
    {"DynamoDB_20120810.UpdateKinesisStreamingDestination",
     RefuseKinesis<engine::UpdateKinesisStreamingDestination>, kTable, kWrites, kOnce},
    {"DynamoDB_20120810.UpdateTable",
     Run<ParseUpdateTableInput, engine::UpdateTable, PrintUpdateTableOutput>, kTable, kWrites,
     kOnce},
    {"DynamoDB_20120810.UpdateTableReplicaAutoScaling",
     RunUpdateReplicaAutoScaling, kTable, kWrites, kOnce},
    {"DynamoDB_20120810.UpdateTimeToLive",
     Run<ParseUpdateTimeToLiveInput, engine::UpdateTimeToLive, PrintUpdateTimeToLiveOutput>, kTable,
     kWrites, kOnce},
};
constexpr std::size_t kUnknownIndex = std::size(kOperations);

// The rows by a hash of the end of their targets, which every request asks for: a binary search compares with seven of them.
class TargetTable {
 public:
  constexpr TargetTable() {
    rows_.fill(kNone);
    for (std::size_t row = 0; row < kUnknownIndex; ++row) {
      std::size_t slot = SlotOf(kOperations[row].target);
      while (rows_[slot] != kNone) {
        slot = (slot + 1) % kSlots;
      }
      rows_[slot] = static_cast<std::uint8_t>(row);
    }
  }
  // kUnknownIndex: there is no such target.
  constexpr std::size_t Find(std::string_view target) const {
    for (std::size_t slot = SlotOf(target); rows_[slot] != kNone; slot = (slot + 1) % kSlots) {
      if (kOperations[rows_[slot]].target == target) {
        return rows_[slot];
      }
    }
    return kUnknownIndex;
  }

 private:
  static constexpr std::size_t kSlots = 512;  // So many that most are empty.
  static constexpr std::uint8_t kNone = 255;
  static_assert(kUnknownIndex < kNone);

  static constexpr std::size_t SlotOf(std::string_view target) {
    constexpr std::size_t kLetters = 8;
    std::uint32_t hash = static_cast<std::uint32_t>(target.size());
    for (const char c : target.substr(target.size() - std::min(target.size(), kLetters))) {
      hash = hash * 31 + static_cast<unsigned char>(c);
    }
    return (hash ^ hash >> 16) % kSlots;
  }

  std::array<std::uint8_t, kSlots> rows_ = {};
};
constexpr TargetTable kTargets;

// For a caller who may not do everything.
Status RunChecked(const Operation& operation, Call& call) {
  const std::string_view name = operation.target.substr(operation.target.find('.') + 1);
  engine::AccessControl& access = *call.context.access;
  const NamedRequest request{name, operation.resources, call.root};
  access.Begin(TermsOf(request));
  PJ_ASSIGN_OR_RETURN(const std::vector<std::string> asked,
                      CheckNamedResources(access, call.engine.options(), request));
  if (operation.resources.about != About::kItems) {
    call.names.asked = &asked;
  }
  Status status = operation.handler(call);
  if (!status) {
    return VisibleError(access, call.engine.options(), request, std::move(status.error()));
  }
  return status;
}

// Others find the items of a transaction in use until its client has the answer.
double RunningMs(engine::Engine& engine, std::string_view operation) {
  const bool transacts = operation == "TransactWriteItems" || operation == "ExecuteTransaction";
  if (!transacts || engine.physics() == nullptr ||
      engine.physics()->running_transactions() == nullptr) {
    return 0;
  }
  return static_cast<double>(engine.physics()->running_transactions()->length().count());
}

}  // namespace

Service::Service(engine::Engine& engine, const std::string& bucket_root)
    : engine_(engine), transfers_(std::make_unique<transfer::Transfers>(engine, bucket_root)) {}

Service::~Service() = default;

void Service::Stop() { transfers_->Stop(); }

void Service::DrainForTesting() { transfers_->DrainForTesting(); }

std::optional<Answer> Service::FaultOf(std::size_t operation, std::string_view body) const {
  if (disturbances_ == nullptr || !disturbances_->HasRules()) {
    return std::nullopt;
  }
  const auto document = json::Document::Parse(body);
  if (!document) {
    return std::nullopt;
  }
  const std::string_view name = OperationName(operation);
  const RequestSubjects subjects = SubjectsOf(document->root());
  const auto fault =
      disturbances_->Decide({.operation = name, .tables = subjects.tables, .keys = subjects.keys});
  if (!fault) {
    return std::nullopt;
  }
  Answer answer;
  answer.severed = *fault == engine::FaultKind::kDrop      ? Severed::kDrop
                   : *fault == engine::FaultKind::kTimeout ? Severed::kTimeout
                                                           : Severed::kNo;
  const Error error = ErrorOfFault(engine_, *fault, EffectOf(operation) == kReads, subjects);
  answer.status = StatusOf(error.code);
  AppendError(error, answer.body);
  CountFault(engine_, name, subjects, *fault);
  return answer;
}

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
    const Stopwatch stopwatch(engine_.request_metrics() != nullptr);
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
    const bool over_budget = !status && status.error().code == ErrorCode::kOverBudget;
    if (over_budget) {
      engine::GiveBackReads(engine_, context);
    } else if (disturbances_ != nullptr || engine_.request_metrics() != nullptr) {
      const bool throttled = !status && engine::IsThrottling(status.error());
      answer.latency_ms = disturbances_ != nullptr
                              ? disturbances_->LatencyMs(OperationName(index), throttled)
                              : 0;
      if (status.has_value()) {
        answer.latency_ms =
            std::max(answer.latency_ms, RunningMs(engine_, OperationName(index)));
      }
      if (document) {
        const double latency_ms =
            answer.latency_ms > 0 ? answer.latency_ms : stopwatch.Milliseconds();
        CountRequest(engine_, OperationName(index), document->root(), status, answer.body,
                     latency_ms);
      }
    }
    answer.ticket = engine::AwaitedTicket(engine_, context);
    answer.work = context.budget.work();
  }
  if (!status.has_value()) {
    if (status.error().code == ErrorCode::kOverBudget) {
      answer.obstacle = TakeObstacle();
      answer.abandoned = budget.is_trial() || answer.obstacle.has_value();
    }
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

std::string Service::Partitions() const {
  std::string out;
  if (engine_.physics() == nullptr) {
    return "null";
  }
  PrintPartitions(*engine_.physics(), out);
  return out;
}

Effect Service::EffectOf(std::size_t index) {
  return index < kUnknownIndex ? kOperations[index].effect : kWrites;
}

Running Service::RunningOf(std::size_t index) {
  return index < kUnknownIndex ? kOperations[index].running : kOnce;
}

std::size_t Service::OperationCount() { return kUnknownIndex + 1; }

std::size_t Service::OperationIndex(std::string_view target) {
  return kTargets.Find(target);
}

std::string_view Service::OperationName(std::size_t index) {
  if (index >= kUnknownIndex) {
    return "Unknown";
  }
  const std::string_view target = kOperations[index].target;
  return target.substr(target.find('.') + 1);
}

}  // namespace prejoin::wire
