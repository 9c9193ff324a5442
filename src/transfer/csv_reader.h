// Comma-separated values as RFC 4180 has them, with other delimiters too: fields may be quoted, and
// then hold delimiters, line ends and doubled quotes.
#ifndef PREJOIN_TRANSFER_CSV_READER_H_
#define PREJOIN_TRANSFER_CSV_READER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "prejoin/result.h"
#include "transfer/line_reader.h"

namespace prejoin::transfer {

// Single thread.
class CsvReader {
 public:
  CsvReader(std::unique_ptr<ByteSource> source, char delimiter, std::size_t record_bytes_max)
      : lines_(std::move(source), record_bytes_max),
        delimiter_(delimiter),
        record_bytes_max_(record_bytes_max) {}

  enum class Record {
    kRead,
    kBroken,   // Text after a closing quote. The rest of its line was passed over.
    kTooLong,  // Passed over.
    kEnd,
  };
  // Blank lines are passed over.
  Result<Record> Next(std::vector<std::string>& fields);

  const ByteSource& source() const { return lines_.source(); }

 private:
  enum class State { kFieldStart, kPlain, kQuoted, kQuoteSeen };

  LineReader lines_;
  const char delimiter_;
  const std::size_t record_bytes_max_;
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_CSV_READER_H_
