// The number of descriptors that this process may have.
#ifndef PREJOIN_SERVER_HTTP_OPEN_FILES_H_
#define PREJOIN_SERVER_HTTP_OPEN_FILES_H_

#include <cstddef>

namespace prejoin::server {

// Raises the soft limit to the hard one; a program calls it once, when it starts.
void RaiseOpenFileLimit();

// Connections that leave descriptors enough for the store's files.
std::size_t ConnectionsAllowed();

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_OPEN_FILES_H_
