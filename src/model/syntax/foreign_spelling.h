// Suggests the right spelling for a statement that is written as in SQL, Prisma, TypeScript or DynamoDB's own JSON. A reader
// that stops at a token asks here first, because the word nearest in letters is no help to somebody who wrote `has many`.
#ifndef PREJOIN_MODEL_SYNTAX_FOREIGN_SPELLING_H_
#define PREJOIN_MODEL_SYNTAX_FOREIGN_SPELLING_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/syntax/stopped_line.h"
#include "model/syntax/token.h"

namespace prejoin::model {

// `stopped`: the token that the reader did not expect; may be behind the last one. Nullopt: the statement resembles none
// that is known.
std::optional<ForeignSpelling> InOurWords(const std::vector<Token>& tokens, std::size_t stopped);

// The same for a character that no statement has, with what is before and after it in its line; empty if it is of no other
// language.
std::string HintForCharacter(char c, std::string_view before, std::string_view after);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_FOREIGN_SPELLING_H_
