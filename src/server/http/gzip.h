// gzip and deflate (zlib's format), in and out.
#ifndef PREJOIN_SERVER_HTTP_GZIP_H_
#define PREJOIN_SERVER_HTTP_GZIP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/memory_budget.h"

namespace prejoin::server {

enum class Coding : std::uint8_t { kIdentity, kGzip, kDeflate };

// The header value that names it, and the coding of a name in any case of letters: nullopt if it is
// none of ours.
std::string_view NameOf(Coding coding);
std::optional<Coding> CodingNamed(std::string_view name);

// The encoding of the answer, by AWS's reading of Accept-Encoding: the highest weight wins, the first of
// equals; "*" stands for what is not named, after all that is; a weight that is no number up to 1
// counts as 1, a negative one as 0.
Coding ChooseCoding(std::string_view accept_encoding);

enum class InflateOutcome {
  kDone,
  kTooLarge,  // More than the limit would come out.
  kNoRoom,    // The budget did not allow it.
  kBroken,    // Not of that coding, cut off, or with a wrong checksum.
};

// Text that pays for its memory out of a budget, as it grows. Single thread, but it may move to another.
class PaidText {
 public:
  explicit PaidText(MemoryBudget& budget) : budget_(budget) {}
  ~PaidText() { budget_.Give(paid_); }
  PaidText(const PaidText&) = delete;
  PaidText& operator=(const PaidText&) = delete;

  // False if the budget does not allow it.
  [[nodiscard]] bool Append(std::string_view bytes);
  std::string_view text() const { return text_; }

 private:
  MemoryBudget& budget_;
  std::size_t paid_ = 0;
  std::string text_;
};

// Appends to `out` at most `bytes_max` bytes, however small `compressed` is. Several gzip members
// after each other count as one. `coding` is not kIdentity.
InflateOutcome Inflate(Coding coding, std::string_view compressed, std::size_t bytes_max,
                       std::string& out);
InflateOutcome Inflate(Coding coding, std::string_view compressed, std::size_t bytes_max,
                       PaidText& out);

// Compresses quickly rather than well. Keeps its quarter of a megabyte between calls. Single
// thread.
class Deflater {
 public:
  Deflater();
  ~Deflater();
  Deflater(Deflater&&) noexcept;

  // Nullopt if the library could not get its memory. `coding` is not kIdentity.
  std::optional<std::string> Deflate(Coding coding, std::string_view bytes);

 private:
  struct Stream;
  std::unique_ptr<Stream> gzip_;  // Each made at its first use.
  std::unique_ptr<Stream> deflate_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_GZIP_H_
