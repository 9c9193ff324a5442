#include "model/syntax/diagnostic.h"

#include <algorithm>
#include <tuple>

namespace prejoin::model {

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "error";
}

std::string_view SourceLine(std::string_view source, int number) {
  std::size_t begin = 0;
  for (int line = 1; line < number; ++line) {
    begin = source.find('\n', begin);
    if (begin == std::string_view::npos) {
      return {};
    }
    ++begin;
  }
  std::string_view line = source.substr(begin, source.find('\n', begin) - begin);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

std::string RenderDiagnostic(std::string_view file, std::string_view source,
                             const Diagnostic& diagnostic) {
  const SourceSpan& at = diagnostic.at;
  std::string out(file);
  if (at.line > 0) {
    out += ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  }
  out += ": ";
  out += SeverityName(diagnostic.severity);
  out += " " + diagnostic.rule + ": " + diagnostic.message + "\n";
  if (at.line > 0) {
    const std::string_view line = SourceLine(source, at.line);
    out += "        ";
    out += line;
    out += "\n        ";
    const auto column = static_cast<std::size_t>(at.column - 1);
    for (std::size_t i = 0; i < column; ++i) {
      const bool continuation =
          i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80;
      if (i < line.size() && line[i] == '\t') {
        out += '\t';
      } else if (!continuation) {
        out += ' ';
      }
    }
    out += "^";
    out.append(static_cast<std::size_t>(std::max(0, at.length - 1)), '~');
    out += "\n";
  }
  if (!diagnostic.suggestion.empty()) {
    const std::string label =
        diagnostic.suggestion.FirstFix() != nullptr ? "    fix: " : "    suggestion: ";
    out += label;
    for (const char c : diagnostic.suggestion.text()) {
      out += c;
      if (c == '\n') {
        out.append(label.size(), ' ');
      }
    }
    out += "\n";
  }
  return out;
}

void SortDiagnostics(std::vector<Diagnostic>& diagnostics) {
  const auto key = [](const Diagnostic& d) {
    return std::tie(d.at.line, d.at.column, d.rule, d.message);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  diagnostics.erase(
      std::unique(diagnostics.begin(), diagnostics.end(),
                  [&](const Diagnostic& a, const Diagnostic& b) { return key(a) == key(b); }),
      diagnostics.end());
}

}  // namespace prejoin::model
