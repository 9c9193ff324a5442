#include "server/region_backends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <future>

#include "tests/engine/test_database.h"

namespace prejoin::server {
namespace {

using testing::HasSubstr;

constexpr std::string_view kMusic =
    R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",
        "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
        "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})";

class RegionsTest : public testing::Test {
 protected:
  void Open() {
    engine = *engine::Engine::Open(options);
    home = std::make_unique<EngineBackend>(*engine);
    regions = std::make_unique<RegionBackends>(*home, options, "", log);
    ASSERT_TRUE(regions->OpenExisting());
  }
  void Close() {
    regions->Stop();
    home->Stop();
    regions.reset();
    home.reset();
    engine.reset();
  }

  wire::Answer Handle(const std::string& credential, std::string_view operation,
                      std::string_view body) {
    const std::string authorization =
        "AWS4-HMAC-SHA256 Credential=" + credential + ", SignedHeaders=host, Signature=0";
    const std::vector<HeaderField> fields = {{"Authorization", authorization},
                                             {"X-Amz-Date", "20150830T123600Z"}};
    const HttpRequest request{
        .method = Method::kPost, .target = "/", .fields = fields, .body = body};
    return regions->Handle("DynamoDB_20120810." + std::string(operation), request, RequestBudget(),
                           nullptr);
  }
  // `place` is a key and a region.
  std::string Send(const std::string& key, const std::string& region, std::string_view operation,
                   std::string_view body = "{}") {
    const wire::Answer answer =
        Handle(key + "/20150830/" + region + "/dynamodb/aws4_request", operation, body);
    bool durable = regions->IsDurable(answer.ticket);
    if (!durable) {
      std::promise<bool> done;
      regions->WhenDurable(answer.ticket,
                           [&](Status status) { done.set_value(status.has_value()); });
      durable = done.get_future().get();
    }
    EXPECT_TRUE(durable);
    return answer.body;
  }

  Options options;
  Log log{STDERR_FILENO, LogLevel::kOff, Clock::System()};
  std::unique_ptr<engine::Engine> engine;
  std::unique_ptr<EngineBackend> home;
  std::unique_ptr<RegionBackends> regions;
};

TEST_F(RegionsTest, KeepsTablesApartByRegionAndAccount) {
  Open();
  EXPECT_THAT(Send("x", "eu-west-1", "CreateTable", kMusic),
              HasSubstr("arn:aws:dynamodb:eu-west-1:123456789012:table/Music"));
  EXPECT_EQ(Send("x", "us-east-1", "ListTables"), R"({"TableNames":[]})");
  EXPECT_EQ(Send("another", "eu-west-1", "ListTables"), R"({"TableNames":["Music"]})");
  EXPECT_EQ(Send("ASIAQNZGKIQY56JQ7WML", "eu-west-1", "ListTables"), R"({"TableNames":[]})");
  EXPECT_THAT(Send("ASIAQNZGKIQY56JQ7WML", "us-east-1", "CreateTable", kMusic),
              HasSubstr("arn:aws:dynamodb:us-east-1:029608264753:table/Music"));
  EXPECT_EQ(Send("x", "us-east-1", "ListTables"), R"({"TableNames":[]})");
  EXPECT_TRUE(regions->Health());
  Close();
}

TEST_F(RegionsTest, GoesHomeWithWhatNamesNoRegion) {
  Open();
  Send("x", "us-east-1", "CreateTable", kMusic);
  for (const std::string& region : std::vector<std::string>{
           "", "..", "EU", "a b", "-x", std::string(33, 'a'), "region-0", "one-more", "local",
           "us-east-0", "us-east-10", "xx-east-1", "us-eastern-1", "us--1", "-1", "us-east"}) {
    EXPECT_EQ(Send("x", region, "ListTables"), R"({"TableNames":["Music"]})") << region;
  }
  EXPECT_EQ(Handle("x", "ListTables", "{}").body, R"({"TableNames":["Music"]})");
  Close();
}

TEST_F(RegionsTest, KeepsThemOnDiskAndFindsThemAgain) {
  const TestDirectory directory;
  options.path = directory.path();
  Open();
  Send("x", "us-east-1", "CreateTable", kMusic);
  Send("x", "eu-west-1", "CreateTable", kMusic);
  Send("x", "eu-west-1", "PutItem", R"({"TableName":"Music","Item":{"PK":{"S":"a"}}})");
  Close();
  Open();
  const std::string get = R"({"TableName":"Music","Key":{"PK":{"S":"a"}}})";
  EXPECT_EQ(Send("x", "eu-west-1", "GetItem", get), R"({"Item":{"PK":{"S":"a"}}})");
  EXPECT_EQ(Send("x", "us-east-1", "GetItem", get), "{}");
  Close();
}

TEST_F(RegionsTest, MakesNoMoreThanItsLimit) {
  Open();
  std::vector<std::string> names;
  for (const std::string area : {"eu", "ap", "ca", "sa"}) {
    for (char number = '1'; number <= '9'; ++number) {
      names.push_back(area + "-west-" + number);
    }
  }
  ASSERT_GT(names.size(), RegionBackends::kPlacesMax);
  for (std::size_t i = 0; i < RegionBackends::kPlacesMax; ++i) {
    EXPECT_EQ(Send("x", names[i], "ListTables"), R"({"TableNames":[]})") << names[i];
  }
  EXPECT_THAT(Send("x", names[RegionBackends::kPlacesMax], "ListTables"),
              HasSubstr("LimitExceededException"));
  EXPECT_EQ(Send("x", names[0], "ListTables"), R"({"TableNames":[]})");
  Close();
}

// Opening a database takes files and time: not on an event loop.
TEST_F(RegionsTest, LeavesTheOpeningToAWorker) {
  Open();
  const std::string authorization =
      "AWS4-HMAC-SHA256 Credential=x/20150830/eu-west-1/dynamodb/aws4_request, "
      "SignedHeaders=host, Signature=0";
  const std::vector<HeaderField> fields = {{"Authorization", authorization},
                                           {"X-Amz-Date", "20150830T123600Z"}};
  const HttpRequest request{.method = Method::kPost, .target = "/", .fields = fields, .body = "{}"};
  const auto ask = [&](RequestBudget::Attempt attempt) {
    return regions->Handle("DynamoDB_20120810.ListTables", request,
                           RequestBudget(attempt, 1 << 20, 1 << 20), nullptr);
  };
  EXPECT_TRUE(ask(RequestBudget::Attempt::kTrial).abandoned);
  EXPECT_EQ(ask(RequestBudget::Attempt::kFinal).status, 200);
  EXPECT_EQ(ask(RequestBudget::Attempt::kTrial).status, 200);
  EXPECT_FALSE(ask(RequestBudget::Attempt::kTrial).abandoned);
  Close();
}

}  // namespace
}  // namespace prejoin::server
