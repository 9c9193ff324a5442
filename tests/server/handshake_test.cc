// TLS handshakes that do not come to their end.
#include <vector>

#include "server/http/tls_context.h"
#include "tests/engine/test_database.h"
#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

class HandshakeTest : public ServerTest {
 protected:
  HandshakeTest() : tls_(*TlsContext::SelfSigned(folder_.path(), {})) { options.tls = tls_.get(); }
  ~HandshakeTest() override { server.reset(); }

  void WaitForConnections(std::size_t count) {
    while (server->ConnectionCountsForTesting()[0] != count) {
      std::this_thread::yield();
    }
  }

  TestDirectory folder_;
  std::unique_ptr<TlsContext> tls_;
};

// The first bytes of a greeting.
constexpr std::string_view kGreeting("\x16\x03\x01\x02\x00\x01\x00", 7);

TEST_F(HandshakeTest, EndsOneThatTakesTooLong) {
  options.handshake_timeout = std::chrono::milliseconds(40);
  Start();
  RawClient silent(port());
  RawClient slow(port());
  ASSERT_TRUE(slow.Send(kGreeting));
  EXPECT_TRUE(silent.ReadsEnd());
  EXPECT_TRUE(slow.ReadsEnd());
}

TEST_F(HandshakeTest, EndsTheOldestOfAnAddressThatHasTooMany) {
  constexpr std::size_t kOfOneAddress = 64;
  Start();
  RawClient stranger(port(), "127.0.0.2");
  ASSERT_TRUE(stranger.Send(kGreeting));
  WaitForConnections(1);
  std::vector<RawClient> clients;
  for (std::size_t i = 0; i < kOfOneAddress + 10; ++i) {
    clients.emplace_back(port());
    ASSERT_TRUE(clients.back().Send(kGreeting));
  }
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_TRUE(clients[i].ReadsEnd()) << i;
  }
  // Those that came later, and the other address, are as they were.
  WaitForConnections(kOfOneAddress + 1);
}

TEST_F(HandshakeTest, EndsTheOldestOfAllWhenThereAreTooMany) {
  constexpr std::size_t kOfAll = 256;
  Start();
  RawClient first(port(), "127.0.0.2");
  WaitForConnections(1);
  std::vector<RawClient> clients;
  for (std::size_t i = 0; i < kOfAll; ++i) {
    const std::string address = "127.0.1." + std::to_string(1 + i / 32);
    clients.emplace_back(port(), address.c_str());
  }
  EXPECT_TRUE(first.ReadsEnd());
  WaitForConnections(kOfAll);
}

}  // namespace
}  // namespace prejoin::server
