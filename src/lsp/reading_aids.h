// Reading aids that an editor shows around the text of a document: colours, folds, figures. Answers are JSON texts of the protocol.
#ifndef PREJOIN_LSP_READING_AIDS_H_
#define PREJOIN_LSP_READING_AIDS_H_

#include <string>
#include <string_view>

#include "lsp/document.h"

namespace prejoin::lsp {

// `{"tokenTypes":[…],"tokenModifiers":[…]}`, as the numbers of SemanticTokensJson count them.
std::string TokenLegendJson();
// Every token of the file: names by their meaning, the words of the language, texts, numbers, comments.
std::string SemanticTokensJson(Document& document);

// Blocks, and comments of several lines.
std::string FoldingRangesJson(Document& document);

// Requests, capacity units and money after each pattern and write that begins within the range.
std::string InlayHintsJson(Document& document, const Range& range);

// Above each pattern and write what it costs; above the model what all of it costs, and commands that prove and design it. The editor
// runs `prejoin.explain` (uri, name), `prejoin.prove` (uri), `prejoin.cost` (uri) and `prejoin.design` (uri).
std::string CodeLensesJson(Document& document, std::string_view uri);

}  // namespace prejoin::lsp

#endif  // PREJOIN_LSP_READING_AIDS_H_
