// Contributor Insights, resource policies, throughput settings, and the operations of which one
// region and one service have nothing.
#include <unistd.h>

#include <filesystem>

#include "engine/engine.h"
#include "prejoin/options.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kArn[] = "arn:aws:dynamodb:us-east-1:123456789012:table/Music";

class TableSettingsTest : public testing::Test {
 protected:
  void SetUp() override {
    Send("CreateTable", R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
      "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},
      "OnDemandThroughput":{"MaxReadRequestUnits":100},
      "WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000},
      "GlobalSecondaryIndexes":[{"IndexName":"Inverted","Projection":{"ProjectionType":"ALL"},
        "OnDemandThroughput":{"MaxWriteRequestUnits":7},"WarmThroughput":{"ReadUnitsPerSecond":12001},
        "KeySchema":[{"AttributeName":"SK","KeyType":"HASH"}]}]})");
  }

  Answer Handle(std::string_view operation, const std::string& body) {
    return service_->Handle("DynamoDB_20120810." + std::string(operation), body);
  }
  std::string Send(std::string_view operation, const std::string& body) {
    const Answer answer = Handle(operation, body);
    EXPECT_EQ(answer.status, 200) << operation << " " << body << ": " << answer.body;
    return answer.body;
  }
  std::string Refused(std::string_view operation, const std::string& body) {
    const Answer answer = Handle(operation, body);
    EXPECT_EQ(answer.status, 400) << operation << " " << body << ": " << answer.body;
    return answer.body;
  }
  void Reopen() {
    service_.reset();
    engine_.reset();
    engine_ = *engine::Engine::Open({.path = directory_});
    service_ = std::make_unique<Service>(*engine_);
  }
  void TearDown() override {
    service_.reset();
    engine_.reset();
    std::filesystem::remove_all(directory_);
  }

  const std::string directory_ = testing::TempDir() + "table_settings_" + std::to_string(getpid()) +
                                 testing::UnitTest::GetInstance()->current_test_info()->name();
  std::unique_ptr<engine::Engine> engine_ = *engine::Engine::Open({.path = directory_});
  std::unique_ptr<Service> service_ = std::make_unique<Service>(*engine_);
};

std::string Put(const std::string& pk, const std::string& sk) {
  return R"({"TableName":"Music","Item":{"PK":{"S":")" + pk + R"("},"SK":{"S":")" + sk + R"("}}})";
}

// The API reference: "You can also provide the Amazon Resource Name (ARN) of the table in this parameter."
TEST_F(TableSettingsTest, ATableCanBeMadeByItsArn) {
  const auto body = [](const std::string& name) {
    return R"({"TableName":")" + name +
           R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]})";
  };
  const std::string place = "arn:aws:dynamodb:us-east-1:123456789012:table/";
  EXPECT_THAT(Send("CreateTable", body(place + "Made")), HasSubstr(R"("TableName":"Made")"));
  EXPECT_THAT(Send("DescribeTable", R"({"TableName":"Made"})"), HasSubstr(place + "Made"));
  EXPECT_THAT(Refused("CreateTable", body("Made")), HasSubstr("ResourceInUseException"));
  for (const std::string& name :
       {place + "Made2/index/x", place + "M",
        std::string("arn:aws:dynamodb:eu-west-1:123456789012:table/Made2"),
        std::string("Made/2")}) {
    EXPECT_THAT(Refused("CreateTable", body(name)), HasSubstr("ValidationException")) << name;
  }
  EXPECT_THAT(Refused("CreateTable", body("arn:aws:dynamodb:us-east-1:999999999999:table/Made2")),
              HasSubstr("AccessDeniedException"));
}

TEST_F(TableSettingsTest, InsightsCountKeysOfTableAndIndex) {
  EXPECT_EQ(Send("DescribeContributorInsights", R"({"TableName":"Music"})"),
            R"({"TableName":"Music","ContributorInsightsStatus":"DISABLED"})");
  Send("PutItem", Put("before", "x"));
  EXPECT_EQ(
      Send("UpdateContributorInsights",
           R"({"TableName":"Music","ContributorInsightsAction":"ENABLE"})"),
      R"({"TableName":"Music","ContributorInsightsStatus":"ENABLING","ContributorInsightsMode":"ACCESSED_AND_THROTTLED_KEYS"})");
  Send("UpdateContributorInsights",
       R"({"TableName":"Music","IndexName":"Inverted","ContributorInsightsAction":"ENABLE"})");
  Send("PutItem", Put("a", "x"));
  Send("PutItem", Put("a", "y"));
  Send("GetItem", R"({"TableName":"Music","Key":{"PK":{"S":"a"},"SK":{"S":"y"}}})");
  Send("GetItem", R"({"TableName":"Music","Key":{"PK":{"S":"missing"},"SK":{"S":"y"}}})");
  Send("BatchGetItem", R"({"RequestItems":{"Music":{"Keys":[{"PK":{"S":"a"},"SK":{"S":"y"}}]}}})");
  Send(
      "TransactGetItems",
      R"({"TransactItems":[{"Get":{"TableName":"Music","Key":{"PK":{"S":"a"},"SK":{"S":"y"}}}}]})");
  Send("Query", R"({"TableName":"Music","KeyConditionExpression":"PK = :a",
    "ExpressionAttributeValues":{":a":{"S":"a"}}})");
  Send("Query", R"({"TableName":"Music","IndexName":"Inverted","KeyConditionExpression":"SK = :a",
    "ExpressionAttributeValues":{":a":{"S":"x"}}})");
  EXPECT_EQ(
      service_->InsightsReports(),
      R"({"Reports":[{"TableName":"Music",)"
      R"("MostAccessedPartitionKeys":[{"Key":{"PK":{"S":"a"}},"Count":7,"ErrorMax":0},{"Key":{"PK":{"S":"missing"}},"Count":1,"ErrorMax":0}],)"
      R"("MostAccessedKeys":[{"Key":{"PK":{"S":"a"},"SK":{"S":"y"}},"Count":5,"ErrorMax":0},)"
      R"({"Key":{"PK":{"S":"a"},"SK":{"S":"x"}},"Count":2,"ErrorMax":0},{"Key":{"PK":{"S":"missing"},"SK":{"S":"y"}},"Count":1,"ErrorMax":0}]},)"
      // Two writes and a query that reads two entries: "before" is in the index too.
      R"({"TableName":"Music","IndexName":"Inverted","MostAccessedPartitionKeys":[{"Key":{"SK":{"S":"x"}},"Count":3,"ErrorMax":0},)"
      R"({"Key":{"SK":{"S":"y"}},"Count":1,"ErrorMax":0}],"MostAccessedKeys":[]}]})");
}

TEST_F(TableSettingsTest, InsightsAreDescribedListedAndKept) {
  Send("UpdateContributorInsights",
       R"({"TableName":"Music","ContributorInsightsAction":"ENABLE"})");
  Send("UpdateContributorInsights",
       R"({"TableName":"Music","IndexName":"Inverted","ContributorInsightsAction":"ENABLE",
       "ContributorInsightsMode":"THROTTLED_KEYS"})");
  Reopen();
  const std::string table = Send("DescribeContributorInsights", R"({"TableName":"Music"})");
  EXPECT_THAT(table, HasSubstr(R"("ContributorInsightsStatus":"ENABLED")"));
  EXPECT_THAT(table, HasSubstr(R"("DynamoDBContributorInsights-SKC-Music-)"));
  const std::string index =
      Send("DescribeContributorInsights", R"({"TableName":"Music","IndexName":"Inverted"})");
  EXPECT_THAT(index, HasSubstr(R"(["DynamoDBContributorInsights-PKT-Music-Inverted-)"));
  EXPECT_THAT(index, Not(HasSubstr("-PKC-")));
  const std::string first = Send("ListContributorInsights", R"({"MaxResults":1})");
  EXPECT_EQ(
      first,
      R"({"ContributorInsightsSummaries":[{"TableName":"Music","ContributorInsightsStatus":"ENABLED","ContributorInsightsMode":"ACCESSED_AND_THROTTLED_KEYS"}],"NextToken":"Music/"})");
  EXPECT_EQ(
      Send("ListContributorInsights", R"({"MaxResults":1,"NextToken":"Music/"})"),
      R"({"ContributorInsightsSummaries":[{"TableName":"Music","IndexName":"Inverted","ContributorInsightsStatus":"ENABLED","ContributorInsightsMode":"THROTTLED_KEYS"}]})");
  Send("UpdateContributorInsights",
       R"({"TableName":"Music","ContributorInsightsAction":"DISABLE"})");
  const std::string disabled = Send("DescribeContributorInsights", R"({"TableName":"Music"})");
  EXPECT_THAT(disabled, HasSubstr(R"("ContributorInsightsStatus":"DISABLED")"));
  EXPECT_THAT(disabled, HasSubstr("LastUpdateDateTime"));
  EXPECT_THAT(disabled, Not(HasSubstr("RuleList")));
  EXPECT_EQ(service_->InsightsReports(), R"({"Reports":[]})");
}

TEST_F(TableSettingsTest, InsightsRefuse) {
  EXPECT_THAT(Refused("DescribeContributorInsights", R"({"TableName":"Nothing"})"),
              HasSubstr("ResourceNotFoundException"));
  EXPECT_THAT(
      Refused("UpdateContributorInsights",
              R"({"TableName":"Music","IndexName":"gsi9","ContributorInsightsAction":"ENABLE"})"),
      HasSubstr("Requested resource not found: Index: gsi9 not found for table: Music"));
  EXPECT_THAT(Refused("UpdateContributorInsights", R"({"TableName":"Music"})"),
              HasSubstr("'contributorInsightsAction' failed to satisfy constraint"));
  EXPECT_THAT(Refused("ListContributorInsights", R"({"MaxResults":101})"),
              HasSubstr("less than or equal to 100"));
}

std::string PolicyRequest(const std::string& arn, const std::string& rest) {
  return R"({"ResourceArn":")" + arn + "\"" + rest + "}";
}

TEST_F(TableSettingsTest, PoliciesAreKeptWithRevisions) {
  EXPECT_THAT(
      Refused("GetResourcePolicy", PolicyRequest(kArn, "")),
      HasSubstr(std::string("Resource-based policy not found for the provided ResourceArn: ") +
                kArn));
  const std::string put = Send("PutResourcePolicy", PolicyRequest(kArn, R"(,"Policy":"{}")"));
  EXPECT_EQ(Send("PutResourcePolicy", PolicyRequest(kArn, R"(,"Policy":"{}")")), put)
      << "the same policy keeps its revision";
  const std::string changed =
      Send("PutResourcePolicy", PolicyRequest(kArn, R"(,"Policy":"{\"Version\":\"1\"}")"));
  EXPECT_NE(changed, put);
  Reopen();
  const std::string revision = changed.substr(15, changed.size() - 17);
  EXPECT_EQ(Send("GetResourcePolicy", PolicyRequest(kArn, "")),
            R"({"Policy":"{\"Version\":\"1\"}","RevisionId":")" + revision + R"("})");
  EXPECT_THAT(Refused("DeleteResourcePolicy", PolicyRequest(kArn, R"(,"ExpectedRevisionId":"7")")),
              HasSubstr("Requested update for policy with revision id 7, but the policy associated "
                        "to target table Music has revision id " +
                        revision + "."));
  EXPECT_THAT(Refused("PutResourcePolicy",
                      PolicyRequest(kArn, R"(,"Policy":"{}","ExpectedRevisionId":"NO_POLICY")")),
              HasSubstr("PolicyNotFoundException"));
  EXPECT_EQ(Send("DeleteResourcePolicy",
                 PolicyRequest(kArn, R"(,"ExpectedRevisionId":")" + revision + "\"")),
            changed);
  EXPECT_EQ(Send("DeleteResourcePolicy", PolicyRequest(kArn, "")), "{}");
}

TEST_F(TableSettingsTest, StreamsHaveTheirOwnPolicies) {
  const std::string table = Send("DescribeTable", R"({"TableName":"Music"})");
  const std::size_t at = table.find(R"("LatestStreamArn":")") + 19;
  const std::string stream = table.substr(at, table.find('"', at) - at);
  Send("PutResourcePolicy", PolicyRequest(stream, R"(,"Policy":"{\"a\":1}")"));
  Reopen();
  EXPECT_THAT(Send("GetResourcePolicy", PolicyRequest(stream, "")), HasSubstr(R"({\"a\":1})"));
  EXPECT_THAT(Refused("GetResourcePolicy", PolicyRequest(kArn, "")),
              HasSubstr("PolicyNotFoundException"));
  EXPECT_THAT(Refused("GetResourcePolicy",
                      PolicyRequest(std::string(kArn) + "/stream/2000-01-01T00:00:00.000", "")),
              HasSubstr("Stream: 2000-01-01T00:00:00.000 not found for Table: Music"));
}

TEST_F(TableSettingsTest, PoliciesRefuse) {
  const auto put = [&](const std::string& arn, const std::string& policy) {
    return Refused("PutResourcePolicy", PolicyRequest(arn, ",\"Policy\":\"" + policy + "\""));
  };
  EXPECT_THAT(put(kArn, "no json"), HasSubstr("This policy contains invalid Json"));
  EXPECT_THAT(put(kArn, std::string(20481, 'x')), HasSubstr("Maximum policy size of 20480 bytes"));
  EXPECT_THAT(put(kArn, std::string(20480, 'x')), HasSubstr("invalid Json")) << "the limit itself";
  EXPECT_THAT(put(std::string(kArn) + "/index/Inverted", "{}"),
              HasSubstr("only table or stream is accepted"));
  EXPECT_THAT(put(std::string(kArn) + "/backup/0170", "{}"),
              HasSubstr("Provided Arn is not a DynamoDB resource arn"));
  EXPECT_THAT(put("Music", "{}"), HasSubstr("ARNs must start with 'arn:': Music"));
  EXPECT_THAT(put("arn:aws:dynamodb:eu-west-1:123456789012:table/Music", "{}"),
              HasSubstr("Invalid resource Arn"));
  EXPECT_THAT(put("arn:aws:dynamodb:us-east-1:999999999999:table/Music", "{}"),
              HasSubstr("AccessDeniedException"));
  EXPECT_THAT(put("arn:aws:dynamodb:us-east-1:123456789012:table/Nothing", "{}"),
              HasSubstr("Requested resource not found: Table: Nothing not found"));
}

TEST_F(TableSettingsTest, ThroughputSettingsComeBack) {
  Reopen();
  std::string table = Send("DescribeTable", R"({"TableName":"Music"})");
  EXPECT_THAT(
      table,
      HasSubstr(
          R"("OnDemandThroughput":{"MaxReadRequestUnits":100},"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000,"Status":"ACTIVE"})"));
  EXPECT_THAT(
      table,
      HasSubstr(
          R"("OnDemandThroughput":{"MaxWriteRequestUnits":7},"WarmThroughput":{"ReadUnitsPerSecond":12001,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"})"));
  Send("UpdateTable", R"({"TableName":"Music","OnDemandThroughput":{"MaxReadRequestUnits":200},
    "GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"Inverted","WarmThroughput":{"ReadUnitsPerSecond":14000}}}]})");
  table = Send("DescribeTable", R"({"TableName":"Music"})");
  EXPECT_THAT(table, HasSubstr(R"("MaxReadRequestUnits":200)"));
  EXPECT_THAT(table, HasSubstr(R"("WarmThroughput":{"ReadUnitsPerSecond":14000,)"));
}

TEST_F(TableSettingsTest, OnDemandLimitsAreForTablesOnDemand) {
  EXPECT_THAT(
      Refused("CreateTable", R"({"TableName":"Fixed",
        "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},
        "OnDemandThroughput":{"MaxWriteRequestUnits":5},
        "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
        "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})"),
      HasSubstr("MaxWriteRequestUnits for OnDemandThroughput cannot be specified when table "
                "BillingMode is PROVISIONED."));
}

TEST_F(TableSettingsTest, OneRegionHasNoReplicas) {
  const std::string name = R"({"GlobalTableName":"Music")";
  EXPECT_THAT(Refused("CreateGlobalTable", name + R"(,"ReplicationGroup":[]})"),
              HasSubstr("global tables version 2017.11.29 is not supported"));
  EXPECT_THAT(Refused("DescribeGlobalTable", name + "}"),
              HasSubstr("Global table not found: Global table with name: 'Music' does not exist."));
  EXPECT_THAT(Refused("DescribeGlobalTableSettings", name + "}"),
              HasSubstr("GlobalTableNotFoundException"));
  EXPECT_THAT(Refused("UpdateGlobalTableSettings", name + "}"),
              HasSubstr("GlobalTableNotFoundException"));
  EXPECT_THAT(Refused("UpdateGlobalTable",
                      name + R"(,"ReplicaUpdates":[{"Delete":{"RegionName":"eu-west-1"}}]})"),
              HasSubstr("GlobalTableNotFoundException"));
  EXPECT_THAT(Refused("UpdateGlobalTable",
                      name + R"(,"ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]})"),
              HasSubstr("2017.11.29 is not supported"));
  EXPECT_EQ(Send("ListGlobalTables", "{}"), R"({"GlobalTables":[]})");
  for (const char* operation :
       {"DescribeTableReplicaAutoScaling", "UpdateTableReplicaAutoScaling"}) {
    EXPECT_THAT(Refused(operation, R"({"TableName":"Music"})"),
                HasSubstr("ResourceNotFoundException"));
  }
}

TEST_F(TableSettingsTest, OneServiceHasNoKinesis) {
  const std::string request =
      R"({"TableName":"Music","StreamArn":"arn:aws:kinesis:us-east-1:123456789012:stream/s"})";
  EXPECT_EQ(Send("DescribeKinesisStreamingDestination", R"({"TableName":"Music"})"),
            R"({"TableName":"Music","KinesisDataStreamDestinations":[]})");
  EXPECT_THAT(Refused("EnableKinesisStreamingDestination", request),
              HasSubstr("ResourceNotFoundException"));
  EXPECT_THAT(Refused("DisableKinesisStreamingDestination", request),
              HasSubstr("must be ACTIVE to perform DISABLE operation."));
  EXPECT_THAT(Refused("UpdateKinesisStreamingDestination", request),
              HasSubstr("No streaming destination with streamArn"));
  EXPECT_THAT(Refused("DescribeKinesisStreamingDestination", R"({"TableName":"Nothing"})"),
              HasSubstr("Table: Nothing not found"));
  EXPECT_THAT(Refused("StartBulkPutItems", "{}"), HasSubstr("UnknownOperationException"));
}

}  // namespace
}  // namespace prejoin::wire
