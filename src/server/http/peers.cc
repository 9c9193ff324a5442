#include "server/http/peers.h"

#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace prejoin::server {
namespace {

// Gone peers are looked for when so many have come since.
constexpr std::size_t kSweepStep = 1024;
constexpr std::size_t kNetworkBytes = 8;

}  // namespace

Peers::Address Peers::AddressOf(const sockaddr_storage& address) {
  Address bytes{};
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    bytes[10] = bytes[11] = 0xff;
    std::memcpy(bytes.data() + 12, &v4.sin_addr, 4);
  } else if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    const bool mapped = IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr);
    std::memcpy(bytes.data(), &v6.sin6_addr, mapped ? bytes.size() : kNetworkBytes);
  }
  return bytes;
}

std::shared_ptr<Peer> Peers::Of(const sockaddr_storage& address) {
  std::weak_ptr<Peer>& known = peers_[AddressOf(address)];
  std::shared_ptr<Peer> peer = known.lock();
  if (peer == nullptr) {
    known = peer = std::make_shared<Peer>(bytes_max_, received_);
    if (peers_.size() >= swept_size_ + kSweepStep) {
      std::erase_if(peers_, [](const auto& one) { return one.second.expired(); });
      swept_size_ = peers_.size();
    }
  }
  return peer;
}

}  // namespace prejoin::server
