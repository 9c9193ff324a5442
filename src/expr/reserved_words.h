#ifndef PREJOIN_EXPR_RESERVED_WORDS_H_
#define PREJOIN_EXPR_RESERVED_WORDS_H_

#include <cstddef>
#include <string_view>

namespace prejoin::expr {

inline constexpr std::size_t kReservedWordCount = 573;

// Returns true if DynamoDB refuses this as a literal attribute name in an expression; ignores case.
bool IsReservedWord(std::string_view name);

// All of them, in capitals and in order: for tools that must choose placeholders.
std::string_view ReservedWord(std::size_t index);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_RESERVED_WORDS_H_
