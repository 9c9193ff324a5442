// A model file as an editor holds it: text, places in it, and the model that was read from it.
#ifndef PREJOIN_LSP_DOCUMENT_H_
#define PREJOIN_LSP_DOCUMENT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/bind/read_model.h"

namespace prejoin::lsp {

// As the protocol counts: from 0, columns in UTF-16 units.
struct Position {
  int line = 0;
  int character = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

struct Range {
  Position start;
  Position end;
};

// Single thread.
class Document {
 public:
  explicit Document(std::string text);

  const std::string& text() const { return text_; }
  // Read again after each change, when first asked for.
  const model::ReadModelResult& read();

  // Replaces a range; positions past the end mean the end.
  void Replace(const Range& range, std::string_view text);
  void ReplaceAll(std::string text);

  std::size_t OffsetOf(Position position) const;
  Position PositionOf(std::size_t offset) const;
  // A place of the model layer: lines from 1, columns and lengths in bytes. Line 0 is the first line.
  Range RangeOf(const model::SourceSpan& span) const;
  std::string_view Line(int line) const;
  int line_count() const { return static_cast<int>(starts_.size()); }
  Range Whole() const;

 private:
  void IndexLines();

  std::string text_;
  std::vector<std::size_t> starts_;  // The start of each line.
  model::ReadModelResult read_;
  bool is_read_ = false;
};

// `{"line":1,"character":2}` and ranges of them.
std::string PositionJson(Position position);
std::string RangeJson(const Range& range);

}  // namespace prejoin::lsp

#endif  // PREJOIN_LSP_DOCUMENT_H_
