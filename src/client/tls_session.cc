#include "client/tls_session.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdlib>

namespace prejoin::client {
namespace {

std::string LibraryReason() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  return reason != nullptr ? reason : "the connection broke";
}

Error TlsError(const std::string& host, const std::string& what) {
  return Error{ErrorCode::kIo, "TLS with " + host + ": " + what};
}

bool IsAddress(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

// A program that is linked on Debian looks for certificates where Debian has them. Elsewhere, the first of the usual files is taken.
void TrustOtherDistributions(SSL_CTX* context) {
  constexpr const char* kBundles[] = {"/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
                                      "/etc/ssl/ca-bundle.pem"};
  if (std::getenv("SSL_CERT_FILE") != nullptr || std::getenv("SSL_CERT_DIR") != nullptr ||
      ::access(X509_get_default_cert_dir(), R_OK) == 0) {
    return;
  }
  for (const char* bundle : kBundles) {
    if (::access(bundle, R_OK) == 0) {
      SSL_CTX_load_verify_locations(context, bundle, nullptr);
      return;
    }
  }
}

}  // namespace

Result<std::unique_ptr<TlsSession>> TlsSession::Open(int socket, const std::string& host) {
  // OpenSSL writes to the socket without MSG_NOSIGNAL; a broken connection must not end the
  // program.
  std::signal(SIGPIPE, SIG_IGN);
  std::unique_ptr<TlsSession> session(new TlsSession());
  PJ_RETURN_IF_ERROR(session->Handshake(socket, host));
  return session;
}

TlsSession::~TlsSession() {
  SSL_free(session_);
  SSL_CTX_free(context_);
}

Status TlsSession::Handshake(int socket, const std::string& host) {
  ERR_clear_error();
  context_ = SSL_CTX_new(TLS_client_method());
  if (context_ == nullptr) {
    return TlsError(host, LibraryReason());
  }
  SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
  SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
  if (SSL_CTX_set_default_verify_paths(context_) != 1) {
    return TlsError(host, LibraryReason());
  }
  TrustOtherDistributions(context_);
  const char* bundle = std::getenv("AWS_CA_BUNDLE");
  if (bundle != nullptr && *bundle != '\0' &&
      SSL_CTX_load_verify_locations(context_, bundle, nullptr) != 1) {
    return TlsError(host, "cannot read the certificates in AWS_CA_BUNDLE: " + LibraryReason());
  }
  session_ = SSL_new(context_);
  if (session_ == nullptr) {
    return TlsError(host, LibraryReason());
  }
  const bool address = IsAddress(host);
  const bool named =
      address ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session_), host.c_str()) == 1
              : SSL_set1_host(session_, host.c_str()) == 1 &&
                    SSL_set_tlsext_host_name(session_, host.c_str()) == 1;
  if (!named || SSL_set_fd(session_, socket) != 1) {
    return TlsError(host, LibraryReason());
  }
  if (SSL_connect(session_) == 1) {
    return {};
  }
  const long verified = SSL_get_verify_result(session_);
  if (verified == X509_V_OK) {
    return TlsError(host, LibraryReason());
  }
  ERR_clear_error();
  return TlsError(host, std::string("the certificate is not accepted: ") +
                            X509_verify_cert_error_string(verified) +
                            ". SSL_CERT_FILE may name a file with more authorities.");
}

ssize_t TlsSession::Write(std::string_view bytes) {
  const int size = static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX));
  return SSL_write(session_, bytes.data(), size);
}

bool TlsSession::HasBytes() const { return SSL_has_pending(session_) == 1; }

ssize_t TlsSession::Read(char* bytes, std::size_t bytes_max) {
  const int count =
      SSL_read(session_, bytes, static_cast<int>(std::min<std::size_t>(bytes_max, INT_MAX)));
  if (count > 0) {
    return count;
  }
  const bool ended = SSL_get_error(session_, count) == SSL_ERROR_ZERO_RETURN;
  ERR_clear_error();
  return ended ? 0 : -1;
}

}  // namespace prejoin::client
