// Requests from which the fuzzer, and the mutation test in tests/wire, start: one of each operation
// and its parameters.
#ifndef PREJOIN_TESTS_FUZZ_REQUEST_CORPUS_H_
#define PREJOIN_TESTS_FUZZ_REQUEST_CORPUS_H_

#include <string>
#include <string_view>

#include "wire/service.h"

namespace prejoin {

struct CorpusRequest {
  std::string_view target;
  std::string_view body;
};

inline constexpr CorpusRequest kRequestCorpus[] =
    {
        {"DynamoDB_20120810.CreateTable",
         R"json({"TableName":"Fuzz","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},"AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"N"},{"AttributeName":"b","AttributeType":"B"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],"LocalSecondaryIndexes":[{"IndexName":"loc","KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}],"GlobalSecondaryIndexes":[{"IndexName":"glo","KeySchema":[{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"SSESpecification":{"Enabled":true,"SSEType":"KMS"},"TableClass":"STANDARD","DeletionProtectionEnabled":false,"Tags":[{"Key":"k","Value":"v"}]})json"},
        {"DynamoDB_20120810.ListImports",
         R"json({"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Fuzz","PageSize":2})json"},
        {"DynamoDB_20120810.ListExports",
         R"json({"MaxResults":3,"NextToken":"6578706f72743a30312d61"})json"},
        {"DynamoDB_20120810.PutResourcePolicy",
         R"json({"ResourceArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Fuzz","Policy":"{\"Version\":\"2012-10-17\"}","ExpectedRevisionId":"NO_POLICY"})json"},
        {"DynamoDB_20120810.UpdateContributorInsights",
         R"json({"TableName":"Fuzz","IndexName":"glo","ContributorInsightsAction":"ENABLE","ContributorInsightsMode":"ACCESSED_AND_THROTTLED_KEYS"})json"},
        {"DynamoDB_20120810.UpdateContributorInsights",
         R"json({"TableName":"Fuzz","ContributorInsightsAction":"ENABLE"})json"},
        {"DynamoDB_20120810.ListContributorInsights",
         R"json({"MaxResults":1,"NextToken":"Fuzz/"})json"},
        {"DynamoDB_20120810.PutItem",
         R"json({"TableName":"Fuzz","Item":{"p":{"S":"a\n\u00e9"},"s":{"N":"1.5e3"},"b":{"B":"AAEC"},"x":{"M":{"l":{"L":[{"BOOL":true},{"NULL":true},{"SS":["a","b"]},{"NS":["1","2"]},{"BS":["AQ=="]}]}}}},"ConditionExpression":"attribute_not_exists(#p) OR size(x.l[0]) < :v","ExpressionAttributeNames":{"#p":"p"},"ExpressionAttributeValues":{":v":{"N":"3"}},"ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE","ReturnValuesOnConditionCheckFailure":"ALL_OLD"})json"},
        {"DynamoDB_20120810.PutItem",
         R"json({"TableName":"Fuzz","Item":{"p":{"S":"a"},"s":{"N":"2"}},"Expected":{"p":{"ComparisonOperator":"NULL"},"x":{"Exists":false}},"ConditionalOperator":"OR"})json"},
        {"DynamoDB_20120810.GetItem",
         R"json({"TableName":"Fuzz","Key":{"p":{"S":"a"},"s":{"N":"2"}},"ConsistentRead":true,"ProjectionExpression":"p, #x.l[1]","ExpressionAttributeNames":{"#x":"x"},"ReturnConsumedCapacity":"TOTAL"})json"},
        {"DynamoDB_20120810.GetItem",
         R"json({"TableName":"arn:aws:dynamodb:us-east-1:123456789012:table/Fuzz","Key":{"p":{"S":"a"},"s":{"N":"2"}},"AttributesToGet":["p","x"]})json"},
        {"DynamoDB_20120810.UpdateItem",
         R"json({"TableName":"Fuzz","Key":{"p":{"S":"a"},"s":{"N":"2"}},"UpdateExpression":"SET y = if_not_exists(z.a[0], :o) + :o, l = list_append(:l, :l) REMOVE q ADD n :o DELETE t :t","ConditionExpression":"p = :p AND NOT s BETWEEN :o AND :o","ExpressionAttributeValues":{":o":{"N":"1"},":p":{"S":"a"},":l":{"L":[]},":t":{"SS":["a"]}},"ReturnValues":"UPDATED_NEW"})json"},
        {"DynamoDB_20120810.UpdateItem",
         R"json({"TableName":"Fuzz","Key":{"p":{"S":"a"},"s":{"N":"2"}},"AttributeUpdates":{"n":{"Action":"ADD","Value":{"N":"1"}},"x":{"Action":"DELETE"}},"Expected":{"p":{"Value":{"S":"a"}}}})json"},
        {"DynamoDB_20120810.DeleteItem",
         R"json({"TableName":"Fuzz","Key":{"p":{"S":"a"},"s":{"N":"2"}},"ConditionExpression":"begins_with(p, :p)","ExpressionAttributeValues":{":p":{"S":"a"}},"ReturnValues":"ALL_OLD"})json"},
        {"DynamoDB_20120810.Query",
         R"json({"TableName":"Fuzz","IndexName":"glo","KeyConditionExpression":"b = :b AND s > :s","FilterExpression":"contains(x, :b) OR p IN (:p, :p)","ProjectionExpression":"p, s","ExpressionAttributeValues":{":b":{"B":"AAEC"},":s":{"N":"0"},":p":{"S":"a"}},"Limit":10,"ScanIndexForward":false,"Select":"SPECIFIC_ATTRIBUTES","ExclusiveStartKey":{"p":{"S":"a"},"s":{"N":"2"},"b":{"B":"AAEC"}},"ReturnConsumedCapacity":"INDEXES"})json"},
        {"DynamoDB_20120810.Query",
         R"json({"TableName":"Fuzz","KeyConditions":{"p":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},"QueryFilter":{"x":{"ComparisonOperator":"NOT_NULL"}},"AttributesToGet":["p"],"ConsistentRead":true})json"},
        {"DynamoDB_20120810.Scan",
         R"json({"TableName":"Fuzz","FilterExpression":"attribute_type(x, :t)","ExpressionAttributeValues":{":t":{"S":"M"}},"Segment":0,"TotalSegments":2,"Limit":3,"Select":"ALL_ATTRIBUTES"})json"},
        {"DynamoDB_20120810.Scan",
         R"json({"TableName":"Fuzz","ScanFilter":{"n":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]},"p":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"a"}]}},"ConditionalOperator":"AND"})json"},
        {"DynamoDB_20120810.BatchGetItem",
         R"json({"RequestItems":{"Fuzz":{"Keys":[{"p":{"S":"a"},"s":{"N":"2"}},{"p":{"S":"b"},"s":{"N":"-1"}}],"ProjectionExpression":"p","ConsistentRead":true}},"ReturnConsumedCapacity":"TOTAL"})json"},
        {"DynamoDB_20120810.BatchWriteItem",
         R"json({"RequestItems":{"Fuzz":[{"PutRequest":{"Item":{"p":{"S":"b"},"s":{"N":"-1"}}}},{"DeleteRequest":{"Key":{"p":{"S":"c"},"s":{"N":"7"}}}}]},"ReturnItemCollectionMetrics":"SIZE"})json"},
        {"DynamoDB_20120810.TransactGetItems",
         R"json({"TransactItems":[{"Get":{"TableName":"Fuzz","Key":{"p":{"S":"b"},"s":{"N":"-1"}},"ProjectionExpression":"#p","ExpressionAttributeNames":{"#p":"p"}}}],"ReturnConsumedCapacity":"INDEXES"})json"},
        {"DynamoDB_20120810.TransactWriteItems",
         R"json({"ClientRequestToken":"token","TransactItems":[{"Put":{"TableName":"Fuzz","Item":{"p":{"S":"d"},"s":{"N":"1"}},"ConditionExpression":"attribute_not_exists(p)"}},{"Update":{"TableName":"Fuzz","Key":{"p":{"S":"e"},"s":{"N":"1"}},"UpdateExpression":"SET x = :x","ExpressionAttributeValues":{":x":{"BOOL":false}}}},{"Delete":{"TableName":"Fuzz","Key":{"p":{"S":"f"},"s":{"N":"1"}}}},{"ConditionCheck":{"TableName":"Fuzz","Key":{"p":{"S":"g"},"s":{"N":"1"}},"ConditionExpression":"attribute_not_exists(p)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]})json"},
        {"DynamoDB_20120810.ExecuteStatement",
         R"json({"Statement":"INSERT INTO \"Fuzz\" VALUE {'p': ?, 's': 5, 'b': ?, 'x': {'l': [1, <<'a'>>]}}","Parameters":[{"S":"q"},{"B":"AAEC"}],"ReturnConsumedCapacity":"INDEXES"})json"},
        {"DynamoDB_20120810.ExecuteStatement",
         R"json({"Statement":"UPDATE Fuzz SET n = 1 SET x.l = list_append(x.l, [?]) REMOVE q WHERE p = 'q' AND s = 5 AND x IS NOT MISSING RETURNING MODIFIED NEW *","Parameters":[{"N":"2"}],"ReturnValuesOnConditionCheckFailure":"ALL_OLD"})json"},
        {"DynamoDB_20120810.ExecuteStatement",
         R"json({"Statement":"SELECT p, x.l[0] FROM \"Fuzz\".\"glo\" WHERE b = ? AND s BETWEEN 0 AND 9 AND NOT contains(p, 'z') ORDER BY s DESC","Parameters":[{"B":"AAEC"}],"Limit":2,"ConsistentRead":false})json"},
        {"DynamoDB_20120810.BatchExecuteStatement",
         R"json({"Statements":[{"Statement":"SELECT * FROM Fuzz WHERE p = 'q' AND s = 5","ConsistentRead":true},{"Statement":"SELECT n FROM Fuzz WHERE p = ? AND s = 6","Parameters":[{"S":"q"}]}],"ReturnConsumedCapacity":"TOTAL"})json"},
        {"DynamoDB_20120810.ExecuteTransaction",
         R"json({"TransactStatements":[{"Statement":"EXISTS(SELECT * FROM Fuzz WHERE p = 'q' AND s = 5 AND b IS NOT MISSING)"},{"Statement":"DELETE FROM Fuzz WHERE p = 'r' AND s = ?","Parameters":[{"N":"1"}]}],"ReturnConsumedCapacity":"INDEXES"})json"},
        {"DynamoDB_20120810.UpdateTimeToLive",
         R"json({"TableName":"Fuzz","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"s"}})json"},
        {"DynamoDB_20120810.DescribeTimeToLive", R"json({"TableName":"Fuzz"})json"},
        {"DynamoDBStreams_20120810.ListStreams",
         R"json({"TableName":"Fuzz","Limit":3,"ExclusiveStartStreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/A/stream/2020-01-01T00:00:00.000"})json"},
        {"DynamoDBStreams_20120810.DescribeStream",
         R"json({"StreamArn":"@StreamArn","Limit":2,"ExclusiveStartShardId":"shardId-00000000000000000001-00000000"})json"},
        {"DynamoDBStreams_20120810.GetShardIterator",
         R"json({"StreamArn":"@StreamArn","ShardId":"@ShardId","ShardIteratorType":"AT_SEQUENCE_NUMBER","SequenceNumber":"@SequenceNumber"})json"},
        {"DynamoDBStreams_20120810.GetRecords",
         R"json({"ShardIterator":"@ShardIterator","Limit":10})json"},
        {"DynamoDB_20120810.DescribeTable", R"json({"TableName":"Fuzz"})json"},
        {"DynamoDB_20120810.UpdateTable",
         R"json({"TableName":"Fuzz","AttributeDefinitions":[{"AttributeName":"n","AttributeType":"N"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"new","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]})json"},
        {"DynamoDB_20120810.UpdateTable",
         R"json({"TableName":"Fuzz","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"new"}},{"Update":{"IndexName":"glo","ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}}]})json"},
        {"DynamoDB_20120810.ListTables", R"json({"Limit":5,"ExclusiveStartTableName":"Aaa"})json"},
        {"DynamoDB_20120810.DescribeLimits", "{}"},
        {"DynamoDB_20120810.DescribeEndpoints", "{}"},
        {"DynamoDB_20120810.TagResource",
         R"json({"ResourceArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Fuzz","Tags":[{"Key":"a","Value":"b"}]})json"},
        {"DynamoDB_20120810.UntagResource",
         R"json({"ResourceArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Fuzz","TagKeys":["a"]})json"},
        {"DynamoDB_20120810.ListTagsOfResource",
         R"json({"ResourceArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Fuzz"})json"},
        {"DynamoDB_20120810.UpdateContinuousBackups",
         R"json({"TableName":"Fuzz","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":3}})json"},
        {"DynamoDB_20120810.DescribeContinuousBackups", R"json({"TableName":"Fuzz"})json"},
        {"DynamoDB_20120810.CreateBackup",
         R"json({"TableName":"Fuzz","BackupName":"nightly"})json"},
        {"DynamoDB_20120810.ListBackups",
         R"json({"TableName":"Fuzz","Limit":3,"TimeRangeLowerBound":1.5,"TimeRangeUpperBound":9e9,"ExclusiveStartBackupArn":"arn:aws:dynamodb:us-east-1:123456789012:table/A/backup/01-00000000","BackupType":"ALL"})json"},
        {"DynamoDB_20120810.DescribeBackup", R"json({"BackupArn":"@BackupArn"})json"},
        {"DynamoDB_20120810.RestoreTableFromBackup",
         R"json({"TargetTableName":"Fuzzed","BackupArn":"@BackupArn","BillingModeOverride":"PAY_PER_REQUEST","LocalSecondaryIndexOverride":[],"SSESpecificationOverride":{"Enabled":true,"SSEType":"KMS"}})json"},
        {"DynamoDB_20120810.RestoreTableToPointInTime",
         R"json({"SourceTableName":"Fuzz","TargetTableName":"FuzzedAgain","UseLatestRestorableTime":true,"GlobalSecondaryIndexOverride":[],"OnDemandThroughputOverride":{"MaxReadRequestUnits":5},"BillingModeOverride":"PROVISIONED","ProvisionedThroughputOverride":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}})json"},
        {"DynamoDB_20120810.DeleteBackup", R"json({"BackupArn":"@BackupArn"})json"},
        {"DynamoDB_20120810.DeleteTable", R"json({"TableName":"Fuzz"})json"},
};

// Whole requests that one server without S3 refuses: their readers are worth damaging too.
inline constexpr CorpusRequest kRefusedRequests[] = {
    {"DynamoDB_20120810.ImportTable",
     R"json({"ClientToken":"t","S3BucketSource":{"S3Bucket":"my-bucket","S3BucketOwner":"123456789012","S3KeyPrefix":"a/b"},"InputFormat":"CSV","InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["p","s"]}},"InputCompressionType":"GZIP","TableCreationParameters":{"TableName":"Fuzz2","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]}})json"},
    {"DynamoDB_20120810.DescribeImport",
     R"json({"ImportArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Fuzz/import/01693685827463-2d8752fd"})json"},
    {"DynamoDB_20120810.ExportTableToPointInTime",
     R"json({"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Fuzz","S3Bucket":"my-bucket","S3Prefix":"p","S3SseAlgorithm":"KMS","S3SseKmsKeyId":"k","ExportFormat":"DYNAMODB_JSON","ExportType":"INCREMENTAL_EXPORT","ExportTime":1700000000.5,"IncrementalExportSpecification":{"ExportFromTime":1700000000,"ExportToTime":1700001000.25,"ExportViewType":"NEW_IMAGE"}})json"},
    {"DynamoDB_20120810.DeleteResourcePolicy",
     R"json({"ResourceArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Fuzz","ExpectedRevisionId":"1"})json"},
    {"DynamoDB_20120810.UpdateGlobalTable",
     R"json({"GlobalTableName":"Fuzz","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}},{"Delete":{"RegionName":"eu-west-1"}}]})json"},
    {"DynamoDB_20120810.EnableKinesisStreamingDestination",
     R"json({"TableName":"Fuzz","StreamArn":"arn:aws:kinesis:us-east-1:123456789012:stream/s"})json"},
};

// The string member's value in an answer, or nothing.
inline std::string MemberOf(std::string_view answer, std::string_view name) {
  const std::string before = "\"" + std::string(name) + "\":\"";
  const std::size_t at = answer.find(before);
  const std::size_t begin = at + before.size();
  return at == std::string_view::npos
             ? std::string()
             : std::string(answer.substr(begin, answer.find('"', begin) - begin));
}

// The body with the names of the table's stream, of a shard, of an iterator and of a backup as they
// are now: `@StreamArn` and the like stand for them in the corpus.
inline std::string Filled(const wire::Service& service, std::string_view body) {
  std::string filled(body);
  const auto fill = [&](std::string_view name, const std::string& value) {
    const std::string mark = "@" + std::string(name);
    for (std::size_t at = 0; (at = filled.find(mark, at)) != std::string::npos;) {
      filled.replace(at, mark.size(), value);
      at += value.size();
    }
  };
  if (filled.find("\"@B") != std::string::npos) {
    const std::string backups = service.Handle("DynamoDB_20120810.ListBackups", "{}").body;
    fill("BackupArn", MemberOf(backups, "BackupArn"));
  }
  if (filled.find("\"@S") == std::string::npos) {
    return filled;
  }
  const auto ask = [&](std::string_view operation, const std::string& request) {
    return service.Handle("DynamoDBStreams_20120810." + std::string(operation), request).body;
  };
  const std::string arn = MemberOf(ask("ListStreams", R"({"TableName":"Fuzz"})"), "StreamArn");
  const std::string shards = ask("DescribeStream", R"({"StreamArn":")" + arn + "\"}");
  const std::string shard = MemberOf(shards, "ShardId");
  const std::string iterator =
      ask("GetShardIterator", R"({"StreamArn":")" + arn + R"(","ShardId":")" + shard +
                                  R"(","ShardIteratorType":"TRIM_HORIZON"})");
  fill("StreamArn", arn);
  fill("ShardIterator", MemberOf(iterator, "ShardIterator"));
  fill("ShardId", shard);
  fill("SequenceNumber", MemberOf(shards, "StartingSequenceNumber"));
  return filled;
}

}  // namespace prejoin

#endif  // PREJOIN_TESTS_FUZZ_REQUEST_CORPUS_H_
