// Text line by line, and character by character, in bounded memory.
#ifndef PREJOIN_TRANSFER_LINE_READER_H_
#define PREJOIN_TRANSFER_LINE_READER_H_

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "prejoin/result.h"
#include "transfer/byte_source.h"

namespace prejoin::transfer {

// Single thread.
class LineReader {
 public:
  LineReader(std::unique_ptr<ByteSource> source, std::size_t line_bytes_max)
      : source_(std::move(source)), line_bytes_max_(line_bytes_max) {}

  enum class Line {
    kRead,
    kTooLong,  // It was passed over; reading can continue after it.
    kEnd,
  };
  // Without its line end. Errors are those of the source.
  Result<Line> Next(std::string& line);

  // For readers whose records may span lines. Nullopt at the end.
  Result<std::optional<char>> NextCharacter();

  const ByteSource& source() const { return *source_; }

 private:
  // False at the end.
  Result<std::size_t> Fill();

  std::unique_ptr<ByteSource> source_;
  const std::size_t line_bytes_max_;
  std::array<char, 64 * 1024> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_LINE_READER_H_
