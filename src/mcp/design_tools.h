// The tools that find and compare designs.
#ifndef PREJOIN_MCP_DESIGN_TOOLS_H_
#define PREJOIN_MCP_DESIGN_TOOLS_H_

#include <string>

#include "mcp/tool.h"
#include "prejoin/result.h"

namespace prejoin::mcp {

Result<std::string> DesignTool(const ToolArguments& arguments, const ToolContext& context);
Result<std::string> DiffTool(const ToolArguments& arguments, const ToolContext& context);

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_DESIGN_TOOLS_H_
