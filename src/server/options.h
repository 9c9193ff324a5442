// The settings of a server.
#ifndef PREJOIN_SERVER_OPTIONS_H_
#define PREJOIN_SERVER_OPTIONS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/limits.h"

namespace prejoin::server {

class TlsContext;

struct ServerOptions {
  // "localhost" means both loopback addresses, IPv4 and, where there is one, IPv6.
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0: the system chooses.
  int threads = 0;         // 0: one for each core.
  int worker_threads = 0;  // For what would hold up a loop. 0: as many as `threads`.

  TlsContext* tls = nullptr;  // Null: HTTP without TLS. Outlives the server.

  std::size_t header_bytes_max = 16 * 1024;
  std::size_t body_bytes_max = kRequestBytesMax;
  // All requests that are being received or worked on, and all answers that wait to be sent. A
  // client beyond it is told to come back later.
  std::size_t memory_bytes_max = std::size_t{192} * 1024 * 1024;
  // The part of it for requests whose caller is not known yet: of all clients, and of one address.
  std::size_t received_bytes_max = std::size_t{128} * 1024 * 1024;
  std::size_t received_bytes_of_peer_max = std::size_t{96} * 1024 * 1024;
  // 0: as many as the limit of open files allows. One address may have seven eighths of them.
  std::size_t connections_max = 0;

  // From the connection to the end of the TLS handshake.
  std::chrono::milliseconds handshake_timeout{5'000};
  // From the first byte of a request to the end of its header.
  std::chrono::milliseconds header_timeout{10'000};
  // A body has this long, and one second more for each `bytes_per_second_min` that came. It may not
  // pause for longer than `progress_timeout`.
  std::chrono::milliseconds transfer_timeout{30'000};
  std::size_t bytes_per_second_min = 64 * 1024;
  // A client that takes less than `progress_bytes` of its answer in this time is dropped.
  std::chrono::milliseconds progress_timeout{10'000};
  std::size_t progress_bytes = 64 * 1024;
  // Between two requests. Longer than the keep-alive time of SDKs, so that they close first.
  std::chrono::milliseconds idle_timeout{75'000};
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_OPTIONS_H_
