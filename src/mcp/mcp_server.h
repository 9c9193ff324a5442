// The protocol: which message does what. Knows no files and no sockets; cli/mcp.cc moves the
// messages.
#ifndef PREJOIN_MCP_MCP_SERVER_H_
#define PREJOIN_MCP_MCP_SERVER_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/tools.h"

namespace prejoin::mcp {

// The client, while a tool runs for it. Either may be empty.
struct Peer {
  std::function<void(const std::string& message)> send;
  // Returns true if the client has cancelled the request with this id, or has gone.
  std::function<bool(const std::string& id)> took_back;
};

// Returns true if a message is the notification that cancels the request with this id, as JSON text.
bool IsCancellationOf(std::string_view message, std::string_view id);

// Single thread.
class McpServer {
 public:
  McpServer(std::string version, ToolContext context)
      : version_(std::move(version)), context_(std::move(context)) {}

  // The answer; nullopt for notifications, and for requests that were taken back meanwhile.
  std::optional<std::string> Handle(std::string_view message, const Peer& peer = {});

 private:
  struct Asked;
  std::string Initialize(const Asked& asked) const;
  std::optional<std::string> CallTool(const Asked& asked, const Peer& peer) const;

  const std::string version_;
  const ToolContext context_;
};

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_MCP_SERVER_H_
