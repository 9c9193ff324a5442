// Whole requests through the service on a database in memory.
#include "wire/service.h"

#include "engine/engine.h"
#include "prejoin/options.h"

namespace prejoin::wire {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class ServiceTest : public testing::Test {
 protected:
  // The body of an answer with status 200.
  std::string Send(std::string_view operation, std::string_view body) {
    const Answer answer = service_.Handle("DynamoDB_20120810." + std::string(operation), body);
    EXPECT_EQ(answer.status, 200) << operation << " " << body << ": " << answer.body;
    return answer.body;
  }
  std::string Refused(std::string_view operation, std::string_view body) {
    const Answer answer = service_.Handle("DynamoDB_20120810." + std::string(operation), body);
    EXPECT_EQ(answer.status, 400) << operation << " " << body << ": " << answer.body;
    return answer.body;
  }

  void MakeTable() {
    Send("CreateTable", R"({"TableName":"Education","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
      "GlobalSecondaryIndexes":[{"IndexName":"Inverted","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"SK","KeyType":"HASH"},{"AttributeName":"PK","KeyType":"RANGE"}]}]})");
  }

  std::unique_ptr<engine::Engine> engine_ = *engine::Engine::Open(Options{});
  Service service_{*engine_};
};

TEST_F(ServiceTest, DescribesATable) {
  MakeTable();
  const std::string table = Send("DescribeTable", R"({"TableName":"Education"})");
  EXPECT_THAT(
      table,
      HasSubstr(
          R"({"Table":{"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},)"));
  EXPECT_THAT(
      table,
      HasSubstr(
          R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}])"));
  EXPECT_THAT(table, HasSubstr(R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST")"));
  EXPECT_THAT(
      table,
      HasSubstr(
          R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0})"));
  EXPECT_THAT(table,
              HasSubstr(R"("TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Education")"));
  EXPECT_THAT(table, HasSubstr(R"("IndexName":"Inverted")"));
  EXPECT_THAT(table, HasSubstr(R"("IndexStatus":"ACTIVE")"));
  EXPECT_THAT(table, HasSubstr(R"("DeletionProtectionEnabled":false)"));
  EXPECT_EQ(Send("ListTables", "{}"), R"({"TableNames":["Education"]})");
  EXPECT_EQ(Send("DescribeTable",
                 R"({"TableName":"arn:aws:dynamodb:us-east-1:123456789012:table/Education"})"),
            table);
}

TEST_F(ServiceTest, PutsGetsUpdatesAndDeletes) {
  MakeTable();
  EXPECT_EQ(
      Send(
          "PutItem",
          R"({"TableName":"Education","Item":{"PK":{"S":"S1"},"SK":{"S":"C1"},"Grade":{"N":"90.0"}}})"),
      "{}");
  EXPECT_EQ(Send("GetItem", R"({"TableName":"Education","Key":{"PK":{"S":"S1"},"SK":{"S":"C1"}}})"),
            R"({"Item":{"Grade":{"N":"90"},"PK":{"S":"S1"},"SK":{"S":"C1"}}})");
  EXPECT_EQ(Send("GetItem", R"({"TableName":"Education","Key":{"PK":{"S":"S1"},"SK":{"S":"C2"}}})"),
            "{}");
  EXPECT_EQ(Send("UpdateItem", R"({"TableName":"Education","Key":{"PK":{"S":"S1"},"SK":{"S":"C1"}},
    "UpdateExpression":"SET Grade = Grade + :one","ExpressionAttributeValues":{":one":{"N":"1"}},"ReturnValues":"UPDATED_NEW"})"),
            R"({"Attributes":{"Grade":{"N":"91"}}})");
  EXPECT_EQ(
      Refused("PutItem", R"j({"TableName":"Education","Item":{"PK":{"S":"S1"},"SK":{"S":"C1"}},
    "ConditionExpression":"attribute_not_exists(PK)"})j"),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"})");
  EXPECT_EQ(
      Refused("PutItem", R"j({"TableName":"Education","Item":{"PK":{"S":"S1"},"SK":{"S":"C1"}},
    "ConditionExpression":"attribute_not_exists(PK)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"})j"),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":{"Grade":{"N":"91"},"PK":{"S":"S1"},"SK":{"S":"C1"}},"message":"The conditional request failed"})");
  EXPECT_EQ(
      Send(
          "DeleteItem",
          R"({"TableName":"Education","Key":{"PK":{"S":"S1"},"SK":{"S":"C1"}},"ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"TOTAL"})"),
      R"({"Attributes":{"Grade":{"N":"91"},"PK":{"S":"S1"},"SK":{"S":"C1"}},"ConsumedCapacity":{"TableName":"Education","CapacityUnits":2.0}})");
}

TEST_F(ServiceTest, QueriesAndScans) {
  MakeTable();
  for (const std::string_view course : {"C1", "C2", "C3"}) {
    Send("PutItem", R"({"TableName":"Education","Item":{"PK":{"S":"S1"},"SK":{"S":")" +
                        std::string(course) + R"("}}})");
  }
  EXPECT_EQ(
      Send(
          "Query",
          R"({"TableName":"Education","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"S1"}},"Limit":2,"ReturnConsumedCapacity":"INDEXES"})"),
      R"({"Items":[{"PK":{"S":"S1"},"SK":{"S":"C1"}},{"PK":{"S":"S1"},"SK":{"S":"C2"}}],"Count":2,"ScannedCount":2,"LastEvaluatedKey":{"PK":{"S":"S1"},"SK":{"S":"C2"}},)"
      R"("ConsumedCapacity":{"TableName":"Education","CapacityUnits":0.5,"Table":{"CapacityUnits":0.5}}})");
  EXPECT_EQ(
      Send(
          "Query",
          R"({"TableName":"Education","IndexName":"Inverted","KeyConditionExpression":"SK = :s","ExpressionAttributeValues":{":s":{"S":"C3"}},"Select":"COUNT"})"),
      R"({"Count":1,"ScannedCount":1})");
  EXPECT_EQ(
      Send(
          "Scan",
          R"({"TableName":"Education","FilterExpression":"SK = :s","ExpressionAttributeValues":{":s":{"S":"C3"}}})"),
      R"({"Items":[{"PK":{"S":"S1"},"SK":{"S":"C3"}}],"Count":1,"ScannedCount":3})");
}

TEST_F(ServiceTest, Batches) {
  MakeTable();
  EXPECT_EQ(
      Send("BatchWriteItem",
           R"({"RequestItems":{"Education":[{"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"S":"1"}}}},
    {"DeleteRequest":{"Key":{"PK":{"S":"b"},"SK":{"S":"1"}}}}]}})"),
      R"({"UnprocessedItems":{}})");
  EXPECT_EQ(
      Send(
          "BatchGetItem",
          R"({"RequestItems":{"Education":{"Keys":[{"PK":{"S":"a"},"SK":{"S":"1"}},{"PK":{"S":"b"},"SK":{"S":"1"}}]}},"ReturnConsumedCapacity":"TOTAL"})"),
      R"({"Responses":{"Education":[{"PK":{"S":"a"},"SK":{"S":"1"}}]},"UnprocessedKeys":{},"ConsumedCapacity":[{"TableName":"Education","CapacityUnits":1.0}]})");
}

TEST_F(ServiceTest, Transactions) {
  MakeTable();
  EXPECT_EQ(
      Send(
          "TransactWriteItems",
          R"({"TransactItems":[{"Put":{"TableName":"Education","Item":{"PK":{"S":"a"},"SK":{"S":"1"}}}}]})"),
      "{}");
  EXPECT_EQ(
      Send(
          "TransactGetItems",
          R"({"TransactItems":[{"Get":{"TableName":"Education","Key":{"PK":{"S":"a"},"SK":{"S":"1"}}}},
    {"Get":{"TableName":"Education","Key":{"PK":{"S":"a"},"SK":{"S":"2"}}}}],"ReturnConsumedCapacity":"TOTAL"})"),
      R"({"Responses":[{"Item":{"PK":{"S":"a"},"SK":{"S":"1"}}},{}],"ConsumedCapacity":[{"TableName":"Education","CapacityUnits":4.0,"ReadCapacityUnits":4.0}]})");
  EXPECT_EQ(
      Refused("TransactWriteItems", R"j({"TransactItems":[
    {"Put":{"TableName":"Education","Item":{"PK":{"S":"b"},"SK":{"S":"1"}}}},
    {"ConditionCheck":{"TableName":"Education","Key":{"PK":{"S":"a"},"SK":{"S":"1"}},"ConditionExpression":"attribute_not_exists(PK)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]})j"),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
      R"("CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Item":{"PK":{"S":"a"},"SK":{"S":"1"}},"Message":"The conditional request failed"}],)"
      R"("Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]"})");
}

TEST_F(ServiceTest, Tags) {
  MakeTable();
  const std::string arn = "arn:aws:dynamodb:us-east-1:123456789012:table/Education";
  EXPECT_EQ(
      Send("TagResource", R"({"ResourceArn":")" + arn +
                              R"(","Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":""}]})"),
      "");
  EXPECT_EQ(Send("UntagResource", R"({"ResourceArn":")" + arn + R"(","TagKeys":["a"]})"), "");
  EXPECT_EQ(Send("ListTagsOfResource", R"({"ResourceArn":")" + arn + R"("})"),
            R"({"Tags":[{"Key":"b","Value":""}]})");
}

TEST_F(ServiceTest, DescribesTheAccount) {
  EXPECT_EQ(
      Send("DescribeLimits", "{}"),
      R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,"TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})");
  EXPECT_EQ(Send("DescribeEndpoints", "{}"),
            R"({"Endpoints":[{"Address":"localhost","CachePeriodInMinutes":1440}]})");
}

TEST_F(ServiceTest, UpdatesAndDeletesATable) {
  MakeTable();
  EXPECT_THAT(Send("UpdateTable", R"({"TableName":"Education","DeletionProtectionEnabled":true})"),
              HasSubstr(R"("DeletionProtectionEnabled":true)"));
  EXPECT_THAT(Refused("DeleteTable", R"({"TableName":"Education"})"),
              HasSubstr("ValidationException"));
  Send("UpdateTable", R"({"TableName":"Education","DeletionProtectionEnabled":false})");
  EXPECT_THAT(Send("DeleteTable", R"({"TableName":"Education"})"),
              HasSubstr(R"("TableStatus":"DELETING")"));
}

}  // namespace
}  // namespace prejoin::wire
