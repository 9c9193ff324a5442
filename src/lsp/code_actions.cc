// Mending a finding by a click. The help of a finding is written for people, in one of a few forms:
//
//   write inside `table School`:          lines to add to a declaration
//           index GSI1 partition …
//         and inside `item Enrollment`:
//           GSI1PK = "…"
//   write in place of `index …`:          a line for a line
//   write at the end of the file:
//   did you mean `Student`?               another spelling
//
// Anything else is advice, and only the finding itself can be silenced, with a reason to fill in.
#include <algorithm>
#include <optional>
#include <utility>

#include "json/writer.h"
#include "lsp/features.h"
#include "model/check/apply_help.h"
#include "model/schema/readers.h"
#include "model/syntax/statement.h"

namespace prejoin::lsp {
namespace {

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Between the first pair of backquotes.
std::string Quoted(std::string_view text) {
  const std::size_t begin = text.find('`');
  const std::size_t end = begin == std::string_view::npos ? begin : text.find('`', begin + 1);
  return end == std::string_view::npos ? "" : std::string(text.substr(begin + 1, end - begin - 1));
}

const model::Statement* FindStatement(const std::vector<model::Statement>& statements,
                                      std::string_view word, std::string_view name) {
  for (const model::Statement& statement : statements) {
    if (statement.head() == word && statement.tokens.size() > 1 &&
        statement.tokens[1].text == name) {
      return &statement;
    }
    if (const model::Statement* inner = FindStatement(statement.body, word, name)) {
      return inner;
    }
  }
  return nullptr;
}

std::string IndentOf(std::string_view line) {
  return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
}

// The lines with the smallest of their own indents replaced by `indent`.
std::string Indented(const std::vector<std::string_view>& lines, const std::string& indent) {
  std::size_t least = std::string_view::npos;
  for (const std::string_view line : lines) {
    least = std::min(least, line.find_first_not_of(' '));
  }
  std::string out;
  for (const std::string_view line : lines) {
    out += indent + std::string(line.substr(std::min(least, line.size()))) + "\n";
  }
  return out;
}

class HelpReader {
 public:
  explicit HelpReader(Document& document) : document_(document) {}

  std::vector<TextEdit> Read(const model::Diagnostic& finding) {
    const std::vector<std::string_view> lines = LinesOf(finding.suggestion);
    std::size_t at = 0;
    while (at < lines.size()) {
      const std::string_view place = Trimmed(lines[at]);
      const bool edit = (place.starts_with("write ") || place.starts_with("and ")) &&
                        place.ends_with(":") && at + 1 < lines.size();
      if (!edit) {
        return Respell(finding);
      }
      std::vector<std::string_view> content;
      for (++at; at < lines.size(); ++at) {
        const std::string_view next = Trimmed(lines[at]);
        if (next.starts_with("and ") && next.ends_with(":")) {
          break;
        }
        if (!next.empty()) {
          content.push_back(lines[at]);
        }
      }
      if (content.empty() || !Place(place, content)) {
        return {};
      }
    }
    return std::move(edits_);
  }

 private:
  bool Place(std::string_view place, const std::vector<std::string_view>& content) {
    const std::string quoted = Quoted(place);
    if (place.find("inside `") != std::string_view::npos) {
      return Inside(quoted, content);
    }
    if (place.find("in place of `") != std::string_view::npos) {
      return InPlace(quoted, content);
    }
    if (place.find("end of the file") != std::string_view::npos) {
      const Position end = document_.Whole().end;
      edits_.push_back({{end, end}, "\n" + Indented(content, "")});
      return true;
    }
    return false;
  }

  bool Inside(const std::string& declaration, const std::vector<std::string_view>& content) {
    const std::size_t space = declaration.find(' ');
    if (space == std::string::npos) {
      return false;
    }
    const model::Statement* statement =
        FindStatement(document_.read().tree.statements, declaration.substr(0, space),
                      declaration.substr(space + 1));
    if (statement == nullptr || !statement->has_block) {
      return false;
    }
    const int line = statement->at().line - 1;
    // Only a block that is opened at the end of its line has room below it.
    const std::string_view head = Trimmed(document_.Line(line));
    if (!head.ends_with("{") && head.find("{ //") == std::string_view::npos) {
      return false;
    }
    const Position below{line + 1, 0};
    edits_.push_back({{below, below}, Indented(content, IndentOf(document_.Line(line)) + "  ")});
    return true;
  }

  bool InPlace(const std::string& old, const std::vector<std::string_view>& content) {
    for (int line = 0; line < document_.line_count(); ++line) {
      const std::string_view text = document_.Line(line);
      std::string_view bare = Trimmed(text.substr(0, text.find("//")));
      if (Squeezed(bare) != Squeezed(old)) {
        continue;
      }
      std::string replacement = Indented(content, IndentOf(text));
      edits_.push_back({{{line, 0}, {line + 1, 0}}, std::move(replacement)});
      return true;
    }
    return false;
  }

  // Columns are aligned with spaces that mean nothing.
  static std::string Squeezed(std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c != ' ' || (!out.empty() && out.back() != ' ')) {
        out += c;
      }
    }
    return out;
  }

  std::vector<TextEdit> Respell(const model::Diagnostic& finding) {
    if (!finding.suggestion.starts_with("did you mean `")) {
      return {};
    }
    const std::string name = Quoted(finding.suggestion);
    if (name.empty()) {
      return {};
    }
    return {{document_.RangeOf(finding.at), name}};
  }

  Document& document_;
  std::vector<TextEdit> edits_;
};

// One edit from the first line that differs to the last.
TextEdit ChangedLines(Document& document, const std::string& now) {
  const std::vector<std::string_view> before = LinesOf(document.text());
  const std::vector<std::string_view> after = LinesOf(now);
  std::size_t same = 0;
  while (same < before.size() && same < after.size() && before[same] == after[same]) {
    ++same;
  }
  std::size_t end = 0;
  while (end + same < before.size() && end + same < after.size() &&
         before[before.size() - 1 - end] == after[after.size() - 1 - end]) {
    ++end;
  }
  std::string text;
  for (std::size_t i = same; i + end < after.size(); ++i) {
    text += std::string(after[i]) + "\n";
  }
  const Position from{static_cast<int>(same), 0};
  const Position to{static_cast<int>(before.size() - end), 0};
  return {{from, to}, std::move(text)};
}

// `allow RULE because "…"` as the first line of the declaration that the finding is in.
std::optional<TextEdit> Silence(Document& document, const model::Diagnostic& finding) {
  const model::ReadModelResult& read = document.read();
  if (!read.ok) {
    return std::nullopt;
  }
  const std::string line = "allow " + finding.rule + " because \"\"\n";
  for (const model::Statement& statement : read.tree.statements) {
    if (!statement.has_block || statement.at().line > finding.at.line ||
        model::LastLine(statement) < finding.at.line || statement.head() == "sample") {
      continue;
    }
    const Position below{statement.at().line, 0};
    return TextEdit{{below, below}, "  " + line};
  }
  return std::nullopt;
}

bool Touches(const Range& a, const Range& b) {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

void AppendAction(const std::string& title, std::string_view uri, const std::string& diagnostics,
                  const std::vector<TextEdit>& edits, bool preferred, std::string& out) {
  if (out.size() > 1) {
    out += ",";
  }
  json::ObjectWriter object(out);
  object.String("title", title);
  object.String("kind", "quickfix");
  object.Name("diagnostics") += diagnostics;
  object.Bool("isPreferred", preferred);
  object.Name("edit") += WorkspaceEditJson(uri, edits);
}

}  // namespace

std::vector<TextEdit> EditsOfHelp(Document& document, const model::Diagnostic& finding) {
  const bool of_lines = finding.suggestion.find("` in place of `") != std::string::npos ||
                        finding.suggestion.find("remove from `") != std::string::npos ||
                        finding.suggestion == "remove this line";
  if (!of_lines) {
    return HelpReader(document).Read(finding);
  }
  const auto mended = model::ApplyHelp(document.text(), finding);
  if (!mended) {
    return {};
  }
  return {ChangedLines(document, *mended)};
}

std::string CodeActionsJson(Document& document, std::string_view uri, const Range& range,
                            const std::vector<model::Diagnostic>& findings) {
  std::string out = "[";
  for (const model::Diagnostic& finding : findings) {
    if (!Touches(document.RangeOf(finding.at), range)) {
      continue;
    }
    const std::string about = DiagnosticsJson(document, {finding});
    if (const auto edits = EditsOfHelp(document, finding); !edits.empty()) {
      AppendAction("Mend " + finding.rule + ": apply the help", uri, about, edits, true, out);
    }
    if (const auto edit = Silence(document, finding)) {
      AppendAction("Allow " + finding.rule + " here, with a reason", uri, about, {*edit}, false,
                   out);
    }
  }
  return out + "]";
}

}  // namespace prejoin::lsp
