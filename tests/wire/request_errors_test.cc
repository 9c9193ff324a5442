// What a client is told about a bad request: the words, and which of several faults is named. None
// of these requests reaches a table.
#include "engine/engine.h"
#include "prejoin/options.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

constexpr std::string_view kSerialization = "com.amazon.coral.service#SerializationException";
constexpr std::string_view kValidation = "com.amazon.coral.validate#ValidationException";
constexpr std::string_view kNotFound =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"})";

class RequestErrors : public testing::Test {
 protected:
  Answer Send(std::string_view operation, std::string_view body) {
    return service_.Handle("DynamoDB_20120810." + std::string(operation), body);
  }

  std::unique_ptr<engine::Engine> engine_ = *engine::Engine::Open(Options{});
  Service service_{*engine_};
};

std::string ValidationBody(std::string_view message) {
  return R"({"__type":")" + std::string(kValidation) + R"(","message":")" + std::string(message) +
         R"("})";
}

std::string SerializationBody(std::string_view message) {
  return R"({"__type":")" + std::string(kSerialization) + R"(","Message":")" +
         std::string(message) + R"("})";
}

TEST_F(RequestErrors, UnknownOperation) {
  for (const std::string_view target :
       {"", "PutItem", "DynamoDB_20120810.", "DynamoDB_20120810.putItem",
        "DynamoDB_20111205.PutItem", "DynamoDB_20120810.PutItem2", "DynamoDB_20120810.Zzz"}) {
    const Answer answer = service_.Handle(target, "{}");
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  }
}

TEST_F(RequestErrors, UnknownOperationWithUnreadableBody) {
  EXPECT_EQ(service_.Handle("DynamoDB_20120810.Zzz", "").body,
            R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  EXPECT_EQ(service_.Handle("DynamoDB_20120810.Zzz", "hi").body,
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
}

TEST_F(RequestErrors, EveryOperationHasAName) {
  EXPECT_EQ(Service::OperationName(Service::OperationIndex("DynamoDB_20120810.Query")), "Query");
  EXPECT_EQ(Service::OperationIndex("nonsense"), Service::OperationCount() - 1);
  EXPECT_EQ(Service::OperationName(Service::OperationCount() - 1), "Unknown");
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < Service::OperationCount(); ++i) {
    names.insert(Service::OperationName(i));
  }
  EXPECT_EQ(names.size(), Service::OperationCount());
}

// These wait for writers of the table, or for a disk: everybody else on the loop would wait too.
TEST_F(RequestErrors, OperationsThatWaitForOthersAreNotTriedOnALoop) {
  for (const std::string_view name :
       {"CreateBackup", "UpdateContinuousBackups", "ExportTableToPointInTime", "ImportTable",
        "RestoreTableFromBackup", "RestoreTableToPointInTime", "DeleteTable", "UpdateTable"}) {
    const std::size_t index = Service::OperationIndex("DynamoDB_20120810." + std::string(name));
    ASSERT_EQ(Service::OperationName(index), name);
    EXPECT_NE(Service::RunningOf(index), Running::kTriedOnLoop) << name;
  }
  EXPECT_EQ(Service::RunningOf(Service::OperationIndex("DynamoDB_20120810.GetItem")),
            Running::kTriedOnLoop);
}

TEST_F(RequestErrors, BodyThatIsNotJson) {
  for (const std::string_view body : {"", "hi", "{", "{\"TableName\":\"abc\"", "\xff"}) {
    const Answer answer = Send("PutItem", body);
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.body, R"({"__type":"com.amazon.coral.service#SerializationException"})");
  }
}

TEST_F(RequestErrors, BodyThatIsNotAnObject) {
  EXPECT_EQ(Send("PutItem", "1").body, SerializationBody("Unexpected value type in payload"));
  EXPECT_EQ(Send("PutItem", "null").body, SerializationBody("Unexpected value type in payload"));
  EXPECT_EQ(Send("PutItem", "[]").status, 400);
}

struct Case {
  std::string_view operation;
  std::string_view body;
  std::string_view message;
};

TEST_F(RequestErrors, WrongTypes) {
  constexpr std::string_view kCast =
      "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
      "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
      "java.lang.Class are in module java.base of loader 'bootstrap')";
  const Case kCases[] = {
      {"PutItem", R"({"TableName":1})", "NUMBER_VALUE cannot be converted to String"},
      {"PutItem", R"({"TableName":{}})", "Start of structure or map found where not expected"},
      {"PutItem", R"({"Item":"a"})", "Unexpected field type"},
      {"PutItem", R"({"Item":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {"PutItem", R"({"Expected":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue>"},
      {"PutItem", R"({"Expected":{"a":1}})", "Unexpected value type in payload"},
      {"PutItem", R"({"Expected":{"a":{"Exists":"23"}}})", "Unexpected token received from parser"},
      {"PutItem", R"({"Expected":{"a":{"Value":1}}})", "Unexpected field type"},
      {"PutItem", R"({"ExpressionAttributeNames":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
      {"PutItem", R"({"ExpressionAttributeNames":{"#a":1}})",
       "NUMBER_VALUE cannot be converted to String"},
      {"PutItem", R"({"ReturnValues":true})", "TRUE_VALUE cannot be converted to String"},
      {"GetItem", R"({"AttributesToGet":"a"})", "Unexpected field type"},
      {"GetItem", R"({"AttributesToGet":{}})",
       "Start of structure or map found where not expected"},
      {"GetItem", R"({"ConsistentRead":1})", "NUMBER_VALUE cannot be converted to Boolean"},
      {"Query", R"({"Limit":"1"})", "STRING_VALUE cannot be converted to Integer"},
      {"Query", R"({"Limit":true})", "TRUE_VALUE cannot be converted to Integer"},
      {"Query", R"({"Limit":[]})", "Unrecognized collection type class java.lang.Integer"},
      {"Query", R"({"KeyConditions":{"a":[]}})",
       "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Condition"},
      {"BatchGetItem", R"({"RequestItems":{"abc":1}})", "Unexpected value type in payload"},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[1]}}})", kCast},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[[]]}}})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {"BatchWriteItem", R"({"RequestItems":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>"},
      {"BatchWriteItem", R"({"RequestItems":{"abc":1}})", kCast},
      {"BatchWriteItem", R"({"RequestItems":{"abc":{}}})",
       "Start of structure or map found where not expected"},
      {"BatchWriteItem", R"({"RequestItems":{"abc":[{"PutRequest":[]}]}})",
       "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.PutRequest"},
      {"CreateTable", R"({"ProvisionedThroughput":{"ReadCapacityUnits":"1"}})",
       "STRING_VALUE cannot be converted to Long"},
      {"CreateTable", R"({"KeySchema":["a"]})", "Unexpected value type in payload"},
      {"CreateTable", R"({"GlobalSecondaryIndexes":[{"Projection":"a"}]})",
       "Unexpected field type"},
      {"ListTables", R"({"Limit":{}})", "Start of structure or map found where not expected"},
  };
  for (const auto& [operation, body, message] : kCases) {
    const Answer answer = Send(operation, body);
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.body, SerializationBody(message)) << operation << " " << body;
  }
}

#define PJ_CONSTRAINT(value, path, text) \
  "Value " value " at '" path "' failed to satisfy constraint: Member must " text
#define PJ_ONE_ERROR(value, path, text) \
  "1 validation error detected: " PJ_CONSTRAINT(value, path, text)

TEST_F(RequestErrors, Constraints) {
  const Case kCases[] = {
      {"PutItem", R"({"Item":{"a":{"S":"x"}}})", PJ_ONE_ERROR("null", "tableName", "not be null")},
      {"PutItem", R"({})",
       "2 validation errors detected: " PJ_CONSTRAINT(
           "null", "tableName", "not be null") "; " PJ_CONSTRAINT("null", "item", "not be null")},
      {"PutItem", R"({"TableName":"","ReturnValues":"x"})",
       "1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member "
       "must "
       "have length greater than or equal to 1"},
      {"PutItem", R"({"TableName":"bad table!@#","Item":{}})",
       PJ_ONE_ERROR("'bad table!@#'", "tableName",
                    "satisfy regular expression pattern: [a-zA-Z0-9_.-]+")},
      {"PutItem", R"({"TableName":"ab","Item":{}})",
       "TableName must be at least 3 characters long and at most 255 characters long"},
      {"PutItem",
       R"({"ReturnValues":"b","TableName":"abc","ReturnItemCollectionMetrics":"c","Item":{},"ReturnConsumedCapacity":"a"})",
       "3 validation errors detected: " PJ_CONSTRAINT(
           "'a'", "returnConsumedCapacity",
           "satisfy enum value set: [INDEXES, TOTAL, NONE]") "; Failed to satisfy constraint: "
                                                             "Member must satisfy enum value set: "
                                                             "[ALL_OLD, UPDATED_OLD, "
                                                             "ALL_NEW, UPDATE_NEW, "
                                                             "NONE]; " PJ_CONSTRAINT(
                                                                 "'c'",
                                                                 "returnItemCollectionMetrics",
                                                                 "satisfy enum value set: [SIZE, "
                                                                 "NONE]")},
      {"PutItem", R"({"TableName":"abc","Item":{},"Expected":{"a":{"ComparisonOperator":"X"}}})",
       PJ_ONE_ERROR("'X'", "expected.a.member.comparisonOperator",
                    "satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, "
                    "NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]")},
      {"GetItem", R"({"TableName":"abc"})", PJ_ONE_ERROR("null", "key", "not be null")},
      {"GetItem", R"({"TableName":"abc","Key":{},"AttributesToGet":[]})",
       PJ_ONE_ERROR("'[]'", "attributesToGet", "have length greater than or equal to 1")},
      {"GetItem", R"({"TableName":"abc","Key":{},"AttributesToGet":[null]})",
       "2 validation errors detected: " PJ_CONSTRAINT(
           "null", "attributesToGet.1.member",
           "not be null") "; " PJ_CONSTRAINT("'[null]'", "attributesToGet",
                                             "have length greater than or equal to 1")},
      {"Query", R"({"TableName":"abc","Select":"INVALID_VALUE"})",
       PJ_ONE_ERROR("'INVALID_VALUE'", "select",
                    "satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, "
                    "ALL_PROJECTED_ATTRIBUTES]")},
      {"Query", R"({"TableName":"abc","Limit":0})",
       "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must "
       "have value greater than or equal to 1"},
      {"Query", R"({"TableName":"abc","IndexName":"a;"})",
       "2 validation errors detected: " PJ_CONSTRAINT(
           "'a;'", "indexName",
           "satisfy regular expression pattern: [a-zA-Z0-9_.-]+") "; " PJ_CONSTRAINT("'a;'",
                                                                                     "indexName",
                                                                                     "have length "
                                                                                     "greater than "
                                                                                     "or equal to "
                                                                                     "3")},
      {"Query", R"({"TableName":"abc","KeyConditions":{"a":{}}})",
       PJ_ONE_ERROR("null", "keyConditions.a.member.comparisonOperator", "not be null")},
      {"Scan", R"({"TableName":"abc","Limit":0})",
       PJ_ONE_ERROR("'0'", "limit", "have value greater than or equal to 1")},
      {"Scan", R"({"TableName":"abc","Segment":-1,"TotalSegments":1000001})",
       "2 validation errors detected: " PJ_CONSTRAINT(
           "'1000001'", "totalSegments",
           "have value less than or equal to 1000000") "; " PJ_CONSTRAINT("'-1'", "segment",
                                                                          "have value greater than "
                                                                          "or equal to 0")},
      {"BatchGetItem", R"({})", PJ_ONE_ERROR("null", "requestItems", "not be null")},
      {"BatchGetItem", R"({"RequestItems":{}})",
       "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member "
       "must have length greater than or equal to 1"},
      {"BatchGetItem", R"({"RequestItems":{"abc":{}}})",
       PJ_ONE_ERROR("null", "requestItems.abc.member.keys", "not be null")},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[]}}})",
       "1 validation error detected: Value at 'RequestItems.abc.member.Keys' failed to satisfy "
       "constraint: Member must have length greater than or equal to 1"},
      {"BatchWriteItem", R"({"RequestItems":{}})",
       "The requestItems parameter is required for BatchWriteItem"},
      {"BatchWriteItem", R"({"RequestItems":{"abc":[]}})",
       "1 validation error detected: Value '{abc=[]}' at 'requestItems' failed to satisfy "
       "constraint: Map value must satisfy constraint: [Member must have length less than or equal "
       "to 25, Member must have length greater than or equal to 1]"},
      {"BatchWriteItem", R"({"RequestItems":{"abc":[{}]}})",
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
       "supported datatypes"},
      {"BatchWriteItem", R"({"RequestItems":{"abc":[{"DeleteRequest":{},"PutRequest":{}}]}})",
       "2 validation errors detected: " PJ_CONSTRAINT(
           "null", "requestItems.abc.member.1.member.deleteRequest.key",
           "not be null") "; " PJ_CONSTRAINT("null",
                                             "requestItems.abc.member.1.member.putRequest.item",
                                             "not be null")},
      {"TransactGetItems", R"({"TransactItems":[]})",
       PJ_ONE_ERROR("'[]'", "transactItems", "have length greater than or equal to 1")},
      {"TransactGetItems", R"({"TransactItems":[{}]})",
       PJ_ONE_ERROR("null", "transactItems.1.member.get", "not be null")},
      {"TransactWriteItems", R"({"TransactItems":[{"Update":{"TableName":"abc","Key":{}}}]})",
       PJ_ONE_ERROR("null", "transactItems.1.member.update.updateExpression", "not be null")},
      {"TransactWriteItems", R"({"TransactItems":[{}]})",
       "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"},
      {"TransactWriteItems",
       R"({"TransactItems":[{"Put":{"TableName":"abc","Item":{}},"Delete":{"TableName":"abc","Key":{}}}]})",
       "TransactItems can only contain one of Check, Put, Update or Delete"},
      {"CreateTable", R"({"AttributeDefinitions":[],"KeySchema":[]})",
       "The parameter 'TableName' is required but was not present in the request"},
      {"CreateTable", R"({"TableName":"ab"})",
       PJ_ONE_ERROR("'ab'", "tableName", "have length greater than or equal to 3")},
      {"CreateTable",
       R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"p","AttributeType":"INVALID"}],"KeySchema":[{"AttributeName":"p","KeyType":"INVALID"}]})",
       "2 validation errors detected: " PJ_CONSTRAINT(
           "'INVALID'", "attributeDefinitions.1.member.attributeType",
           "satisfy enum value set: [B, N, S]") "; " PJ_CONSTRAINT("'INVALID'",
                                                                   "keySchema.1.member.keyType",
                                                                   "satisfy enum value set: [HASH, "
                                                                   "RANGE]")},
      {"CreateTable",
       R"({"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"},{"AttributeName":"c","KeyType":"RANGE"}]})",
       PJ_ONE_ERROR("'[KeySchemaElement(attributeName=a, keyType=HASH), "
                    "KeySchemaElement(attributeName=b, keyType=RANGE), "
                    "KeySchemaElement(attributeName=c, keyType=RANGE)]'",
                    "keySchema", "have length less than or equal to 2")},
      {"DescribeTable", R"({})",
       "The parameter 'TableName' is required but was not present in the request"},
      {"ListTables", R"({"Limit":0})",
       PJ_ONE_ERROR("'0'", "limit", "have value greater than or equal to 1")},
      {"ListTables", R"({"Limit":101})",
       PJ_ONE_ERROR("'101'", "limit", "have value less than or equal to 100")},
      {"TagResource", R"({"ResourceArn":"arn:x"})", PJ_ONE_ERROR("null", "tags", "not be null")},
      {"TagResource", R"({"ResourceArn":"arn:x","Tags":[]})",
       "Atleast one Tag needs to be provided as Input."},
  };
  for (const auto& [operation, body, message] : kCases) {
    const Answer answer = Send(operation, body);
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.body, ValidationBody(message)) << operation << " " << body;
  }
}

TEST_F(RequestErrors, ValuesOfRequests) {
  constexpr std::string_view kEmpty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  const std::string kEmptyFor =
      "ExpressionAttributeValues contains invalid value: " + std::string(kEmpty) + " for key :a";
  const std::string kEmptyStart = "The provided starting key is invalid: " + std::string(kEmpty);
  const std::string kEnveloped = "1 validation error detected: " + std::string(kEmpty);
  const Case kCases[] = {
      {"PutItem", R"({"TableName":"abc","Item":{"a":{}}})", kEnveloped},
      // Whatever their order in the document: the item's fault first, then that of the values.
      {"PutItem",
       R"({"ExpressionAttributeValues":{":a":{}},"ConditionExpression":"a = :a","TableName":"abc","Item":{"a":{"N":"b"}}})",
       "1 validation error detected: The parameter cannot be converted to a numeric value: b"},
      {"PutItem",
       R"({"ExpressionAttributeValues":{":a":{}},"ConditionExpression":"a = :a","TableName":"abc","Item":{"a":{"N":"1"}}})",
       kEnveloped},
      {"UpdateItem",
       R"({"TableName":"abc","Key":{"a":{"S":"x"}},"AttributeUpdates":{"b":{"Value":{}}}})",
       kEnveloped},
      {"Scan",
       R"({"TableName":"abc","FilterExpression":"a = :a","ExpressionAttributeValues":{":a":{}}})",
       kEmptyFor},
      {"Scan", R"({"TableName":"abc","ExclusiveStartKey":{"a":{}}})", kEmptyStart},
      {"Query",
       R"({"TableName":"abc","KeyConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"S":"a"}},"ExclusiveStartKey":{"a":{}}})",
       kEmpty},
      {"Scan", R"({"TableName":"abc","ExclusiveStartKey":{"a":{"N":"x"}}})",
       "The parameter cannot be converted to a numeric value: x"},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[{"a":{}}]}}})", kEmpty},
      {"BatchWriteItem", R"({"RequestItems":{"abc":[{"PutRequest":{"Item":{"a":{}}}}]}})", kEmpty},
  };
  for (const auto& [operation, body, message] : kCases) {
    EXPECT_EQ(Send(operation, body).body, ValidationBody(message)) << operation << " " << body;
  }
}

std::string Repeat(std::string_view piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text.append(i == 0 ? "" : ",").append(piece);
  }
  return text;
}

TEST_F(RequestErrors, CountsAtTheirLimits) {
  const auto batch_get = [&](int keys) {
    return Send("BatchGetItem",
                R"({"RequestItems":{"abc":{"Keys":[)" + Repeat(R"({"a":{"S":"x"}})", keys) + "]}}}")
        .body;
  };
  EXPECT_EQ(batch_get(101),
            ValidationBody("1 validation error detected: Value at 'RequestItems.abc.member.Keys' "
                           "failed to satisfy constraint: Member must have length less than or "
                           "equal to 100"));
  EXPECT_NE(batch_get(100), batch_get(101));

  const auto batch_write = [&](int items) {
    return Send("BatchWriteItem", R"({"RequestItems":{"abc":[)" +
                                      Repeat(R"({"PutRequest":{"Item":{"a":{"S":"x"}}}})", items) +
                                      "]}}")
        .body;
  };
  EXPECT_THAT(batch_write(26), testing::HasSubstr("Map value must satisfy constraint: "));
  EXPECT_THAT(batch_write(25),
              testing::Not(testing::HasSubstr("Map value must satisfy constraint: ")));

  const auto transact = [&](int items) {
    return Send("TransactWriteItems",
                R"({"TransactItems":[)" +
                    Repeat(R"({"Put":{"TableName":"abc","Item":{"a":{"S":"x"}}}})", items) + "]}")
        .body;
  };
  EXPECT_THAT(transact(101), testing::HasSubstr("}]' at 'transactItems' failed to satisfy "
                                                "constraint: Member must have length less than or "
                                                "equal to 100"));
  EXPECT_THAT(transact(100), testing::Not(testing::HasSubstr("failed to satisfy constraint")));

  const auto token = [&](std::size_t size) {
    return Send("TransactWriteItems", R"({"ClientRequestToken":")" + std::string(size, 'x') +
                                          R"(","TransactItems":[)" +
                                          R"({"Put":{"TableName":"abc","Item":{"a":{"S":"x"}}}}]})")
        .body;
  };
  EXPECT_EQ(token(36), kNotFound);
  EXPECT_THAT(token(37), testing::HasSubstr("Member must have length less than or equal to 36"));

  const auto name = [&](std::size_t size) {
    return Send("GetItem",
                R"({"TableName":")" + std::string(size, 'x') + R"(","Key":{"a":{"S":"x"}}})")
        .body;
  };
  EXPECT_THAT(name(2), testing::HasSubstr("at least 3 characters"));
  EXPECT_EQ(name(3), kNotFound);
  EXPECT_EQ(name(255), kNotFound);
  EXPECT_THAT(name(256), testing::HasSubstr("Member must have length less than or equal to 255"));
}

TEST_F(RequestErrors, AtMostTenConstraintsAreNamed) {
  EXPECT_THAT(Send("CreateTable", R"({"TableName":"abc","KeySchema":[],"AttributeDefinitions":[)" +
                                      Repeat("{}", 20) + "]}")
                  .body,
              testing::HasSubstr("10 validation errors detected: "));
}

// Lists and maps that are far too long are not read to their end, and not taken as if they ended there.
TEST_F(RequestErrors, LongListsAndMaps) {
  const auto repeat = [](std::string_view part, int count) {
    std::string text(part);
    for (int i = 1; i < count; ++i) {
      text.append(",").append(part);
    }
    return text;
  };
  const std::string statement = R"({"Statement":"SELECT * FROM T WHERE pk = ?","Parameters":[)";
  EXPECT_EQ(Send("ExecuteStatement", statement + repeat(R"({"N":"1"})", 20'000) + "]}").body,
            ValidationBody("Number of parameters in request and statement don't match."));
  EXPECT_EQ(Send("ExecuteStatement", statement + repeat(R"({"N":"1"})", 20'001) + "]}").body,
            ValidationBody("One or more parameter values were invalid: parameters may have 20000 "
                           "members at the most"));

  std::string filter;
  for (int i = 0; i < 20'001; ++i) {
    filter += R"(,"a)" + std::to_string(i) + R"(":{"ComparisonOperator":"NULL"})";
  }
  EXPECT_EQ(
      Send("Scan", R"({"TableName":"Table","ScanFilter":{)" + filter.substr(1) + "}}").body,
      ValidationBody("One or more parameter values were invalid: scanFilter may have 20000 members "
                     "at the most"));

  // The service's own words come first.
  const std::string answer =
      Send("TransactWriteItems", R"({"TransactItems":[)" + repeat("{}", 30'000) + "]}").body;
  EXPECT_NE(answer.find("Member must have length less than or equal to 100"), std::string::npos);
}

}  // namespace
}  // namespace prejoin::wire
