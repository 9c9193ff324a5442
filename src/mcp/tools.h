// The tools that an assistant can call.
#ifndef PREJOIN_MCP_TOOLS_H_
#define PREJOIN_MCP_TOOLS_H_

#include <span>

#include "mcp/tool.h"

namespace prejoin::mcp {

std::span<const Tool> AllTools();

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_TOOLS_H_
