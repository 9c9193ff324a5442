// An orderly end: what was asked is answered, what is idle is closed, and it does not take longer
// than allowed.
#include <atomic>
#include <future>

#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

using ShutdownTest = ServerTest;

TEST_F(ShutdownTest, ClosesIdleConnectionsAtOnce) {
  Start();
  RawClient used(port());
  EXPECT_EQ(used.Ask(Post("x"))->body, "x");
  RawClient never_used(port());
  EXPECT_TRUE(server->Shutdown(std::chrono::seconds(10)));
  EXPECT_TRUE(used.ReadsEnd());
  EXPECT_TRUE(never_used.ReadsEnd());
}

TEST_F(ShutdownTest, AnswersARequestThatIsUnderWay) {
  std::promise<void> entered;
  std::promise<void> leave;
  handler.handle = [&](const HttpRequest& request, Exchange& exchange, Completion) {
    entered.set_value();
    leave.get_future().wait();
    exchange.response.body = request.body;
    return Outcome::kDone;
  };
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send(Post("under way")));
  entered.get_future().wait();
  auto done =
      std::async(std::launch::async, [&] { return server->Shutdown(std::chrono::seconds(10)); });
  leave.set_value();
  EXPECT_EQ(client.Read()->body, "under way");
  client.FinishSending();
  EXPECT_TRUE(done.get());
}

TEST_F(ShutdownTest, LetsAHalfSentRequestFinish) {
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbo"));
  RawClient witness(port());
  EXPECT_EQ(witness.Ask(Post("x"))->body, "x");  // The half has arrived: it was sent before.
  auto done =
      std::async(std::launch::async, [&] { return server->Shutdown(std::chrono::seconds(10)); });
  EXPECT_TRUE(witness.ReadsEnd());
  ASSERT_TRUE(client.Send("dy"));
  const auto answer = client.Read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "body");
  EXPECT_EQ(answer->headers.at("connection"), "close");
  client.FinishSending();
  EXPECT_TRUE(done.get());
}

TEST_F(ShutdownTest, DoesNotWaitLongerThanAllowed) {
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbo"));
  RawClient witness(port());
  EXPECT_EQ(witness.Ask(Post("x"))->body, "x");
  EXPECT_TRUE(server->Shutdown(std::chrono::milliseconds(20)));
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(ShutdownTest, TakesNoNewConnections) {
  Start();
  const std::uint16_t old_port = port();
  EXPECT_TRUE(server->Shutdown(std::chrono::seconds(10)));
  server.reset();
  options.port = old_port;
  Start();  // The port is free again.
  EXPECT_EQ(port(), old_port);
}

// Clients hammer the server while it stops: each request that the handler counted has its answer,
// whole, at the client.
TEST_F(ShutdownTest, LosesNoAnswerUnderLoad) {
  std::atomic<int> handled = 0;
  handler.handle = [&handled](const HttpRequest& request, Exchange& exchange, Completion) {
    ++handled;
    exchange.response.body = request.body;
    return Outcome::kDone;
  };
  options.threads = 2;
  Start();
  constexpr int kClients = 8;
  std::atomic<int> answered = 0;
  std::atomic<int> warm = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kClients; ++i) {
    threads.emplace_back([&] {
      RawClient client(port());
      for (int n = 0;; ++n) {
        if (!client.Send(Post("payload"))) {
          return;
        }
        const auto answer = client.Read();
        if (!answer) {
          return;
        }
        EXPECT_EQ(answer->body, "payload");
        ++answered;
        if (n == 20) {
          ++warm;
        }
      }
    });
  }
  while (warm < kClients) {
    std::this_thread::yield();
  }
  EXPECT_TRUE(server->Shutdown(std::chrono::seconds(10)));
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(handled, answered);
}

TEST_F(ShutdownTest, DestroyingARunningServerIsFine) {
  Start();
  RawClient client(port());
  EXPECT_EQ(client.Ask(Post("x"))->body, "x");
  server.reset();
  EXPECT_TRUE(client.ReadsEnd());
}

}  // namespace
}  // namespace prejoin::server
