// "Did you mean …?": the known name nearest to a misspelt one.
#ifndef PREJOIN_MODEL_SYNTAX_SPELLING_H_
#define PREJOIN_MODEL_SYNTAX_SPELLING_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/syntax/fix.h"
#include "model/syntax/token.h"

namespace prejoin::model {

// Empty when nothing is near enough (more than a third of the letters differ).
std::string NearestName(std::string_view name, const std::vector<std::string>& known);

// "did you mean `x`?", or "known: a, b, c" when nothing is near.
std::string SpellingHint(std::string_view name, const std::vector<std::string>& known);

// The same about a name that is written at `at`: the nearest name is a safe fix; where nothing is near, a person may
// choose among the names that are most alike.
Suggestion RespellingOf(const SourceSpan& at, std::string_view name,
                        const std::vector<std::string>& known);
// A token that is no word can be none of them.
Suggestion RespellingOf(const Token& token, const std::vector<std::string>& known);
// A word of another language that corresponds to one of ours.
Suggestion MeantBy(const Token& token, std::string_view ours);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_SPELLING_H_
