#include "server/http/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace prejoin::server {
namespace {

constexpr int kGzipWindowBits = 15 + 16;  // The largest window, in gzip's wrapping.
constexpr int kFastLevel = 1;

Bytef* Input(std::string_view bytes) {
  // zlib does not write to it.
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
}

}  // namespace

InflateOutcome Inflate(std::string_view compressed, std::size_t bytes_max, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindowBits) != Z_OK) return InflateOutcome::kBroken;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  stream.next_in = Input(compressed);
  stream.avail_in = static_cast<uInt>(compressed.size());
  std::array<char, 32 * 1024> block;
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) return InflateOutcome::kBroken;
    const std::size_t bytes = block.size() - stream.avail_out;
    if (bytes > bytes_max - out.size()) return InflateOutcome::kTooLarge;
    out.append(block.data(), bytes);
    if (result == Z_STREAM_END) {
      if (stream.avail_in == 0) return InflateOutcome::kDone;
      if (inflateReset(&stream) != Z_OK) return InflateOutcome::kBroken;
    }
  }
}

struct Deflater::Stream {
  z_stream z{};
  bool ready = false;
  ~Stream() {
    if (ready) deflateEnd(&z);
  }
};

Deflater::Deflater() = default;
Deflater::~Deflater() = default;
Deflater::Deflater(Deflater&&) noexcept = default;

std::optional<std::string> Deflater::Deflate(std::string_view bytes) {
  if (!stream_) {
    stream_ = std::make_unique<Stream>();
    stream_->ready = deflateInit2(&stream_->z, kFastLevel, Z_DEFLATED, kGzipWindowBits, 8,
                                  Z_DEFAULT_STRATEGY) == Z_OK;
  }
  if (!stream_->ready || deflateReset(&stream_->z) != Z_OK) return std::nullopt;
  z_stream& z = stream_->z;
  std::string out(deflateBound(&z, static_cast<uLong>(bytes.size())), '\0');
  z.next_in = Input(bytes);
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) return std::nullopt;
  out.resize(out.size() - z.avail_out);
  return out;
}

}  // namespace prejoin::server
