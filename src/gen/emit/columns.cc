#include "gen/emit/columns.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "gen/code.h"

namespace prejoin::gen::emit {
namespace {

// The bytes of the key of a line `key: value,`; 0 for other lines.
std::size_t KeyBytes(std::string_view line) {
  const std::size_t start = line.find_first_not_of('\t');
  if (start == std::string_view::npos || start == 0 || !line.ends_with(',')) {
    return 0;
  }
  std::size_t end = start;
  if (line[start] == '"') {
    end = line.find('"', start + 1);
    if (end == std::string_view::npos) {
      return 0;
    }
    ++end;
  } else {
    while (end < line.size() && std::isalnum(static_cast<unsigned char>(line[end])) != 0) {
      ++end;
    }
    // path("a", "b"): value
    if (line.substr(end).starts_with('(')) {
      end = std::min(line.find("): ", end), line.size() - 1) + 1;
    }
  }
  return end > start && line.substr(end).starts_with(": ") ? end - start : 0;
}

// As gofmt counts: each character is one column.
std::size_t ColumnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// gofmt puts the values of neighbouring lines into one column, unless their keys are too different in length.
bool InOneColumn(std::size_t before, std::size_t width, double log_sum, int count) {
  constexpr std::size_t kSmall = 40;
  constexpr double kRatio = 2.5;
  if (count == 0 || (before <= kSmall && width <= kSmall)) {
    return true;
  }
  const double ratio = static_cast<double>(width) / std::exp(log_sum / count);
  return kRatio * ratio > 1 && ratio < kRatio;
}

}  // namespace

std::string WithColumns(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  const auto depth = [&](std::size_t i) { return lines[i].find_first_not_of('\t'); };
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    std::size_t widest = 0;
    double log_sum = 0;
    std::vector<std::size_t> widths;
    std::vector<std::size_t> bytes;
    for (; end < lines.size() && depth(end) == depth(i); ++end) {
      const std::size_t key_bytes = KeyBytes(lines[end]);
      const std::size_t width =
          key_bytes == 0 ? 0
                         : ColumnsOf(std::string_view(lines[end]).substr(depth(end), key_bytes));
      if (width == 0 || (!widths.empty() && !InOneColumn(widths.back(), width, log_sum,
                                                         static_cast<int>(widths.size())))) {
        break;
      }
      widths.push_back(width);
      bytes.push_back(key_bytes);
      log_sum += std::log(static_cast<double>(width));
      widest = std::max(widest, width);
    }
    for (std::size_t k = 0; k < widths.size(); ++k) {
      lines[i + k].insert(depth(i) + bytes[k] + 1, widest - widths[k], ' ');
    }
    i = std::max(end, i + 1);
  }
  return lines.empty() ? "" : Join(lines, "\n") + "\n";
}

}  // namespace prejoin::gen::emit
