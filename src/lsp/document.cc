#include "lsp/document.h"

#include <algorithm>

namespace prejoin::lsp {
namespace {

// UTF-16 units of the character that starts with this byte; 0 inside a character.
int UnitsOf(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if ((byte & 0xC0) == 0x80) {
    return 0;
  }
  return byte >= 0xF0 ? 2 : 1;
}

}  // namespace

Document::Document(std::string text) : text_(std::move(text)) { IndexLines(); }

void Document::IndexLines() {
  starts_ = {0};
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') {
      starts_.push_back(i + 1);
    }
  }
  is_read_ = false;
}

const model::ReadModelResult& Document::read() {
  if (!is_read_) {
    read_ = model::ReadModel(text_);
    is_read_ = true;
  }
  return read_;
}

void Document::Replace(const Range& range, std::string_view text) {
  const std::size_t begin = OffsetOf(range.start);
  const std::size_t end = std::max(begin, OffsetOf(range.end));
  text_.replace(begin, end - begin, text);
  IndexLines();
}

void Document::ReplaceAll(std::string text) {
  text_ = std::move(text);
  IndexLines();
}

std::string_view Document::Line(int line) const {
  if (line < 0 || line >= line_count()) {
    return {};
  }
  const std::size_t begin = starts_[static_cast<std::size_t>(line)];
  std::size_t end =
      line + 1 < line_count() ? starts_[static_cast<std::size_t>(line) + 1] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') {
    --end;
  }
  return std::string_view(text_).substr(begin, end - begin);
}

std::size_t Document::OffsetOf(Position position) const {
  if (position.line < 0) {
    return 0;
  }
  if (position.line >= line_count()) {
    return text_.size();
  }
  const std::string_view line = Line(position.line);
  std::size_t at = 0;
  int units = 0;
  while (at < line.size() && units < position.character) {
    units += UnitsOf(line[at++]);
    while (at < line.size() && UnitsOf(line[at]) == 0) {
      ++at;
    }
  }
  return starts_[static_cast<std::size_t>(position.line)] + at;
}

Position Document::PositionOf(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::size_t>(after - starts_.begin()) - 1;
  Position position{static_cast<int>(line), 0};
  for (std::size_t i = starts_[line]; i < offset; ++i) {
    position.character += UnitsOf(text_[i]);
  }
  return position;
}

Range Document::RangeOf(const model::SourceSpan& span) const {
  const int line = std::clamp(span.line - 1, 0, line_count() - 1);
  const std::size_t start = starts_[static_cast<std::size_t>(line)];
  const std::size_t limit = start + Line(line).size();
  const std::size_t begin =
      std::min(limit, start + static_cast<std::size_t>(std::max(0, span.column - 1)));
  const std::size_t end =
      std::min(limit, begin + static_cast<std::size_t>(std::max(1, span.length)));
  return {PositionOf(begin), PositionOf(std::max(begin, end))};
}

Range Document::Whole() const { return {{0, 0}, PositionOf(text_.size())}; }

std::string PositionJson(Position position) {
  return "{\"line\":" + std::to_string(position.line) +
         ",\"character\":" + std::to_string(position.character) + "}";
}

std::string RangeJson(const Range& range) {
  return "{\"start\":" + PositionJson(range.start) + ",\"end\":" + PositionJson(range.end) + "}";
}

}  // namespace prejoin::lsp
