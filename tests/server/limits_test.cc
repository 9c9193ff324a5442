// Limits on one client, and on all of them together.
#include <set>

#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

class LimitsTest : public ServerTest {
 protected:
  std::uint64_t Received() const {
    const std::string text = metrics.Render();
    const std::string name = "\nprejoin_received_bytes_total ";
    return std::stoull(text.substr(text.find(name) + name.size()));
  }
};

TEST_F(LimitsTest, AcceptsABodyOfTheLimitAndRefusesOneByteMore) {
  Start();
  for (const bool chunked : {false, true}) {
    for (const std::size_t size :
         {kRequestBytesMax - 1, kRequestBytesMax, kRequestBytesMax + 1, std::size_t{17'000'000}}) {
      RawClient client(port());
      const std::string body(size, 'a');
      std::string request = Post(body);
      if (chunked) {
        char length[32];
        std::snprintf(length, sizeof length, "%zx\r\n", size);
        request = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" +
                  std::string(length) + body + "\r\n0\r\n\r\n";
      }
      client.Send(request);  // May be cut short by the refusal.
      const auto answer = client.Read();
      ASSERT_TRUE(answer) << size << chunked;
      EXPECT_EQ(answer->status, size <= kRequestBytesMax ? 200 : 413) << size << chunked;
      if (size > kRequestBytesMax) {
        EXPECT_NE(answer->body.find("RequestEntityTooLarge"), std::string::npos);
        EXPECT_TRUE(client.ReadsEnd());
      } else {
        EXPECT_EQ(answer->body.size(), size);
      }
    }
  }
}

TEST_F(LimitsTest, AcceptsAHeaderOfTheLimitAndRefusesOneByteMore) {
  options.header_bytes_max = 1000;
  Start();
  const std::string start = "GET / HTTP/1.1\r\nHost: h\r\nX-Pad: ";
  for (const std::size_t size : {999u, 1000u, 1001u, 5000u, 200000u}) {
    RawClient client(port());
    client.Send(start + std::string(size - start.size() - 4, 'p') + "\r\n\r\n");
    const auto answer = client.Read();
    ASSERT_TRUE(answer) << size;
    EXPECT_EQ(answer->status, size <= 1000 ? 200 : 400) << size;
  }
}

TEST_F(LimitsTest, RefusesAHeaderThatNeverEnds) {
  Start();
  RawClient client(port());
  client.Send("GET / HTTP/1.1\r\n");
  std::string line;
  for (int i = 0; i < 400; ++i)
    line += "X-" + std::to_string(i) + ": " + std::string(60, 'v') + "\r\n";
  client.Send(line);
  EXPECT_EQ(client.Read()->status, 400);
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(LimitsTest, AcceptsAHundredFieldsAndRefusesOneMore) {
  Start();
  for (const int count : {99, 100, 101}) {
    RawClient client(port());
    std::string request = "GET / HTTP/1.1\r\nHost: h\r\n";
    for (int i = 1; i < count; ++i) request += "A" + std::to_string(i) + ": b\r\n";
    EXPECT_EQ(client.Ask(request + "\r\n")->status, count <= 100 ? 200 : 400) << count;
  }
}

TEST_F(LimitsTest, EndsARequestWhoseHeaderComesTooSlowly) {
  options.header_timeout = std::chrono::milliseconds(40);
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send("POST / HT"));
  const auto answer = client.Read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 408);
  EXPECT_TRUE(client.ReadsEnd());
}

// Bytes that keep dripping do not extend the time for a header.
TEST_F(LimitsTest, EndsAHeaderThatDrips) {
  options.header_timeout = std::chrono::milliseconds(100);
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send("GET / HTTP/1.1\r\nX-Slow: "));
  std::optional<RawAnswer> answer;
  std::thread drip([&] {
    while (client.Send("x")) std::this_thread::yield();
  });
  answer = client.Read();
  EXPECT_TRUE(client.ReadsEnd());
  client.FinishSending();
  drip.join();
  // The limit of the header may be hit first when the client is fast.
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->status == 408 || answer->status == 400) << answer->status;
}

TEST_F(LimitsTest, EndsABodyThatDoesNotCome) {
  options.transfer_timeout = std::chrono::milliseconds(40);
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nonly this"));
  EXPECT_EQ(client.Read()->status, 408);
}

TEST_F(LimitsTest, ClosesAnIdleConnectionWithoutAWord) {
  options.idle_timeout = std::chrono::milliseconds(40);
  Start();
  RawClient client(port());
  EXPECT_EQ(client.Ask(Post("x"))->body, "x");
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(LimitsTest, GivesUpOnAClientThatDoesNotReadItsAnswer) {
  options.progress_timeout = std::chrono::milliseconds(40);
  handler.handle = [](const HttpRequest&, Exchange& exchange, Completion) {
    exchange.response.body.assign(100'000'000, 'z');
    return Outcome::kDone;
  };
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send(Post("x")));
  while (metrics.Render().find("prejoin_connections 1") == std::string::npos)
    std::this_thread::yield();
  while (metrics.Render().find("prejoin_connections 0") == std::string::npos)
    std::this_thread::yield();
}

TEST_F(LimitsTest, SendsAnAnswerThatIsLargerThanTheSocketTakes) {
  handler.handle = [](const HttpRequest&, Exchange& exchange, Completion) {
    exchange.response.body.assign(30'000'000, 'z');
    return Outcome::kDone;
  };
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send(Post("x") + Post("y")));
  EXPECT_EQ(client.Read()->body.size(), 30'000'000u);
  EXPECT_EQ(client.Read()->body.size(), 30'000'000u);
}

TEST_F(LimitsTest, RefusesBodiesBeyondTheCommonBudget) {
  options.memory_bytes_max = 3'000'000;
  handler.handle = [](const HttpRequest&, Exchange&, Completion) { return Outcome::kDone; };
  Start();
  RawClient first(port());
  // Stays open, unfinished, with more than half of the budget.
  ASSERT_TRUE(first.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1500001\r\n\r\n" +
                         std::string(1'500'000, 'a')));
  while (Received() < 1'500'000) std::this_thread::yield();
  RawClient second(port());
  second.Send(Post(std::string(2'900'000, 'b')));
  EXPECT_EQ(second.Read()->status, 503);
  ASSERT_TRUE(first.Send("a"));
  EXPECT_EQ(first.Read()->status, 200);
  // The memory that the first gave back is there for others.
  RawClient third(port());
  EXPECT_EQ(third.Ask(Post(std::string(1'400'000, 'c')))->status, 200);
}

// A request of one packet needs no memory of its own; this one comes in two.
TEST_F(LimitsTest, ServesSmallRequestsWhenOthersHaveUsedUpTheBudget) {
  options.memory_bytes_max = 1;
  Start();
  RawClient client(port());
  const std::string first = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab";
  ASSERT_TRUE(client.Send(first));
  while (Received() < first.size()) std::this_thread::yield();
  EXPECT_EQ(client.Ask("cde")->body, "abcde");
  RawClient large(port());
  large.Send(Post(std::string(100'000, 'b')));
  EXPECT_EQ(large.Read()->status, 503);
}

TEST_F(LimitsTest, TurnsAwayConnectionsBeyondTheLimit) {
  options.connections_max = 3;
  Start();
  std::vector<RawClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back(port());
    EXPECT_EQ(clients.back().Ask(Post("in"))->status, 200);
  }
  {
    RawClient refused(port());
    EXPECT_EQ(refused.Read()->status, 503);
    EXPECT_TRUE(refused.ReadsEnd());
  }
  EXPECT_EQ(clients[0].Ask(Post("still in"))->body, "still in");
  clients.pop_back();
  // The place is free again once the server has seen the close.
  while (server->ConnectionCountsForTesting()[0] > 2) std::this_thread::yield();
  RawClient next(port());
  EXPECT_EQ(next.Ask(Post("in"))->status, 200);
}

TEST_F(LimitsTest, HoldsAThousandIdleConnections) {
  options.threads = 2;
  Start();
  std::vector<RawClient> clients;
  for (int i = 0; i < 1000; ++i) clients.emplace_back(port());
  EXPECT_EQ(clients.front().Ask(Post("first"))->body, "first");
  EXPECT_EQ(clients.back().Ask(Post("last"))->body, "last");
  EXPECT_EQ(clients[500].Ask(Post("middle"))->body, "middle");
}

TEST_F(LimitsTest, SharesConnectionsEvenly) {
  options.threads = 2;
  Start();
  std::vector<RawClient> clients;
  for (int i = 0; i < 32; ++i) {
    clients.emplace_back(port());
    clients.back().Ask(Post("here"));
  }
  EXPECT_EQ(server->ConnectionCountsForTesting(), (std::vector<std::size_t>{16, 16}));
}

TEST_F(LimitsTest, SaysThatThePortIsTaken) {
  Start();
  ServerOptions same = options;
  same.port = port();
  Metrics other_metrics({});
  const auto second = Server::Start(same, handler, other_metrics, log);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("Address already in use"), std::string::npos)
      << second.error().message;
}

}  // namespace
}  // namespace prejoin::server
