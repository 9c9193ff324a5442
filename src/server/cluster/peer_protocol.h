// The words of gateways to each other, beside the client's own request.
#ifndef PREJOIN_SERVER_CLUSTER_PEER_PROTOCOL_H_
#define PREJOIN_SERVER_CLUSTER_PEER_PROTOCOL_H_

#include <string_view>

namespace prejoin::server {

// In a request: the secret of the cluster. Only gateways know it, from the shared objects.
inline constexpr std::string_view kPeerHeader = "x-prejoin-peer";
// In an answer: nothing was done, because this gateway does not lead.
inline constexpr std::string_view kNotLeaderHeader = "x-prejoin-not-leader";

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_CLUSTER_PEER_PROTOCOL_H_
