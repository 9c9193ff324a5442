#include "cli/serve/parent.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace prejoin::cli {

void StopWithParent() {
  // Detached: it sits in read() until the process ends, and owns nothing.
  std::thread([] {
    char bytes[256];
    while (true) {
      const ssize_t count = read(STDIN_FILENO, bytes, sizeof(bytes));
      if (count == 0 || (count < 0 && errno != EINTR)) {
        kill(getpid(), SIGTERM);
        return;
      }
    }
  }).detach();
}

}  // namespace prejoin::cli
