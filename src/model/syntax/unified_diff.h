// The difference of two texts as `diff -u` prints it, for people and for `git apply`.
#ifndef PREJOIN_MODEL_SYNTAX_UNIFIED_DIFF_H_
#define PREJOIN_MODEL_SYNTAX_UNIFIED_DIFF_H_

#include <string>
#include <string_view>

namespace prejoin::model {

// Empty if the texts are equal. Three lines of context.
std::string UnifiedDiff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_UNIFIED_DIFF_H_
