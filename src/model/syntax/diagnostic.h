// Findings about a file: where, which rule, how bad, and how to mend it.
#ifndef PREJOIN_MODEL_SYNTAX_DIAGNOSTIC_H_
#define PREJOIN_MODEL_SYNTAX_DIAGNOSTIC_H_

#include <string>
#include <string_view>
#include <vector>

namespace prejoin::model {

// A stretch of one line. Lines and columns count from 1; columns count bytes. Line 0 is "the whole
// file".
struct SourceSpan {
  int line = 0;
  int column = 1;
  int length = 1;
};

enum class Severity { kNote, kWarning, kError };

std::string_view SeverityName(Severity severity);

struct Diagnostic {
  std::string rule;  // "PJ001"; check/rule.h explains each.
  Severity severity = Severity::kError;
  SourceSpan at;
  std::string message;     // The fault, and the harm it does.
  std::string suggestion;  // How to mend it; may be empty.
};

// "file:line:column: error PJ001: message", the line itself, a marker under the place, the
// suggestion.
std::string RenderDiagnostic(std::string_view file, std::string_view source,
                             const Diagnostic& diagnostic);

// By place, then rule; equal ones once.
void SortDiagnostics(std::vector<Diagnostic>& diagnostics);

// Line `number` (from 1) of `source`, without its end; empty if there is none.
std::string_view SourceLine(std::string_view source, int number);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_DIAGNOSTIC_H_
