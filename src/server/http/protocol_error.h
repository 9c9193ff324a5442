// Answers to requests that are broken before anyone looks at what they ask.
#ifndef PREJOIN_SERVER_HTTP_PROTOCOL_ERROR_H_
#define PREJOIN_SERVER_HTTP_PROTOCOL_ERROR_H_

#include <string_view>

#include "server/http/http.h"

namespace prejoin::server {

// A DynamoDB error of the service framework:
// {"__type":"com.amazon.coral.service#TYPE","message":…}, the message left out if empty.
HttpResponse CoralError(int status, std::string_view type, std::string_view message);

// For the statuses that the HTTP layer itself gives: 400, 408, 413, 431 (sent as 400), 500, 503. The connection
// closes after it, except after a 500.
HttpResponse ProtocolError(int status);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_PROTOCOL_ERROR_H_
