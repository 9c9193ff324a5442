// TLS over a connected socket, as a client.
#ifndef PREJOIN_CLIENT_TLS_SESSION_H_
#define PREJOIN_CLIENT_TLS_SESSION_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "prejoin/result.h"

struct ssl_ctx_st;
struct ssl_st;

namespace prejoin::client {

// Borrows the socket, which must live longer. Single thread.
class TlsSession {
 public:
  // Shakes hands and verifies that the certificate is for `host` and signed by an authority of the
  // system, or of the file that SSL_CERT_FILE or AWS_CA_BUNDLE names. TLS 1.2 or newer.
  static Result<std::unique_ptr<TlsSession>> Open(int socket, const std::string& host);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // Like send and recv: bytes, 0 at the end, negative if the connection broke.
  ssize_t Write(std::string_view bytes);
  ssize_t Read(char* bytes, std::size_t bytes_max);
  // True if bytes have arrived that the next Read need not wait for.
  bool HasBytes() const;

 private:
  TlsSession() = default;
  Status Handshake(int socket, const std::string& host);

  ssl_ctx_st* context_ = nullptr;
  ssl_st* session_ = nullptr;
};

}  // namespace prejoin::client

#endif  // PREJOIN_CLIENT_TLS_SESSION_H_
