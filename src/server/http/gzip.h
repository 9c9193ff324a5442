// gzip in and out.
#ifndef PREJOIN_SERVER_HTTP_GZIP_H_
#define PREJOIN_SERVER_HTTP_GZIP_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace prejoin::server {

enum class InflateOutcome {
  kDone,
  kTooLarge,  // More than the limit would come out.
  kBroken,    // Not gzip, cut off, or with a wrong checksum.
};

// Appends to `out` at most `bytes_max` bytes, however small `compressed` is. Several gzip members
// behind each other count as one.
InflateOutcome Inflate(std::string_view compressed, std::size_t bytes_max, std::string& out);

// Compresses quickly rather than well. Keeps its quarter of a megabyte between calls. Single
// thread.
class Deflater {
 public:
  Deflater();
  ~Deflater();
  Deflater(Deflater&&) noexcept;

  // Nullopt if the library could not get its memory.
  std::optional<std::string> Deflate(std::string_view bytes);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;  // Made at the first call.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_GZIP_H_
