// Large bodies and answers cross a loop in slices, and small requests of known clients go first.
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "server/http/loop_resources.h"
#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

constexpr std::size_t kLargeBytes = 12'000'000;
// A slice, and the small requests and answers of the test itself.
constexpr std::uint64_t kSliceAndSome = LoopResources::kReadBytes + 4096;

class SlicesTest : public ServerTest {
 protected:
  // "hold" keeps the only loop until Release, so that everything sent meanwhile is ready at once. "look" notes what was received and sent by
  // then. "large" is answered with a large body.
  SlicesTest() {
    handler.handle = [this](const HttpRequest& request, Exchange& exchange, Completion) {
      if (request.body.starts_with("hold")) {
        received_before_ = Total("received");
        sent_before_ = Total("sent");
        held_.set_value();
        released_.get_future().wait();
      } else if (request.body.starts_with("look")) {
        received_ = Total("received") - received_before_;
        sent_ = Total("sent") - sent_before_;
        works_ = works_done_;
      } else if (request.body.starts_with("work")) {
        ++works_done_;
      } else if (request.body.starts_with("large")) {
        exchange.response.body = std::string(kLargeBytes, 'a');
        return Outcome::kDone;
      }
      exchange.response.body = "done";
      return Outcome::kDone;
    };
    Start();
  }
  ~SlicesTest() override { server.reset(); }

  std::uint64_t Total(const std::string& direction) const {
    const std::string text = metrics.Render();
    const std::string name = "\nprejoin_" + direction + "_bytes_total ";
    return std::stoull(text.substr(text.find(name) + name.size()));
  }
  void Hold() {
    ASSERT_TRUE(holder_.emplace(port()).Send(Post("hold")));
    held_.get_future().wait();
  }
  void Release() { released_.set_value(); }

  // A client in the middle of a large body, of which the server has received so much already that it has room for megabytes more.
  std::unique_ptr<RawClient> InABody() {
    auto client = std::make_unique<RawClient>(port());
    const std::string request = Post(std::string(kLargeBytes, 'a'));
    SendAndWait(*client, std::string_view(request).substr(0, 5'000'000));
    return client;
  }
  // Until the server has received it all.
  void SendAndWait(RawClient& client, std::string_view bytes) {
    const std::uint64_t wanted = Total("received") + bytes.size();
    ASSERT_TRUE(client.Send(bytes));
    while (Total("received") < wanted) {
      std::this_thread::yield();
    }
  }

  std::optional<RawClient> holder_;
  std::promise<void> held_;
  std::promise<void> released_;
  std::uint64_t received_before_ = 0;
  std::uint64_t sent_before_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t sent_ = 0;
  int works_done_ = 0;
  int works_ = 0;
};

TEST_F(SlicesTest, ReceivesABodyInSlices) {
  const auto large = InABody();
  RawClient looker(port());
  // Its body is under way as well, so it has no precedence.
  SendAndWait(looker, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nlook");
  Hold();
  ASSERT_TRUE(large->Send(std::string(300'000, 'a')));
  ASSERT_TRUE(looker.Send("!"));
  Release();
  ASSERT_TRUE(looker.Read());
  EXPECT_LE(received_, kSliceAndSome);
}

TEST_F(SlicesTest, ServesSmallRequestsBeforeTheNextSlices) {
  std::vector<std::unique_ptr<RawClient>> large;
  for (int i = 0; i < 5; ++i) {
    large.push_back(InABody());
  }
  RawClient looker(port());
  ASSERT_TRUE(looker.Ask(Post("begin")));
  Hold();
  for (const auto& client : large) {
    ASSERT_TRUE(client->Send(std::string(100'000, 'a')));
  }
  ASSERT_TRUE(looker.Send(Post("look")));
  Release();
  ASSERT_TRUE(looker.Read());
  EXPECT_LT(received_, LoopResources::kReadBytes);
}

// Nobody knows what a new client is going to ask for: it may be a millisecond of work for each of hundreds.
TEST_F(SlicesTest, ServesKnownClientsBeforeNewOnes) {
  RawClient looker(port());
  ASSERT_TRUE(looker.Ask(Post("begin")));
  std::vector<RawClient> strangers;
  for (int i = 0; i < 10; ++i) {
    strangers.emplace_back(port());
  }
  while (metrics.Render().find("\nprejoin_connections 11\n") == std::string::npos) {
    std::this_thread::yield();
  }
  Hold();
  for (RawClient& stranger : strangers) {
    ASSERT_TRUE(stranger.Send(Post("work")));
  }
  ASSERT_TRUE(looker.Send(Post("look")));
  Release();
  ASSERT_TRUE(looker.Read());
  EXPECT_EQ(works_, 0);
  for (RawClient& stranger : strangers) {
    EXPECT_TRUE(stranger.Read());
  }
}

TEST_F(SlicesTest, SendsAnAnswerInSlices) {
  std::vector<RawClient> clients;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(clients.emplace_back(port()).Ask(Post("begin")));
  }
  Hold();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(clients[static_cast<std::size_t>(i)].Send(Post("large")));
  }
  ASSERT_TRUE(clients[3].Send(Post("look")));
  Release();
  ASSERT_TRUE(clients[3].Read());
  EXPECT_LE(sent_, 3 * kSliceAndSome);
  EXPECT_GT(sent_, LoopResources::kReadBytes);
  for (int i = 0; i < 3; ++i) {
    const auto answer = clients[static_cast<std::size_t>(i)].Read();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body.size(), kLargeBytes);
  }
}

}  // namespace
}  // namespace prejoin::server
