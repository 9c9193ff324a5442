// The tools of assistants on the server's own port: POST /mcp, the protocol's "streamable HTTP" without streams.
#ifndef PREJOIN_MCP_MCP_ROUTE_H_
#define PREJOIN_MCP_MCP_ROUTE_H_

#include <string>
#include <vector>

#include "base/worker.h"
#include "mcp/mcp_server.h"
#include "server/backend.h"
#include "server/dispatch.h"
#include "studio/guard.h"

namespace prejoin::mcp {

// Thread-safe. Outlives the server that its route is served by: answers are made on a thread of this
// object. Only reads reach the database.
class McpRoute {
 public:
  // `backend` outlives this object.
  McpRoute(server::Backend& backend, std::vector<std::string> host_names,
           const std::string& version);

  void AddTo(server::Dispatch& dispatch);

 private:
  server::Outcome Post(const server::HttpRequest& request, server::Exchange& exchange,
                       server::Completion completion);

  const studio::Guard guard_;
  McpServer server_;  // Used by the worker only.
  Worker worker_;
};

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_MCP_ROUTE_H_
