// Any bytes as a CSV file: each record is read, passed over or refused, none is longer than the
// limit, and the reader comes to the end. The first byte picks the delimiter and the limit.
//
// Built with libFuzzer by the preset `fuzz`.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "transfer/csv_reader.h"

namespace prejoin::transfer {
namespace {

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  Result<std::size_t> Read(char* to, std::size_t size) override {
    const std::size_t bytes = std::min(size, text_.size() - at_);
    std::memcpy(to, text_.data() + at_, bytes);
    at_ += bytes;
    return bytes;
  }
  std::uint64_t file_bytes_read() const override { return at_; }

 private:
  const std::string_view text_;
  std::size_t at_ = 0;
};

void ReadAll(std::uint8_t kind, std::string_view text) {
  static constexpr char kDelimiters[] = {',', ';', '\t', '|'};
  const std::size_t bytes_max = 16 + kind;
  CsvReader reader(std::make_unique<TextSource>(text), kDelimiters[kind % 4], bytes_max);
  std::vector<std::string> fields;
  for (std::size_t record = 0; record <= text.size(); ++record) {
    const auto read = reader.Next(fields);
    PJ_CHECK(read.has_value());
    if (*read == CsvReader::Record::kEnd) {
      return;
    }
    if (*read != CsvReader::Record::kRead) {
      continue;
    }
    std::size_t bytes = 0;
    for (const std::string& field : fields) {
      bytes += field.size();
    }
    PJ_CHECK(bytes <= bytes_max);
  }
  PJ_CHECK(false);  // More records than bytes.
}

}  // namespace
}  // namespace prejoin::transfer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  prejoin::transfer::ReadAll(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
