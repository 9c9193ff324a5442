// Bytes of a model file → tokens. Never fails: what it cannot read becomes a diagnostic and is
// skipped.
#ifndef PREJOIN_MODEL_SYNTAX_LEXER_H_
#define PREJOIN_MODEL_SYNTAX_LEXER_H_

#include <string_view>
#include <vector>

#include "model/syntax/diagnostic.h"
#include "model/syntax/token.h"

namespace prejoin::model {

// Ends with one kEnd token. A newline is a token only where it may end a statement: not inside
// brackets and not after a comma.
std::vector<Token> Tokenize(std::string_view source, std::vector<Diagnostic>& diagnostics);

// Words that start a declaration with a block: entity, pattern, item, …
bool IsBlockWord(std::string_view word);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_LEXER_H_
