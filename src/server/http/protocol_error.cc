#include "server/http/protocol_error.h"

#include <string>

#include "json/writer.h"

namespace prejoin::server {
namespace {

// Header values reach here as they came; bytes beyond ASCII are not known to be UTF-8, so each is
// taken as the Latin-1 character that it stands for in HTTP.
std::string Latin1ToUtf8(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return out;
}

}  // namespace

HttpResponse CoralError(int status, std::string_view type, std::string_view message) {
  HttpResponse response;
  response.status = status;
  {
    json::ObjectWriter object(response.body);
    object.String("__type", std::string("com.amazon.coral.service#").append(type));
    if (!message.empty()) {
      object.String("message", Latin1ToUtf8(message));
    }
  }
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
      // HTTP has a status of its own for this; AWS does not.
      response = CoralError(400, "BadRequestException", "The header of the request is too large.");
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
