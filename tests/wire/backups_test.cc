// Backups as JSON.
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
using testing::Not;

class BackupsTest : public testing::Test {
 protected:
  BackupsTest() {
    Send("CreateTable", R"({"TableName":"Game","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                              {"AttributeName":"g","AttributeType":"N"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"by-g","Projection":{"ProjectionType":"KEYS_ONLY"},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})");
    Send("PutItem", R"({"TableName":"Game","Item":{"pk":{"S":"a"},"g":{"N":"1"}}})");
  }

  Answer Handle(std::string_view operation, std::string_view body) {
    return service_.Handle("DynamoDB_20120810." + std::string(operation), body);
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
  std::string CreateBackup() {
    const std::string body = Send("CreateBackup", R"({"TableName":"Game","BackupName":"b.1"})");
    EXPECT_THAT(body, HasSubstr(R"("BackupStatus":"CREATING","BackupType":"USER")"));
    const std::string name = R"("BackupArn":")";
    const std::size_t begin = body.find(name) + name.size();
    return body.substr(begin, body.find('"', begin) - begin);
  }

  std::unique_ptr<engine::Engine> engine_ = *engine::Engine::Open(Options());
  Service service_{*engine_};
};

TEST_F(BackupsTest, DescribeABackup) {
  const std::string arn = CreateBackup();
  const std::string body = Send("DescribeBackup", R"({"BackupArn":")" + arn + R"("})");
  EXPECT_THAT(body, HasSubstr(R"({"BackupDescription":{"BackupDetails":{"BackupArn":")" + arn));
  EXPECT_THAT(body, HasSubstr(R"("BackupName":"b.1","BackupSizeBytes":)"));
  EXPECT_THAT(body, HasSubstr(R"("BackupStatus":"AVAILABLE","BackupType":"USER")"));
  EXPECT_THAT(body, Not(HasSubstr("BackupExpiryDateTime")));
  EXPECT_THAT(body, HasSubstr(R"("SourceTableDetails":{"TableName":"Game","TableId":")"));
  EXPECT_THAT(body, HasSubstr(R"("ItemCount":1,"BillingMode":"PAY_PER_REQUEST"})"));
  EXPECT_THAT(body, HasSubstr(R"("SourceTableFeatureDetails":{"GlobalSecondaryIndexes":[{)"
                              R"("IndexName":"by-g","KeySchema":[{"AttributeName":"g",)"
                              R"("KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"})"));
  EXPECT_THAT(Send("ListBackups", R"({"TableName":"Game","Limit":1,"BackupType":"ALL"})"),
              HasSubstr(R"({"BackupSummaries":[{"TableName":"Game",)"));
  EXPECT_EQ(Send("ListBackups", R"({"BackupType":"SYSTEM"})"), R"({"BackupSummaries":[]})");
  EXPECT_EQ(Send("ListBackups", R"({"TimeRangeUpperBound":1000.5})"), R"({"BackupSummaries":[]})");
  EXPECT_THAT(Send("DeleteBackup", R"({"BackupArn":")" + arn + R"("})"),
              HasSubstr(R"("BackupStatus":"DELETED")"));
  EXPECT_THAT(Refused("DescribeBackup", R"({"BackupArn":")" + arn + R"("})"),
              HasSubstr(R"(#BackupNotFoundException","message":"Backup not found: )" + arn));
}

TEST_F(BackupsTest, RestoreWithOverrides) {
  const std::string arn = CreateBackup();
  const std::string answer = Send("RestoreTableFromBackup", R"({"TargetTableName":"Again",
      "BackupArn":")" + arn + R"(","GlobalSecondaryIndexOverride":[],
      "BillingModeOverride":"PROVISIONED",
      "ProvisionedThroughputOverride":{"ReadCapacityUnits":5,"WriteCapacityUnits":6}})");
  EXPECT_THAT(answer, HasSubstr(R"("TableStatus":"CREATING")"));
  EXPECT_THAT(answer, HasSubstr(R"("RestoreSummary":{"SourceBackupArn":")" + arn));
  EXPECT_THAT(answer, HasSubstr(R"("RestoreInProgress":true)"));
  engine_->background().DrainForTesting();
  const std::string table = Send("DescribeTable", R"({"TableName":"Again"})");
  EXPECT_THAT(table, HasSubstr(R"("TableStatus":"ACTIVE")"));
  EXPECT_THAT(table, HasSubstr(R"("RestoreInProgress":false)"));
  EXPECT_THAT(table, HasSubstr(R"("ReadCapacityUnits":5,"WriteCapacityUnits":6)"));
  EXPECT_THAT(table, Not(HasSubstr("by-g")));
  EXPECT_THAT(Send("Scan", R"({"TableName":"Again"})"), HasSubstr(R"("Count":1)"));
  EXPECT_THAT(
      Refused("RestoreTableFromBackup",
              R"({"TargetTableName":"Again","BackupArn":")" + arn + R"("})"),
      HasSubstr(R"(#TableAlreadyExistsException","message":"Table already exists: Again")"));
}

TEST_F(BackupsTest, PointInTimeRecovery) {
  EXPECT_EQ(Send("DescribeContinuousBackups", R"({"TableName":"Game"})"),
            R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
            R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}})");
  const std::string latest =
      R"({"SourceTableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Game",
          "TargetTableName":"Again","UseLatestRestorableTime":true})";
  EXPECT_THAT(Refused("RestoreTableToPointInTime", latest),
              HasSubstr("#PointInTimeRecoveryUnavailableException"));
  const std::string enabled = Send("UpdateContinuousBackups", R"({"TableName":"Game",
      "PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  EXPECT_THAT(enabled,
              HasSubstr(R"("PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":35,)"
                        R"("EarliestRestorableDateTime":)"));
  EXPECT_THAT(Refused("RestoreTableToPointInTime", R"({"SourceTableName":"Game",
                      "TargetTableName":"Again","RestoreDateTime":1000000000})"),
              HasSubstr("#InvalidRestoreTimeException"));
  EXPECT_THAT(Send("RestoreTableToPointInTime", latest), HasSubstr(R"("TableStatus":"CREATING")"));
  engine_->background().DrainForTesting();
  EXPECT_THAT(Send("Scan", R"({"TableName":"Again","IndexName":"by-g"})"),
              HasSubstr(R"("Count":1)"));
}

TEST_F(BackupsTest, RefuseWrongRequests) {
  const auto fault = [&](std::string_view operation, std::string_view body, std::string_view part) {
    EXPECT_THAT(Refused(operation, body), HasSubstr(std::string(part))) << body;
  };
  fault("CreateBackup", R"({"TableName":"Game"})", "'backupName'");
  fault("CreateBackup", R"({"TableName":"Game","BackupName":"ab"})", "greater than or equal to 3");
  fault("CreateBackup", R"({"TableName":"Game","BackupName":"a b c"})", "regular expression");
  fault("CreateBackup", R"({"TableName":"None","BackupName":"abc"})",
        R"(#TableNotFoundException","message":"Table not found: None")");
  fault("DescribeBackup", R"({"BackupArn":"arn"})", "greater than or equal to 37");
  fault("DescribeContinuousBackups", R"({"TableName":"None"})", "#TableNotFoundException");
  fault("ListBackups", R"({"Limit":0})", "'limit'");
  fault("ListBackups", R"({"Limit":101})", "'limit'");
  fault("ListBackups", R"({"BackupType":"SOME"})", "[USER, SYSTEM, AWS_BACKUP, ALL]");
  fault("ListBackups", R"({"TimeRangeLowerBound":"now"})", "SerializationException");
  for (const char* days : {"0", "36"}) {
    fault("UpdateContinuousBackups",
          std::string(R"({"TableName":"Game","PointInTimeRecoverySpecification":
            {"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":)") +
              days + "}}",
          "recoveryPeriodInDays");
  }
  fault("UpdateContinuousBackups", R"({"TableName":"Game"})", "pointInTimeRecoverySpecification");
  fault("RestoreTableToPointInTime", R"({"TargetTableName":"Again"})", "ValidationException");
  fault("RestoreTableToPointInTime", R"({"SourceTableName":"Game","TargetTableName":"Again"})",
        "ValidationException");
  fault("RestoreTableFromBackup", R"({"TargetTableName":"x"})", "ValidationException");
}

}  // namespace
}  // namespace prejoin::wire
