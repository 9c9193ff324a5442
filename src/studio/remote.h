// Another server's tables for the studio's page: what the page asks goes there, signed by this process with the
// credentials of its environment. The page never sees them.
#ifndef PREJOIN_STUDIO_REMOTE_H_
#define PREJOIN_STUDIO_REMOTE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/worker.h"
#include "client/endpoint.h"
#include "prejoin/result.h"
#include "server/api_guard.h"
#include "server/dispatch.h"

namespace prejoin::studio {

struct RemoteOptions {
  std::string url;  // Empty: no other server.
  std::string region;
  bool writes = false;  // Else only what changes nothing is passed on.
};

// Thread-safe once it serves; the calls run one after the other on a thread of their own.
class Remote {
 public:
  static Result<std::unique_ptr<Remote>> Open(RemoteOptions options,
                                              std::vector<std::string> host_names);

  // POST /remote with the operation in X-Amz-Target, as to DynamoDB; GET /remote says where it goes.
  void AddRoutes(server::Dispatch& dispatch);

 private:
  Remote(RemoteOptions options, client::Endpoint endpoint, std::vector<std::string> host_names);
  server::Outcome Forward(const server::HttpRequest& request, server::Exchange& exchange,
                          server::Completion completion);

  // Set in the constructor, never changed.
  const RemoteOptions options_;
  const server::ApiGuard guard_;

  client::Endpoint endpoint_;  // Used by the worker only.
  Worker worker_;              // Last: it stops before what it uses goes.
};

// GET /remote of a server that shows its own tables: there is no other.
void AddNoRemote(server::Dispatch& dispatch);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_REMOTE_H_
