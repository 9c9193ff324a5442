// The ASCII classes of the expression grammar, free of the locale.
#ifndef PREJOIN_EXPR_CHARACTERS_H_
#define PREJOIN_EXPR_CHARACTERS_H_

namespace prejoin::expr {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsIdentifierStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool IsIdentifierPart(char c) { return IsIdentifierStart(c) || IsDigit(c); }
constexpr char ToUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_CHARACTERS_H_
