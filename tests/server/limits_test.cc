// Limits on one client, and on all of them together.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

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
  for (int i = 0; i < 400; ++i) {
    line += "X-" + std::to_string(i) + ": " + std::string(60, 'v') + "\r\n";
  }
  client.Send(line);
  EXPECT_EQ(client.Read()->status, 400);
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(LimitsTest, AcceptsAHundredFieldsAndRefusesOneMore) {
  Start();
  for (const int count : {99, 100, 101}) {
    RawClient client(port());
    std::string request = "GET / HTTP/1.1\r\nHost: h\r\n";
    for (int i = 1; i < count; ++i) {
      request += "A" + std::to_string(i) + ": b\r\n";
    }
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
    while (client.Send("x")) {
      std::this_thread::yield();
    }
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

// However much of it has come: a client that stops in the middle keeps no memory.
TEST_F(LimitsTest, EndsABodyThatPauses) {
  options.progress_timeout = std::chrono::milliseconds(40);
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\n" +
                          std::string(5'000'000, 'a')));
  EXPECT_EQ(client.Read()->status, 408);
  EXPECT_TRUE(client.ReadsEnd());
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
  while (metrics.Render().find("prejoin_connections 1") == std::string::npos) {
    std::this_thread::yield();
  }
  while (metrics.Render().find("prejoin_connections 0") == std::string::npos) {
    std::this_thread::yield();
  }
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
  while (Received() < 1'500'000) {
    std::this_thread::yield();
  }
  RawClient second(port());
  second.Send(Post(std::string(2'900'000, 'b')));
  EXPECT_EQ(second.Read()->status, 503);
  ASSERT_TRUE(first.Send("a"));
  EXPECT_EQ(first.Read()->status, 200);
  // The memory that the first gave back is there for others.
  RawClient third(port());
  EXPECT_EQ(third.Ask(Post(std::string(1'400'000, 'c')))->status, 200);
}

// Unfinished bodies of one address leave room for those of others.
TEST_F(LimitsTest, LimitsTheBodiesOfOneAddress) {
  options.received_bytes_of_peer_max = 3'000'000;
  Start();
  RawClient first(port());
  ASSERT_TRUE(first.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1500001\r\n\r\n" +
                         std::string(1'500'000, 'a')));
  while (Received() < 1'500'000) {
    std::this_thread::yield();
  }
  const std::string large = Post(std::string(2'000'000, 'b'));
  RawClient neighbour(port());
  neighbour.Send(large);
  EXPECT_EQ(neighbour.Read()->status, 503);
  RawClient stranger(port(), "127.0.0.2");
  EXPECT_EQ(stranger.Ask(large)->status, 200);
  ASSERT_TRUE(first.Send("a"));
  EXPECT_EQ(first.Read()->status, 200);
}

TEST_F(LimitsTest, LimitsTheBodiesOfAllAddresses) {
  options.received_bytes_max = 3'000'000;
  Start();
  RawClient first(port());
  ASSERT_TRUE(
      first.Send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n16e360\r\n" +
                 std::string(1'200'000, 'a')));
  while (Received() < 1'200'000) {
    std::this_thread::yield();
  }
  RawClient stranger(port(), "127.0.0.2");
  stranger.Send(Post(std::string(2'000'000, 'b')));
  EXPECT_EQ(stranger.Read()->status, 503);
}

// A request of one packet needs no memory of its own; this one comes in two.
TEST_F(LimitsTest, ServesSmallRequestsWhenOthersHaveUsedUpTheBudget) {
  options.memory_bytes_max = 1;
  Start();
  RawClient client(port());
  const std::string first = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab";
  ASSERT_TRUE(client.Send(first));
  while (Received() < first.size()) {
    std::this_thread::yield();
  }
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
  while (server->ConnectionCountsForTesting()[0] > 2) {
    std::this_thread::yield();
  }
  RawClient next(port());
  EXPECT_EQ(next.Ask(Post("in"))->status, 200);
}

// No descriptor can be opened while it lives.
class WithoutDescriptors {
 public:
  WithoutDescriptors() {
    EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before_), 0);
    const rlimit none{3, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  ~WithoutDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

void Connect(int fd, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
}

// A client that can neither be taken nor turned away must not keep the accepting thread busy for ever.
TEST_F(LimitsTest, EndsWhileThereAreNoDescriptors) {
  Start();
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  {
    const WithoutDescriptors none;
    Connect(client, port());
    EXPECT_TRUE(server->Shutdown(std::chrono::seconds(10)));
  }
  close(client);
}

TEST_F(LimitsTest, SaysOnceThatThereAreNoDescriptorsAndGoesOnWithThem) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Log lines(ends[1], LogLevel::kInfo, Clock::System());
  server = *Server::Start(options, handler, metrics, lines);
  const int waiting = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string text;
  const auto read_line = [&] {
    while (text.find('\n') == std::string::npos) {
      char block[1000];
      const ssize_t bytes = read(ends[0], block, sizeof block);
      if (bytes <= 0) {
        break;
      }
      text.append(block, static_cast<std::size_t>(bytes));
    }
    const std::string line = text.substr(0, text.find('\n'));
    text.erase(0, line.size() + 1);
    return line;
  };
  {
    const WithoutDescriptors none;
    Connect(waiting, port());
    EXPECT_NE(read_line().find("no connections are accepted until others end"), std::string::npos);
  }
  EXPECT_NE(read_line().find("connections are accepted again"), std::string::npos);
  EXPECT_EQ(RawClient(port()).Ask(Post("in"))->status, 200);
  close(waiting);
  server.reset();
  close(ends[0]);
  close(ends[1]);
}

TEST_F(LimitsTest, LeavesSomeConnectionsForOtherAddresses) {
  options.connections_max = 16;
  Start();
  std::vector<RawClient> clients;
  for (int i = 0; i < 14; ++i) {
    clients.emplace_back(port());
    EXPECT_EQ(clients.back().Ask(Post("in"))->status, 200);
  }
  EXPECT_EQ(RawClient(port()).Read()->status, 503);
  EXPECT_EQ(RawClient(port(), "127.0.0.2").Ask(Post("in"))->status, 200);
}

TEST_F(LimitsTest, HoldsAThousandIdleConnections) {
  options.threads = 2;
  Start();
  std::vector<RawClient> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.emplace_back(port());
  }
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
