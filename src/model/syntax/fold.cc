#include "model/syntax/fold.h"

#include <algorithm>

#include "model/syntax/text_style.h"

namespace prejoin::model {
namespace {

void FoldLine(std::string_view line, std::size_t columns, std::string& out) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (indent >= kVerbatimIndent || Columns(line) <= columns) {
    out += line;
    return;
  }
  out.append(indent, ' ');
  std::size_t column = indent;
  bool first = true;
  std::size_t at = indent;
  while (at < line.size()) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::string_view word = line.substr(at, end - at);
    // Runs of spaces are columns of a table; they stay as long as the line is not broken there.
    const std::size_t next = std::min(line.find_first_not_of(' ', end), line.size());
    if (!first && column + Columns(word) > columns) {
      while (out.ends_with(' ')) {
        out.pop_back();
      }
      out += '\n';
      out.append(indent + 2, ' ');
      column = indent + 2;
    }
    out += word;
    out.append(next - end, ' ');
    column += Columns(word) + (next - end);
    first = false;
    at = next;
  }
  while (out.ends_with(' ')) {
    out.pop_back();
  }
}

}  // namespace

std::size_t Columns(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == kStyleBegin) {
      ++at;  // The letter of the style.
    } else if (text[at] != kStyleEnd && (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) {
      ++columns;
    }
  }
  return columns;
}

std::string Fold(std::string_view text, std::size_t columns) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    FoldLine(text.substr(0, end), columns, out);
    if (end < text.size()) {
      out += '\n';
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace prejoin::model
