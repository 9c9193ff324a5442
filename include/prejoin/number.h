// Number: DynamoDB's number, an exact decimal of up to 38 significant digits.
#ifndef PREJOIN_NUMBER_H_
#define PREJOIN_NUMBER_H_

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "prejoin/result.h"

namespace prejoin {

// Holds 38 decimal digits; -Wpedantic calls it an extension.
__extension__ using Uint128 = unsigned __int128;

// Types whose values are numbers: truth values and characters are none.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

// Value = (negative ? -1 : 1) × coefficient × 10^exponent. Always normalised: a non-zero
// coefficient does not end in the digit 0, zero is +0 × 10^0; so equal numbers have equal members.
// Magnitude of a non-zero number: 1E-130 … 9.9999999999999999999999999999999999999E+125.
class Number {
 public:
  constexpr Number() = default;
  // Accepts any integral type. Implicit on purpose: `{{"year", 2015}, {"size", text.size()}}`.
  template <Integer T>
  Number(T value) : Number(FromInteger(value)) {}

  // Accepts what DynamoDB accepts ("1", "-0.50", "1e10", ".5", "+7", "1.") and gives its error
  // texts for the rest: not a number, more than 38 significant digits, magnitude too large or too
  // small.
  static Result<Number> Parse(std::string_view text);

  // DynamoDB's canonical text: plain notation, no exponent, no leading or trailing zeros ("0.5",
  // "-12", "1000").
  std::string ToString() const;
  void AppendTo(std::string& out) const;

  // Sum and difference, exact; an error when the result needs more than 38 digits or leaves the
  // range. Nothing is ever rounded: DynamoDB refuses 1E50 + 1 as well, as a "Number overflow".
  static Result<Number> Add(const Number& a, const Number& b);
  static Result<Number> Subtract(const Number& a, const Number& b);

  // Bytes that this number adds to an item's size, by AWS's rule.
  std::size_t SizeBytes() const;

  bool negative() const { return negative_; }
  bool is_zero() const { return coefficient_ == 0; }
  int exponent() const { return exponent_; }
  Uint128 coefficient() const { return coefficient_; }

  // Nullopt if it has a fraction or does not fit.
  std::optional<std::int64_t> ToInt64() const;

  friend bool operator==(const Number& a, const Number& b) = default;
  friend std::strong_ordering operator<=>(const Number& a, const Number& b);

 private:
  Number(bool negative, Uint128 coefficient, int exponent)
      : coefficient_(coefficient),
        exponent_(static_cast<std::int16_t>(exponent)),
        negative_(negative) {}
  template <Integer T>
  static Number FromInteger(T value) {
    if constexpr (std::is_signed_v<T>) {
      // Negated as unsigned: the smallest value has no positive counterpart.
      const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
      return FromMagnitude(value < 0, value < 0 ? 0 - bits : bits);
    } else {
      return FromMagnitude(false, value);
    }
  }
  static Number FromMagnitude(bool negative, std::uint64_t magnitude);
  static Result<Number> Sum(const Number& a, const Number& b);

  Uint128 coefficient_ = 0;
  std::int16_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace prejoin

#endif  // PREJOIN_NUMBER_H_
