// Texts that an assistant can read before it writes a model.
#ifndef PREJOIN_MCP_RESOURCES_H_
#define PREJOIN_MCP_RESOURCES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prejoin::mcp {

struct Resource {
  std::string uri;
  std::string name;
  std::string description;
  std::string type;  // text/markdown, text/plain
};

// The grammar, the rules, the examples.
std::vector<Resource> ListResources();
std::optional<std::string> ReadResource(std::string_view uri);

// The MIME type of a resource.
std::string_view TypeOfResource(std::string_view uri);

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_RESOURCES_H_
