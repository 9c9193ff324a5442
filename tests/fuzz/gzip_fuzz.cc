// Any bytes as gzip: refused, or no more than the limit comes out; and what we compress reads back.
//
// Built with libFuzzer by the preset `fuzz`.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "server/http/gzip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin::server;
  constexpr std::size_t kBytesMax = 1 << 20;
  static Deflater deflater;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string inflated;
  (void)Inflate(bytes, kBytesMax, inflated);
  PJ_CHECK(inflated.size() <= kBytesMax);
  const auto compressed = deflater.Deflate(bytes);
  PJ_CHECK(compressed.has_value());
  std::string again;
  PJ_CHECK(Inflate(*compressed, size, again) == InflateOutcome::kDone && again == bytes);
  return 0;
}
