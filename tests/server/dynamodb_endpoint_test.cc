// The protocol around an operation, as AWS answers it: content types, targets, credentials, CORS,
// health. The expected bytes and checksums are those that were observed on the service.
#include "server/dynamodb_endpoint.h"

#include <gmock/gmock.h>

#include <atomic>
#include <set>

#include "server/dispatch.h"
#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

class EchoBackend : public OperationBackend {
 public:
  std::vector<std::string> OperationNames() const override { return {"ListTables"}; }
  std::optional<std::size_t> OperationOf(std::string_view target) const override {
    if (target == "DynamoDB_20120810.ListTables") {
      return 0;
    }
    return std::nullopt;
  }
  wire::Running RunningOf(std::size_t) const override { return wire::Running::kTriedOnLoop; }
  wire::Answer Handle(std::string_view, const HttpRequest& request, const RequestBudget& budget,
                      engine::AccessControl*) override {
    trials += budget.is_trial() ? 1 : 0;
    wire::Answer answer{200, "echo " + std::string(request.body), 0};
    if (request.body == "heavy") {
      answer.work = std::uint64_t{1} << 30;
    }
    answer.abandoned = budget.is_trial() && answer.work > 0;
    if (answer.abandoned) {
      answer.body = "nobody may see this";
    }
    return answer;
  }
  std::atomic<int> trials = 0;
  Status Health() const override {
    return fails ? Status(Error{ErrorCode::kIo, "disk full"}) : Status();
  }
  bool IsDurable(storage::Ticket) const override { return true; }
  void WhenDurable(storage::Ticket, std::function<void(Status)>) override { FAIL(); }

  std::atomic<bool> fails = false;
};

class EndpointTest : public ServerTest {
 protected:
  EndpointTest() { Start(dispatch); }
  ~EndpointTest() override { server.reset(); }

  RawAnswer Ask(const std::string& request) {
    RawClient client(port());
    const auto answer = client.Ask(request);
    EXPECT_TRUE(answer);
    return answer.value_or(RawAnswer());
  }
  void ExpectCoral(const RawAnswer& answer, std::string_view type, std::string_view message,
                   std::string_view crc32, std::string_view content_type = "application/json") {
    std::string body = "{\"__type\":\"com.amazon.coral.service#" + std::string(type) + "\"";
    if (!message.empty()) {
      body += ",\"message\":\"" + std::string(message) + "\"";
    }
    EXPECT_EQ(answer.body, body + "}");
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.headers.at("content-type"), content_type);
    EXPECT_EQ(answer.headers.at("x-amz-crc32"), crc32);
    EXPECT_THAT(answer.headers.at("x-amzn-requestid"), testing::MatchesRegex("[0-9A-Z]{52}"));
  }

  EchoBackend backend;
  Metrics endpoint_metrics{backend.OperationNames()};
  DynamoDbEndpoint endpoint{backend, log};
  Dispatch dispatch{endpoint, metrics};
};

TEST_F(EndpointTest, PassesAnOperationOn) {
  const RawAnswer answer = Ask(Post("{}", SdkHeaders("ListTables")));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "echo {}");
  EXPECT_EQ(answer.headers.at("content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(answer.headers.at("server"), "Server");
  EXPECT_THAT(answer.headers.at("date"), testing::MatchesRegex("..., .. ... .... ..:..:.. GMT"));
  EXPECT_THAT(answer.headers.at("x-amzn-requestid"), testing::MatchesRegex("[0-9A-Z]{52}"));
}

// A connection that was too heavy once goes to a worker at once, until it is light again.
TEST_F(EndpointTest, FinishesOnAWorkerWhatIsTooMuchForTheLoop) {
  RawClient client(port());
  const auto ask = [&](const std::string& body) {
    return client.Ask(Post(body, SdkHeaders("ListTables") + "Origin: http://localhost\r\n"));
  };
  struct Case {
    std::string body;
    int trials;
  };
  for (const Case& one : std::vector<Case>{
           {"light", 1}, {"heavy", 2}, {"heavy", 2}, {"light", 2}, {"light", 3}, {"heavy", 4}}) {
    const auto answer = ask(one.body);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body, "echo " + one.body);
    EXPECT_EQ(answer->headers.at("content-type"), "application/x-amz-json-1.0");
    EXPECT_EQ(answer->headers.at("access-control-allow-origin"), "*");
    EXPECT_EQ(backend.trials, one.trials) << one.body;
  }
  const std::string large(100'000, ' ');
  EXPECT_EQ(ask(large)->body, "echo " + large);
  EXPECT_EQ(backend.trials, 4);
}

TEST_F(EndpointTest, GivesEveryAnswerItsOwnRequestId) {
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i) {
    ids.insert(Ask(Post("{}", SdkHeaders("ListTables"))).headers.at("x-amzn-requestid"));
  }
  EXPECT_EQ(ids.size(), 50u);
}

TEST_F(EndpointTest, Says404ToWhatIsNotACall) {
  const std::string auth = "X-Amz-Target: DynamoDB_20120810.ListTables\r\n";
  for (const std::string& request : {
           std::string("OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
           std::string("PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
           std::string("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
           std::string("PATCH / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
           std::string("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"),
           std::string("POST /path HTTP/1.1\r\nHost: localhost\r\n") + SdkHeaders("ListTables") +
               "\r\n",  // F42
           Post("hi", auth),
           Post("hi", auth + "Content-Type: whatever\r\n"),
           Post("hi", auth + "Content-Type: application/x-amz-json-1.1\r\n"),
           Post("hi", auth + "Content-Type: application/jsonasdf\r\n"),
       }) {
    const RawAnswer answer = Ask(request);
    EXPECT_EQ(answer.status, 404) << request;
    EXPECT_EQ(answer.body, "<UnknownOperationException/>\n");
    EXPECT_EQ(answer.headers.at("x-amz-crc32"), "3552371480");
    EXPECT_FALSE(answer.headers.contains("content-type"));
  }
}

TEST_F(EndpointTest, RefusesUnknownTargets) {
  for (const std::string headers :
       {"", "X-Amz-Target: whatever\r\n", "X-Amz-Target: DynamoDB_20120810.ListTable\r\n",
        "X-Amz-Target: DynamoDB_20120810\r\n", "X-Amz-Target: DynamoDB_20111205.ListTables\r\n"}) {
    ExpectCoral(Ask(Post("", headers)), "UnknownOperationException", "", "1368724161");
  }
  ExpectCoral(Ask(Post("{}", "Content-Type: application/x-amz-json-1.0;blahblah\r\n")),
              "UnknownOperationException", "", "1368724161", "application/x-amz-json-1.0");
  ExpectCoral(Ask(Post("{}", "Content-Type:   application/json  ;   asfd\r\n")),
              "UnknownOperationException", "", "1368724161");
}

// F43
TEST_F(EndpointTest, RefusesABrokenBodyBeforeItsTarget) {
  const std::string json = "Content-Type: application/x-amz-json-1.0\r\n";
  for (const std::string headers : {"", "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"}) {
    const RawAnswer answer = Ask(Post("{\"a\":", json + headers));
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.body, R"({"__type":"com.amazon.coral.service#SerializationException"})");
  }
}

TEST_F(EndpointTest, RefusesRequestsWithoutCredentials) {
  const std::string target = "X-Amz-Target: DynamoDB_20120810.ListTables\r\n";
  for (const std::string authorization :
       {"", "Authorization: AWS4\r\n", "Authorization: Basic x\r\n"}) {
    ExpectCoral(Ask(Post("", target + authorization)), "MissingAuthenticationTokenException",
                "Request is missing Authentication Token", "2088342776");
  }
  ExpectCoral(
      Ask("POST /?X-Amz-Algorithm HTTP/1.1\r\nHost: localhost\r\nAuthorization: X\r\n" + target +
          "\r\n"),
      "InvalidSignatureException",
      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
      "2139606068");
  ExpectCoral(
      Ask(Post("", target + "Authorization: AWS4-\r\n")), "IncompleteSignatureException",
      "Authorization header requires 'Credential' parameter. "
      "Authorization header requires 'Signature' parameter. "
      "Authorization header requires 'SignedHeaders' parameter. "
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
      "Authorization=AWS4-",
      "1828866742");
}

TEST_F(EndpointTest, AnswersPreflightRequests) {
  const RawAnswer answer =
      Ask("OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: "
          "http://a.example\r\nAccess-Control-Request-Headers: "
          "x-amz-target\r\n"
          "Access-Control-Request-Method: POST\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "");
  EXPECT_EQ(answer.headers.at("access-control-allow-origin"), "*");
  EXPECT_EQ(answer.headers.at("access-control-allow-headers"), "x-amz-target");
  EXPECT_EQ(answer.headers.at("access-control-allow-methods"), "POST");
  EXPECT_EQ(answer.headers.at("access-control-max-age"), "172800");
}

TEST_F(EndpointTest, AllowsEveryOrigin) {
  EXPECT_EQ(Ask(Post("{}", SdkHeaders("ListTables") + "Origin: http://a.example\r\n"))
                .headers.at("access-control-allow-origin"),
            "*");
  EXPECT_EQ(Ask(Post("", "Origin: null\r\n")).headers.at("access-control-allow-origin"), "*");
  // F41
  for (const std::string method : {"OPTIONS", "GET", "POST"}) {
    const RawAnswer answer =
        Ask(method + " / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a.example\r\n\r\n");
    EXPECT_EQ(answer.headers.at("access-control-allow-origin"), "*") << method;
    EXPECT_EQ(answer.headers.at("access-control-expose-headers"),
              "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date")
        << method;
  }
  EXPECT_FALSE(
      Ask(Post("{}", SdkHeaders("ListTables"))).headers.contains("access-control-allow-origin"));
}

TEST_F(EndpointTest, IsHealthy) {
  const RawAnswer root = Ask("GET / HTTP/1.1\r\nHost: db.example:8000\r\n\r\n");
  EXPECT_EQ(root.status, 200);
  EXPECT_EQ(root.body, "healthy: db.example:8000 ");
  EXPECT_EQ(root.headers.at("x-amz-crc32"), "2340139525");
  EXPECT_EQ(Ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").body, "ok\n");
  backend.fails = true;
  const RawAnswer failed = Ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(failed.status, 503);
  EXPECT_EQ(failed.body, "cannot write: disk full\n");
}

TEST_F(EndpointTest, ShowsMetrics) {
  Ask(Post("{}", SdkHeaders("ListTables")));
  Ask(Post("", "X-Amz-Target: nothing\r\n"));
  const RawAnswer answer = Ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  // The server counts into the fixture's metrics, whose first operation is GetItem.
  EXPECT_THAT(answer.body, testing::HasSubstr(
                               "prejoin_requests_total{operation=\"GetItem\",status=\"200\"} 1\n"));
  EXPECT_THAT(answer.body,
              testing::HasSubstr("prejoin_requests_total{operation=\"none\",status=\"400\"} 1\n"));
  EXPECT_THAT(
      answer.body,
      testing::HasSubstr(
          "prejoin_request_duration_seconds_bucket{operation=\"GetItem\",le=\"+Inf\"} 1\n"));
  EXPECT_THAT(answer.body, testing::HasSubstr("prejoin_requests_in_flight 1\n"));
}

TEST_F(EndpointTest, RoutesOfOthersMatchExactlyOrBelow) {
  server.reset();
  dispatch.AddRoute(
      {Method::kGet, "/studio/", [](const HttpRequest& request, Exchange& exchange, Completion) {
         exchange.response.body = request.path();
         return Outcome::kDone;
       }});
  Start(dispatch);
  EXPECT_EQ(Ask("GET /studio/a/b?c HTTP/1.1\r\nHost: localhost\r\n\r\n").body, "/studio/a/b");
  EXPECT_EQ(Ask("GET /studio HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 404);
  EXPECT_EQ(Ask("GET /healthz/x HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 404);
  EXPECT_EQ(Ask("DELETE /studio/a HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 404);
}

}  // namespace
}  // namespace prejoin::server
