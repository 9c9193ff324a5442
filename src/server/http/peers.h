// The clients by their addresses: what one of them has of the server, signed or not.
#ifndef PREJOIN_SERVER_HTTP_PEERS_H_
#define PREJOIN_SERVER_HTTP_PEERS_H_

#include <sys/socket.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>

#include "server/http/memory_budget.h"

namespace prejoin::server {

// One address, or one network of 64 bits for IPv6, where a client has as many addresses as it likes. Thread-safe.
struct Peer {
  Peer(std::size_t bytes_max, MemoryBudget& all) : received(bytes_max, &all) {}

  // Requests that are being received, or wait for a worker.
  MemoryBudget received;
  std::atomic<std::size_t> connections = 0;
};

// Single thread.
class Peers {
 public:
  // Each may have `bytes_max` of `received`, which outlives the peers.
  Peers(std::size_t bytes_max, MemoryBudget& received)
      : bytes_max_(bytes_max), received_(received) {}

  // The same object for the same address, as long as anybody has it.
  std::shared_ptr<Peer> Of(const sockaddr_storage& address);

 private:
  using Address = std::array<unsigned char, 16>;
  static Address AddressOf(const sockaddr_storage& address);

  const std::size_t bytes_max_;
  MemoryBudget& received_;
  std::map<Address, std::weak_ptr<Peer>> peers_;
  std::size_t swept_size_ = 0;  // The size of `peers_` after the last sweep for peers that have gone.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_PEERS_H_
