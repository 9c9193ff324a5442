// The certificate of `--tls-self-signed`: an authority of this machine's own, and a certificate that it issued, kept in a folder.
//
// Clients trust the authority (ca.pem), once; the server shows the certificate, which is no authority itself. A certificate that
// signs itself and is an authority, as `openssl req -x509` makes it, would be less to keep, but Rust's TLS refuses a server
// that shows an authority. One that signs itself and is none would have to be trusted again each time it is renewed. The
// authority may issue nothing below it. OpenSSL (Python, Node.js), Go, Java and rustls accept the result.
#ifndef PREJOIN_SERVER_HTTP_LOCAL_CERTIFICATE_H_
#define PREJOIN_SERVER_HTTP_LOCAL_CERTIFICATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "prejoin/result.h"

namespace prejoin::server {

struct LocalCertificate {
  std::string authority_path;    // ca.pem: what clients trust.
  std::string certificate_path;  // cert.pem
  std::string key_path;          // key.pem, mode 0600, as is ca-key.pem.
  std::int64_t renew_at_s = 0;   // When EnsureLocalCertificate is to be called again.
};

// Makes in `folder` what is missing or does not fit: the authority if there is none or it expires soon, the certificate if it
// does, or is not for all of `hosts` (names and addresses; those of the loopback are always in it), or is another authority's.
// `now_s`: seconds since 1970. Safe with several processes on one folder.
Result<LocalCertificate> EnsureLocalCertificate(const std::string& folder,
                                                const std::vector<std::string>& hosts,
                                                std::int64_t now_s);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_LOCAL_CERTIFICATE_H_
