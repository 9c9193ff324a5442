// A gateway that hands requests on: what becomes of them when the leader is well, changes or dies.
#include "server/cluster/forwarder.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "server/cluster/gateway_handler.h"
#include "server/cluster/peer_protocol.h"
#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

constexpr char kSecret[] = "the secret";

std::string Address(std::uint16_t port) { return "127.0.0.1:" + std::to_string(port); }

// Takes connections, reads a request, and hangs up without a word.
class DyingLeader {
 public:
  DyingLeader() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), bytes), 0);
    EXPECT_EQ(listen(socket_, 8), 0);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &bytes);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Run(); });
  }
  ~DyingLeader() {
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }
  std::uint16_t port() const { return port_; }
  int request_count() const { return request_count_; }

 private:
  void Run() {
    for (int peer = 0; (peer = accept(socket_, nullptr, nullptr)) >= 0; close(peer)) {
      std::string text;
      char buffer[4096];
      while (text.find("\r\n\r\n{}") == std::string::npos) {
        const ssize_t count = recv(peer, buffer, sizeof buffer, 0);
        if (count <= 0) {
          break;
        }
        text.append(buffer, static_cast<std::size_t>(count));
      }
      ++request_count_;
    }
  }

  const int socket_;
  std::uint16_t port_ = 0;
  std::atomic<int> request_count_ = 0;
  std::thread thread_;
};

class ForwarderTest : public ServerTest {
 protected:
  ForwarderTest() {
    follower_ = std::make_unique<GatewayHandler>([] { return false; }, forwarder_, metrics);
    Start(*follower_);
  }
  ~ForwarderTest() override {
    forwarder_.Stop();
    server.reset();
  }

  // A gateway that answers for others, if `leads`.
  std::unique_ptr<Server> StartLeader(PeerHandler& peers) {
    peers.Lead(handler);
    auto started = Server::Start(options, peers, metrics, log);
    EXPECT_TRUE(started.has_value());
    return *std::move(started);
  }
  void SetLeader(const std::string& address) {
    const MutexLock lock(mutex_);
    leader_ = address;
  }
  std::optional<RawAnswer> Ask(std::string_view operation) {
    return RawClient(port()).Ask(Post("{}", SdkHeaders(operation)));
  }

  Mutex mutex_;
  std::string leader_;
  std::atomic<int> asked_for_leader_ = 0;
  Forwarder forwarder_{{.leader =
                            [this](bool fresh) {
                              const MutexLock lock(mutex_);
                              asked_for_leader_ += fresh ? 1 : 0;
                              return leader_;
                            },
                        .secret = kSecret,
                        .patience = std::chrono::seconds(5)}};
  std::unique_ptr<GatewayHandler> follower_;
};

TEST_F(ForwarderTest, PassesRequestAndAnswerOn) {
  PeerHandler peers([] { return true; }, kSecret);
  std::string seen;
  handler.handle = [&](const HttpRequest& request, Exchange& exchange, Completion) {
    seen = std::string(request.target) + "|" + std::string(request.Header("x-mine")) + "|" +
           std::string(request.Header("host")) + "|" + std::string(request.body);
    exchange.response.status = 404;
    exchange.response.content_type = "text/plain";
    exchange.response.body = std::string(100'000, 'a');
    exchange.response.AddHeader("X-Theirs", "yes");
    return Outcome::kDone;
  };
  const auto leader = StartLeader(peers);
  SetLeader(Address(leader->port()));
  RawClient client(port());
  for (int i = 0; i < 3; ++i) {  // On one connection.
    const auto answer = client.Ask(
        "PUT /model/x?y=1 HTTP/1.1\r\nHost: me.localhost\r\nX-Mine: 1\r\nContent-Length: "
        "2\r\n\r\n{}");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 404);
    EXPECT_EQ(answer->body, std::string(100'000, 'a'));
    EXPECT_EQ(answer->headers.at("x-theirs"), "yes");
    EXPECT_EQ(answer->headers.at("content-type"), "text/plain");
    EXPECT_EQ(seen, "/model/x?y=1|1|me.localhost|{}");
  }
  EXPECT_EQ(forwarder_.forwarded_count(), 3u);
  const auto head =
      client.Send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n") ? client.Read(true) : std::nullopt;
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 404);
}

TEST_F(ForwarderTest, WriteWithoutAnAnswerIsNotSentAgain) {
  DyingLeader leader;
  SetLeader(Address(leader.port()));
  const auto answer = Ask("PutItem");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 500);
  EXPECT_NE(answer->body.find("InternalServerError"), std::string::npos);
  EXPECT_EQ(leader.request_count(), 1);
  EXPECT_EQ(forwarder_.unknown_count(), 1u);
}

TEST_F(ForwarderTest, ReadWithoutAnAnswerGoesToTheNextLeader) {
  DyingLeader dying;
  PeerHandler peers([] { return true; }, kSecret);
  const auto leader = StartLeader(peers);
  SetLeader(Address(dying.port()));
  std::thread change([&] {
    while (dying.request_count() < 2) {
      std::this_thread::yield();
    }
    SetLeader(Address(leader->port()));
  });
  const auto answer = Ask("GetItem");
  change.join();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "{}");
}

TEST_F(ForwarderTest, WriteThatCannotHaveArrivedWaitsForALeader) {
  std::atomic<bool> leads = false;
  PeerHandler peers([&] { return leads.load(); }, kSecret);
  const auto leader = StartLeader(peers);
  for (const std::string& address : {std::string(), Address(1), Address(leader->port())}) {
    SetLeader(address);  // Nobody, one who is gone, one who does not lead yet.
    leads = false;
    asked_for_leader_ = 0;
    std::thread change([&] {
      while (asked_for_leader_ < 3) {
        std::this_thread::yield();
      }
      leads = true;
      SetLeader(Address(leader->port()));
    });
    const auto answer = Ask("PutItem");
    change.join();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200) << address;
  }
}

TEST_F(ForwarderTest, TurnsAwayWhatItCannotHold) {
  std::atomic<int> looks = 0;
  Forwarder full({.leader =
                      [&](bool) {
                        ++looks;
                        return std::string();
                      },
                  .secret = kSecret,
                  .patience = std::chrono::seconds(5),
                  .requests_max = 1});
  GatewayHandler gateway([] { return false; }, full, metrics);
  auto started = Server::Start(options, gateway, metrics, log);
  ASSERT_TRUE(started.has_value());
  RawClient waiting((*started)->port());
  waiting.Send(Post("{}", SdkHeaders("PutItem")));
  while (looks < 2) {
    std::this_thread::yield();
  }
  EXPECT_EQ(RawClient((*started)->port()).Ask(Post("{}", SdkHeaders("PutItem")))->status, 503);
  full.Stop();
  EXPECT_EQ(waiting.Read()->status, 503);
}

// As a leader that sleeps: it has the request, and does not answer before another one leads.
TEST_F(ForwarderTest, WaitEndsWhenTheLeadChanges) {
  PeerHandler peers([] { return true; }, kSecret);
  std::atomic<int> held = 0;
  std::optional<Completion> kept;
  handler.handle = [&](const HttpRequest&, Exchange&, Completion completion) {
    kept = completion;
    ++held;
    return Outcome::kLater;
  };
  const auto leader = StartLeader(peers);
  SetLeader(Address(leader->port()));
  std::thread change([&] {
    while (held == 0) {
      std::this_thread::yield();
    }
    SetLeader("");
  });
  const auto answer = Ask("PutItem");
  change.join();
  kept->Finish({});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 500);
}

TEST_F(ForwarderTest, PeersNeedTheSecret) {
  PeerHandler peers([] { return true; }, "another secret");
  const auto leader = StartLeader(peers);
  EXPECT_EQ(RawClient(leader->port()).Ask(Post("{}", SdkHeaders("PutItem")))->status, 403);
  SetLeader(Address(leader->port()));
  EXPECT_EQ(Ask("PutItem")->status, 403);
}

// The answer was read while the lease held, and would leave when it holds no more.
TEST_F(ForwarderTest, NothingLeavesAGatewayWhoseLeaseIsOver) {
  std::atomic<bool> held = true;
  GatewayHandler gateway([&] { return held.load(); }, forwarder_, metrics);
  handler.handle = [&](const HttpRequest&, Exchange& exchange, Completion) {
    exchange.response.body = "stale";
    held = false;
    return Outcome::kDone;
  };
  gateway.Lead(handler);
  auto started = Server::Start(options, gateway, metrics, log);
  ASSERT_TRUE(started.has_value());
  const auto answer = RawClient((*started)->port()).Ask(Post("{}", SdkHeaders("GetItem")));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 500);
  EXPECT_EQ(answer->body.find("stale"), std::string::npos);
}

}  // namespace
}  // namespace prejoin::server
