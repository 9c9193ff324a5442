// The protocol: which message does what. Knows no files and no sockets; cli/mcp.cc moves the
// messages.
#ifndef PREJOIN_MCP_MCP_SERVER_H_
#define PREJOIN_MCP_MCP_SERVER_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/tools.h"

namespace prejoin::mcp {

// Single thread.
class McpServer {
 public:
  McpServer(std::string version, ToolContext context)
      : version_(std::move(version)), context_(std::move(context)) {}

  // The answer; nullopt for notifications.
  std::optional<std::string> Handle(std::string_view message);

 private:
  struct Asked;
  std::string Initialize(const Asked& asked) const;
  std::string CallTool(const Asked& asked) const;

  const std::string version_;
  const ToolContext context_;
};

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_MCP_SERVER_H_
