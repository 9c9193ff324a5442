#include "server/peer_address.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <string_view>

namespace prejoin::server {

std::string PeerAddress(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  char text[INET6_ADDRSTRLEN] = "";
  if (socket < 0 || getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return {};
  }
  if (address.ss_family == AF_INET) {
    inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in*>(&address)->sin_addr, text, sizeof(text));
  } else if (address.ss_family == AF_INET6) {
    inet_ntop(AF_INET6, &reinterpret_cast<sockaddr_in6*>(&address)->sin6_addr, text, sizeof(text));
  }
  const std::string_view mapped = "::ffff:";
  const std::string_view whole = text;
  return std::string(whole.starts_with(mapped) ? whole.substr(mapped.size()) : whole);
}

}  // namespace prejoin::server
