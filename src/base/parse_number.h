// Numbers in texts from outside. The whole text must be the number; anything else is nullopt, never an exception and never the number
// that it begins with.
#ifndef PREJOIN_BASE_PARSE_NUMBER_H_
#define PREJOIN_BASE_PARSE_NUMBER_H_

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace prejoin {

// "12", and "-12" for signed types; no blanks, no plus.
template <std::integral Number>
std::optional<Number> ParseInteger(std::string_view text, int base = 10) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || rest != end) {
    return std::nullopt;
  }
  return number;
}

// "1.5", "1e3"; no infinity and no NaN.
inline std::optional<double> ParseDecimal(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

}  // namespace prejoin

#endif  // PREJOIN_BASE_PARSE_NUMBER_H_
