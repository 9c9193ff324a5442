// What the engine and the wire ask before they do anything.
#include "wire/access_check.h"

#include <gmock/gmock.h>

#include "tests/wire/access_recorder.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class AccessCheckTest : public testing::Test {
 protected:
  AccessCheckTest() {
    Send("CreateTable", R"({"TableName":"Tab","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"S"},
        {"AttributeName":"n","AttributeType":"N"}],
      "KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],
      "GlobalSecondaryIndexes":[{"IndexName":"ByN","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"n","KeyType":"HASH"}]}]})");
    Send(
        "PutItem",
        R"({"TableName":"Tab","Item":{"p":{"S":"a"},"s":{"S":"1"},"n":{"N":"7.0"},"x":{"S":"y"}}})");
  }
  Answer Send(std::string_view operation, std::string_view body) {
    return service_.Handle("DynamoDB_20120810." + std::string(operation), body, RequestBudget(),
                           "localhost", &recorder_);
  }
  std::vector<std::string> Asked(std::string_view operation, std::string_view body) {
    recorder_.allows = true;
    const Answer answer = Send(operation, body);
    EXPECT_EQ(answer.status, 200) << answer.body;
    std::vector<std::string> asked = recorder_.asked;
    // The same questions, and nothing done, for whoever may not.
    recorder_.allows = false;
    const Answer refused = Send(operation, body);
    EXPECT_EQ(refused.status, operation == "BatchExecuteStatement" ? 200 : 400) << refused.body;
    EXPECT_THAT(refused.body, HasSubstr("AccessDenied"));
    EXPECT_THAT(refused.body, testing::Not(HasSubstr("\"y\"")));
    return asked;
  }

  std::unique_ptr<engine::Engine> engine_ = *engine::Engine::Open(Options{});
  Service service_{*engine_};
  Recorder recorder_;
};

TEST_F(AccessCheckTest, AsksForReadsOfItems) {
  EXPECT_THAT(Asked("GetItem", R"({"TableName":"Tab","Key":{"p":{"S":"a"},"s":{"S":"1"}}})"),
              ElementsAre("get Tab keys=a attributes=p,s ALL_ATTRIBUTES"));
  EXPECT_THAT(
      Asked(
          "GetItem",
          R"({"TableName":"Tab","Key":{"p":{"S":"a"},"s":{"S":"1"}},"ProjectionExpression":"x.y[0], z"})"),
      ElementsAre("get Tab keys=a attributes=p,s,x,z SPECIFIC_ATTRIBUTES"));
  EXPECT_THAT(
      Asked(
          "BatchGetItem",
          R"({"RequestItems":{"Tab":{"Keys":[{"p":{"S":"a"},"s":{"S":"1"}},{"p":{"S":"b"},"s":{"S":"1"}}]}}})"),
      ElementsAre("get Tab keys=a attributes=p,s ALL_ATTRIBUTES",
                  "get Tab keys=b attributes=p,s ALL_ATTRIBUTES"));
  EXPECT_THAT(
      Asked(
          "TransactGetItems",
          R"({"TransactItems":[{"Get":{"TableName":"Tab","Key":{"p":{"S":"a"},"s":{"S":"1"}}}}]})"),
      ElementsAre("get Tab keys=a attributes=p,s ALL_ATTRIBUTES"));
}

TEST_F(AccessCheckTest, AsksForPages) {
  EXPECT_THAT(
      Asked("Query",
            R"({"TableName":"Tab","KeyConditionExpression":"p = :p","FilterExpression":"x = :p",
                "ExpressionAttributeValues":{":p":{"S":"a"}}})"),
      ElementsAre("query Tab keys=a attributes=p,s,x ALL_ATTRIBUTES"));
  EXPECT_THAT(
      Asked(
          "Query",
          R"({"TableName":"Tab","IndexName":"ByN","KeyConditionExpression":"n = :n","Select":"COUNT",
                "ExpressionAttributeValues":{":n":{"N":"7.00"}}})"),
      ElementsAre("query Tab.ByN keys=7 attributes=n,p,s COUNT"));
  EXPECT_THAT(Asked("Scan", R"({"TableName":"Tab","ProjectionExpression":"x"})"),
              ElementsAre("scan Tab keys= attributes=p,s,x SPECIFIC_ATTRIBUTES"));
}

// The HASH attribute of a vector index is its leading key; an index without one has none.
TEST_F(AccessCheckTest, AsksForSearches) {
  recorder_.allows = true;
  Send("CreateTable", R"({"TableName":"Vec","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"t","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],
    "VectorIndexes":[{"IndexName":"OfOne","VectorAttribute":{"AttributeName":"e"},"Dimensions":1,"DistanceFunction":"EUCLIDEAN",
      "Projection":{"ProjectionType":"ALL"},"SearchSchema":[{"AttributeName":"t","SearchSchemaElementType":"HASH"}]},
      {"IndexName":"OfAll","VectorAttribute":{"AttributeName":"e"},"Dimensions":1,"DistanceFunction":"EUCLIDEAN","Projection":{"ProjectionType":"ALL"}}]})");
  Send(
      "PutItem",
      R"({"TableName":"Vec","Item":{"p":{"S":"1"},"t":{"S":"green"},"x":{"S":"y"},"e":{"L":[{"N":"1"}]}}})");
  EXPECT_THAT(Asked("SearchVectors",
                    R"({"TableName":"Vec","IndexName":"OfOne","TopK":1,"SearchVector":[{"N":"1"}],
                "SearchConditionExpression":"t = :t","ExpressionAttributeValues":{":t":{"S":"green"}}})"),
              ElementsAre("search Vec.OfOne keys=green attributes=e,p,t ALL_PROJECTED_ATTRIBUTES"));
  EXPECT_THAT(
      Asked(
          "SearchVectors",
          R"({"TableName":"Vec","IndexName":"OfAll","TopK":1,"SearchVector":[{"N":"1"}],"ProjectionExpression":"x"})"),
      ElementsAre("search Vec.OfAll keys= attributes=e,p,x SPECIFIC_ATTRIBUTES"));
}

TEST_F(AccessCheckTest, AsksForWrites) {
  EXPECT_THAT(
      Asked("PutItem", R"j({"TableName":"Tab","Item":{"p":{"S":"a"},"s":{"S":"1"},"x":{"S":"y"}},
                "ConditionExpression":"attribute_exists(w)  OR attribute_exists(p)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"})j"),
      ElementsAre("put Tab keys=a attributes=p,s,w,x ALL_OLD"));
  EXPECT_THAT(Asked("UpdateItem", R"({"TableName":"Tab","Key":{"p":{"S":"a"},"s":{"S":"1"}},
                "UpdateExpression":"SET a = if_not_exists(b, x), c = list_append(:l, :l) REMOVE d ADD e :n",
                "ExpressionAttributeValues":{":l":{"L":[]},":n":{"N":"1"}}})"),
              ElementsAre("update Tab keys=a attributes=a,b,c,d,e,p,s,x"));
  EXPECT_THAT(
      Asked("BatchWriteItem",
            R"({"RequestItems":{"Tab":[{"PutRequest":{"Item":{"p":{"S":"q"},"s":{"S":"1"}}}},
                {"DeleteRequest":{"Key":{"p":{"S":"r"},"s":{"S":"1"}}}}]}})"),
      ElementsAre("put Tab keys=q attributes=p,s", "delete Tab keys=r attributes=p,s"));
  EXPECT_THAT(
      Asked(
          "TransactWriteItems",
          R"j({"TransactItems":[{"Delete":{"TableName":"Tab","Key":{"p":{"S":"r"},"s":{"S":"1"}}}},
                {"ConditionCheck":{"TableName":"Tab","Key":{"p":{"S":"v"},"s":{"S":"1"}},"ConditionExpression":"attribute_not_exists(x)"
  }
  }]
  })j"),
      ElementsAre("delete Tab keys=r attributes=p,s", "check Tab keys=v attributes=p,s,x"));
}

TEST_F(AccessCheckTest, AsksForWhatAStatementTouches) {
  const auto execute = [&](const std::string& statement) {
    return Asked("ExecuteStatement", "{\"Statement\":\"" + statement + "\"}");
  };
  EXPECT_THAT(execute("SELECT * FROM Tab WHERE p = 'a' AND x = 'y'"),
              ElementsAre("query Tab keys=a attributes=p,s,x ALL_ATTRIBUTES"));
  // Each partition is a page, and all of them are asked for before the first.
  EXPECT_THAT(execute("SELECT x FROM Tab WHERE p IN ['b', 'a']"),
              ElementsAre("query Tab keys=b,a attributes=p,s,x SPECIFIC_ATTRIBUTES",
                          "query Tab keys=b,a attributes=p,s,x SPECIFIC_ATTRIBUTES"));
  EXPECT_THAT(execute("SELECT * FROM Tab WHERE x = 'y'"),
              ElementsAre("scan Tab keys= attributes=p,s,x ALL_ATTRIBUTES"));
  EXPECT_THAT(execute("SELECT * FROM Tab.ByN WHERE n = 7"),
              ElementsAre("query Tab.ByN keys=7 attributes=n,p,s ALL_PROJECTED_ATTRIBUTES"));
  EXPECT_THAT(execute("UPDATE Tab SET a = 1 WHERE p = 'a' AND s = '1'"),
              ElementsAre(HasSubstr("update Tab keys=a attributes=a,p,s")));
  EXPECT_THAT(
      Asked("BatchExecuteStatement",
            R"({"Statements":[{"Statement":"SELECT x FROM Tab WHERE p = 'a' AND s = '1'"}]})"),
      ElementsAre("get Tab keys=a attributes=p,s,x SPECIFIC_ATTRIBUTES"));
  EXPECT_THAT(
      Asked(
          "ExecuteTransaction",
          R"({"TransactStatements":[{"Statement":"SELECT * FROM Tab WHERE p = 'a' AND s = '1'"}]})"),
      ElementsAre("get Tab keys=a attributes=p,s ALL_ATTRIBUTES"));
}

// Of two members of one name the check and the operation could see different ones.
TEST_F(AccessCheckTest, RefusesRepeatedMembers) {
  const char* const kKey = R"("TableName":"Tab","Key":{"p":{"S":"a"},"s":{"S":"1"}})";
  recorder_.allows = true;
  const std::pair<const char*, std::string> requests[] = {
      {"DescribeTable", R"({"TableName":"Tab","TableName":"Uvw"})"},
      {"DescribeTable", R"({"TableName":"Tab","Tabl\u0065Name":"Uvw"})"},
      {"DeleteItem", std::string("{") + kKey + R"(,"ReturnValues":"ALL_OLD","ReturnValues":null})"},
      {"DeleteItem", std::string("{") + kKey + R"(,"ReturnValues":null,"ReturnValues":"ALL_OLD"})"},
      {"DeleteItem",
       std::string("{") + kKey + R"(,"ReturnValues":"ALL_OLD","Retur\u006eValues":"NONE"})"},
      {"TransactGetItems",
       std::string(R"({"TransactItems":[{"Get":{"TableName":"Uvw",)") + kKey + "}}]}"},
      {"TransactWriteItems",
       std::string(R"({"TransactItems":[{"Delete":{)") + kKey + R"(},"Delete":{)" + kKey + "}}]}"},
  };
  for (const auto& [operation, body] : requests) {
    const Answer answer = Send(operation, body);
    EXPECT_EQ(answer.status, 400) << body;
    // A name that was not asked about is refused where it is read, before the second one is seen.
    EXPECT_THAT(answer.body, testing::AnyOf(HasSubstr("occurs more than once"),
                                            HasSubstr("that it was not authorized for")))
        << body;
  }
  // Without policies too, so that whoever stands before the server sees what it does.
  EXPECT_THAT(
      service_.Handle("DynamoDB_20120810.DescribeTable", R"({"TableName":"Tab","TableName":"Tab"})")
          .body,
      HasSubstr("SerializationException"));
}

// Whatever way an answer shows the item: that is what policies are asked about.
TEST_F(AccessCheckTest, AsksForWhatTheAnswerShows) {
  const auto execute = [&](const std::string& statement, const std::string& more = "") {
    recorder_.allows = true;
    Send("ExecuteStatement", "{\"Statement\":\"" + statement + "\"" + more + "}");
    return recorder_.asked;
  };
  const std::string where = " WHERE p = 'a' AND s = '1'";
  EXPECT_THAT(execute("UPDATE Tab SET z = 1" + where + " RETURNING ALL OLD *"),
              ElementsAre("update Tab keys=a attributes=p,s,z ALL_OLD"));
  EXPECT_THAT(execute("UPDATE Tab SET z = 1" + where + " RETURNING ALL NEW *"),
              ElementsAre("update Tab keys=a attributes=p,s,z ALL_NEW"));
  EXPECT_THAT(execute("UPDATE Tab SET z = 1" + where + " RETURNING MODIFIED OLD *"),
              ElementsAre("update Tab keys=a attributes=p,s,z UPDATED_OLD"));
  EXPECT_THAT(execute("UPDATE Tab SET z = 1" + where + " RETURNING MODIFIED NEW *"),
              ElementsAre("update Tab keys=a attributes=p,s,z UPDATED_NEW"));
  EXPECT_THAT(execute("DELETE FROM Tab WHERE p = 'q' AND s = '1' RETURNING ALL OLD *"),
              ElementsAre("delete Tab keys=q attributes=p,s ALL_OLD"));
  EXPECT_THAT(execute("UPDATE Tab SET z = 1" + where,
                      R"(,"ReturnValuesOnConditionCheckFailure":"ALL_OLD")"),
              ElementsAre("update Tab keys=a attributes=p,s,z ALL_OLD"));
  // A failed condition may show more than a successful write: both are asked about.
  EXPECT_THAT(execute("UPDATE Tab SET z = 1" + where + " RETURNING MODIFIED NEW *",
                      R"(,"ReturnValuesOnConditionCheckFailure":"ALL_OLD")"),
              ElementsAre("update Tab keys=a attributes=p,s,z UPDATED_NEW",
                          "update Tab keys=a attributes=p,s,z ALL_OLD"));
  EXPECT_THAT(
      Asked(
          "TransactWriteItems",
          R"j({"TransactItems":[{"ConditionCheck":{"TableName":"Tab","Key":{"p":{"S":"a"},"s":{"S":"1"}},
                "ConditionExpression":"attribute_exists(p)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]})j"),
      ElementsAre("check Tab keys=a attributes=p,s ALL_OLD"));
  EXPECT_THAT(
      Asked("DeleteItem",
            R"({"TableName":"Tab","Key":{"p":{"S":"r"},"s":{"S":"1"}},"ReturnValues":"ALL_OLD"})"),
      ElementsAre("delete Tab keys=r attributes=p,s ALL_OLD"));
}

// Parts of a request that need a permission of their own, and what conditions may look at.
TEST_F(AccessCheckTest, AsksForTagsAndPoliciesOfANewTable) {
  recorder_.allows = true;
  const Answer answer = Send("CreateTable", R"({"TableName":"New","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],
    "Tags":[{"Key":"team","Value":"green"}],"ResourcePolicy":"{}"})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  const std::string arn = "arn:aws:dynamodb:us-east-1:123456789012:table/New";
  EXPECT_THAT(recorder_.asked, ElementsAre("CreateTable " + arn, "PutResourcePolicy " + arn,
                                           "TagResource " + arn, "policy {}"));
  EXPECT_EQ(recorder_.tags, (std::map<std::string, std::string>{{"team", "green"}}));
  EXPECT_THAT(recorder_.tag_keys, ElementsAre("team"));
  Send("UntagResource", R"({"ResourceArn":")" + arn + R"(","TagKeys":["team","cost"]})");
  EXPECT_THAT(recorder_.tag_keys, ElementsAre("team", "cost"));
}

// Whatever is added to the table of operations: nobody who may do nothing is answered.
TEST_F(AccessCheckTest, AnswersNothingToWhoMayDoNothing) {
  constexpr std::string_view kBody =
      R"({"TableName":"Tab","GlobalTableName":"Tab","SourceTableName":"Tab","TargetTableName":"Uvw",
    "TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Tab","ResourceArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Tab",
    "StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Tab/stream/2026-01-01T00:00:00.000",
    "BackupArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Tab/backup/01234567890123-01234567",
    "ExportArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Tab/export/01234567890123-01234567",
    "ImportArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Tab/import/01234567890123-01234567",
    "TableCreationParameters":{"TableName":"Uvw"},"Key":{"p":{"S":"a"},"s":{"S":"1"}},"Item":{"p":{"S":"a"},"s":{"S":"1"}},
    "Statement":"SELECT * FROM Tab","Statements":[{"Statement":"SELECT * FROM Tab WHERE p = 'a' AND s = '1'"}],
    "TransactStatements":[{"Statement":"SELECT * FROM Tab WHERE p = 'a' AND s = '1'"}],
    "RequestItems":{"Tab":{"Keys":[{"p":{"S":"a"},"s":{"S":"1"}}]}},"TransactItems":[{"Get":{"TableName":"Tab","Key":{"p":{"S":"a"},"s":{"S":"1"}}}}],
    "IndexName":"ByN","KeyConditionExpression":"p = p"})";
  recorder_.allows = false;
  for (std::size_t i = 0; i + 1 < Service::OperationCount(); ++i) {
    const std::string name(Service::OperationName(i));
    const bool is_stream = name == "DescribeStream" || name == "GetRecords" ||
                           name == "GetShardIterator" || name == "ListStreams";
    const Answer answer =
        service_.Handle((is_stream ? "DynamoDBStreams_20120810." : "DynamoDB_20120810.") + name,
                        kBody, RequestBudget(), "localhost", &recorder_);
    EXPECT_EQ(recorder_.operation, name);
    // An iterator names no stream until it is read, and a batch of statements has an answer for each.
    if (name == "GetRecords") {
      EXPECT_EQ(answer.status, 400);
    } else {
      EXPECT_THAT(answer.body, HasSubstr("AccessDenied")) << name;
    }
  }
}

}  // namespace
}  // namespace prejoin::wire
