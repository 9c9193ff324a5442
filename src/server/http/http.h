// HTTP messages as the layers above the sockets see them.
#ifndef PREJOIN_SERVER_HTTP_HTTP_H_
#define PREJOIN_SERVER_HTTP_HTTP_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "auth/header_field.h"

namespace prejoin::server {

enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kDelete, kOptions, kOther };
std::string_view MethodName(Method method);  // For kOther, a method that no route answers.

using auth::HeaderField;

// Borrows the connection's buffers: valid only while Handler::Handle runs.
struct HttpRequest {
  Method method = Method::kOther;
  std::string_view target;  // As sent: path and query.
  std::span<const HeaderField> fields;
  std::string_view body;  // Decoded: neither chunked nor compressed any more.
  // Not chunked any more, but compressed if it was: what a signature is over.
  std::string_view sent_body;

  // Without the query.
  std::string_view path() const { return target.substr(0, target.find('?')); }
  // After the question mark; empty if there is none.
  std::string_view query() const;
  // The first field of that name, in any case of letters; empty if there is none.
  std::string_view Header(std::string_view name) const;
};

inline constexpr std::string_view kAmzJson10 = "application/x-amz-json-1.0";

struct HttpResponse {
  int status = 200;
  // Lives as long as the program; empty: no such header.
  std::string_view content_type = kAmzJson10;
  std::string headers;  // Further header lines, each with its CRLF.
  std::string body;
  bool close = false;  // Close the connection behind this answer.
  bool drop = false;   // Close it without this answer: an injected fault.

  void AddHeader(std::string_view name, std::string_view value);
};

// Without the blanks and tabs around it.
std::string_view Trim(std::string_view text);
bool EqualsIgnoreCase(std::string_view a, std::string_view b);
// True if `list`, comma-separated, names `token` and does not give it the weight 0. For
// Accept-Encoding and the like.
bool ListAccepts(std::string_view list, std::string_view token);
std::string_view ReasonPhrase(int status);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_HTTP_H_
