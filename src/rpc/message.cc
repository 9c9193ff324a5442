#include "rpc/message.h"

#include "json/copy.h"
#include "json/writer.h"

namespace prejoin::rpc {

Result<Request> ReadRequest(json::Value root) {
  if (root.type() != json::Type::kObject) {
    return ValidationError("a message is a JSON object");
  }
  Request request;
  request.method = FindText(root, "method");
  if (const auto id = Find(root, "id")) {
    json::AppendCopy(*id, request.id);
  }
  request.params = Find(root, "params");
  if (request.method.empty() && !Find(root, "result") && !Find(root, "error")) {
    return ValidationError("the message has no method");
  }
  return request;
}

std::string Answer(std::string_view id, std::string_view result) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"result\":" + std::string(result) +
         "}";
}

std::string ErrorAnswer(std::string_view id, int code, std::string_view message) {
  std::string out = "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id.empty() ? "null" : id) +
                    ",\"error\":{\"code\":" + std::to_string(code) + ",\"message\":";
  json::AppendString(message, out);
  return out + "}}";
}

std::string Notification(std::string_view method, std::string_view params) {
  return "{\"jsonrpc\":\"2.0\",\"method\":\"" + std::string(method) +
         "\",\"params\":" + std::string(params) + "}";
}

std::optional<json::Value> Find(std::optional<json::Value> object, std::string_view name) {
  const auto found = object ? object->Find(name) : std::nullopt;
  return found && !found->is_null() ? found : std::nullopt;
}

std::string FindText(std::optional<json::Value> object, std::string_view name) {
  const auto value = Find(object, name);
  return value && value->type() == json::Type::kString ? std::string(value->string()) : "";
}

std::optional<std::int64_t> FindInteger(std::optional<json::Value> object, std::string_view name) {
  const auto value = Find(object, name);
  if (!value || (value->type() != json::Type::kInteger && value->type() != json::Type::kDecimal)) {
    return std::nullopt;
  }
  return value->integer();
}

}  // namespace prejoin::rpc
