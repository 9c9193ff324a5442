#include "server/http/protocol_error.h"

namespace prejoin::server {
namespace {

void AppendEscaped(std::string_view text, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      // Header values reach here as they came; what is not ASCII is not known to be UTF-8.
      out.append("\\u00").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
    } else {
      out += c;
    }
  }
}

}  // namespace

HttpResponse CoralError(int status, std::string_view type, std::string_view message) {
  HttpResponse response;
  response.status = status;
  response.body.append("{\"__type\":\"com.amazon.coral.service#").append(type).append("\"");
  if (!message.empty()) {
    response.body += ",\"message\":\"";
    AppendEscaped(message, response.body);
    response.body += '"';
  }
  response.body += '}';
  return response;
}

HttpResponse ProtocolError(int status) {
  HttpResponse response;
  switch (status) {
    case 408:
      response =
          CoralError(408, "RequestTimeoutException", "The request was not received in time.");
      break;
    case 413:
      // AWS sends this status with an empty body; a reason helps people and hurts no SDK.
      response = CoralError(413, "RequestEntityTooLargeException",
                            "The request is larger than 16777216 bytes.");
      break;
    case 431:
      response = CoralError(431, "RequestHeaderFieldsTooLargeException",
                            "The header of the request is too large.");
      break;
    case 500:
      response.status = 500;
      response.body =
          R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"Internal server error"})";
      return response;
    case 503:
      response = CoralError(503, "ServiceUnavailableException",
                            "The server has no room for this request now. Try again.");
      break;
    default:
      response = CoralError(400, "BadRequestException", "The request is not valid HTTP.");
      break;
  }
  response.close = true;
  return response;
}

}  // namespace prejoin::server
