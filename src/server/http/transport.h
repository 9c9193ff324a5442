// The bytes of one connection: straight from the socket, or through TLS.
#ifndef PREJOIN_SERVER_HTTP_TRANSPORT_H_
#define PREJOIN_SERVER_HTTP_TRANSPORT_H_

#include <sys/uio.h>

#include <cstddef>
#include <memory>
#include <span>

#include "server/http/tls_context.h"

namespace prejoin::server {

// Calls never block and report as recv and sendmsg do: a number of bytes, 0 for the end of the
// stream, or -1 with errno. Single thread.
class Transport {
 public:
  // Owns `fd`, which is connected and does not block. `tls` may be null.
  Transport(int fd, TlsContext* tls);
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  int fd() const { return fd_; }

  ssize_t Receive(std::span<char> space);
  // The parts one behind the other; what was not taken must be at the front of the next call.
  ssize_t Send(std::span<iovec> parts);
  // Nothing more will be sent. False if the connection is gone.
  bool FinishSending();

  // TLS has bytes for Receive of which the socket knows nothing any more.
  bool HasPending() const;
  // TLS is not agreed upon yet.
  bool handshaking() const;
  // TLS must send something before it can go on receiving.
  bool wants_to_send() const { return wants_to_send_; }

 private:
  ssize_t Fail(int result);

  const int fd_;
  const bool encrypted_;
  TlsSession session_;  // Null without TLS, and if there was no memory for it.
  bool wants_to_send_ = false;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_TRANSPORT_H_
