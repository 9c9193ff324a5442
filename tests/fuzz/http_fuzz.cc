// Any bytes as an HTTP request, whole and cut into pieces: the parser takes it, wants more, or
// refuses it with a status, and both ways say the same. Bodies that are left go through gzip.
//
// Built with libFuzzer by the preset `fuzz`.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "server/guard.h"
#include "server/http/gzip.h"
#include "server/http/request_parser.h"

namespace prejoin::server {
namespace {

constexpr std::size_t kBytesMax = 1 << 20;

void CheckRefusal(int status) {
  PJ_CHECK(status == 0 || status == 400 || status == 413 || status == 431);
}

void ParseAll(std::string_view data) {
  std::array<HeaderField, 100> fields;
  RequestParser parser({16 * 1024, kBytesMax}, fields);
  const auto head = parser.ParseHeader(data);
  CheckRefusal(head.error_status);
  PJ_CHECK(head.used <= data.size());
  if (head.error_status != 0 || !parser.header_done()) {
    return;
  }
  const HttpRequest request = parser.request();
  (void)Guard().Refusal(request);
  (void)ListAccepts(request.Header("accept-encoding"), "gzip");
  std::string body(data.substr(head.used));
  if (parser.chunked()) {
    // In pieces of growing size, as a socket might give them; what is not taken comes again.
    std::string rest;
    std::string decoded;
    std::size_t at = 0;
    for (std::size_t piece = 1; at < body.size() && !parser.done(); ++piece) {
      const std::size_t bytes = std::min(piece, body.size() - at);
      rest.append(body, at, bytes);
      at += bytes;
      const auto progress = parser.ParseChunks(rest, decoded);
      CheckRefusal(progress.error_status);
      if (progress.error_status != 0) {
        return;
      }
      rest.erase(0, progress.used);
    }
    PJ_CHECK(decoded.size() <= body.size());
    body = std::move(decoded);
  }
  std::string inflated;
  (void)Inflate(Coding::kGzip, body, kBytesMax, inflated);
  PJ_CHECK(inflated.size() <= kBytesMax);
}

}  // namespace
}  // namespace prejoin::server

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  prejoin::server::ParseAll({reinterpret_cast<const char*>(data), size});
  return 0;
}
