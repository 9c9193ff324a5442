// Styles of report text. A report marks what is good, bad or a detail; the door that prints it decides
// whether a mark becomes a colour. Marks are control characters, which no terminal sees.
#ifndef PREJOIN_MODEL_SYNTAX_TEXT_STYLE_H_
#define PREJOIN_MODEL_SYNTAX_TEXT_STYLE_H_

#include <string>
#include <string_view>

namespace prejoin::model {

enum class Style : char { kGood = 'g', kBad = 'b', kWarning = 'w', kDetail = 'd', kHeading = 'h' };

inline constexpr char kStyleBegin = '\x0E';  // Followed by the letter of the style.
inline constexpr char kStyleEnd = '\x0F';

std::string Styled(Style style, std::string_view text);

// ✓ or ✗, in its colour. Plain text says "ok" and "FAIL".
std::string Verdict(bool good);

// Shows a share of a limit as a bar of ten characters, in the colour of its danger.
std::string ShareBar(double share);

// Returns the text with escape sequences for its styles, or without colours. Other control characters are
// left out: names and titles come from files, and must not steer a terminal.
std::string TerminalText(std::string_view text, bool coloured);

// Returns the text without styles and in ASCII, as far as its symbols are ours: "ok" for ✓, "," for " ·".
std::string PlainText(std::string_view text);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_TEXT_STYLE_H_
