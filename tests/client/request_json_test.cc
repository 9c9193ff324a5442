// Requests written by us are the ones that clients of DynamoDB write.
#include "client/request_json.h"

#include <gtest/gtest.h>

namespace prejoin::client {
namespace {

TEST(RequestJson, LeavesOutWhatIsNotSet) {
  QueryInput input;
  input.table_name = "T";
  input.key_condition_expression = "#k0 = :v0";
  input.expression_attribute_names = AttributeNames{{"#k0", "PK"}};
  input.expression_attribute_values = AttributeValues{{":v0", "a\"b"}};
  EXPECT_EQ(QueryJson(input), R"({"TableName":"T","KeyConditionExpression":"#k0 = :v0",)"
                              R"("ExpressionAttributeNames":{"#k0":"PK"},)"
                              R"("ExpressionAttributeValues":{":v0":{"S":"a\"b"}}})");
}

TEST(RequestJson, WritesEveryMemberOfAQuery) {
  QueryInput input;
  input.table_name = "T";
  input.index_name = "GSI1";
  input.key_condition_expression = "a = :a";
  input.filter_expression = "b = :a";
  input.projection_expression = "a";
  input.expression_attribute_values = AttributeValues{{":a", 1}};
  input.scan_index_forward = false;
  input.consistent_read = true;
  input.limit = 7;
  input.exclusive_start_key = Item{{"a", 1}};
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  EXPECT_EQ(QueryJson(input),
            R"({"TableName":"T","IndexName":"GSI1","KeyConditionExpression":"a = :a",)"
            R"("FilterExpression":"b = :a","ProjectionExpression":"a",)"
            R"("ExpressionAttributeValues":{":a":{"N":"1"}},"ScanIndexForward":false,)"
            R"("ConsistentRead":true,"Limit":7,"ExclusiveStartKey":{"a":{"N":"1"}},)"
            R"("ReturnConsumedCapacity":"TOTAL"})");
}

TEST(RequestJson, WritesReadsByKey) {
  GetItemInput get;
  get.table_name = "T";
  get.key = Item{{"PK", "a"}};
  get.consistent_read = false;
  EXPECT_EQ(GetItemJson(get), R"({"TableName":"T","Key":{"PK":{"S":"a"}}})");
  BatchGetItemInput batch;
  batch.request_items["T"].keys = {Item{{"PK", "a"}}, Item{{"PK", "b"}}};
  batch.request_items["T"].consistent_read = true;
  EXPECT_EQ(BatchGetItemJson(batch),
            R"({"RequestItems":{"T":{"Keys":[{"PK":{"S":"a"}},{"PK":{"S":"b"}}],)"
            R"("ConsistentRead":true}}})");
}

TEST(RequestJson, WritesTablesWithTheirIndexes) {
  CreateTableInput input;
  input.table_name = "T";
  input.key_schema = {{"PK", KeyType::kHash}, {"SK", KeyType::kRange}};
  input.attribute_definitions = {{"PK", ScalarType::kString}, {"SK", ScalarType::kNumber}};
  input.billing_mode = BillingMode::kPayPerRequest;
  IndexSpecification index;
  index.index_name = "GSI1";
  index.key_schema = {{"SK", KeyType::kHash}};
  index.projection = Projection{ProjectionType::kInclude, std::vector<std::string>{"name"}};
  input.global_indexes = {index};
  EXPECT_EQ(CreateTableJson(input),
            R"({"TableName":"T","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
            R"({"AttributeName":"SK","KeyType":"RANGE"}],)"
            R"("AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},)"
            R"({"AttributeName":"SK","AttributeType":"N"}],"BillingMode":"PAY_PER_REQUEST",)"
            R"("GlobalSecondaryIndexes":[{"IndexName":"GSI1",)"
            R"("KeySchema":[{"AttributeName":"SK","KeyType":"HASH"}],)"
            R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["name"]}}]})");
}

}  // namespace
}  // namespace prejoin::client
