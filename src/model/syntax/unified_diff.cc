// The lines that both texts begin and end with are set aside; between them a table of longest common subsequences finds
// the lines that stay. Where that table would be too large, everything between is shown as replaced, which is right but
// longer than needed.
#include "model/syntax/unified_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace prejoin::model {
namespace {

constexpr std::size_t kContextLines = 3;
constexpr std::size_t kTableCellsMax = 4u << 20;

// Each with its line end; the last one may have none.
std::vector<std::string_view> LinesWithEnds(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct DiffLine {
  char sign = ' ';
  std::string_view text;
};

using DiffLines = std::vector<std::string_view>;

void AppendMiddle(const DiffLines& before, const DiffLines& after, std::vector<DiffLine>& out) {
  const std::size_t rows = before.size();
  const std::size_t columns = after.size();
  const bool fits = rows == 0 || columns < kTableCellsMax / (rows + 1);
  // Cell (i, j): how many lines of before[i…] and after[j…] can stay.
  std::vector<std::uint32_t> table(fits ? (rows + 1) * (columns + 1) : 0);
  const auto cell = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return table[i * (columns + 1) + j];
  };
  for (std::size_t i = fits ? rows : 0; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      cell(i, j) =
          before[i] == after[j] ? cell(i + 1, j + 1) + 1 : std::max(cell(i + 1, j), cell(i, j + 1));
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (fits && i < rows && j < columns) {
    if (before[i] == after[j]) {
      out.push_back({' ', before[i]});
      ++i;
      ++j;
    } else if (cell(i + 1, j) >= cell(i, j + 1)) {
      out.push_back({'-', before[i++]});
    } else {
      out.push_back({'+', after[j++]});
    }
  }
  for (; i < rows; ++i) {
    out.push_back({'-', before[i]});
  }
  for (; j < columns; ++j) {
    out.push_back({'+', after[j]});
  }
}

std::vector<DiffLine> Compare(DiffLines before, DiffLines after) {
  const auto same = std::ranges::mismatch(before, after);
  const auto begin = same.in1 - before.begin();
  DiffLines end;
  while (static_cast<std::ptrdiff_t>(before.size()) > begin &&
         static_cast<std::ptrdiff_t>(after.size()) > begin && before.back() == after.back()) {
    end.push_back(before.back());
    before.pop_back();
    after.pop_back();
  }
  std::vector<DiffLine> out;
  for (std::ptrdiff_t i = 0; i < begin; ++i) {
    out.push_back({' ', before[static_cast<std::size_t>(i)]});
  }
  AppendMiddle({before.begin() + begin, before.end()}, {after.begin() + begin, after.end()}, out);
  for (auto line = end.rbegin(); line != end.rend(); ++line) {
    out.push_back({' ', *line});
  }
  return out;
}

// "-12,3": the first line of a side and how many there are; an empty side names the line before it.
std::string SideText(char sign, std::size_t first, std::size_t count) {
  return sign + std::to_string(count == 0 ? first : first + 1) +
         (count == 1 ? "" : "," + std::to_string(count));
}

void AppendHunk(const std::vector<DiffLine>& lines, std::size_t begin, std::size_t end,
                std::string& out) {
  std::size_t before_first = 0;
  std::size_t after_first = 0;
  for (std::size_t i = 0; i < begin; ++i) {
    before_first += lines[i].sign != '+' ? 1 : 0;
    after_first += lines[i].sign != '-' ? 1 : 0;
  }
  std::size_t before_count = 0;
  std::size_t after_count = 0;
  std::string body;
  for (std::size_t i = begin; i < end; ++i) {
    before_count += lines[i].sign != '+' ? 1 : 0;
    after_count += lines[i].sign != '-' ? 1 : 0;
    body += lines[i].sign;
    body += lines[i].text;
    body += lines[i].text.ends_with('\n') ? "" : "\n\\ No newline at end of file\n";
  }
  out += "@@ " + SideText('-', before_first, before_count) + " " +
         SideText('+', after_first, after_count) + " @@\n" + body;
}

}  // namespace

std::string UnifiedDiff(std::string_view path, std::string_view before, std::string_view after) {
  if (before == after) {
    return {};
  }
  const std::vector<DiffLine> lines = Compare(LinesWithEnds(before), LinesWithEnds(after));
  std::string out = "--- " + std::string(path) + "\n+++ " + std::string(path) + "\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].sign == ' ') {
      continue;
    }
    const std::size_t begin = i - std::min(i, kContextLines);
    // Changes with no more than their contexts between them share a hunk.
    std::size_t last = i;
    for (std::size_t j = i; j < lines.size() && j <= last + 2 * kContextLines + 1; ++j) {
      last = lines[j].sign != ' ' ? j : last;
    }
    const std::size_t end = std::min(lines.size(), last + kContextLines + 1);
    AppendHunk(lines, begin, end, out);
    i = end - 1;
  }
  return out;
}

}  // namespace prejoin::model
