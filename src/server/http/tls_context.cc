#include "server/http/tls_context.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <string_view>
#include <utility>

namespace prejoin::server {
namespace {

constexpr long kSelfSignedSeconds = 60L * 60 * 24 * 30;

Error TlsError(const std::string& what) {
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  return Error{ErrorCode::kIo, what + ": " + reason.data()};
}

// Of what a client offers only HTTP/1.1 is spoken here; a client that offers nothing speaks it too.
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
  if (!context) return nullptr;
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

bool AddExtension(X509* certificate, int id, const char* value) {
  const std::unique_ptr<X509_EXTENSION, void (*)(X509_EXTENSION*)> extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, id, value), X509_EXTENSION_free);
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// Signs `certificate` with `key`, for this machine and a month.
bool FillSelfSigned(X509* certificate, EVP_PKEY* key) {
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate), kSelfSignedSeconds);
  X509_NAME* name = X509_get_subject_name(certificate);
  static constexpr unsigned char kName[] = "localhost";
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, kName, -1, -1, 0);
  return X509_set_issuer_name(certificate, name) == 1 && X509_set_pubkey(certificate, key) == 1 &&
         AddExtension(certificate, NID_subject_alt_name,
                      "DNS:localhost,DNS:*.localhost,IP:127.0.0.1,IP:::1") &&
         AddExtension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
         X509_sign(certificate, key, EVP_sha256()) != 0;
}

}  // namespace

void TlsSessionDeleter::operator()(ssl_st* session) const { SSL_free(session); }

Result<std::unique_ptr<TlsContext>> TlsContext::FromFiles(const std::string& certificate_path,
                                                          const std::string& key_path) {
  PJ_ASSIGN_OR_RETURN(ContextPtr context, Load(certificate_path, key_path));
  return std::unique_ptr<TlsContext>(
      new TlsContext(certificate_path, key_path, std::move(context)));
}

Result<std::unique_ptr<TlsContext>> TlsContext::SelfSigned() {
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, void (*)(X509*)> certificate(X509_new(), X509_free);
  ContextPtr context = NewContext();
  if (!key || !certificate || !context || !FillSelfSigned(certificate.get(), key.get()) ||
      SSL_CTX_use_certificate(context.get(), certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1) {
    return TlsError("cannot make a certificate");
  }
  return std::unique_ptr<TlsContext>(new TlsContext("", "", std::move(context)));
}

TlsContext::TlsContext(std::string certificate_path, std::string key_path, ContextPtr context)
    : certificate_path_(std::move(certificate_path)),
      key_path_(std::move(key_path)),
      context_(std::move(context)) {}

Result<TlsContext::ContextPtr> TlsContext::Load(const std::string& certificate_path,
                                                const std::string& key_path) {
  ERR_clear_error();
  ContextPtr context = NewContext();
  if (!context) return TlsError("TLS");
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
  if (certificate_path_.empty()) return {};
  PJ_ASSIGN_OR_RETURN(ContextPtr context, Load(certificate_path_, key_path_));
  const MutexLock lock(mutex_);
  context_ = std::move(context);
  return {};
}

TlsSession TlsContext::NewSession(int fd) {
  ContextPtr context;
  {
    const MutexLock lock(mutex_);
    context = context_;
  }
  TlsSession session(SSL_new(context.get()));
  if (!session || SSL_set_fd(session.get(), fd) != 1) return nullptr;
  SSL_set_accept_state(session.get());
  return session;
}

}  // namespace prejoin::server
