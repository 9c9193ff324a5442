// Which browsers may talk to this server.
//
// With --auth off, the default on loopback, any credentials are accepted, so any web page could use the database of a person who visits it.
// Two checks prevent that, on every path and with every --auth; programs notice neither:
// - Origin: pages of this machine (loopback), pages that this server has served itself, and those
//   that were allowed by name.
// - Host: a page may not reach this server under a name of its own whose DNS entry it has pointed
//   at this machine (DNS rebinding). Addresses pass, and names that nobody can register or claim: those of loopback, and those below a
//   domain that public DNS does not have. Names without a dot, which containers have, pass where the server listens beyond loopback.
#ifndef PREJOIN_SERVER_GUARD_H_
#define PREJOIN_SERVER_GUARD_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/http.h"

namespace prejoin::server {

struct GuardOptions {
  std::vector<std::string> host_names;  // Further names of this server.
  std::vector<std::string> origins;     // "https://app.example"; "*" allows every page.
  // Names of one label pass ("dynamodb" in a compose file). A neighbour on the network can claim such a name (LLMNR), so not for a server that
  // only this machine is meant to reach.
  bool container_names = false;
};

// Immutable, thread-safe.
class Guard {
 public:
  explicit Guard(GuardOptions options = {});

  // Empty: let it pass. Otherwise the reason of the refusal, for people; it lives as long as the
  // program.
  std::string_view Refusal(const HttpRequest& request) const;

  // `host` as in a request: a name or an address, and perhaps a port.
  bool KnowsHost(std::string_view host) const;
  bool AllowsOrigin(std::string_view origin, std::string_view host) const;

 private:
  const GuardOptions options_;
  const std::uint64_t number_;  // No other guard of this process has it, but copies of this one.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_GUARD_H_
