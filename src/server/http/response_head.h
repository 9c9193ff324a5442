// The status line and headers of an answer, as DynamoDB sends them.
#ifndef PREJOIN_SERVER_HTTP_RESPONSE_HEAD_H_
#define PREJOIN_SERVER_HTTP_RESPONSE_HEAD_H_

#include <cstdint>
#include <ctime>
#include <string>

#include "server/http/http.h"
#include "server/request_id.h"

namespace prejoin::server {

enum class Persistence {
  kDefault,    // HTTP/1.1 keeps the connection and needs no word about it.
  kKeepAlive,  // An HTTP/1.0 client asked for it.
  kClose,
};

// Single thread.
class ResponseHead {
 public:
  explicit ResponseHead(std::uint64_t seed) : request_ids_(seed) {}

  // Appends everything up to and with the empty line. x-amz-crc32 is over the body as it is sent,
  // compressed or not, as SDKs check it.
  void Write(const HttpResponse& response, Persistence persistence, std::string& out);

 private:
  void AppendDate(std::string& out);

  RequestIds request_ids_;
  std::time_t date_second_ = 0;
  std::string date_line_;  // Good for `date_second_`.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_RESPONSE_HEAD_H_
