#include "cli/serve/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace prejoin::cli {

void TellServiceManager(std::string_view state) {
  const char* named = std::getenv("NOTIFY_SOCKET");  // NOLINT(concurrency-mt-unsafe): nobody sets it.
  const std::string_view path = named == nullptr ? "" : named;
  sockaddr_un address = {};
  if (path.size() < 2 || path.size() >= sizeof(address.sun_path) ||
      (path[0] != '/' && path[0] != '@')) {
    return;
  }
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, path.size());
  if (path[0] == '@') {
    address.sun_path[0] = '\0';  // A name of Linux that is no file.
  }
  const int handle = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (handle < 0) {
    return;
  }
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  (void)sendto(handle, state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
               reinterpret_cast<const sockaddr*>(&address), length);
  close(handle);
}

}  // namespace prejoin::cli
