// Fixes for programs: the member `fixes` of a finding, and SARIF's.
#ifndef PREJOIN_MODEL_SYNTAX_FIX_JSON_H_
#define PREJOIN_MODEL_SYNTAX_FIX_JSON_H_

#include <string>

#include "model/syntax/fix.h"

namespace prejoin::json {
class IndentedWriter;
}

namespace prejoin::model {

// "fixes": [{"title", "applicability", "edits": [{"line", "column", "endLine", "endColumn", "removed", "text"}]}].
// Advice has nothing to apply and is left out.
void WriteFixes(json::IndentedWriter& json, const Suggestion& suggestion);

// The same as SARIF 2.1.0 has it, of the file at `path`.
void WriteSarifFixes(json::IndentedWriter& json, const std::string& path,
                     const Suggestion& suggestion);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_FIX_JSON_H_
