// Which pages and host names may reach the server.
#include "server/guard.h"

#include "engine/engine_of.h"
#include "prejoin/database.h"
#include "server/dispatch.h"
#include "server/dynamodb_endpoint.h"
#include "server/engine_backend.h"
#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

TEST(Guard, KnowsNamesThatNobodyCanRegister) {
  const Guard guard({.host_names = {"db.example"}, .origins = {}});
  for (const std::string_view known :
       {"", "localhost", "LOCALHOST:8000", "localhost:8000", "localhost:", "a.localhost",
        "127.0.0.1:8000", "127.0.0.1", "[::1]:8000", "[::1]", "[fe80::1]:80", "192.168.1.7",
        "host.docker.internal:8000", "DB.example:80", "dynamodb.us-east-1.amazonaws.com"}) {
    EXPECT_TRUE(guard.KnowsHost(known)) << known;
  }
  for (const std::string_view strange :
       {"evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example",
        "xlocalhost.com", "db.example.evil.com", "evil.com.", "dynamodb.evil.com"}) {
    EXPECT_FALSE(guard.KnowsHost(strange)) << strange;
  }
}

// mDNS lets any machine of a network claim a name below .local, local resolvers serve .test, and
// what only begins like an address is a name.
TEST(Guard, RefusesNamesThatANeighbourCanClaim) {
  const Guard guard;
  for (const std::string_view strange : {"printer.local",
                                         "db.default.svc.cluster.local:8000",
                                         "x.test",
                                         "[evil.example",
                                         "[",
                                         "[]",
                                         "[::1",
                                         "[evil.example]",
                                         "[::1].evil.example",
                                         "[::1]evil:80",
                                         "1.2.3",
                                         "1.2.3.4.5",
                                         "...",
                                         "127.1",
                                         "0x7f.0.0.1",
                                         "256.1.1.1",
                                         "localhost:8000.evil.example",
                                         "localhost:x",
                                         "dynamodb",
                                         "prejoin:8000",
                                         ":8000"}) {
    EXPECT_FALSE(guard.KnowsHost(strange)) << strange;
  }
}

TEST(Guard, KnowsContainersWhereTheServerListensBeyondLoopback) {
  const Guard guard({.host_names = {}, .origins = {}, .container_names = true});
  for (const std::string_view known : {"dynamodb", "prejoin:8000", "my_db-1"}) {
    EXPECT_TRUE(guard.KnowsHost(known)) << known;
  }
  for (const std::string_view strange : {"a.b", "a,b", "[a", ":80", "printer.local"}) {
    EXPECT_FALSE(guard.KnowsHost(strange)) << strange;
  }
}

TEST(Guard, AllowsPagesOfThisMachineAndThoseNamed) {
  const Guard guard({.host_names = {}, .origins = {"https://app.example"}});
  for (const std::string_view allowed :
       {"http://localhost:3000", "https://localhost", "http://127.0.0.1:8000", "http://[::1]:8000",
        "http://app.localhost", "https://app.example", "http://10.0.0.5:8000"}) {
    EXPECT_TRUE(guard.AllowsOrigin(allowed, "10.0.0.5:8000")) << allowed;
  }
  for (const std::string_view refused :
       {"http://evil.example", "null", "http://app.example", "https://app.example.evil.com",
        "http://localhost.evil.example", "http://10.0.0.5:9000", "file://"}) {
    EXPECT_FALSE(guard.AllowsOrigin(refused, "10.0.0.5:8000")) << refused;
  }
  EXPECT_TRUE(Guard({.host_names = {}, .origins = {"*"}}).AllowsOrigin("http://any.example", "x"));
}

class GuardedTest : public ServerTest {
 protected:
  GuardedTest() {
    database_ = *Database::Open({.path = ""});
    backend_ = std::make_unique<EngineBackend>(engine::EngineOf(*database_));
    endpoint_ = std::make_unique<DynamoDbEndpoint>(*backend_, log);
    metrics_ = std::make_unique<Metrics>(backend_->OperationNames());
    dispatch_ = std::make_unique<Dispatch>(*endpoint_, *metrics_);
    dispatch_->GuardWith(Guard());
    server = *Server::Start(options, *dispatch_, *metrics_, log);
  }
  ~GuardedTest() override { server.reset(); }

  RawAnswer Ask(const std::string& request) { return *RawClient(port()).Ask(request); }

  std::unique_ptr<Database> database_;
  std::unique_ptr<EngineBackend> backend_;
  std::unique_ptr<DynamoDbEndpoint> endpoint_;
  std::unique_ptr<Metrics> metrics_;
  std::unique_ptr<Dispatch> dispatch_;
};

TEST_F(GuardedTest, RefusesStrangePagesOnEveryPath) {
  for (const std::string path : {"/", "/healthz", "/metrics", "/insights", "/nowhere"}) {
    for (const std::string header :
         {"Host: localhost\r\nOrigin: http://evil.example\r\n", "Host: evil.example\r\n"}) {
      for (const std::string method : {"GET ", "OPTIONS ", "POST "}) {
        const RawAnswer answer = Ask(method + path + " HTTP/1.1\r\n" + header + "\r\n");
        EXPECT_EQ(answer.status, 403) << method << path << header;
        EXPECT_FALSE(answer.headers.contains("access-control-allow-origin"));
      }
    }
  }
}

TEST_F(GuardedTest, AStrangePageCanNeitherAskNorAct) {
  const std::string list = SdkHeaders("ListTables");
  const RawAnswer refused = Ask(Post("{}", list + "Origin: http://evil.example\r\n"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_NE(refused.body.find("AccessDeniedException"), std::string::npos);
  const RawAnswer allowed = Ask(Post("{}", list + "Origin: http://localhost:3000\r\n"));
  EXPECT_EQ(allowed.status, 200) << allowed.body;
  EXPECT_EQ(allowed.headers.at("access-control-allow-origin"), "*");
}

}  // namespace
}  // namespace prejoin::server
