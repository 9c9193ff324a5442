// The tools of assistants on the server's own port: POST /mcp, the protocol's "streamable HTTP" without streams.
#ifndef PREJOIN_MCP_MCP_ROUTE_H_
#define PREJOIN_MCP_MCP_ROUTE_H_

#include <string>
#include <vector>

#include "process/task_runner.h"
#include "server/api_guard.h"
#include "server/dispatch.h"

namespace prejoin::mcp {

// Thread-safe. Outlives the server that its route is served by. Only reads reach the database.
class McpRoute {
 public:
  // `runner` calls DoMcpWork in another process and outlives this object; `reads` reads the server's tables for it.
  McpRoute(process::TaskRunner& runner, process::Call reads, std::vector<std::string> host_names);

  void AddTo(server::Dispatch& dispatch);

 private:
  server::Outcome Post(const server::HttpRequest& request, server::Exchange& exchange,
                       server::Completion completion);

  process::TaskRunner& runner_;
  const process::Call reads_;
  const server::ApiGuard guard_;
};

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_MCP_ROUTE_H_
