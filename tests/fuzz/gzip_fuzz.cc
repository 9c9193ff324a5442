// Any bytes as gzip and as deflate: refused, or no more than the limit comes out; and what we compress reads back.
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
  (void)ChooseCoding(bytes);
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    std::string inflated;
    (void)Inflate(coding, bytes, kBytesMax, inflated);
    PJ_CHECK(inflated.size() <= kBytesMax);
    const auto compressed = deflater.Deflate(coding, bytes);
    PJ_CHECK(compressed.has_value());
    std::string again;
    PJ_CHECK(Inflate(coding, *compressed, size, again) == InflateOutcome::kDone && again == bytes);
  }
  return 0;
}
