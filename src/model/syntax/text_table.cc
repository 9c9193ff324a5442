#include "model/syntax/text_table.h"

#include <algorithm>

#include "model/syntax/fold.h"
#include "model/syntax/text_style.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kFoldedMin = 10;  // A last column that is narrower than this is not folded.

std::string Padded(const std::string& cell, std::size_t width, Align align) {
  const std::string pad(width - std::min(width, Columns(cell)), ' ');
  return align == Align::kRight ? pad + cell : cell + pad;
}

// The text in lines that are at most that wide.
std::vector<std::string> LinesOf(const std::string& text, std::size_t width) {
  const std::string folded = Columns(text) <= width ? text : Fold(text, width);
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (at <= folded.size()) {
    const std::size_t end = std::min(folded.find('\n', at), folded.size());
    lines.push_back(folded.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

void TextTable::AddHeading(std::vector<std::string> cells) {
  for (std::string& cell : cells) {
    if (!cell.empty()) {
      cell = Styled(Style::kDetail, cell);
    }
  }
  AddRow(std::move(cells));
}

std::string TextTable::Render(std::size_t width, std::size_t indent) const {
  const std::size_t last = columns_.size() - 1;
  const bool folds = columns_[last] == Align::kLeft;
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], Columns(row[i]));
    }
  }
  std::size_t before = indent;
  for (std::size_t i = 0; i < last; ++i) {
    before += widths[i] + kGap;
  }
  const std::size_t left = folds && before + kFoldedMin <= width ? width - before : SIZE_MAX;
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size() && (i < last || !folds); ++i) {
      line += (i == 0 ? "" : std::string(kGap, ' ')) + Padded(row[i], widths[i], columns_[i]);
    }
    if (folds && row.size() == columns_.size()) {
      bool first = true;
      for (const std::string& piece : LinesOf(row[last], left)) {
        line += first ? std::string(last > 0 ? kGap : 0, ' ') : "\n" + std::string(before, ' ');
        line += piece;
        first = false;
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace prejoin::model
