#include "model/syntax/text_table.h"

#include <algorithm>

#include "model/syntax/fold.h"
#include "model/syntax/text_style.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kGap = 2;
// A last column is not folded, and a first one not narrowed, to less than this.
constexpr std::size_t kFoldedMin = 10;
// A last column gets this width for its longest words at the cost of the first one; longer words go below their row.
constexpr std::size_t kWordMax = 24;
// In a narrower last column, a text of more lines goes below its row.
constexpr std::size_t kLinesMax = 3;
// How far a last cell below its row is indented.
constexpr std::size_t kBelowIndent = 4;

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

std::size_t LongestWord(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    longest = std::max(longest, Columns(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

// A row of one cell spans the table.
bool IsSpanning(const std::vector<std::string>& row, std::size_t columns) {
  return row.size() == 1 && columns > 1;
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
  const std::vector<std::size_t> widths = Widths(width, indent);
  std::size_t before = indent;
  for (std::size_t i = 0; i < last; ++i) {
    before += widths[i] + kGap;
  }
  const std::size_t left = before < width ? width - before : 0;
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    std::size_t next = 0;
    if (IsSpanning(row, columns_.size()) || (last > 0 && Columns(row[0]) > widths[0])) {
      out += line + row[0] + "\n";
      if (row.size() == 1) {
        continue;
      }
      line += std::string(widths[0], ' ');
      next = 1;
    }
    for (std::size_t i = next; i < row.size() && (i < last || !folds); ++i) {
      line += (i == 0 ? "" : std::string(kGap, ' ')) + Padded(row[i], widths[i], columns_[i]);
    }
    if (folds && row.size() == columns_.size() && !row[last].empty()) {
      const bool fits = last == 0 || (LongestWord(row[last]) <= left &&
                                      (left >= kWordMax || LinesOf(row[last], left).size() <= kLinesMax));
      const std::size_t margin = fits ? before : indent + kBelowIndent;
      bool first = fits;
      for (const std::string& piece : LinesOf(row[last], width - std::min(margin, width))) {
        line += first ? std::string(last > 0 ? kGap : 0, ' ') : "\n" + std::string(margin, ' ');
        line += piece;
        first = false;
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

// Of each column; the last one's does not matter if it is folded. The first column gives way where the figures and a last column that is as
// wide as its longest word would not fit beside it.
std::vector<std::size_t> TextTable::Widths(std::size_t width, std::size_t indent) const {
  const std::size_t last = columns_.size() - 1;
  const bool folds = columns_[last] == Align::kLeft;
  std::vector<std::size_t> widths(columns_.size(), 0);
  std::size_t longest_word = 0;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size() && !IsSpanning(row, columns_.size()); ++i) {
      widths[i] = std::max(widths[i], Columns(row[i]));
    }
    if (folds && row.size() == columns_.size()) {
      longest_word = std::max(longest_word, LongestWord(row[last]));
    }
  }
  if (last == 0 || columns_[0] != Align::kLeft) {
    return widths;
  }
  std::size_t others = indent;
  for (std::size_t i = 1; i < columns_.size(); ++i) {
    others += kGap + (folds && i == last ? std::min(longest_word, kWordMax) : widths[i]);
  }
  const std::size_t room = std::max(kFoldedMin, width - std::min(others, width));
  if (widths[0] > room) {
    widths[0] = 0;
    for (const auto& row : rows_) {
      const std::size_t columns = IsSpanning(row, columns_.size()) ? 0 : Columns(row[0]);
      widths[0] = std::max(widths[0], columns <= room ? columns : 0);
    }
  }
  return widths;
}

}  // namespace prejoin::model
