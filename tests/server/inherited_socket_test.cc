// Sockets that another process has too.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

using InheritedSocketTest = ServerTest;

// A worker of the server has its sockets from the fork until it executes its program. One that the server
// closes meanwhile is still open there, so epoll still knows it.
TEST_F(InheritedSocketTest, ServesOthersAfterItsEnd) {
  Start();
  RawClient client(port());
  ASSERT_EQ(client.Ask(Post("x"))->body, "x");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);  // Also if the server does not survive.
    while (true) {
      pause();
    }
  }
  client.FinishSending();
  for (int i = 0; i < 50; ++i) {
    RawClient other(port());
    const auto answer = other.Ask(Post("y"));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body, "y");
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace prejoin::server
