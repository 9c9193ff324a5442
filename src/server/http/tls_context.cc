#include "server/http/tls_context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <ctime>
#include <string_view>
#include <utility>

#include "server/http/local_certificate.h"

namespace prejoin::server {
namespace {

constexpr std::int64_t kRenewAgainSeconds = 3'600;

Error TlsError(const std::string& what) {
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  return Error{ErrorCode::kIo, what + ": " + reason.data()};
}

// Selects HTTP/1.1, the only protocol spoken here, from the client's offer; a client that offers nothing speaks it too.
int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* chosen_bytes,
                   const unsigned char* offered, unsigned offered_bytes, void*) {
  static constexpr std::string_view kHttp11 = "http/1.1";
  for (unsigned at = 0; at < offered_bytes; at += 1u + offered[at]) {
    const std::string_view name(reinterpret_cast<const char*>(offered + at + 1), offered[at]);
    if (name == kHttp11) {
      *chosen = offered + at + 1;
      *chosen_bytes = offered[at];
      return SSL_TLSEXT_ERR_OK;
    }
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

std::shared_ptr<SSL_CTX> NewContext() {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (!context) {
    return nullptr;
  }
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                         SSL_OP_IGNORE_UNEXPECTED_EOF);
  // Bytes that could not be sent are given again from another place in memory, and idle connections keep
  // no buffers.
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                      SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(context.get(), ChooseProtocol, nullptr);
  return context;
}

}  // namespace

void TlsSessionDeleter::operator()(ssl_st* session) const { SSL_free(session); }

Result<std::unique_ptr<TlsContext>> TlsContext::FromFiles(const std::string& certificate_path,
                                                          const std::string& key_path) {
  PJ_ASSIGN_OR_RETURN(ContextPtr context, Load(certificate_path, key_path));
  return std::unique_ptr<TlsContext>(
      new TlsContext(certificate_path, key_path, std::move(context)));
}

Result<std::unique_ptr<TlsContext>> TlsContext::SelfSigned(const std::string& folder,
                                                           std::vector<std::string> hosts) {
  PJ_ASSIGN_OR_RETURN(const LocalCertificate made,
                      EnsureLocalCertificate(folder, hosts, std::time(nullptr)));
  PJ_ASSIGN_OR_RETURN(std::unique_ptr<TlsContext> tls,
                      FromFiles(made.certificate_path, made.key_path));
  tls->folder_ = folder;
  tls->hosts_ = std::move(hosts);
  tls->authority_path_ = made.authority_path;
  tls->renew_at_s_ = made.renew_at_s;
  return tls;
}

TlsContext::TlsContext(std::string certificate_path, std::string key_path, ContextPtr context)
    : certificate_path_(std::move(certificate_path)),
      key_path_(std::move(key_path)),
      context_(std::move(context)) {}

Result<TlsContext::ContextPtr> TlsContext::Load(const std::string& certificate_path,
                                                const std::string& key_path) {
  ERR_clear_error();
  ContextPtr context = NewContext();
  if (!context) {
    return TlsError("TLS");
  }
  if (SSL_CTX_use_certificate_chain_file(context.get(), certificate_path.c_str()) != 1) {
    return TlsError("cannot use the certificate " + certificate_path);
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), key_path.c_str(), SSL_FILETYPE_PEM) != 1) {
    return TlsError("cannot use the key " + key_path);
  }
  if (SSL_CTX_check_private_key(context.get()) != 1) {
    return TlsError("the key " + key_path + " does not belong to " + certificate_path);
  }
  return context;
}

Status TlsContext::Reload() {
  if (!folder_.empty()) {
    PJ_ASSIGN_OR_RETURN(const LocalCertificate made,
                        EnsureLocalCertificate(folder_, hosts_, std::time(nullptr)));
    renew_at_s_ = made.renew_at_s;
  }
  PJ_ASSIGN_OR_RETURN(ContextPtr context, Load(certificate_path_, key_path_));
  const MutexLock lock(mutex_);
  context_ = std::move(context);
  return {};
}

TlsSession TlsContext::NewSession(int fd) {
  // A server may run for longer than its certificate. If no new one can be made, the old one stays, and an hour later it is tried again.
  if (const std::int64_t now_s = std::time(nullptr); now_s >= renew_at_s_) {
    renew_at_s_ = now_s + kRenewAgainSeconds;
    (void)Reload();
  }
  ContextPtr context;
  {
    const MutexLock lock(mutex_);
    context = context_;
  }
  TlsSession session(SSL_new(context.get()));
  if (!session || SSL_set_fd(session.get(), fd) != 1) {
    return nullptr;
  }
  SSL_set_accept_state(session.get());
  return session;
}

}  // namespace prejoin::server
