// The Streams API and time to live as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/worker.h"
#include "engine/engine.h"
#include "prejoin/options.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class StreamsTest : public testing::Test {
 protected:
  Answer Handle(std::string_view operation, std::string_view body) {
    const bool streams = operation == "ListStreams" || operation == "DescribeStream" ||
                         operation == "GetShardIterator" || operation == "GetRecords";
    return service_.Handle(
        (streams ? "DynamoDBStreams_20120810." : "DynamoDB_20120810.") + std::string(operation),
        body);
  }
  std::string Send(std::string_view operation, std::string_view body) {
    const Answer answer = Handle(operation, body);
    EXPECT_EQ(answer.status, 200) << operation << " " << body << ": " << answer.body;
    return answer.body;
  }
  std::string Refused(std::string_view operation, std::string_view body) {
    const Answer answer = Handle(operation, body);
    EXPECT_EQ(answer.status, 400) << operation << " " << body << ": " << answer.body;
    return answer.body;
  }
  // The text of a member, the first of that name.
  static std::string Member(const std::string& body, const std::string& name) {
    const std::size_t at = body.find('"' + name + "\":\"");
    if (at == std::string::npos) {
      return "";
    }
    const std::size_t begin = at + name.size() + 4;
    return body.substr(begin, body.find('"', begin) - begin);
  }

  void MakeTable() {
    Send("CreateTable", R"({"TableName":"Game","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})");
    arn_ = Member(Send("DescribeTable", R"({"TableName":"Game"})"), "LatestStreamArn");
  }
  std::string Quoted(const std::string& text) { return '"' + text + '"'; }

  static Options OneShard() {
    Options options;
    options.streams.shards = 1;
    return options;
  }
  std::unique_ptr<engine::Engine> engine_ = *engine::Engine::Open(OneShard());
  Service service_{*engine_};
  std::string arn_;
};

TEST_F(StreamsTest, ListsAndDescribes) {
  MakeTable();
  EXPECT_THAT(
      Send("ListStreams", R"({"TableName":"Game"})"),
      MatchesRegex(R"(\{"Streams":\[\{"StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:)"
                   R"(table/Game/stream/[^"]*","TableName":"Game","StreamLabel":"[^"]*"\}\]\})"));
  const std::string described = Send("DescribeStream", R"({"StreamArn":)" + Quoted(arn_) + "}");
  EXPECT_THAT(described, HasSubstr(R"({"StreamDescription":{"StreamArn":)"));
  EXPECT_THAT(described, HasSubstr(R"("StreamStatus":"ENABLED")"));
  EXPECT_THAT(described, HasSubstr(R"("StreamViewType":"NEW_AND_OLD_IMAGES")"));
  EXPECT_THAT(described, HasSubstr(R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}])"));
  EXPECT_THAT(described, HasSubstr(R"("SequenceNumberRange":{"StartingSequenceNumber":"1)"));
  EXPECT_THAT(described, testing::Not(HasSubstr("EndingSequenceNumber")));
  const std::string shard = Member(described, "ShardId");
  EXPECT_THAT(Send("DescribeStream", R"({"StreamArn":)" + Quoted(arn_) +
                                         R"(,"ShardFilter":{"Type":"CHILD_SHARDS","ShardId":)" +
                                         Quoted(shard) + "}}"),
              HasSubstr(R"("Shards":[])"));
}

TEST_F(StreamsTest, PrintsRecords) {
  MakeTable();
  Send("PutItem", R"({"TableName":"Game","Item":{"pk":{"S":"a"},"score":{"N":"1"}}})");
  Send("DeleteItem", R"({"TableName":"Game","Key":{"pk":{"S":"a"}}})");
  const std::string shard =
      Member(Send("DescribeStream", R"({"StreamArn":)" + Quoted(arn_) + "}"), "ShardId");
  const std::string iterator = Member(
      Send("GetShardIterator", R"({"StreamArn":)" + Quoted(arn_) + R"(,"ShardId":)" +
                                   Quoted(shard) + R"(,"ShardIteratorType":"TRIM_HORIZON"})"),
      "ShardIterator");
  const std::string records = Send("GetRecords", R"({"ShardIterator":)" + Quoted(iterator) + "}");
  EXPECT_THAT(
      records,
      MatchesRegex(
          R"(\{"Records":\[\{"eventID":"[0-9a-f]{32}","eventName":"INSERT","eventVersion":"1.1",)"
          R"("eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":\{)"
          R"("ApproximateCreationDateTime":[0-9.E]+,"Keys":\{"pk":\{"S":"a"\}\},)"
          R"("NewImage":\{"pk":\{"S":"a"\},"score":\{"N":"1"\}\},"SequenceNumber":"[0-9]{21}",)"
          R"("SizeBytes":13,"StreamViewType":"NEW_AND_OLD_IMAGES"\}\},\{.*"eventName":"REMOVE".*)"
          R"("OldImage":.*\],"NextShardIterator":"[^"]*"\})"));
  EXPECT_THAT(records, testing::Not(HasSubstr("userIdentity")));
}

TEST_F(StreamsTest, ChecksMembers) {
  MakeTable();
  EXPECT_THAT(Refused("DescribeStream", "{}"),
              HasSubstr("1 validation error detected: Value null at 'streamArn' failed to satisfy "
                        "constraint: Member must not be null"));
  EXPECT_THAT(Refused("DescribeStream", R"({"StreamArn":"short"})"),
              HasSubstr("Member must have length greater than or equal to 37"));
  EXPECT_THAT(Refused("DescribeStream",
                      R"({"StreamArn":"long enough but not the name of a stream at all"})"),
              HasSubstr("ValidationException"));
  EXPECT_THAT(Refused("ListStreams", R"({"Limit":0})"), HasSubstr("greater than or equal to 1"));
  EXPECT_THAT(Refused("ListStreams", R"({"Limit":101})"), HasSubstr("less than or equal to 100"));
  EXPECT_THAT(Refused("GetRecords", R"({"ShardIterator":"x","Limit":1001})"),
              HasSubstr("less than or equal to 1000"));
  EXPECT_THAT(Refused("GetRecords", R"({"ShardIterator":"x"})"),
              HasSubstr("Invalid ShardIterator"));
  EXPECT_THAT(
      Refused(
          "GetShardIterator",
          R"({"StreamArn":)" + Quoted(arn_) +
              R"(,"ShardId":"shardId-00000000000000000000-00000000","ShardIteratorType":"FIRST"})"),
      HasSubstr("Member must satisfy enum value set"));
  EXPECT_THAT(
      Refused(
          "GetShardIterator",
          R"({"StreamArn":)" + Quoted(arn_) +
              R"(,"ShardId":"shardId-00000000000000000000-00000000","ShardIteratorType":"LATEST"})"),
      HasSubstr("ResourceNotFoundException"));
}

TEST_F(StreamsTest, TimeToLive) {
  MakeTable();
  EXPECT_EQ(Send("DescribeTimeToLive", R"({"TableName":"Game"})"),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
  EXPECT_EQ(
      Send(
          "UpdateTimeToLive",
          R"({"TableName":"Game","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}})"),
      R"({"TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}})");
  engine_->background().DrainForTesting();
  EXPECT_EQ(Send("DescribeTimeToLive", R"({"TableName":"Game"})"),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"until"}})");
  EXPECT_THAT(Refused("UpdateTimeToLive",
                      R"({"TableName":"Game","TimeToLiveSpecification":{"Enabled":true}})"),
              HasSubstr("Value null at 'timeToLiveSpecification.attributeName' failed to satisfy "
                        "constraint: Member must not be null"));
  EXPECT_THAT(
      Refused(
          "UpdateTimeToLive",
          R"({"TableName":"Game","TimeToLiveSpecification":{"Enabled":true,"AttributeName":""}})"),
      HasSubstr("Member must have length greater than or equal to 1"));
  EXPECT_THAT(
      Refused(
          "UpdateTimeToLive",
          R"({"TableName":"Gone","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"a"}})"),
      HasSubstr("ResourceNotFoundException"));

  const std::int64_t past = engine_->clock().NowMs() / 1000 - 10;
  Send("PutItem", R"({"TableName":"Game","Item":{"pk":{"S":"a"},"until":{"N":")" +
                      std::to_string(past) + R"("}}})");
  engine_->background().SweepNow();
  EXPECT_EQ(Send("GetItem", R"({"TableName":"Game","Key":{"pk":{"S":"a"}}})"), "{}");
  const std::string shard =
      Member(Send("DescribeStream", R"({"StreamArn":)" + Quoted(arn_) + "}"), "ShardId");
  const std::string iterator = Member(
      Send("GetShardIterator", R"({"StreamArn":)" + Quoted(arn_) + R"(,"ShardId":)" +
                                   Quoted(shard) + R"(,"ShardIteratorType":"TRIM_HORIZON"})"),
      "ShardIterator");
  EXPECT_THAT(
      Send("GetRecords", R"({"ShardIterator":)" + Quoted(iterator) + "}"),
      HasSubstr(R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"})"));
}

TEST_F(StreamsTest, TheTwoServicesAreNotMixed) {
  EXPECT_EQ(service_.Handle("DynamoDB_20120810.ListStreams", "{}").status, 400);
  EXPECT_EQ(service_.Handle("DynamoDBStreams_20120810.ListTables", "{}").status, 400);
}

}  // namespace
}  // namespace prejoin::wire
