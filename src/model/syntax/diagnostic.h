// Findings about a file: where, which rule, how severe, and how to fix it.
#ifndef PREJOIN_MODEL_SYNTAX_DIAGNOSTIC_H_
#define PREJOIN_MODEL_SYNTAX_DIAGNOSTIC_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/syntax/fix.h"
#include "model/syntax/source_span.h"

namespace prejoin::model {

enum class Severity { kNote, kWarning, kError };

std::string_view SeverityName(Severity severity);

struct Diagnostic {
  std::string rule;  // "PJ001"; check/rule.h explains each.
  Severity severity = Severity::kError;
  SourceSpan at;
  std::string message;    // The fault, and the harm it does.
  Suggestion suggestion;  // The suggested fix; may be empty.
};

// "file:line:column: error PJ001: message", the line itself, a marker under the place, and the fix or, where there are
// only words, the suggestion.
std::string RenderDiagnostic(std::string_view file, std::string_view source,
                             const Diagnostic& diagnostic);

// Sorted by place, then rule; equal ones once.
void SortDiagnostics(std::vector<Diagnostic>& diagnostics);

// Line `number` (from 1) of `source`, without its end; empty if there is none.
std::string_view SourceLine(std::string_view source, int number);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_DIAGNOSTIC_H_
