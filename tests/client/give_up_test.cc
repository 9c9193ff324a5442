// A request that nobody answers ends when its caller gives up, without a signal that wakes the reader.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client/http_endpoint.h"

namespace prejoin::client {
namespace {

TEST(GiveUp, EndsARequestWithoutAnAnswer) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  auto endpoint = HttpEndpoint::Parse("http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
  ASSERT_TRUE(endpoint.has_value());
  int asked = 0;
  endpoint->GiveUpWhen([&] { return ++asked > 2; });
  const auto answer = endpoint->Get("/");
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().message, "interrupted");
  EXPECT_EQ(asked, 3);  // And it did not ask again.
  close(listener);
}

}  // namespace
}  // namespace prejoin::client
