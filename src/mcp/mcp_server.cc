#include "mcp/mcp_server.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "json/copy.h"
#include "json/reader.h"
#include "json/writer.h"
#include "mcp/resources.h"
#include "rpc/message.h"

namespace prejoin::mcp {
namespace {

constexpr int kResourceNotFound = -32002;
constexpr auto kPeerPause = std::chrono::milliseconds(100);
constexpr std::array<std::string_view, 4> kVersions = {"2025-06-18", "2025-03-26", "2024-11-05",
                                                       "2025-11-25"};

std::string ListTools() {
  std::string out = "{\"tools\":";
  json::AppendArray(AllTools(), out, [&](const Tool& tool) {
    json::ObjectWriter object(out);
    object.String("name", tool.name);
    object.String("description", tool.description);
    object.Name("inputSchema") += tool.input_schema;
    json::ObjectWriter hints(object.Name("annotations"));
    hints.Bool("readOnlyHint", tool.read_only);
    hints.Bool("openWorldHint", !tool.read_only);
  });
  return out + "}";
}

std::string ListAllResources() {
  std::string out = "{\"resources\":";
  json::AppendArray(ListResources(), out, [&](const Resource& resource) {
    json::ObjectWriter object(out);
    object.String("uri", resource.uri);
    object.String("name", resource.name);
    object.String("description", resource.description);
    object.String("mimeType", resource.type);
  });
  return out + "}";
}

std::string ResourceJson(const std::string& uri, const std::string& text) {
  std::string out = "{\"contents\":[";
  {
    json::ObjectWriter object(out);
    object.String("uri", uri);
    object.String("mimeType", "text/plain");
    object.String("text", text);
  }
  return out + "]}";
}

std::string ProgressMessage(std::string_view token, int step, std::string_view what) {
  std::string params;
  {
    json::ObjectWriter object(params);
    object.Name("progressToken") += token;
    object.Integer("progress", step);
    object.String("message", what);
  }
  return rpc::Notification("notifications/progress", params);
}

// True a few times a second at most, however often it is asked.
class Seldom {
 public:
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) {
      return false;
    }
    next_ = now + kPeerPause;
    return true;
  }

 private:
  std::chrono::steady_clock::time_point next_;
};

// Reports come indented for people; assistants pay for every blank.
std::string Compact(const std::string& json_text) {
  const auto document = json::Document::Parse(json_text);
  if (!document) {
    return json_text;
  }
  std::string out;
  json::AppendCopy(document->root(), out);
  return out;
}

std::string ToolResult(const std::string& text, bool is_error) {
  std::string out = "{\"content\":[{\"type\":\"text\",\"text\":";
  json::AppendString(text, out);
  out += "}]";
  if (is_error) {
    out += ",\"isError\":true";
  } else if (text.starts_with("{")) {
    out += ",\"structuredContent\":" + text;
  }
  return out + "}";
}

}  // namespace

bool IsCancellationOf(std::string_view message, std::string_view id) {
  const auto document = json::Document::Parse(message);
  const auto request =
      document ? rpc::ReadRequest(document->root()) : ValidationError("the message is not JSON");
  if (!request || request->method != "notifications/cancelled") {
    return false;
  }
  std::string cancelled;
  if (const auto given = rpc::Find(request->params, "requestId")) {
    json::AppendCopy(*given, cancelled);
  }
  return cancelled == id;
}

// A message, copied out of its text: tools read JSON themselves, and a thread has one document.
struct McpServer::Asked {
  std::string method;
  std::string id;
  std::string tool;
  std::string uri;
  std::string protocol;
  std::string progress_token;  // JSON text; empty: the client does not ask how far it is.
  ToolArguments arguments;
};

std::string McpServer::Initialize(const Asked& asked) const {
  const bool known =
      std::find(kVersions.begin(), kVersions.end(), asked.protocol) != kVersions.end();
  std::string out = "{\"protocolVersion\":";
  json::AppendString(known ? std::string_view(asked.protocol) : kVersions[0], out);
  out += R"(,"capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"prejoin","version":)";
  json::AppendString(version_, out);
  out += "},\"instructions\":";
  json::AppendString(
      "Prejoin checks and proves DynamoDB designs. Read prejoin://grammar and one of the examples, "
      "write the entities, patterns and writes of a model, and call `design`: it gives the whole "
      "file with keys and indexes, proved. Or write those too, call `check` until it has no "
      "errors, "
      "then `prove`; `cost` and `explain` say what it costs and why.",
      out);
  return out + "}";
}

std::optional<std::string> McpServer::CallTool(const Asked& asked, const Peer& peer) const {
  const auto tools = AllTools();
  const auto tool = std::find_if(tools.begin(), tools.end(),
                                 [&](const Tool& one) { return one.name == asked.tool; });
  if (tool == tools.end()) {
    return rpc::ErrorAnswer(asked.id, rpc::kInvalidParams, "there is no tool " + asked.tool);
  }
  ToolContext context = context_;
  if (peer.send && !asked.progress_token.empty()) {
    context.progress = [&, step = 0, due = Seldom()](const std::string& what) mutable {
      if (due()) {
        peer.send(ProgressMessage(asked.progress_token, ++step, what));
      }
    };
  }
  bool taken_back = false;
  if (peer.took_back) {
    context.cancelled = [&, due = Seldom()]() mutable {
      if (!taken_back && due()) {
        taken_back = peer.took_back(asked.id);
      }
      return taken_back;
    };
  }
  const auto result = tool->run(asked.arguments, context);
  if (taken_back) {
    return std::nullopt;
  }
  return rpc::Answer(asked.id, result ? ToolResult(Compact(*result), false)
                                      : ToolResult(result.error().message, true));
}

std::optional<std::string> McpServer::Handle(std::string_view message, const Peer& peer) {
  Asked asked;
  {
    const auto document = json::Document::Parse(message);
    if (!document) {
      return rpc::ErrorAnswer("", rpc::kParseError, "the message is not JSON");
    }
    const auto request = rpc::ReadRequest(document->root());
    if (!request) {
      return rpc::ErrorAnswer("", rpc::kInvalidRequest, request.error().message);
    }
    asked.method = request->method;
    asked.id = request->id;
    asked.tool = rpc::FindText(request->params, "name");
    asked.uri = rpc::FindText(request->params, "uri");
    asked.protocol = rpc::FindText(request->params, "protocolVersion");
    const auto token = rpc::Find(rpc::Find(request->params, "_meta"), "progressToken");
    if (token) {
      json::AppendCopy(*token, asked.progress_token);
    }
    const auto given = rpc::Find(request->params, "arguments");
    if (given && given->type() == json::Type::kObject) {
      for (const auto field : given->fields()) {
        std::string value;
        if (field.value.type() == json::Type::kString) {
          value = field.value.string();
        } else if (!field.value.is_null()) {
          json::AppendCopy(field.value, value);
        }
        asked.arguments.Set(std::string(field.name), std::move(value));
      }
    }
  }
  if (asked.id.empty() || asked.method.empty()) {
    return std::nullopt;
  }
  if (asked.method == "initialize") {
    return rpc::Answer(asked.id, Initialize(asked));
  }
  if (asked.method == "ping") {
    return rpc::Answer(asked.id, "{}");
  }
  if (asked.method == "tools/list") {
    return rpc::Answer(asked.id, ListTools());
  }
  if (asked.method == "tools/call") {
    return CallTool(asked, peer);
  }
  if (asked.method == "resources/list") {
    return rpc::Answer(asked.id, ListAllResources());
  }
  if (asked.method == "resources/templates/list") {
    return rpc::Answer(asked.id, "{\"resourceTemplates\":[]}");
  }
  if (asked.method == "resources/read") {
    const auto text = ReadResource(asked.uri);
    if (text) {
      return rpc::Answer(asked.id, ResourceJson(asked.uri, *text));
    }
    return rpc::ErrorAnswer(asked.id, kResourceNotFound, "there is no resource " + asked.uri);
  }
  return rpc::ErrorAnswer(asked.id, rpc::kMethodNotFound, "there is no method " + asked.method);
}

}  // namespace prejoin::mcp
