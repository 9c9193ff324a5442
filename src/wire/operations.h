// Every operation as JSON: how its request is read and its answer written. One operation, one file:
// PutItem is in wire/put_item.cc. A parser is given the root of the body; the dispatch table in
// service.cc joins the halves.
#ifndef PREJOIN_WIRE_OPERATIONS_H_
#define PREJOIN_WIRE_OPERATIONS_H_

#include <string>
#include <vector>

#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "prejoin/streams.h"
#include "prejoin/table.h"
#include "prejoin/time_to_live.h"
#include "wire/json_reader.h"

namespace prejoin::wire {

Result<PutItemInput> ParsePutItemInput(JsonValue root);
void PrintPutItemOutput(const PutItemOutput& output, std::string& out);

Result<GetItemInput> ParseGetItemInput(JsonValue root);
void PrintGetItemOutput(const GetItemOutput& output, std::string& out);

Result<UpdateItemInput> ParseUpdateItemInput(JsonValue root);
void PrintUpdateItemOutput(const UpdateItemOutput& output, std::string& out);

Result<DeleteItemInput> ParseDeleteItemInput(JsonValue root);
void PrintDeleteItemOutput(const DeleteItemOutput& output, std::string& out);

Result<QueryInput> ParseQueryInput(JsonValue root);
void PrintQueryOutput(const QueryOutput& output, std::string& out);

Result<ScanInput> ParseScanInput(JsonValue root);
void PrintScanOutput(const ScanOutput& output, std::string& out);

Result<BatchGetItemInput> ParseBatchGetItemInput(JsonValue root);
void PrintBatchGetItemOutput(const BatchGetItemOutput& output, std::string& out);

Result<BatchWriteItemInput> ParseBatchWriteItemInput(JsonValue root);
void PrintBatchWriteItemOutput(const BatchWriteItemOutput& output, std::string& out);

Result<TransactGetItemsInput> ParseTransactGetItemsInput(JsonValue root);
void PrintTransactGetItemsOutput(const TransactGetItemsOutput& output, std::string& out);

Result<TransactWriteItemsInput> ParseTransactWriteItemsInput(JsonValue root);
void PrintTransactWriteItemsOutput(const TransactWriteItemsOutput& output, std::string& out);

Result<CreateTableInput> ParseCreateTableInput(JsonValue root);
void PrintCreateTableOutput(const TableDescription& output, std::string& out);

Result<std::string> ParseDescribeTableInput(JsonValue root);  // The table's name.
void PrintDescribeTableOutput(const TableDescription& output, std::string& out);

Result<UpdateTableInput> ParseUpdateTableInput(JsonValue root);
void PrintUpdateTableOutput(const TableDescription& output, std::string& out);

Result<std::string> ParseDeleteTableInput(JsonValue root);  // The table's name.
void PrintDeleteTableOutput(const TableDescription& output, std::string& out);

Result<ListTablesInput> ParseListTablesInput(JsonValue root);
void PrintListTablesOutput(const ListTablesOutput& output, std::string& out);

void PrintDescribeLimitsOutput(const AccountLimits& output, std::string& out);
void PrintDescribeEndpointsOutput(const std::string& address, std::string& out);

struct TagResourceInput {
  std::string arn;
  std::vector<Tag> tags;
};
Result<TagResourceInput> ParseTagResourceInput(JsonValue root);

struct UntagResourceInput {
  std::string arn;
  std::vector<std::string> tag_keys;
};
Result<UntagResourceInput> ParseUntagResourceInput(JsonValue root);

Result<std::string> ParseListTagsOfResourceInput(JsonValue root);  // The ARN.
void PrintListTagsOfResourceOutput(const ListTagsOutput& output, std::string& out);

Result<UpdateTimeToLiveInput> ParseUpdateTimeToLiveInput(JsonValue root);
void PrintUpdateTimeToLiveOutput(const TimeToLiveSpecification& output, std::string& out);

Result<std::string> ParseDescribeTimeToLiveInput(JsonValue root);  // The table's name.
void PrintDescribeTimeToLiveOutput(const TimeToLiveDescription& output, std::string& out);

// ---- The second service, DynamoDBStreams_20120810

Result<ListStreamsInput> ParseListStreamsInput(JsonValue root);
void PrintListStreamsOutput(const ListStreamsOutput& output, std::string& out);

Result<DescribeStreamInput> ParseDescribeStreamInput(JsonValue root);
void PrintDescribeStreamOutput(const StreamDescription& output, std::string& out);

Result<GetShardIteratorInput> ParseGetShardIteratorInput(JsonValue root);
void PrintGetShardIteratorOutput(const std::string& iterator, std::string& out);

Result<GetRecordsInput> ParseGetRecordsInput(JsonValue root);
void PrintGetRecordsOutput(const GetRecordsOutput& output, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_OPERATIONS_H_
