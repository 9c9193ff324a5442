#include "mcp/mcp_server.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/utf8.h"
#include "json/copy.h"
#include "json/reader.h"
#include "json/writer.h"
#include "mcp/prompts.h"
#include "mcp/resources.h"
#include "model/syntax/spelling.h"
#include "rpc/message.h"

namespace prejoin::mcp {
namespace {

constexpr int kResourceNotFound = -32002;
constexpr auto kPeerPause = std::chrono::milliseconds(100);
constexpr std::array<std::string_view, 4> kVersions = {"2025-06-18", "2025-03-26", "2024-11-05",
                                                       "2025-11-25"};

// "source|path to" → {"source", "path"}, {"to"}. Optional ones only if asked for.
struct Needed {
  std::vector<std::string> names;
  bool optional = false;
};
std::vector<Needed> NeededBy(const Tool& tool) {
  std::vector<Needed> all;
  std::string_view rest = tool.required;
  while (!rest.empty()) {
    std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    Needed one;
    if (word.starts_with('?')) {
      one.optional = true;
      word.remove_prefix(1);
    }
    while (!word.empty()) {
      const std::string_view name = word.substr(0, word.find('|'));
      word.remove_prefix(std::min(word.size(), name.size() + 1));
      one.names.emplace_back(name);
    }
    all.push_back(std::move(one));
  }
  return all;
}

// Clients reject `anyOf` at the top, so only what has no alternative is required there.
std::string InputSchema(const Tool& tool) {
  std::string required;
  for (const Needed& one : NeededBy(tool)) {
    if (one.names.size() == 1 && !one.optional) {
      required += (required.empty() ? "\"" : ",\"") + one.names[0] + '"';
    }
  }
  return "{\"type\":\"object\",\"properties\":{" + std::string(tool.properties) + "}" +
         (required.empty() ? "" : ",\"required\":[" + required + "]") + "}";
}

std::string ListTools() {
  std::string out = "{\"tools\":";
  json::AppendArray(AllTools(), out, [&](const Tool& tool) {
    json::ObjectWriter object(out);
    object.String("name", tool.name);
    object.String("description", tool.description);
    object.Name("inputSchema") += InputSchema(tool);
    if (!tool.results.empty()) {
      object.Name("outputSchema") +=
          "{\"type\":\"object\",\"properties\":{" + std::string(tool.results) + "}}";
    }
    json::ObjectWriter hints(object.Name("annotations"));
    hints.Bool("readOnlyHint", tool.read_only);
    hints.Bool("openWorldHint", !tool.read_only);
  });
  return out + "}";
}

// Names what is missing or unknown before the tool runs, and reads the files that arguments name.
Status CompleteArguments(const Tool& tool, const ToolContext& context, ToolArguments& arguments) {
  const std::string properties = "{" + std::string(tool.properties) + "}";
  std::vector<std::string> known;
  if (const auto document = json::Document::Parse(properties)) {
    for (const auto field : document->root().fields()) {
      known.emplace_back(field.name);
    }
  }
  for (const auto& [name, value] : arguments.all()) {
    if (std::ranges::count(known, name) == 0) {
      return ValidationError("`" + std::string(tool.name) + "` has no argument `" + name + "`; " +
                             model::SpellingHint(name, known));
    }
  }
  std::string missing;
  for (const Needed& one : NeededBy(tool)) {
    const bool given = std::ranges::any_of(
        one.names, [&](const std::string& name) { return arguments.all().contains(name); });
    if (!given && !one.optional) {
      missing += missing.empty() ? "" : ", ";
      for (const std::string& name : one.names) {
        missing += (&name == one.names.data() ? "`" : " or `") + name + "`";
      }
    }
    const std::string& last = one.names.back();
    const std::string path = last.ends_with("path") ? arguments.Get(last) : "";
    const std::string& text = one.names[one.names.size() > 1 ? one.names.size() - 2 : 0];
    if (path.empty() || arguments.all().contains(text)) {
      continue;
    }
    if (!context.read_file) {
      return ValidationError("this server reads no files; give the text itself as `" + text + "`");
    }
    PJ_ASSIGN_OR_RETURN(std::string content, context.read_file(path));
    if (content.empty()) {
      return ValidationError(path + " is empty");
    }
    arguments.Set(text, std::move(content));
  }
  if (!missing.empty()) {
    return ValidationError("`" + std::string(tool.name) + "` needs " + missing);
  }
  return {};
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
    object.String("mimeType", TypeOfResource(uri));
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

// Errors quote what was given, which may be a line of a megabyte.
std::string ShortError(const std::string& message) {
  constexpr std::size_t kErrorBytesMax = 8'000;
  return message.size() <= kErrorBytesMax ? message
                                          : std::string(CutUtf8(message, kErrorBytesMax)) + " …";
}

std::string PromptAnswer(const std::string& id, const std::string& name,
                         const ToolArguments& arguments) {
  const auto prompt = GetPrompt(name, arguments);
  return prompt ? rpc::Answer(id, *prompt)
                : rpc::ErrorAnswer(id, rpc::kInvalidParams, "there is no prompt " + name);
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
  out += R"(,"capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"prejoin","version":)";
  json::AppendString(version_, out);
  out += "},\"instructions\":";
  json::AppendString(
      "Prejoin checks and proves DynamoDB designs. Read prejoin://grammar and one of the examples, "
      "write the entities, patterns and writes of a model, and call `design`: it returns the "
      "whole file with keys and indexes, proved. Or write those too, call `check` until it has no "
      "errors, "
      "then `prove`; `cost` and `explain` report the cost and the reasons.",
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
  ToolArguments arguments = asked.arguments;
  const Status complete = CompleteArguments(*tool, context, arguments);
  const auto result = complete ? tool->run(arguments, context)
                               : Result<std::string>(Error(complete.error()));
  if (taken_back) {
    return std::nullopt;
  }
  return rpc::Answer(asked.id, result ? ToolResult(Compact(*result), false)
                                      : ToolResult(ShortError(result.error().message), true));
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
  if (asked.method == "prompts/list") {
    return rpc::Answer(asked.id, ListPrompts());
  }
  if (asked.method == "prompts/get") {
    return PromptAnswer(asked.id, asked.tool, asked.arguments);
  }
  return rpc::ErrorAnswer(asked.id, rpc::kMethodNotFound, "unknown method " + asked.method);
}

}  // namespace prejoin::mcp
