// "Did you mean …?": the known name nearest to a misspelt one.
#ifndef PREJOIN_MODEL_SYNTAX_SPELLING_H_
#define PREJOIN_MODEL_SYNTAX_SPELLING_H_

#include <string>
#include <string_view>
#include <vector>

namespace prejoin::model {

// Empty when nothing is near enough (more than a third of the letters differ).
std::string NearestName(std::string_view name, const std::vector<std::string>& known);

// "did you mean `x`?", or "known: a, b, c" when nothing is near.
std::string SpellingHint(std::string_view name, const std::vector<std::string>& known);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_SPELLING_H_
