// The ASCII classes of the expression grammar, free of the locale.
#ifndef PREJOIN_EXPR_CHARACTERS_H_
#define PREJOIN_EXPR_CHARACTERS_H_

namespace prejoin::expr {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
// An attribute name that is written out cannot start with an underscore, although it can hold one.
constexpr bool IsIdentifierStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool IsIdentifierPart(char c) { return IsIdentifierStart(c) || IsDigit(c) || c == '_'; }
constexpr char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr char ToUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_CHARACTERS_H_
