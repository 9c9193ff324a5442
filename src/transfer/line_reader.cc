#include "transfer/line_reader.h"

#include <cstring>

namespace prejoin::transfer {

Result<std::size_t> LineReader::Fill() {
  if (begin_ == end_) {
    begin_ = 0;
    PJ_ASSIGN_OR_RETURN(end_, source_->Read(buffer_.data(), buffer_.size()));
  }
  return end_ - begin_;
}

Result<LineReader::Line> LineReader::Next(std::string& line) {
  line.clear();
  bool too_long = false;
  bool any = false;
  while (true) {
    PJ_ASSIGN_OR_RETURN(const std::size_t available, Fill());
    if (available == 0) {
      break;
    }
    any = true;
    const char* const from = buffer_.data() + begin_;
    const void* const found = std::memchr(from, '\n', available);
    const std::size_t size = found == nullptr
                                 ? available
                                 : static_cast<std::size_t>(static_cast<const char*>(found) - from);
    too_long = too_long || line.size() + size > line_bytes_max_;
    if (!too_long) {
      line.append(from, size);
    }
    begin_ += size + (found == nullptr ? 0 : 1);
    if (found != nullptr) {
      break;
    }
  }
  if (!any) {
    return Line::kEnd;
  }
  if (too_long) {
    line.clear();
    return Line::kTooLong;
  }
  if (line.ends_with('\r')) {
    line.pop_back();
  }
  return Line::kRead;
}

Result<std::optional<char>> LineReader::NextCharacter() {
  PJ_ASSIGN_OR_RETURN(const std::size_t available, Fill());
  if (available == 0) {
    return std::optional<char>();
  }
  return std::optional(buffer_[begin_++]);
}

}  // namespace prejoin::transfer
