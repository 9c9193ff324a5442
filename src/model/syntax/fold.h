// Long lines folded to the width of a terminal.
#ifndef PREJOIN_MODEL_SYNTAX_FOLD_H_
#define PREJOIN_MODEL_SYNTAX_FOLD_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace prejoin::model {

// Text indented by this much is there to be copied, or shows a place, and is never folded.
inline constexpr std::size_t kVerbatimIndent = 8;

// Breaks lines longer than `columns` at spaces; what is moved down is indented two columns more
// than its line. A word that is too long by itself stays whole. Columns count characters, not
// bytes.
std::string Fold(std::string_view text, std::size_t columns);

// Returns the width of the text on a terminal, not its bytes.
std::size_t Columns(std::string_view text);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_FOLD_H_
