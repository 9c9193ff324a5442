// Requests from which the fuzzer, and the mutation test in tests/wire, start: one of each operation
// and its parameters.
#ifndef PREJOIN_TESTS_FUZZ_REQUEST_CORPUS_H_
#define PREJOIN_TESTS_FUZZ_REQUEST_CORPUS_H_

#include <string_view>

namespace prejoin {

struct CorpusRequest {
  std::string_view target;
  std::string_view body;
};

inline constexpr CorpusRequest kRequestCorpus[] =
    {
        {"DynamoDB_20120810.CreateTable",
         R"json({"TableName":"Fuzz","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},"AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"N"},{"AttributeName":"b","AttributeType":"B"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],"LocalSecondaryIndexes":[{"IndexName":"loc","KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}],"GlobalSecondaryIndexes":[{"IndexName":"glo","KeySchema":[{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"SSESpecification":{"Enabled":true,"SSEType":"KMS"},"TableClass":"STANDARD","DeletionProtectionEnabled":false,"Tags":[{"Key":"k","Value":"v"}]})json"},
        {"DynamoDB_20120810.PutItem",
         R"json({"TableName":"Fuzz","Item":{"p":{"S":"a\n\u00e9"},"s":{"N":"1.5e3"},"b":{"B":"AAEC"},"x":{"M":{"l":{"L":[{"BOOL":true},{"NULL":true},{"SS":["a","b"]},{"NS":["1","2"]},{"BS":["AQ=="]}]}}}},"ConditionExpression":"attribute_not_exists(#p) OR size(x.l[0]) < :v","ExpressionAttributeNames":{"#p":"p"},"ExpressionAttributeValues":{":v":{"N":"3"}},"ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE","ReturnValuesOnConditionCheckFailure":"ALL_OLD"})json"},
        {"DynamoDB_20120810.PutItem", R"json({"TableName":"Fuzz","Item":{"p":{"S":"a"},"s":{"N":"2"}},"Expected":{"p":{"ComparisonOperator":"NULL"},"x":{"Exists":false}},"ConditionalOperator":"OR"})json"},
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
        {"DynamoDB_20120810.BatchWriteItem", R"json({"RequestItems":{"Fuzz":[{"PutRequest":{"Item":{"p":{"S":"b"},"s":{"N":"-1"}}}},{"DeleteRequest":{"Key":{"p":{"S":"c"},"s":{"N":"7"}}}}]},"ReturnItemCollectionMetrics":"SIZE"})json"},
        {"DynamoDB_20120810.TransactGetItems",
         R"json({"TransactItems":[{"Get":{"TableName":"Fuzz","Key":{"p":{"S":"b"},"s":{"N":"-1"}},"ProjectionExpression":"#p","ExpressionAttributeNames":{"#p":"p"}}}],"ReturnConsumedCapacity":"INDEXES"})json"},
        {"DynamoDB_20120810.TransactWriteItems",
         R"json({"ClientRequestToken":"token","TransactItems":[{"Put":{"TableName":"Fuzz","Item":{"p":{"S":"d"},"s":{"N":"1"}},"ConditionExpression":"attribute_not_exists(p)"}},{"Update":{"TableName":"Fuzz","Key":{"p":{"S":"e"},"s":{"N":"1"}},"UpdateExpression":"SET x = :x","ExpressionAttributeValues":{":x":{"BOOL":false}}}},{"Delete":{"TableName":"Fuzz","Key":{"p":{"S":"f"},"s":{"N":"1"}}}},{"ConditionCheck":{"TableName":"Fuzz","Key":{"p":{"S":"g"},"s":{"N":"1"}},"ConditionExpression":"attribute_not_exists(p)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]})json"},
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
        {"DynamoDB_20120810.DeleteTable", R"json({"TableName":"Fuzz"})json"},
};

}  // namespace prejoin

#endif  // PREJOIN_TESTS_FUZZ_REQUEST_CORPUS_H_
