// The answer and the command line that every bench_http_* program shares: one thread, `bench_http_x
// PORT`.
#ifndef PREJOIN_BENCH_HTTP_FIXED_ANSWER_H_
#define PREJOIN_BENCH_HTTP_FIXED_ANSWER_H_

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace prejoin::bench {

// A GetItem answer of 245 bytes, the same as in http_nginx_fixed.conf.
inline constexpr std::string_view kFixedBody =
    R"({"Item":{"pk":{"S":"STUDENT#12345"},"sk":{"S":"PROFILE"},"name":{"S":"Ada Lovelace"},)"
    R"("year":{"N":"3"},"email":{"S":"ada@example.edu"},"major":{"S":"Mathematics"},)"
    R"("gpa":{"N":"3.97"},"courses":{"L":[{"S":"C1"},{"S":"C2"}]},"active":{"BOOL":true}}})";

inline constexpr std::string_view kFixedRequestId =
    "7J5RR0FS9A6DGEHV1RQ2QJ4KPBVV4KQNSO5AEMVJF66Q9ASUAAJG";

// The whole answer for stacks that leave the writing to us.
inline std::string FixedResponse() {
  std::string response =
      "HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n";
  response += "Content-Type: application/x-amz-json-1.0\r\nx-amzn-RequestId: ";
  response += kFixedRequestId;
  response += "\r\nx-amz-crc32: 2745614147\r\nContent-Length: ";
  response += std::to_string(kFixedBody.size());
  response += "\r\n\r\n";
  response += kFixedBody;
  return response;
}

inline std::uint16_t PortFrom(int argc, char** argv) {
  return argc > 1 ? static_cast<std::uint16_t>(std::atoi(argv[1])) : std::uint16_t{9101};
}

}  // namespace prejoin::bench

#endif  // PREJOIN_BENCH_HTTP_FIXED_ANSWER_H_
