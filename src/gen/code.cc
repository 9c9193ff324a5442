#include "gen/code.h"

namespace prejoin::gen {

std::string Join(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      out += between;
    }
    out += parts[i];
  }
  return out;
}

namespace {

// The characters that a formatter counts: those of UTF-8, not its bytes.
std::size_t Columns(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) {
    columns += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U && c != kImportMark ? 1 : 0;
  }
  return columns;
}

// True for the `[` of `rows(a)[0]` and, where `texts` says so, of `item?.["name"]`: the index stays on the line of what it is of.
bool IsIndex(std::string_view line, std::size_t open, bool texts) {
  if (line[open] != '[' || open == 0) {
    return false;
  }
  const char before = line[open - 1];
  const char first = line[open + 1];
  return before == ')' || (texts && first == '"' && before != ' ' && before != '(' && before != '[');
}

// The last pair of a line that is not inside another, with something in it. `angles`: <A, B> is one thing.
Code::Brackets LastBrackets(std::string_view line, bool angles = false) {
  Code::Brackets last;
  Code::Brackets current;
  std::size_t depth = 0;
  std::size_t angle_depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      }
      if (c == quote) {
        quote = 0;
      }
      continue;
    }
    if (c == '"' || c == '`' || (c == '\'' && (i == 0 || line[i - 1] == ' '))) {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      if (depth++ == 0) {
        current = {i, 0, {}};
      }
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) {
        continue;
      }
      if (--depth == 0 && i > current.open + 1 && !IsIndex(line, current.open, angles)) {
        current.close = i;
        last = current;
      }
    } else if (angles && c == '<' && i + 1 < line.size() && line[i + 1] != ' ') {
      ++angle_depth;
    } else if (c == '>' && angle_depth > 0) {
      --angle_depth;
    } else if (c == ',' && depth == 1 && angle_depth == 0) {
      current.commas.push_back(i);
    }
  }
  return last;
}

// A definition of Python's is folded at its parameters, not at what it returns.
std::string_view WithoutReturned(std::string_view line) {
  const bool defines = line.starts_with("def ") || line.starts_with("async def ");
  const std::size_t returns = defines ? line.rfind(") -> ") : std::string_view::npos;
  return returns == std::string_view::npos ? line : line.substr(0, returns + 1);
}

// The head of a loop has no commas of its own: what it calls is folded. False if it calls nothing.
bool CalledInHead(std::string_view line, Code::Brackets& brackets) {
  const std::size_t start = brackets.open + 1;
  Code::Brackets called =
      LastBrackets(line.substr(start, brackets.close - start), /*angles=*/true);
  if (called.open == std::string_view::npos) {
    return false;
  }
  called.open += start;
  called.close += start;
  for (std::size_t& comma : called.commas) {
    comma += start;
  }
  brackets = std::move(called);
  return true;
}

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

bool Code::Fits(std::string_view line) const {
  // Formatters of Python leave out what a comment says to type checkers.
  line = line.substr(0, line.find("  # type: "));
  return depth_ * indent_.size() + Columns(line) <= width_;
}

void Code::OneLine(std::string_view line) {
  if (!line.empty()) {
    for (std::size_t i = 0; i < depth_; ++i) {
      text_ += indent_;
    }
    text_ += line;
  }
  text_ += '\n';
}

// prettier keeps what opens together together: `f(a, {`, `.map((item) => ({`. False when the last
// thing between the brackets is nothing of that kind; else `brackets` are the inner ones.
bool Code::Hug(std::string_view line, Brackets& brackets) const {
  const std::size_t start =
      brackets.commas.empty() ? brackets.open + 1 : brackets.commas.back() + 1;
  const std::string_view before = line.substr(brackets.open + 1, start - brackets.open - 1);
  if (before.find("{ ") != std::string_view::npos || before.find("=>") != std::string_view::npos) {
    return false;
  }
  const std::string_view last = line.substr(start, brackets.close - start);
  const std::size_t blanks = last.size() - Trimmed(last).size();
  const std::string_view body = last.substr(std::min(blanks, last.size()));
  std::size_t at = 0;
  if (const std::size_t arrow = body.find(" => ({");
      arrow != std::string_view::npos && body.starts_with('(') && body.ends_with("})")) {
    at = arrow + 5;
  } else if (!body.starts_with('{') || !body.ends_with('}')) {
    return false;
  }
  Brackets inner = LastBrackets(body.substr(at, body.size() - at - (at > 0 ? 1 : 0)));
  if (inner.open != 0) {
    return false;
  }
  const std::size_t offset = start + blanks + at;
  if (!Fits(line.substr(0, offset + 1))) {
    return false;
  }
  inner.open += offset;
  inner.close += offset;
  for (std::size_t& comma : inner.commas) {
    comma += offset;
  }
  brackets = inner;
  return true;
}

// `f((item) =>` on one line, what the function gives on the next.
bool Code::FoldArrow(std::string_view line, const Brackets& brackets) {
  if (!brackets.commas.empty()) {
    return false;
  }
  const std::string_view body = line.substr(brackets.open + 1, brackets.close - brackets.open - 1);
  const std::size_t arrow = body.find(") => ");
  if (!body.starts_with('(') || arrow == std::string_view::npos) {
    return false;
  }
  const std::string given = std::string(body.substr(arrow + 5)) + ",";
  const std::string_view head = line.substr(0, brackets.open + 1 + arrow + 4);
  In();
  const bool fits = Fits(given);
  Out();
  if (!fits || !Fits(head)) {
    return false;
  }
  OneLine(head);
  In();
  OneLine(given);
  Out();
  OneLine(line.substr(brackets.close));
  return true;
}

// A comprehension has no commas: it is folded before `for` and `if`.
void Code::FoldWhole(std::string_view body) {
  std::size_t depth = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i + 5 < body.size(); ++i) {
    if (body[i] == '(' || body[i] == '[' || body[i] == '{') {
      ++depth;
    }
    if ((body[i] == ')' || body[i] == ']' || body[i] == '}') && depth > 0) {
      --depth;
    }
    const bool word = body.substr(i, 5) == " for " || body.substr(i, 4) == " if " ||
                      body.substr(i, 6) == " else ";
    if (depth > 0 || !word || body.find(" for ") == std::string_view::npos) {
      continue;
    }
    FoldTests(body.substr(at, i - at));
    at = i + 1;
  }
  FoldTests(body.substr(at));
}

// `if a and b` of a comprehension: each test on its line, if they need more than one.
void Code::FoldTests(std::string_view part) {
  std::size_t at = 0;
  int depth = 0;
  for (std::size_t i = 0; part.starts_with("if ") && !Fits(part) && i + 5 < part.size(); ++i) {
    depth += part[i] == '(' || part[i] == '[' ? 1 : part[i] == ')' || part[i] == ']' ? -1 : 0;
    if (depth == 0 && part.substr(i, 5) == " and ") {
      Line(part.substr(at, i - at));
      at = i + 1;
    }
  }
  Line(part.substr(at));
}

// The lines between the brackets and after them, after the line that opens them.
void Code::FoldHanging(std::string_view line, const Brackets& brackets) {
  depth_ += 2;
  const std::string_view rest = Trimmed(line.substr(brackets.open + 1));
  if (Fits(rest)) {
    OneLine(rest);
  } else {
    std::size_t at = brackets.open + 1;
    for (const std::size_t comma : brackets.commas) {
      Line(Trimmed(line.substr(at, comma + 1 - at)));
      at = comma + 1;
    }
    Line(Trimmed(line.substr(at)));
  }
  depth_ -= 2;
}

// `key=a if b else c,`: each part on its line.
bool Code::FoldChoice(std::string_view line) {
  std::size_t test = 0;
  std::size_t other = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    quoted = line[i] == '"' && (i == 0 || line[i - 1] != '\\') ? !quoted : quoted;
    const bool opens = line[i] == '(' || line[i] == '[' || line[i] == '{';
    const bool closes = line[i] == ')' || line[i] == ']' || line[i] == '}';
    depth += quoted ? 0 : static_cast<int>(opens) - static_cast<int>(closes);
    if (depth > 0 || quoted) {
      continue;
    }
    test = test == 0 && line.substr(i, 4) == " if " ? i : test;
    other = test > 0 && line.substr(i, 6) == " else " ? i : other;
  }
  if (other == 0 || !line.ends_with(',')) {
    return false;
  }
  Line(line.substr(0, test));
  Line(line.substr(test + 1, other - test - 1));
  Line(line.substr(other + 1));
  return true;
}

bool Code::Fold(std::string_view line) {
  if (folding_ == Folding::kOneLine && FoldChoice(line)) {
    return true;
  }
  // A computed name of a member stays whole.
  if (const std::size_t colon = line.find("]: ");
      folding_ == Folding::kEachLine && line.starts_with('[') && colon != std::string_view::npos) {
    OneLine(line.substr(0, colon + 2));
    In();
    Line(line.substr(colon + 3));
    Out();
    return true;
  }
  Brackets brackets = LastBrackets(WithoutReturned(line), /*angles=*/folding_ != Folding::kOneLine);
  if (brackets.open == std::string_view::npos) {
    // A long value of a member stands alone in the next line.
    const std::size_t colon = line.find(": ");
    if (folding_ != Folding::kEachLine || line.find(' ') != colon + 1) {
      return false;
    }
    OneLine(line.substr(0, colon + 1));
    In();
    OneLine(line.substr(colon + 2));
    Out();
    return true;
  }
  if (folding_ == Folding::kEachLine && line.starts_with("for (") &&
      !CalledInHead(line, brackets)) {
    return false;
  }
  if (folding_ == Folding::kEachLine) {
    while (Hug(line, brackets)) {
    }
    if (FoldArrow(line, brackets)) {
      return true;
    }
  }
  const std::string_view body =
      Trimmed(line.substr(brackets.open + 1, brackets.close - brackets.open - 1));
  OneLine(line.substr(0, brackets.open + 1));
  if (folding_ == Folding::kHanging) {
    FoldHanging(line, brackets);
    return true;
  }
  In();
  const bool one_line = folding_ == Folding::kOneLine;
  // What is called may have its arguments on one line; a dictionary or list has a line for each member.
  const bool literal = line[brackets.open] != '(' && !brackets.commas.empty();
  if (one_line && Fits(body) && !body.ends_with(',') && !literal) {
    OneLine(body);
  } else if (one_line && brackets.commas.empty()) {
    FoldWhole(body);
  } else {
    std::size_t at = brackets.open + 1;
    std::vector<std::size_t> ends = brackets.commas;
    ends.push_back(brackets.close);
    for (const std::size_t end : ends) {
      const std::string_view part = Trimmed(line.substr(at, end - at));
      if (!part.empty()) {
        Line(std::string(part) + ",");
      }
      at = end + 1;
    }
  }
  Out();
  OneLine(line.substr(brackets.close));
  return true;
}

void Code::Line(std::string_view text) {
  std::size_t at = 0;
  while (true) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    // Lines that stand deeper already are folded there.
    std::size_t deeper = 0;
    for (; !indent_.empty() && line.starts_with(indent_); ++deeper) {
      line.remove_prefix(indent_.size());
    }
    depth_ += deeper;
    const bool fold = folding_ != Folding::kNone && !Fits(line) && !line.starts_with("//") &&
                      !line.starts_with(" *") && !line.starts_with("#");
    if (!Marked(line) && (!fold || !Fold(line))) {
      OneLine(line);
    }
    depth_ -= deeper;

    if (end == text.size()) {
      return;
    }
    at = end + 1;
  }
}

// Lines that state their own layout.
bool Code::Marked(std::string_view line) {
  const std::size_t prose = line.find(kProseMark);
  if (line.size() == 1 && line[0] == kGapMark) {
    Gap();
  } else if (line.size() == 1 && line[0] == kBlankMark) {
    OneLine("");
  } else if (prose != std::string_view::npos) {
    Prose(line.substr(0, prose), line.substr(prose + 1));
  } else {
    return false;
  }
  return true;
}

void Code::Gap() {
  if (!text_.empty() && !text_.ends_with("\n\n")) {
    text_ += '\n';
  }
}

void Code::List(const std::string& head, const std::vector<std::string>& parts,
                const std::string& tail, std::string_view last, std::string_view pad) {
  const std::string joined = Join(parts, ", ");
  const std::string blank(parts.empty() ? "" : pad);
  const std::string one = head + blank + joined + blank + tail;
  if (depth_ * indent_.size() + one.size() <= width_ && joined.find('\n') == std::string::npos) {
    Line(one);
    return;
  }
  Line(head);
  In();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Line(parts[i] + (i + 1 < parts.size() ? "," : std::string(last)));
  }
  Out();
  Line(tail);
}

void Code::Prose(std::string_view prefix, std::string_view text) {
  constexpr std::size_t kCommentMax = 96;
  constexpr std::string_view kComment = "/**";
  if (prefix == kComment) {
    const std::string one = "/** " + std::string(text) + " */";
    if (one.size() <= kCommentMax) {
      OneLine(one);
      return;
    }
    OneLine(kComment);
    Prose(" * ", text);
    OneLine(" */");
    return;
  }
  const std::size_t room =
      std::max<std::size_t>(20, width_ - std::min(width_, depth_ * indent_.size() + prefix.size()));
  std::string line;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > room) {
      Line(std::string(prefix) + line);
      line.clear();
    }
    if (!line.empty() && !word.empty()) {
      line += ' ';
    }
    line += word;
    at = end + 1;
  }
  if (!line.empty()) {
    Line(std::string(prefix) + line);
  }
}

}  // namespace prejoin::gen
