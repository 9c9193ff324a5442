// The address of a connection's peer.
#ifndef PREJOIN_SERVER_PEER_ADDRESS_H_
#define PREJOIN_SERVER_PEER_ADDRESS_H_

#include <string>

namespace prejoin::server {

// The client's IP address as text; empty if the connection is gone already.
std::string PeerAddress(int socket);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_PEER_ADDRESS_H_
