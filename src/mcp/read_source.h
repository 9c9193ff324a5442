// The text of a model, as an argument of a tool.
#ifndef PREJOIN_MCP_READ_SOURCE_H_
#define PREJOIN_MCP_READ_SOURCE_H_

#include <string>

#include "mcp/tool.h"
#include "model/bind/read_model.h"
#include "prejoin/result.h"

namespace prejoin::mcp {

// A model that reads; else an error that lists what is wrong and how to fix it. `name` is that of the argument.
Result<model::ReadModelResult> ReadSource(const ToolArguments& arguments,
                                          const std::string& name = "source");

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_READ_SOURCE_H_
