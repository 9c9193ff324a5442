// JSON-RPC 2.0 messages.
#ifndef PREJOIN_RPC_MESSAGE_H_
#define PREJOIN_RPC_MESSAGE_H_

#include <optional>
#include <string>
#include <string_view>

#include "json/reader.h"
#include "prejoin/result.h"

namespace prejoin::rpc {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;

// A call or a notification. Borrows `params` from its document.
struct Request {
  std::string method;
  std::string id;  // JSON text; empty for a notification, which gets no answer.
  std::optional<json::Value> params;
};

// An error if the root is not a request or notification. An answer to a request of ours has no
// method: its `method` is empty here.
Result<Request> ReadRequest(json::Value root);

// `result` and `params` are JSON text.
std::string Answer(std::string_view id, std::string_view result);
std::string ErrorAnswer(std::string_view id, int code, std::string_view message);
std::string Notification(std::string_view method, std::string_view params);

// Members of objects from outside.
std::optional<json::Value> Find(std::optional<json::Value> object, std::string_view name);
// Empty if there is no such text.
std::string FindText(std::optional<json::Value> object, std::string_view name);
std::optional<std::int64_t> FindInteger(std::optional<json::Value> object, std::string_view name);

}  // namespace prejoin::rpc

#endif  // PREJOIN_RPC_MESSAGE_H_
