// The help of a finding is written for people, in few forms, so that a program can do it as well:
//
//   write inside `table School`:                         lines that a declaration gets
//     index GSI1 partition …
//   and inside `item Enrollment` in place of `SK = "…"`:  a line of it that changes; `name …` is any that begins so
//     SK = "CRS#{courseId}"
//   and in place of `index GSI1 …`:                      the same, wherever the line stands
//   and remove from `item Enrollment`:                   lines that go
//   write at the end of the file:
//   write "USER#"                                        instead of what the finding marks
//   did you mean `Student`?                              the same
//   remove this line                                     the one that the finding marks
//
// Everything else is advice.
#include "model/check/apply_help.h"

#include <algorithm>
#include <vector>

#include "model/schema/readers.h"
#include "model/syntax/statement.h"

namespace prejoin::model {
namespace {

std::vector<std::string> SplitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return lines;
    }
    text.remove_prefix(end + 1);
  }
}

std::string JoinLines(const std::vector<std::string>& lines) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += (i > 0 ? "\n" : "") + lines[i];
  }
  return out;
}

// Without comment and indent, in single spaces: how a line is compared.
std::string Bare(std::string_view line) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) {
      quoted = !quoted;
    }
    if (!quoted && line.substr(i, 2) == "//") {
      break;
    }
    const bool space = line[i] == ' ' || line[i] == '\t' || line[i] == '\r';
    if (!space || quoted) {
      out += line[i];
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') {
    out.pop_back();
  }
  return out;
}

std::string IndentOf(const std::string& line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

bool Matches(const std::string& line, const std::string& wanted) {
  constexpr std::string_view kRest = " …";
  const std::string bare = Bare(line);
  if (!wanted.ends_with(kRest)) {
    return bare == Bare(wanted);
  }
  const std::string start = Bare(std::string_view(wanted).substr(0, wanted.size() - kRest.size()));
  return bare == start || bare.starts_with(start + " ");
}

// The text between the backquotes behind `word`; empty if that is not there.
std::string QuotedBehind(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word + " `");
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t begin = at + word.size() + 2;
  const std::size_t end = text.find('`', begin);
  return end == std::string::npos ? "" : text.substr(begin, end - begin);
}

const Statement* FindDeclaration(const std::vector<Statement>& statements,
                                 const std::string& declaration) {
  const std::size_t space = declaration.find(' ');
  for (const Statement& statement : statements) {
    if (statement.has_block && statement.head() == declaration.substr(0, space) &&
        statement.tokens.size() > 1 && statement.tokens[1].text == declaration.substr(space + 1)) {
      return &statement;
    }
    if (const Statement* inner = FindDeclaration(statement.body, declaration)) {
      return inner;
    }
  }
  return nullptr;
}

// Lines from `begin` to before `end`.
struct LineRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class HelpApplier {
 public:
  explicit HelpApplier(std::string_view source) : lines_(SplitLines(source)) {}

  bool Edit(const std::string& place, const std::vector<std::string>& content) {
    if (place.find("end of the file") != std::string::npos) {
      if (lines_.back().empty()) {
        lines_.pop_back();
      }
      for (const std::string& line : content) {
        lines_.push_back(line);
      }
      lines_.emplace_back();
      return true;
    }
    const std::string removed_from = QuotedBehind(place, "remove from");
    std::string owner = QuotedBehind(place, "inside");
    if (!removed_from.empty()) {
      owner = removed_from;
    }
    LineRange range{0, lines_.size()};
    if (!owner.empty() && !FindRange(owner, range)) {
      return false;
    }
    if (!removed_from.empty()) {
      return std::ranges::all_of(content, [&](const std::string& line) {
        LineRange now;
        return FindRange(owner, now) && Replace(now, line, {});
      });
    }
    if (const std::string old = QuotedBehind(place, "in place of"); !old.empty()) {
      return Replace(range, old, content);
    }
    return !owner.empty() && Insert(range, content);
  }

  std::string Text() const { return JoinLines(lines_); }

 private:
  bool FindRange(const std::string& declaration, LineRange& range) const {
    std::vector<Diagnostic> ignored;
    const SyntaxTree tree = ParseStatements(Text(), ignored);
    const Statement* found = FindDeclaration(tree.statements, declaration);
    if (found == nullptr) {
      return false;
    }
    range.begin = static_cast<std::size_t>(found->at().line) - 1;
    range.end = std::min(static_cast<std::size_t>(LastLine(*found)), lines_.size());
    return true;
  }

  bool Replace(LineRange range, const std::string& old, const std::vector<std::string>& content) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (!Matches(lines_[i], old)) {
        continue;
      }
      const std::string indent = IndentOf(lines_[i]);
      lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(i));
      InsertAt(i, indent, content);
      return true;
    }
    return false;
  }

  // Right below the line that opens the block, which must end there; an index behind those that there are.
  bool Insert(LineRange range, const std::vector<std::string>& content) {
    const std::string indent = IndentOf(lines_[range.begin]) + "  ";
    if (!Bare(lines_[range.begin]).ends_with("{")) {
      return false;
    }
    std::size_t at = range.begin + 1;
    for (std::size_t i = at; i < range.end && content[0].starts_with("index "); ++i) {
      if (Bare(lines_[i]).starts_with("index ")) {
        at = i + 1;
      }
    }
    InsertAt(at, indent, content);
    return true;
  }

  void InsertAt(std::size_t at, const std::string& indent,
                const std::vector<std::string>& content) {
    for (const std::string& line : content) {
      lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at++), indent + line);
    }
  }

  std::vector<std::string> lines_;
};

bool IsPlace(const std::string& line) {
  return line.ends_with(":") &&
         (line.starts_with("write ") || line.starts_with("and ") || line.starts_with("remove "));
}

// Instead of the text that the finding marks. A mark inside quotes gets no more of them.
std::optional<std::string> Respell(std::string_view source, const Diagnostic& finding,
                                   std::string word) {
  std::vector<std::string> lines = SplitLines(source);
  const auto line = static_cast<std::size_t>(finding.at.line) - 1;
  const auto column = static_cast<std::size_t>(finding.at.column) - 1;
  const auto length = static_cast<std::size_t>(finding.at.length);
  if (line >= lines.size() || column + length > lines[line].size() || length == 0) {
    return std::nullopt;
  }
  const bool quoted = word.size() > 1 && word.front() == '"';
  if (quoted && lines[line][column] != '"') {
    word = word.substr(1, word.size() - 2);
  }
  lines[line].replace(column, length, word);
  return JoinLines(lines);
}

std::optional<std::string> RemoveLine(std::string_view source, const Diagnostic& finding) {
  std::vector<std::string> lines = SplitLines(source);
  const auto line = static_cast<std::size_t>(finding.at.line) - 1;
  if (line >= lines.size()) {
    return std::nullopt;
  }
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(line));
  return JoinLines(lines);
}

std::optional<std::string> ApplyWord(std::string_view source, const Diagnostic& finding) {
  const std::string& help = finding.suggestion;
  if (help == "remove this line") {
    return RemoveLine(source, finding);
  }
  if (help.starts_with("did you mean `")) {
    return Respell(source, finding, QuotedBehind(help, "did you mean"));
  }
  const std::string_view write = "write \"";
  const std::size_t end = help.find('"', write.size());
  if (!help.starts_with(write) || end == std::string::npos) {
    return std::nullopt;
  }
  return Respell(source, finding, help.substr(write.size() - 1, end - write.size() + 2));
}

}  // namespace

std::optional<std::string> ApplyHelp(std::string_view source, const Diagnostic& finding) {
  const std::vector<std::string> help = SplitLines(finding.suggestion);
  if (!IsPlace(help[0])) {
    return ApplyWord(source, finding);
  }
  HelpApplier applier(source);
  for (std::size_t at = 0; at < help.size();) {
    const std::string& place = help[at];
    if (!IsPlace(place)) {
      return std::nullopt;
    }
    std::vector<std::string> content;
    for (++at; at < help.size() && help[at].starts_with("  "); ++at) {
      content.push_back(help[at].substr(2));
    }
    if (content.empty() || !applier.Edit(place, content)) {
      return std::nullopt;
    }
  }
  return applier.Text();
}

}  // namespace prejoin::model
