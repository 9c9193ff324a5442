#include "model/syntax/line_edit.h"

#include <algorithm>
#include <utility>

namespace prejoin::model {
namespace {

SourcePlace LastPlace(const Statement& statement) {
  if (statement.has_block && statement.close.line > 0) {
    return EndOf(statement.close);
  }
  return statement.tokens.empty() ? BeginOf(statement.at()) : EndOf(statement.tokens.back().at);
}

// The statement whose words stand around a place. Statements are in the order of the text.
const Statement* StatementAt(const std::vector<Statement>& statements, SourcePlace place) {
  auto after = std::ranges::upper_bound(statements, place, {},
                                        [](const Statement& one) { return BeginOf(one.at()); });
  if (after == statements.begin()) {
    return nullptr;
  }
  const Statement& found = *std::prev(after);
  if (const Statement* inner = StatementAt(found.body, place)) {
    return inner;
  }
  return !found.tokens.empty() && place < EndOf(found.tokens.back().at) ? &found : nullptr;
}

std::string Joined(const std::vector<std::string>& lines, const std::string& indent) {
  std::string out;
  for (const std::string& line : lines) {
    out += indent + line + "\n";
  }
  return out;
}

// "`item Order`", or the file itself.
std::string Named(const std::string& declaration) {
  return declaration.empty() ? "the file" : "`" + declaration + "`";
}

std::string PlaceText(const LineEdit& edit) {
  switch (edit.kind) {
    case LineEditKind::kAdd:
    case LineEditKind::kBehind:
      return "add to " + Named(edit.declaration);
    case LineEditKind::kReplace:
    case LineEditKind::kRewrite:
      return "in " + Named(edit.declaration) + " replace `" + edit.old + "` with";
    case LineEditKind::kRemove:
      return "remove from " + Named(edit.declaration);
    case LineEditKind::kAppend:
      return "add at the end of the file";
  }
  return {};
}

std::string TitleText(const LineEdit& edit) {
  return edit.kind == LineEditKind::kReplace ? "change " + Named(edit.declaration)
                                             : PlaceText(edit);
}

}  // namespace

LineEdit AddTo(std::string declaration, const SourceSpan& at, std::vector<std::string> lines) {
  return {LineEditKind::kAdd, std::move(declaration), at, std::move(lines), "", ""};
}

LineEdit RemoveFrom(std::string declaration, const SourceSpan& at, std::string old) {
  return {LineEditKind::kRemove, std::move(declaration), at, {}, std::move(old), ""};
}

LineEdit ReplaceIn(std::string declaration, const SourceSpan& at, std::string old,
                   std::string now) {
  return {LineEditKind::kReplace, std::move(declaration), at, {std::move(now)}, std::move(old), ""};
}

LineEdit ReplaceHead(std::string declaration, const SourceSpan& at, std::string head,
                     std::string now) {
  LineEdit edit = ReplaceIn(std::move(declaration), at, head + " …", std::move(now));
  edit.head = std::move(head);
  return edit;
}

std::string Proposal::Text() const {
  if (edits.empty()) {
    return advice;
  }
  std::string out;
  std::string place;
  for (const LineEdit& edit : edits) {
    std::string here = PlaceText(edit);
    if (here != place) {
      out += (out.empty() ? "" : "\nand ") + here + ":";
      place = std::move(here);
    }
    if (edit.kind == LineEditKind::kRemove) {
      out += "\n  " + edit.old;
    }
    for (const std::string& line : edit.lines) {
      out += "\n  " + line;
    }
  }
  return advice.empty() ? out : out + "\n(" + advice + ")";
}

std::string Proposal::Title() const {
  std::vector<std::string> places;
  for (const LineEdit& edit : edits) {
    std::string place = TitleText(edit);
    if (std::ranges::find(places, place) == places.end()) {
      places.push_back(std::move(place));
    }
  }
  std::string out;
  for (const std::string& place : places) {
    out += (out.empty() ? "" : ", ") + place;
  }
  return out;
}

EditPlacer::EditPlacer(std::string_view source, const SyntaxTree& tree)
    : source_(source), lines_(source), tree_(tree) {}

std::optional<std::vector<Edit>> EditPlacer::Place(const std::vector<LineEdit>& edits) const {
  std::vector<Edit> placed;
  for (const LineEdit& edit : edits) {
    auto one = PlaceOne(edit);
    if (!one) {
      return std::nullopt;
    }
    placed.push_back(*std::move(one));
  }
  std::ranges::stable_sort(placed, {}, &Edit::begin);
  for (std::size_t i = 1; i < placed.size(); ++i) {
    if (placed[i].begin < placed[i - 1].end) {
      return std::nullopt;
    }
  }
  return placed;
}

Suggestion EditPlacer::Suggest(const Proposal& proposal, Applicability applicability) const {
  if (proposal.edits.empty()) {
    return proposal.advice;
  }
  auto edits = Place(proposal.edits);
  if (!edits) {
    return proposal.Text();
  }
  return Fix{proposal.Title(), proposal.Text(), *std::move(edits), applicability};
}

Suggestion EditPlacer::Write(const SourceSpan& at, const std::string& now, std::string text,
                             Applicability applicability) const {
  const auto begin = lines_.OffsetOf(BeginOf(at));
  const auto end = lines_.OffsetOf(EndOf(at));
  if (!begin || !end || *begin == *end) {
    return text;
  }
  const std::string_view old = source_.substr(*begin, *end - *begin);
  Fix fix = ReplaceAt(at, old, old.front() == '"' ? "\"" + now + "\"" : now, applicability);
  fix.text = std::move(text);
  return fix;
}

const Statement* EditPlacer::Find(const LineEdit& edit) const {
  const Statement* found = StatementAt(tree_.statements, BeginOf(edit.at));
  if (found == nullptr || edit.head.empty()) {
    return found;
  }
  const auto inner = std::ranges::find(found->body, edit.head, &Statement::head);
  return inner == found->body.end() ? nullptr : &*inner;
}

std::optional<Edit> EditPlacer::PlaceOne(const LineEdit& edit) const {
  if (edit.kind == LineEditKind::kAppend) {
    const SourcePlace end = lines_.PlaceOf(source_.size());
    const bool ended = source_.empty() || source_.ends_with('\n');
    return Edit{end, end, "", (ended ? "" : "\n") + ("\n" + Joined(edit.lines, ""))};
  }
  const Statement* statement = Find(edit);
  if (statement == nullptr || statement->tokens.empty()) {
    return std::nullopt;
  }
  if (edit.kind == LineEditKind::kAdd) {
    if (statement->open.line > 0) {
      return Add(*statement, edit.lines);
    }
    return statement->head() == "item" ? Open(*statement, edit.lines) : std::nullopt;
  }
  if (edit.kind == LineEditKind::kRemove) {
    return Remove(*statement);
  }
  const std::string indent = IndentOf(statement->at().line);
  std::string text = Joined(edit.lines, indent);
  if (edit.kind == LineEditKind::kBehind) {
    const SourcePlace end = LastPlace(*statement);
    const SourcePlace next{end.line + 1, 1};
    const bool own = EndsLine(end) && end.line < lines_.line_count();
    return own ? Between(next, next, std::move(text)) : Between(end, end, "\n" + text + indent);
  }
  text = text.substr(indent.size(), text.size() - indent.size() - 1);
  const bool whole = edit.kind == LineEditKind::kRewrite;
  return Between(BeginOf(statement->at()),
                 whole ? LastPlace(*statement) : EndOf(statement->tokens.back().at),
                 std::move(text));
}

// An index follows those that the table has; all else on top of the block.
std::optional<Edit> EditPlacer::Add(const Statement& block,
                                    const std::vector<std::string>& lines) const {
  const std::string indent = IndentOf(block.at().line);
  if (!EndsLine(EndOf(block.open))) {
    return Between(EndOf(block.open), EndOf(block.open),
                   "\n" + Joined(lines, indent + "  ") + indent + " ");
  }
  int line = block.open.line + 1;
  for (const Statement& inner : block.body) {
    const bool index = inner.head() == "index" && lines.front().starts_with("index ");
    if (index && EndsLine(LastPlace(inner))) {
      line = LastPlace(inner).line + 1;
    }
  }
  return Between({line, 1}, {line, 1}, Joined(lines, indent + "  "));
}

// An item without a block, such as `item User` of natural keys, gets one.
std::optional<Edit> EditPlacer::Open(const Statement& bare,
                                     const std::vector<std::string>& lines) const {
  const std::string indent = IndentOf(bare.at().line);
  const SourcePlace end = EndOf(bare.tokens.back().at);
  return Between(end, end, " {\n" + Joined(lines, indent + "  ") + indent + "}");
}

// With its lines, where nothing else is on them.
std::optional<Edit> EditPlacer::Remove(const Statement& statement) const {
  const SourcePlace begin = BeginOf(statement.at());
  const SourcePlace end = LastPlace(statement);
  const bool alone = IndentOf(begin.line).size() + 1 == static_cast<std::size_t>(begin.column) &&
                     EndsLine(end) && end.line < lines_.line_count();
  return alone ? Between({begin.line, 1}, {end.line + 1, 1}, "") : Between(begin, end, "");
}

std::optional<Edit> EditPlacer::Between(SourcePlace begin, SourcePlace end,
                                        std::string text) const {
  const auto from = lines_.OffsetOf(begin);
  const auto to = lines_.OffsetOf(end);
  if (!from || !to || *to < *from) {
    return std::nullopt;
  }
  return Edit{begin, end, std::string(source_.substr(*from, *to - *from)), std::move(text)};
}

std::string EditPlacer::IndentOf(int line) const {
  const std::string_view text = lines_.Line(line);
  return std::string(text.substr(0, std::min(text.find_first_not_of(" \t"), text.size())));
}

bool EditPlacer::EndsLine(SourcePlace place) const {
  const std::string_view line = lines_.Line(place.line);
  const std::string_view rest =
      line.substr(std::min(static_cast<std::size_t>(place.column) - 1, line.size()));
  const std::size_t next = rest.find_first_not_of(" \t\r");
  return next == std::string_view::npos || rest.substr(next).starts_with("//");
}

}  // namespace prejoin::model
