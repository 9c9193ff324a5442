// Changes of a model file by statement: what a rule means by "add this line to the table", and the edits of the text
// that it becomes. Statements are found by a place inside them, never by their text.
#ifndef PREJOIN_MODEL_SYNTAX_LINE_EDIT_H_
#define PREJOIN_MODEL_SYNTAX_LINE_EDIT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/syntax/fix.h"
#include "model/syntax/statement.h"

namespace prejoin::model {

enum class LineEditKind {
  kAdd,      // `lines` into the block of the declaration at `at`.
  kReplace,  // The statement at `at`, without its block, becomes `lines`.
  kRewrite,  // The same with its block.
  kRemove,   // The statement at `at` goes, with its block.
  kBehind,   // `lines` behind the statement at `at`.
  kAppend,   // `lines` behind everything else.
};

struct LineEdit {
  LineEditKind kind = LineEditKind::kAdd;
  std::string declaration;  // "table School", for people; empty: at the top of the file.
  SourceSpan at;
  std::vector<std::string> lines;
  std::string old;  // The statement that is replaced or removed, for people.
  // Not empty: the statement is the one of this first word in the block of the declaration at `at`.
  std::string head;
};

// `lines` into the block of a declaration.
LineEdit AddTo(std::string declaration, const SourceSpan& at, std::vector<std::string> lines);
// The statement at `at`, which reads `old`, away, or another one for it.
LineEdit RemoveFrom(std::string declaration, const SourceSpan& at, std::string old);
LineEdit ReplaceIn(std::string declaration, const SourceSpan& at, std::string old, std::string now);
// The statement that begins with `head` in the block of the declaration at `at`.
LineEdit ReplaceHead(std::string declaration, const SourceSpan& at, std::string head,
                     std::string now);

// A way to fix a finding, before it is known where its lines stand: edits, or advice in words.
struct Proposal {
  Proposal() = default;
  Proposal(std::string words) : advice(std::move(words)) {}           // NOLINT
  Proposal(const char* words) : advice(words) {}                      // NOLINT
  Proposal(std::vector<LineEdit> lines) : edits(std::move(lines)) {}  // NOLINT

  std::vector<LineEdit> edits;
  std::string advice;  // Without edits: what to do. With edits: what else there is to say.

  bool empty() const { return edits.empty() && advice.empty(); }
  // Each place on a line, the lines of code below it, indented.
  std::string Text() const;
  // The places alone, on one line.
  std::string Title() const;
};

// Finds statements in a text. Borrows text and tree, which must be of one reading. Thread-compatible.
class EditPlacer {
 public:
  EditPlacer(std::string_view source, const SyntaxTree& tree);

  // Sorted by place; nullopt if a statement is not there or two edits meet.
  std::optional<std::vector<Edit>> Place(const std::vector<LineEdit>& edits) const;
  // The proposal as a fix with edits; as advice where it has none, or where they have no place.
  Suggestion Suggest(const Proposal& proposal, Applicability applicability) const;
  // Writes `now` in place of what is at `at`; a literal inside a longer text keeps the quotes around that text.
  Suggestion Write(const SourceSpan& at, const std::string& now, std::string text,
                   Applicability applicability) const;

 private:
  const Statement* Find(const LineEdit& edit) const;
  std::optional<Edit> PlaceOne(const LineEdit& edit) const;
  std::optional<Edit> Add(const Statement& block, const std::vector<std::string>& lines) const;
  std::optional<Edit> Open(const Statement& bare, const std::vector<std::string>& lines) const;
  std::optional<Edit> Remove(const Statement& statement) const;
  std::optional<Edit> Between(SourcePlace begin, SourcePlace end, std::string text) const;
  std::string IndentOf(int line) const;
  // Nothing but space and a comment after this place of its line.
  bool EndsLine(SourcePlace place) const;

  const std::string_view source_;
  const LineStarts lines_;
  const SyntaxTree& tree_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_LINE_EDIT_H_
