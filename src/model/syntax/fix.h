// The fix of a finding, as data: edits of the text that a program can make, and how far it may go by itself. The
// terminal, `check --fix`, editors, the studio, JSON and SARIF all read the same Fix.
#ifndef PREJOIN_MODEL_SYNTAX_FIX_H_
#define PREJOIN_MODEL_SYNTAX_FIX_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/syntax/source_span.h"

namespace prejoin::model {

// Replaces the text between two places. `removed` is the current text: an edit of another version of the
// file does not apply.
struct Edit {
  SourcePlace begin;
  SourcePlace end;  // After the last byte that is replaced; equal to `begin` for an insertion.
  std::string removed;
  std::string text;
};

enum class Applicability {
  kSafe,         // The design and its cost stay as they are.
  kUnsafe,       // Changes the design or its cost: applied on request.
  kDisplayOnly,  // A person must choose or complete it: shown, and never applied in bulk.
};

// "safe", "unsafe" or "display".
std::string_view ApplicabilityName(Applicability applicability);

struct Fix {
  std::string title;        // One line, for a button: "add to `table School`".
  std::string text;         // For the terminal: the same with its lines of code below, indented.
  std::vector<Edit> edits;  // Sorted by place, without overlap. Empty: advice in words.
  Applicability applicability = Applicability::kDisplayOnly;
};

// The ways to fix a finding, best first. Words alone are advice.
struct Suggestion {
  Suggestion() = default;
  // Implicit on purpose: a reader that has only words to say writes them where a suggestion is expected.
  Suggestion(std::string advice);  // NOLINT(google-explicit-constructor)
  Suggestion(const char* advice);  // NOLINT(google-explicit-constructor)
  Suggestion(Fix fix);             // NOLINT(google-explicit-constructor)

  std::vector<Fix> fixes;

  bool empty() const { return fixes.empty(); }
  // The text of the first one.
  const std::string& text() const;
  // The first fix with edits; null if all is advice.
  const Fix* FirstFix() const;
};

// Writes `now` in place of `old`, which must be at `at`.
Fix ReplaceAt(const SourceSpan& at, std::string_view old, std::string_view now,
              Applicability applicability);

// The text with all edits made; nullopt if one of them does not fit, or if two overlap.
std::optional<std::string> ApplyEdits(std::string_view source, const std::vector<Edit>& edits);

// Offsets of places in a text. Borrows the text.
class LineStarts {
 public:
  explicit LineStarts(std::string_view source);

  // Nullopt for a place that the text does not have.
  std::optional<std::size_t> OffsetOf(SourcePlace place) const;
  SourcePlace PlaceOf(std::size_t offset) const;
  int line_count() const { return static_cast<int>(starts_.size()); }
  // Without its end.
  std::string_view Line(int line) const;

 private:
  std::string_view source_;
  std::vector<std::size_t> starts_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_FIX_H_
