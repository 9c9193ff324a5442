// Prompts of the protocol: what a person can start a conversation with.
#ifndef PREJOIN_MCP_PROMPTS_H_
#define PREJOIN_MCP_PROMPTS_H_

#include <optional>
#include <string>
#include <string_view>

#include "mcp/tool.h"

namespace prejoin::mcp {

// The `result` of prompts/list and of prompts/get; nullopt: there is no such prompt.
std::string ListPrompts();
std::optional<std::string> GetPrompt(std::string_view name, const ToolArguments& arguments);

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_PROMPTS_H_
