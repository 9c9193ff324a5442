// Keeps pages of other origins from the routes that are not DynamoDB's: the model API, the assistants' tools, another server's tables.
#ifndef PREJOIN_SERVER_API_GUARD_H_
#define PREJOIN_SERVER_API_GUARD_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/guard.h"
#include "server/http/http.h"

namespace prejoin::server {

struct ApiRefusal {
  int status;
  std::string_view why;
};

// Lets in programs, and pages that this server itself has served. Immutable, thread-safe.
class ApiGuard {
 public:
  // `host_names`: names under which this server is known, besides localhost and addresses.
  explicit ApiGuard(std::vector<std::string> host_names)
      : hosts_({std::move(host_names), {}, true}) {}

  // Refuses pages of other origins (403), names that may have been pointed at this machine by
  // someone else's DNS (403), and POST with another content type than JSON (415): a form can send
  // that without asking. Nullopt: let it pass.
  std::optional<ApiRefusal> Refuses(const HttpRequest& request) const;

 private:
  const Guard hosts_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_API_GUARD_H_
