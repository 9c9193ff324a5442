// The server's side of TLS: certificate, key, and what is negotiated.
#ifndef PREJOIN_SERVER_HTTP_TLS_CONTEXT_H_
#define PREJOIN_SERVER_HTTP_TLS_CONTEXT_H_

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "prejoin/result.h"

struct ssl_ctx_st;
struct ssl_st;

namespace prejoin::server {

struct TlsSessionDeleter {
  void operator()(ssl_st* session) const;
};
using TlsSession = std::unique_ptr<ssl_st, TlsSessionDeleter>;

// TLS 1.2 and later, HTTP/1.1 in ALPN. Thread-safe.
class TlsContext {
 public:
  // PEM files: a certificate with its chain, and its key. The error names the file and the reason.
  static Result<std::unique_ptr<TlsContext>> FromFiles(const std::string& certificate_path,
                                                       const std::string& key_path);
  // A certificate for this machine and `hosts` by an authority of its own, kept in `folder` and renewed there in time
  // (local_certificate.h). Clients trust `authority_path()`.
  static Result<std::unique_ptr<TlsContext>> SelfSigned(const std::string& folder,
                                                        std::vector<std::string> hosts);

  // Reads the files again. New connections use them; if they cannot be used, the old ones stay.
  Status Reload();

  // Empty if the certificate was given.
  const std::string& authority_path() const { return authority_path_; }

  // Null for want of memory.
  TlsSession NewSession(int fd);

 private:
  using ContextPtr = std::shared_ptr<ssl_ctx_st>;
  TlsContext(std::string certificate_path, std::string key_path, ContextPtr context);
  static Result<ContextPtr> Load(const std::string& certificate_path, const std::string& key_path);

  const std::string certificate_path_;
  const std::string key_path_;
  // The folder of a self-signed certificate, set before anybody else sees the object; else empty.
  std::string folder_;
  std::vector<std::string> hosts_;
  std::string authority_path_;
  std::atomic<std::int64_t> renew_at_s_ = std::numeric_limits<std::int64_t>::max();

  Mutex mutex_;
  ContextPtr context_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_TLS_CONTEXT_H_
