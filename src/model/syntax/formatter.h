// `prejoin fmt`: one layout for every model file. Comments are kept, columns aligned, and
// formatting twice changes nothing.
#ifndef PREJOIN_MODEL_SYNTAX_FORMATTER_H_
#define PREJOIN_MODEL_SYNTAX_FORMATTER_H_

#include <string>

#include "model/syntax/statement.h"

namespace prejoin::model {

// Only for a tree that was parsed without errors: what the parser skipped would be lost.
std::string FormatTree(const SyntaxTree& tree);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_FORMATTER_H_
