#include "cli/access/tls_arguments.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

namespace prejoin::cli {
namespace {

// Data in memory has no directory, and clients should find the same authority after each start.
std::string StateFolder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') {
    return std::string(state) + "/prejoin/tls";
  }
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') {
    return std::string(home) + "/.local/state/prejoin/tls";
  }
  return {};
}

// Beside the data directory, as its key file is: a copy of the data holds no private key.
std::string BesideData(std::string data) {
  while (data.size() > 1 && data.ends_with('/')) {
    data.pop_back();
  }
  return data + ".tls";
}

}  // namespace

void AddTlsOptions(CLI::App& verb, TlsArguments& arguments) {
  auto* certificate =
      verb.add_option("--tls-cert", arguments.certificate,
                      "PEM file with the certificate and its chain; reloaded on SIGHUP");
  auto* key =
      verb.add_option("--tls-key", arguments.key, "PEM file with the private key of --tls-cert");
  certificate->needs(key);
  key->needs(certificate);
  auto* self_signed = verb.add_flag("--tls-self-signed", arguments.self_signed,
                                    "Serve HTTPS with a certificate from a local authority. "
                                    "Clients must trust its ca.pem; the path is printed at start");
  self_signed->excludes(certificate);
  verb.add_option("--tls-dir", arguments.folder,
                  "Directory of that certificate. Default: DIR.tls beside --data DIR; with "
                  "--memory, ~/.local/state/prejoin/tls")
      ->needs(self_signed);
}

std::string RenewedFolder(const server::TlsContext* tls) {
  return tls == nullptr ? "" : std::filesystem::path(tls->authority_path()).parent_path().string();
}

Result<std::unique_ptr<server::TlsContext>> OpenTls(const TlsArguments& arguments,
                                                    const std::string& data,
                                                    const std::vector<std::string>& hosts) {
  if (arguments.self_signed) {
    std::string folder = arguments.folder;
    if (folder.empty()) {
      folder = data.empty() ? StateFolder() : BesideData(data);
    }
    if (folder.empty()) {
      return ValidationError("there is no home directory for the certificate; set --tls-dir");
    }
    return server::TlsContext::SelfSigned(folder, hosts);
  }
  if (!arguments.certificate.empty()) {
    return server::TlsContext::FromFiles(arguments.certificate, arguments.key);
  }
  return std::unique_ptr<server::TlsContext>();
}

}  // namespace prejoin::cli
