// The questions of an editor about a document. Answers are JSON texts of the protocol.
#ifndef PREJOIN_LSP_FEATURES_H_
#define PREJOIN_LSP_FEATURES_H_

#include <string>
#include <string_view>
#include <vector>

#include "lsp/document.h"
#include "lsp/symbols.h"
#include "model/syntax/diagnostic.h"

namespace prejoin::lsp {

// The findings of `check` as an array of Diagnostic.
std::string DiagnosticsJson(const Document& document,
                            const std::vector<model::Diagnostic>& findings);

// Markdown about the name at a place: of a pattern its plan and cost, of an entity where it is kept,
// of an attribute its type, of an index who reads it. Empty if there is nothing to say.
std::string HoverText(Document& document, Position position);

// Names and words that fit at a place, as an array of CompletionItem.
std::string CompletionsJson(Document& document, Position position);

// Ways out of the findings that touch a range, as an array of CodeAction: each fix of a finding, or the finding
// silenced.
std::string CodeActionsJson(Document& document, std::string_view uri, const Range& range,
                            const std::vector<model::Diagnostic>& findings);

// Declarations of the file, as an array of DocumentSymbol; attributes, keys and indexes are inside of theirs.
std::string OutlineJson(Document& document);

// Adds the declarations whose names have the letters of the query, as elements of SymbolInformation.
void AppendWorkspaceSymbols(std::string_view uri, Document& document, std::string_view query,
                            std::string& out);

// An edit, for code actions, formatting and rename.
struct TextEdit {
  Range range;
  std::string text;
};
std::string EditsJson(const std::vector<TextEdit>& edits);
// {"changes": {uri: edits}}
std::string WorkspaceEditJson(std::string_view uri, const std::vector<TextEdit>& edits);

// The edits of a fix in the protocol's units.
std::vector<TextEdit> EditsOfFix(const Document& document, const model::Fix& fix);

}  // namespace prejoin::lsp

#endif  // PREJOIN_LSP_FEATURES_H_
