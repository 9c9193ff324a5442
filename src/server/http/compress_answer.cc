#include "server/http/compress_answer.h"

#include <utility>

namespace prejoin::server {

void CompressAnswer(Exchange& exchange, Deflater& deflater) {
  // The size from which AWS compresses; below, the time is worth more than the bytes.
  constexpr std::size_t kCompressedBytesMin = 4096;
  HttpResponse& response = exchange.response;
  if (exchange.coding == Coding::kIdentity || response.body.size() < kCompressedBytesMin ||
      response.headers.find("Content-Encoding:") != std::string::npos) {
    return;
  }
  if (auto compressed = deflater.Deflate(exchange.coding, response.body)) {
    response.body = *std::move(compressed);
    response.AddHeader("Content-Encoding", NameOf(exchange.coding));
  }
}

}  // namespace prejoin::server
