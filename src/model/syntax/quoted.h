// Text as a model file has it between quotes: what the lexer reads back as the same text.
#ifndef PREJOIN_MODEL_SYNTAX_QUOTED_H_
#define PREJOIN_MODEL_SYNTAX_QUOTED_H_

#include <string>
#include <string_view>

namespace prejoin::model {

// Without the quotes, for a part of a text.
std::string Escaped(std::string_view text);

inline std::string Quoted(std::string_view text) { return "\"" + Escaped(text) + "\""; }

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_QUOTED_H_
