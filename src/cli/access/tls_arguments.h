// The options of `prejoin serve` for HTTPS.
#ifndef PREJOIN_CLI_ACCESS_TLS_ARGUMENTS_H_
#define PREJOIN_CLI_ACCESS_TLS_ARGUMENTS_H_

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "prejoin/result.h"
#include "server/http/tls_context.h"

namespace prejoin::cli {

struct TlsArguments {
  std::string certificate;
  std::string key;
  bool self_signed = false;
  std::string folder;  // The folder of the self-signed certificate; empty: DIR.tls beside the data directory DIR.
};

void AddTlsOptions(CLI::App& verb, TlsArguments& arguments);

// Null if none was asked for. `data`: the data directory, empty if there is none; `hosts`: the names and addresses of this server.
Result<std::unique_ptr<server::TlsContext>> OpenTls(const TlsArguments& arguments,
                                                    const std::string& data,
                                                    const std::vector<std::string>& hosts);

// The folder that a certificate of its own is renewed in while the server runs; empty: there is none.
std::string RenewedFolder(const server::TlsContext* tls);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_ACCESS_TLS_ARGUMENTS_H_
