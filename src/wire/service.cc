// The dispatch table. To add an operation: its Parse and Print in a file of its own, declared in
// wire/operations.h, and one row here.
#include "wire/service.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/ops/operations.h"
#include "engine/ops/statements.h"
#include "wire/error_json.h"
#include "wire/json_reader.h"
#include "wire/operations.h"
#include "wire/statements.h"

namespace prejoin::wire {
namespace {

struct Call {
  engine::Engine& engine;
  engine::RequestContext& context;
  JsonValue root;
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
  PrintDescribeEndpointsOutput("dynamodb." + call.engine.options().region + ".amazonaws.com",
                               call.out);
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

struct Operation {
  std::string_view target;
  Handler handler;
};

// In order of target, for binary search.
constexpr Operation kOperations[] = {
    {"DynamoDBStreams_20120810.DescribeStream",
     Run<ParseDescribeStreamInput, engine::DescribeStream, PrintDescribeStreamOutput>},
    {"DynamoDBStreams_20120810.GetRecords",
     Run<ParseGetRecordsInput, engine::GetRecords, PrintGetRecordsOutput>},
    {"DynamoDBStreams_20120810.GetShardIterator",
     Run<ParseGetShardIteratorInput, engine::GetShardIterator, PrintGetShardIteratorOutput>},
    {"DynamoDBStreams_20120810.ListStreams",
     Run<ParseListStreamsInput, engine::ListStreams, PrintListStreamsOutput>},
    {"DynamoDB_20120810.BatchExecuteStatement",
     Run<ParseBatchExecuteStatementInput, engine::BatchExecuteStatement,
         PrintBatchExecuteStatementOutput>},
    {"DynamoDB_20120810.BatchGetItem",
     Run<ParseBatchGetItemInput, engine::BatchGetItem, PrintBatchGetItemOutput>},
    {"DynamoDB_20120810.BatchWriteItem",
     Run<ParseBatchWriteItemInput, engine::BatchWriteItem, PrintBatchWriteItemOutput>},
    {"DynamoDB_20120810.CreateTable",
     Run<ParseCreateTableInput, engine::CreateTable, PrintCreateTableOutput>},
    {"DynamoDB_20120810.DeleteItem",
     Run<ParseDeleteItemInput, engine::DeleteItem, PrintDeleteItemOutput>},
    {"DynamoDB_20120810.DeleteTable",
     Run<ParseDeleteTableInput, engine::DeleteTable, PrintDeleteTableOutput>},
    {"DynamoDB_20120810.DescribeEndpoints", RunDescribeEndpoints},
    {"DynamoDB_20120810.DescribeLimits", RunDescribeLimits},
    {"DynamoDB_20120810.DescribeTable",
     Run<ParseDescribeTableInput, engine::DescribeTable, PrintDescribeTableOutput>},
    {"DynamoDB_20120810.DescribeTimeToLive",
     Run<ParseDescribeTimeToLiveInput, engine::DescribeTimeToLive, PrintDescribeTimeToLiveOutput>},
    {"DynamoDB_20120810.ExecuteStatement",
     Run<ParseExecuteStatementInput, engine::ExecuteStatement, PrintExecuteStatementOutput>},
    {"DynamoDB_20120810.ExecuteTransaction",
     Run<ParseExecuteTransactionInput, engine::ExecuteTransaction, PrintExecuteTransactionOutput>},
    {"DynamoDB_20120810.GetItem", Run<ParseGetItemInput, engine::GetItem, PrintGetItemOutput>},
    {"DynamoDB_20120810.ListTables",
     Run<ParseListTablesInput, engine::ListTables, PrintListTablesOutput>},
    {"DynamoDB_20120810.ListTagsOfResource",
     Run<ParseListTagsOfResourceInput, engine::ListTagsOfResource, PrintListTagsOfResourceOutput>},
    {"DynamoDB_20120810.PutItem", Run<ParsePutItemInput, engine::PutItem, PrintPutItemOutput>},
    {"DynamoDB_20120810.Query", Run<ParseQueryInput, engine::Query, PrintQueryOutput>},
    {"DynamoDB_20120810.Scan", Run<ParseScanInput, engine::Scan, PrintScanOutput>},
    {"DynamoDB_20120810.TagResource", RunTagResource},
    {"DynamoDB_20120810.TransactGetItems",
     Run<ParseTransactGetItemsInput, engine::TransactGetItems, PrintTransactGetItemsOutput>},
    {"DynamoDB_20120810.TransactWriteItems",
     Run<ParseTransactWriteItemsInput, engine::TransactWriteItems, PrintTransactWriteItemsOutput>},
    {"DynamoDB_20120810.UntagResource", RunUntagResource},
    {"DynamoDB_20120810.UpdateItem",
     Run<ParseUpdateItemInput, engine::UpdateItem, PrintUpdateItemOutput>},
    {"DynamoDB_20120810.UpdateTable",
     Run<ParseUpdateTableInput, engine::UpdateTable, PrintUpdateTableOutput>},
    {"DynamoDB_20120810.UpdateTimeToLive",
     Run<ParseUpdateTimeToLiveInput, engine::UpdateTimeToLive, PrintUpdateTimeToLiveOutput>},
};
constexpr std::size_t kUnknownIndex = std::size(kOperations);

static_assert(std::is_sorted(std::begin(kOperations), std::end(kOperations),
                             [](const Operation& a, const Operation& b) {
                               return a.target < b.target;
                             }));

Status HandleBody(engine::Engine& engine, engine::RequestContext& context, Handler handler,
                  std::string_view body, std::string& out) {
  PJ_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
  Call call{engine, context, document.root(), out};
  return handler(call);
}

}  // namespace

Answer Service::Handle(std::string_view target, std::string_view body) const {
  Answer answer;
  Status status;
  const std::size_t index = OperationIndex(target);
  if (index == kUnknownIndex) {
    // DynamoDB reads the body before it looks for the operation; only an empty one is let pass.
    const bool readable = body.empty() || JsonDocument::Parse(body).has_value();
    status = Error{readable ? ErrorCode::kUnknownOperation : ErrorCode::kSerialization, ""};
  } else {
    engine::RequestContext context;
    status = HandleBody(engine_, context, kOperations[index].handler, body, answer.body);
    answer.ticket = context.ticket;
  }
  if (!status.has_value()) {
    answer.status = StatusOf(status.error().code);
    answer.body.clear();
    AppendError(status.error(), answer.body);
  }
  return answer;
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
