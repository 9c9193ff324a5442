// Who is kept out of the model API.
#include "server/api_guard.h"

#include <gtest/gtest.h>

#include "tests/studio/json_path.h"
#include "tests/studio/studio_server.h"

namespace prejoin::studio {
namespace {

// 0 if the request may pass, else the status of the refusal.
int Checked(server::Method method, std::vector<server::HeaderField> fields) {
  const server::ApiGuard guard({"studio.test", "127.0.0.1"});
  server::HttpRequest request;
  request.method = method;
  request.fields = fields;
  const auto refused = guard.Refuses(request);
  return refused ? refused->status : 0;
}

TEST(ApiGuard, KnowsAddressesAndItsOwnNames) {
  struct Case {
    std::string_view host;
    int status;
  };
  for (const Case& one : std::vector<Case>{{"localhost", 0},
                                           {"localhost:8000", 0},
                                           {"app.localhost:8000", 0},
                                           {"127.0.0.1:8000", 0},
                                           {"192.168.1.7:8000", 0},
                                           {"[::1]:8000", 0},
                                           {"STUDIO.test:8000", 0},
                                           {"", 0},
                                           {"evil.example:8000", 403},
                                           {"localhost.evil.example", 403},
                                           {"127.0.0.1.evil.example:8000", 403},
                                           {"studio.test.evil.example", 403}}) {
    EXPECT_EQ(Checked(server::Method::kGet, {{"Host", one.host}}), one.status) << one.host;
  }
}

TEST(ApiGuard, RefusesOtherOrigins) {
  struct Case {
    std::string_view origin;
    int status;
  };
  for (const Case& one : std::vector<Case>{{"http://localhost:8000", 0},
                                           {"https://localhost:8000", 0},
                                           {"http://localhost:8001", 403},
                                           {"http://localhost", 403},
                                           {"http://127.0.0.1:8000", 403},
                                           {"http://evil.example", 403},
                                           {"null", 403}}) {
    EXPECT_EQ(Checked(server::Method::kGet, {{"Host", "localhost:8000"}, {"Origin", one.origin}}),
              one.status)
        << one.origin;
  }
}

TEST(ApiGuard, TakesOnlyJsonInAPost) {
  struct Case {
    std::string_view type;
    int status;
  };
  for (const Case& one : std::vector<Case>{{"application/json", 0},
                                           {"application/json; charset=utf-8", 0},
                                           {"text/plain", 415},
                                           {"application/x-www-form-urlencoded", 415},
                                           {"", 415}}) {
    EXPECT_EQ(Checked(server::Method::kPost, {{"Host", "localhost"}, {"Content-Type", one.type}}),
              one.status)
        << one.type;
  }
}

TEST_F(StudioTest, RefusesAnotherOriginOnEveryRouteWithoutAWordAboutCors) {
  Start();
  const std::string origin = "Origin: http://evil.example\r\n";
  for (const std::string path :
       {"/model/check", "/model/format", "/model/plan", "/model/cost", "/model/advise",
        "/model/prove", "/model/tables", "/model/item", "/model/run", "/model/source"}) {
    const auto answer = Post(path, "{\"source\":\"\"}", origin);
    EXPECT_EQ(answer.status, 403) << path;
    EXPECT_NE(At(answer.body, "error.message"), "absent") << path;
    EXPECT_FALSE(answer.headers.contains("access-control-allow-origin")) << path;
  }
  for (const std::string path :
       {"/model/source", "/model/examples", "/model/examples/d05_education"}) {
    EXPECT_EQ(Get(path, origin).status, 403) << path;
  }
}

TEST_F(StudioTest, AnswersNoPreflightForTheModelApiButStillForDynamoDb) {
  Start();
  const std::string ask =
      " HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
      "Access-Control-Request-Method: POST\r\n\r\n";
  const auto refused = Ask("OPTIONS /model/run" + ask);
  EXPECT_EQ(refused.status, 405);
  EXPECT_FALSE(refused.headers.contains("access-control-allow-origin"));
  EXPECT_EQ(Ask("OPTIONS /" + ask).headers.at("access-control-allow-origin"), "*");
  EXPECT_EQ(Ask("PUT /model/source HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 405);
}

}  // namespace
}  // namespace prejoin::studio
