// Tools about stored data, and about what happens to it.
#ifndef PREJOIN_MCP_DATA_TOOLS_H_
#define PREJOIN_MCP_DATA_TOOLS_H_

#include <string>

#include "mcp/tool.h"

namespace prejoin::mcp {

Result<std::string> AuditTool(const ToolArguments& arguments, const ToolContext& context);
Result<std::string> InferTool(const ToolArguments& arguments, const ToolContext& context);
Result<std::string> SimulateTool(const ToolArguments& arguments, const ToolContext& context);
Result<std::string> MigratePlanTool(const ToolArguments& arguments, const ToolContext& context);

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_DATA_TOOLS_H_
