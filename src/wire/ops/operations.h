// Every operation as JSON: how its request is read and its answer written. One operation, one file:
// PutItem is in wire/ops/item/put_item.cc. A parser is given the root of the body; the dispatch table in
// service.cc joins the halves.
#ifndef PREJOIN_WIRE_OPS_OPERATIONS_H_
#define PREJOIN_WIRE_OPS_OPERATIONS_H_

#include <string>
#include <vector>

#include "json/reader.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "prejoin/streams.h"
#include "prejoin/table.h"
#include "prejoin/time_to_live.h"

namespace prejoin::wire {

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
