// The guard of the model API lets in programs, and pages that this server itself has served.
#ifndef PREJOIN_STUDIO_GUARD_H_
#define PREJOIN_STUDIO_GUARD_H_

#include <string>
#include <vector>

#include "prejoin/result.h"
#include "server/guard.h"
#include "server/http/http.h"

namespace prejoin::studio {

// Immutable, thread-safe.
class Guard {
 public:
  // `host_names`: names under which this server is known, besides localhost and addresses.
  explicit Guard(std::vector<std::string> host_names) : hosts_({std::move(host_names), {}, true}) {}

  // Refuses pages of other origins (403), names that may have been pointed at this machine by
  // someone else's DNS (403), and POST with another content type than JSON (415): a form can send
  // that without asking.
  Status Check(const server::HttpRequest& request) const;

 private:
  const server::Guard hosts_;
};

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_GUARD_H_
