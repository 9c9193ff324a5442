// Requests that CloudTrail recorded become rates of patterns and writes.
#include "draft/workload/cloud_trail.h"

#include <gtest/gtest.h>

#include <string>

#include "draft/foreign/read_foreign.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"

namespace prejoin::draft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kTable = R"({"TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
  "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}, {"AttributeName": "Song", "KeyType": "RANGE"}],
  "AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"}, {"AttributeName": "Song", "AttributeType": "S"},
                           {"AttributeName": "Genre", "AttributeType": "S"}],
  "GlobalSecondaryIndexes": [{"IndexName": "ByGenre", "KeySchema": [{"AttributeName": "Genre", "KeyType": "HASH"},
      {"AttributeName": "Song", "KeyType": "RANGE"}], "Projection": {"ProjectionType": "ALL"}}]})";

std::string Event(int second, const std::string& name, const std::string& parameters) {
  char time[40];
  std::snprintf(time, sizeof time, "2024-01-31T18:%02d:%02dZ", second / 60, second % 60);
  return R"({"eventSource": "dynamodb.amazonaws.com", "eventCategory": "Data", "eventTime": ")" + std::string(time) +
         R"(", "eventName": ")" + name + R"(", "requestParameters": )" + parameters + "}";
}

std::string Log() {
  const std::string key = R"("key": {"Artist": "No One", "Song": "Scared"})";
  std::string events;
  for (int i = 0; i <= 100; ++i) {
    events += (i > 0 ? ",\n" : "") + Event(i, "GetItem", R"({"tableName": "Music", )" + key + "}");
  }
  for (int i = 0; i < 50; ++i) {
    events += "," + Event(i, "Query", R"({"tableName": "arn:aws:dynamodb:us-east-1:1:table/Music", "indexName": "ByGenre",
        "keyConditionExpression": "Genre = :g"})");
    events += "," + Event(i, "TransactWriteItems", R"({"transactItems": [{"update": {"tableName": "Music", )" + key +
                         R"(, "updateExpression": "SET #p = #p + :one, price = if_not_exists(a, b) REMOVE old",
                            "expressionAttributeNames": {"#p": "plays"}}}]})");
  }
  events += "," + Event(1, "PutItem", R"({"tableName": "Music", )" + key + R"(, "item": ["Artist", "Song"]})");
  events += "," + Event(1, "Scan", R"({"tableName": "Music"})");
  events += "," + Event(1, "GetItem", R"({"tableName": "Other", )" + key + "}");
  return R"({"Records": [)" + events + R"(, {"eventSource": "s3.amazonaws.com", "eventName": "GetObject"}]})";
}

std::string Imported(std::string_view text, const std::string& log, double seconds = 0) {
  const auto draft = ReadForeign({.text = text, .name = "Test", .query_log = log, .log_seconds = seconds});
  if (!draft) {
    return "error: " + draft.error().message;
  }
  const std::string source = PrintDraft(*draft);
  for (const model::Diagnostic& one : model::CheckModel(model::ReadModel(source))) {
    if (one.severity == model::Severity::kError) {
      ADD_FAILURE() << model::RenderDiagnostic("imported", source, one);
    }
  }
  return source;
}

TEST(CloudTrail, GivesPatternsAndWritesTheirRates) {
  const std::string source = Imported(kTable, Log());
  for (const char* part : {"find Music where Artist = :Artist and Song = :Song\n  rate 1.01/s",
                           "find Music where Genre = :Genre\n  rate 30/min", "update Music set plays, price, old\n  rate 30/min",
                           "plays  text optional  // in the log; its type is not known", "put Music\n  rate 36/hour",
                           "Scan of Music", "table Other, which is not in the file", "Rates from 204 events"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
}

TEST(CloudTrail, TakesAPeriodAndLines) {
  std::string lines;
  for (int i = 0; i < 10; ++i) {
    lines += Event(1, "GetItem", R"({"tableName": "Music", "key": {"Artist": "a", "Song": "b"}})") + "\n";
  }
  EXPECT_THAT(Imported(kTable, lines, 5), HasSubstr("rate 2/s"));
  EXPECT_THAT(Imported(kTable, lines), HasSubstr("// In the log: 10 requests."));
}

TEST(CloudTrail, SaysWhatIsMissing) {
  EXPECT_THAT(Imported("CREATE TABLE a (id int PRIMARY KEY);", Log()), HasSubstr("error: CloudTrail's events name tables of DynamoDB"));
  EXPECT_THAT(Imported(kTable, "SELECT 1;"), HasSubstr("error: statements of SQL need an SQL or Prisma schema"));
  EXPECT_THAT(Imported(kTable, R"({"Records": [{"eventSource": "s3.amazonaws.com", "eventName": "GetObject"}]})"),
              HasSubstr("error: the log has no data events of DynamoDB"));
}

TEST(CloudTrail, TellsItemsApartByTheirKeys) {
  Draft draft;
  draft.entities = {{"User", {{.name = "id", .key = true}}, 0, {}}, {"Order", {{.name = "user", .key = true}, {.name = "id", .key = true}}, 0, {}}};
  DraftTable table;
  table.name = "T";
  table.partition = "PK";
  table.sort = "SK";
  table.items = {{"User", {{"PK", "\"USER#{id}\""}, {"SK", "\"USER\""}}, {}, {}, {}},
                 {"Order", {{"PK", "\"USER#{user}\""}, {"SK", "\"ORDER#{id}\""}}, {}, {}, {}}};
  draft.tables.push_back(table);
  AddKeyPatterns(draft);
  const std::string log = Event(0, "GetItem", R"({"tableName": "T", "key": {"PK": {"S": "USER#1"}, "SK": {"S": "ORDER#7"}}})") + "\n" +
                          Event(10, "DeleteItem", R"({"tableName": "T", "key": {"PK": "USER#1", "SK": "USER"}})") + "\n" +
                          Event(10, "DeleteItem", R"({"tableName": "T", "key": {"PK": "else", "SK": "x"}})") + "\n";
  ASSERT_TRUE(AddCloudTrail(log, 0, draft).has_value());
  const std::string source = PrintDraft(draft);
  EXPECT_THAT(source, HasSubstr("find Order where user = :user and id = :id\n  rate 6/min"));
  EXPECT_THAT(source, HasSubstr("delete User\n  rate 6/min"));
  EXPECT_THAT(source, Not(HasSubstr("delete Order")));
  EXPECT_THAT(source, HasSubstr("with a key that fits no item"));
}

}  // namespace
}  // namespace prejoin::draft
