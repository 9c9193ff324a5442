// The members of AWS's service model that carry resources against what is asked before an operation runs. An operation whose row in
// wire/service.cc lacks a member, or whose reader takes a name that was not asked about, fails here.
#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "tests/wire/access_recorder.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;

struct Fact {
  std::string_view operation;
  std::string_view path;  // "TransactItems[].Put.TableName", "RequestItems{key}"
  std::string_view kind;
};
constexpr Fact kFacts[] = {
#include "tests/wire/service_resources.inc"
};

constexpr std::string_view kPlace = "arn:aws:dynamodb:us-east-1:123456789012:";

// Operations that have no resource in AWS's Service Authorization Reference: they need a permission on everything.
bool IsAboutAll(std::string_view operation) {
  constexpr std::array kAll = {"ListBackups", "ListContributorInsights", "ListGlobalTables",
                               "ListStreams", "ListTables"};
  return std::ranges::find(kAll, operation) != kAll.end();
}

// Streams of Kinesis belong to another service.
bool IsElsewhere(const Fact& fact) {
  return fact.path == "StreamArn" && fact.operation.find("Kinesis") != std::string_view::npos;
}

std::string TargetOf(std::string_view operation) {
  for (std::size_t i = 0; i + 1 < Service::OperationCount(); ++i) {
    if (Service::OperationName(i) == operation) {
      for (const char* service : {"DynamoDB_20120810.", "DynamoDBStreams_20120810."}) {
        const std::string target = service + std::string(operation);
        if (Service::OperationIndex(target) == i) {
          return target;
        }
      }
    }
  }
  return "";
}

// A body that has nothing but the text at the path.
std::string BodyWith(std::string_view path, const std::string& text) {
  if (path.empty()) {
    return "\"" + text + "\"";
  }
  const std::size_t end = path.find_first_of(".[{");
  if (end == 0) {
    if (path.starts_with(".")) {
      return BodyWith(path.substr(1), text);
    }
    if (path.starts_with("[]")) {
      return "[" + BodyWith(path.substr(2), text) + "]";
    }
    return "{\"" + text + "\":{}}";  // {key}
  }
  return "{\"" + std::string(path.substr(0, end)) +
         "\":" + BodyWith(end == std::string_view::npos ? "" : path.substr(end), text) + "}";
}

std::string SecretOf(const Fact& fact) {
  const std::string table = std::string(kPlace) + "table/Secret";
  constexpr std::string_view kId = "/01234567890123-01234567";
  if (fact.kind == "stream") {
    return table + "/stream/2026-01-01T00:00:00.000";
  }
  if (fact.kind == "backup" || fact.kind == "export" || fact.kind == "import") {
    return table + "/" + std::string(fact.kind) + std::string(kId);
  }
  return fact.kind == "resource" || fact.path.ends_with("Arn") ? table : "Secret";
}

class ServiceResourcesTest : public testing::Test {
 protected:
  Answer Send(const Fact& fact, const std::string& text) {
    std::string body = BodyWith(fact.path, text);
    if (fact.kind == "index") {
      body.insert(1, R"("TableName":"Tab",)");
    }
    return service_.Handle(TargetOf(fact.operation), body, RequestBudget(), "localhost",
                           &recorder_);
  }

  std::unique_ptr<engine::Engine> engine_ = *engine::Engine::Open(Options{});
  Service service_{*engine_};
  Recorder recorder_;
};

TEST_F(ServiceResourcesTest, EveryResourceThatARequestNamesIsAskedAbout) {
  ASSERT_GT(std::size(kFacts), 60u);
  recorder_.allows = false;
  for (const Fact& fact : kFacts) {
    SCOPED_TRACE(std::string(fact.operation) + " " + std::string(fact.path));
    ASSERT_NE(TargetOf(fact.operation), "") << "the operation is not in the dispatch table";
    if (IsElsewhere(fact)) {
      continue;
    }
    const Answer answer = Send(fact, SecretOf(fact));
    if (fact.path == "GlobalTableSourceArn") {  // There are no global tables to make a replica of.
      EXPECT_THAT(answer.body, HasSubstr("ValidationException"));
      continue;
    }
    std::vector<std::string> asked = recorder_.asked;
    asked.insert(asked.end(), recorder_.refusals.begin(), recorder_.refusals.end());
    if (IsAboutAll(fact.operation)) {
      EXPECT_THAT(asked, Contains(testing::EndsWith("*")));
    } else {
      EXPECT_THAT(asked, Contains(HasSubstr("Secret")));
    }
    EXPECT_THAT(answer.body, HasSubstr("AccessDenied"));
  }
}

// With every permission, an ARN that means no table of this server is refused: nothing is done to the table whose name it holds.
TEST_F(ServiceResourcesTest, AnArnThatIsNoTableOfOursIsRefused) {
  recorder_.allows = true;
  const Answer made = service_.Handle("DynamoDB_20120810.CreateTable",
                                      R"({"TableName":"Prod","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]})");
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string arns[] = {
      std::string(kPlace) + "table/Prod/x",
      std::string(kPlace) + "table/Prod/",
      std::string(kPlace) + "table/Prod/index/x",
      std::string(kPlace) + "table/Prod/stream/2026-01-01T00:00:00.000",
      std::string(kPlace) + "table/Prod/backup/01234567890123-01234567",
      std::string(kPlace) + "table/x:table/Prod",
      "arn:aws:dynamodb:us-east-1:999999999999:table/Prod",
      "arn:aws:dynamodb:eu-west-1:123456789012:table/Prod",
      "arn:aws:s3:us-east-1:123456789012:table/Prod",
      "arn:aws:dynamodb:us-east-1:123456789012:stream/Prod",
      "arn:table/Prod",
  };
  int tried = 0;
  for (const Fact& fact : kFacts) {
    // Lists compare the ARN with those that they have.
    const bool is_filter = fact.operation == "ListExports" || fact.operation == "ListImports";
    if (fact.kind != "table" || is_filter) {
      continue;
    }
    for (const std::string& arn : arns) {
      SCOPED_TRACE(std::string(fact.operation) + " " + std::string(fact.path) + " " + arn);
      const Answer answer = Send(fact, arn);
      ++tried;
      EXPECT_EQ(answer.status, 400) << answer.body;
      EXPECT_THAT(answer.body,
                  AnyOf(HasSubstr("ValidationException"), HasSubstr("AccessDeniedException"),
                        HasSubstr("NotFoundException")));
      // The names of the table alone would be a way to it.
      for (const std::string& asked : recorder_.asked) {
        EXPECT_FALSE(asked.ends_with(std::string(kPlace) + "table/Prod")) << asked;
      }
    }
  }
  EXPECT_GT(tried, 300);
  const Answer described =
      service_.Handle("DynamoDB_20120810.DescribeTable", R"({"TableName":"Prod"})");
  EXPECT_THAT(described.body, HasSubstr("ACTIVE"));
  // Its own ARN is as good as its name.
  EXPECT_EQ(service_
                .Handle("DynamoDB_20120810.DescribeTable",
                        "{\"TableName\":\"" + std::string(kPlace) + "table/Prod\"}",
                        RequestBudget(), "localhost", &recorder_)
                .status,
            200);
}

}  // namespace
}  // namespace prejoin::wire
