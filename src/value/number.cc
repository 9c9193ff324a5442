// Numbers: parsing, printing, order and arithmetic on coefficient × 10^exponent.
//
// "Top" is the power of ten of the leading digit: 5 has top 0, 0.05 has top -2, 120 has top 2. The
// range of numbers is a range of tops, and numbers with different tops are ordered by them alone.
#include "prejoin/number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "base/check.h"
#include "base/limits.h"
#include "value/number_text.h"

namespace prejoin {
namespace {

constexpr int kTopMax = 125;
constexpr int kTopMin = -130;

constexpr auto kPowersOfTen = [] {
  std::array<Uint128, kNumberDigitsMax + 1> powers{};
  Uint128 power = 1;
  for (auto& entry : powers) {
    entry = power;
    power *= 10;
  }
  return powers;
}();

Uint128 PowerOfTen(int exponent) { return kPowersOfTen[static_cast<std::size_t>(exponent)]; }

// 0 for 0.
int CountDigits(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const int bits = high != 0 ? 128 - std::countl_zero(high)
                             : 64 - std::countl_zero(static_cast<std::uint64_t>(value));
  // 1233 / 4096 is log10(2) closely enough for 128 bits: it gives the count, or one less.
  const int low_estimate = (bits * 1233) >> 12;
  return low_estimate + (value >= PowerOfTen(low_estimate) ? 1 : 0);
}

// Removes trailing zeros of a value that is not 0; returns how many there were.
int StripZeros(Uint128& value) {
  int count = 0;
  while (value >> 64 != 0) {
    if (value % 10 != 0) {
      return count;
    }
    value /= 10;
    ++count;
  }
  auto small = static_cast<std::uint64_t>(value);
  while (small % 10 == 0) {
    small /= 10;
    ++count;
  }
  value = small;
  return count;
}

Error NotANumber(std::string_view text) {
  return ValidationError("The parameter cannot be converted to a numeric value: " +
                         std::string(text));
}

Error Overflow() {
  return ValidationError(
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

Error Underflow() {
  return ValidationError(
      "Number underflow. Attempting to store a number with magnitude smaller than supported range");
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Digits on their way into a coefficient. They gather in 64 bits, where arithmetic is cheap, and
// move to the 128 bits only when those are full: numbers of more than 19 digits are rare.
class Coefficient {
 public:
  // Appends `zeros` zeros and one digit; all digits together must not exceed 38.
  void Append(int zeros, unsigned digit) {
    if (chunk_digits_ + zeros + 1 <= kChunkDigitsMax) {
      const std::uint64_t scale =
          zeros == 0 ? 10 : static_cast<std::uint64_t>(PowerOfTen(zeros + 1));
      chunk_ = chunk_ * scale + digit;
      chunk_digits_ += zeros + 1;
    } else {
      high_ = value() * PowerOfTen(zeros);
      chunk_ = digit;
      chunk_digits_ = 1;
    }
  }
  Uint128 value() const { return high_ == 0 ? chunk_ : high_ * PowerOfTen(chunk_digits_) + chunk_; }

 private:
  static constexpr int kChunkDigitsMax = 19;  // All numbers of 19 digits fit into 64 bits.
  Uint128 high_ = 0;
  std::uint64_t chunk_ = 0;
  int chunk_digits_ = 0;
};

// The digits of a number's text, taken apart.
struct Decimal {
  Coefficient coefficient;       // Without trailing zeros; meaningless past 38 digits.
  std::int64_t digit_count = 0;  // Significant ones.
  std::int64_t exponent = 0;     // The exponent of the last significant digit.
  const char* end = nullptr;  // After the last digit or point; null if there is no digit at all.
};

// Reads digits with at most one point among them. Zeros are held back until another digit follows,
// since trailing ones count neither as digits nor into the coefficient: a one with forty zeros
// after it has one digit.
Decimal ReadDecimal(const char* at, const char* end) {
  Decimal decimal;
  std::int64_t zeros = 0;
  const char* const begin = at;
  const char* point = nullptr;
  for (; at != end; ++at) {
    if (*at >= '1' && *at <= '9') {
      decimal.digit_count += zeros + 1;
      if (decimal.digit_count <= kNumberDigitsMax) {
        decimal.coefficient.Append(static_cast<int>(zeros), static_cast<unsigned>(*at - '0'));
      }
      zeros = 0;
    } else if (*at == '0') {
      zeros += decimal.digit_count > 0 ? 1 : 0;
    } else if (*at == '.' && point == nullptr) {
      point = at;
    } else {
      break;
    }
  }
  const std::int64_t fraction_digits = point != nullptr ? at - point - 1 : 0;
  decimal.exponent = zeros - fraction_digits;
  const bool any_digit = at - begin > (point != nullptr ? 1 : 0);
  decimal.end = any_digit ? at : nullptr;
  return decimal;
}

// Reads what follows an "e", to the end; false if that is no exponent. Values far outside the range
// stop growing.
bool ReadExponent(const char* at, const char* end, std::int64_t& exponent) {
  constexpr std::int64_t kFarOutside = 1'000'000'000'000;
  constexpr std::ptrdiff_t kDigitsMax = 19;  // As 64 bits hold them; DynamoDB reads no longer exponent.
  const bool negative = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) {
    ++at;
  }
  if (at == end) {
    return false;
  }
  exponent = 0;
  while (at + 1 < end && *at == '0') {
    ++at;
  }
  constexpr std::string_view kLargest = "9223372036854775807";
  if (end - at > kDigitsMax ||
      (end - at == kDigitsMax && std::string_view(at, kDigitsMax) > kLargest)) {
    return false;
  }
  for (; at != end; ++at) {
    if (!IsDigit(*at)) {
      return false;
    }
    exponent = std::min(exponent * 10 + (*at - '0'), kFarOutside);
  }
  exponent = negative ? -exponent : exponent;
  return true;
}

Status CheckRange(std::int64_t digit_count, std::int64_t exponent) {
  const std::int64_t top = exponent + digit_count - 1;
  if (top > kTopMax) {
    return Overflow();
  }
  if (top < kTopMin) {
    return Underflow();
  }
  return {};
}

}  // namespace

Number Number::FromMagnitude(bool negative, std::uint64_t magnitude) {
  if (magnitude == 0) {
    return {};
  }
  Uint128 coefficient = magnitude;
  const int exponent = StripZeros(coefficient);
  return {negative, coefficient, exponent};
}

Result<Number> Number::Parse(std::string_view text) {
  if (text.empty()) {
    return ValidationError("The parameter cannot be converted to a numeric value");
  }
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = *at == '-';
  if (*at == '-' || *at == '+') {
    ++at;
  }
  Decimal decimal = ReadDecimal(at, end);
  if (decimal.end == nullptr) {
    return NotANumber(text);
  }
  std::int64_t exponent = 0;
  if (decimal.end != end) {
    if ((*decimal.end != 'e' && *decimal.end != 'E') ||
        !ReadExponent(decimal.end + 1, end, exponent)) {
      return NotANumber(text);
    }
    decimal.exponent += exponent;
  }
  if (decimal.digit_count == 0) {
    // Zero is checked by the exponent that is written after it: 0e126 is too large.
    PJ_RETURN_IF_ERROR(CheckRange(1, exponent));
    return Number();  // Also "-0" and "0e100".
  }
  PJ_RETURN_IF_ERROR(CheckRange(decimal.digit_count, decimal.exponent));
  if (decimal.digit_count > kNumberDigitsMax) {
    return ValidationError("Attempting to store more than 38 significant digits in a Number");
  }
  return Number(negative, decimal.coefficient.value(), static_cast<int>(decimal.exponent));
}

std::string Number::ToString() const {
  std::string out;
  AppendTo(out);
  return out;
}

void Number::AppendTo(std::string& out) const {
  if (coefficient_ == 0) {
    out.push_back('0');
    return;
  }
  // Two halves of at most 19 digits each: division of 128 bits is slow, and to_chars has no 128
  // bits.
  std::array<char, kNumberDigitsMax> digits;
  char* end = digits.data();
  constexpr int kHalf = 19;
  const auto high = static_cast<std::uint64_t>(coefficient_ / PowerOfTen(kHalf));
  auto low = static_cast<std::uint64_t>(coefficient_ % PowerOfTen(kHalf));
  if (high == 0) {
    end = std::to_chars(end, digits.data() + digits.size(), low).ptr;
  } else {
    end = std::to_chars(end, digits.data() + digits.size(), high).ptr;
    for (int i = kHalf - 1; i >= 0; --i) {
      end[i] = static_cast<char>('0' + low % 10);
      low /= 10;
    }
    end += kHalf;
  }
  const int count = static_cast<int>(end - digits.data());
  const auto append_digits = [&](int from, int to) {
    out.append(digits.data() + from, static_cast<std::size_t>(to - from));
  };

  if (negative_) {
    out.push_back('-');
  }
  const int point = count + exponent_;  // Returns the number of digits before the decimal point.
  if (point <= 0) {
    out.append("0.");
    out.append(static_cast<std::size_t>(-point), '0');
    append_digits(0, count);
  } else if (exponent_ < 0) {
    append_digits(0, point);
    out.push_back('.');
    append_digits(point, count);
  } else {
    append_digits(0, count);
    out.append(static_cast<std::size_t>(exponent_), '0');
  }
}

Result<Number> Number::Add(const Number& a, const Number& b) { return Sum(a, b); }

Result<Number> Number::Subtract(const Number& a, const Number& b) {
  Number negated = b;
  negated.negative_ = !b.is_zero() && !b.negative_;
  return Sum(a, negated);
}

// Brings both coefficients to the smaller exponent. Only the last digit of the number with that
// exponent is there, and it is not 0, so the result reaches down to it: if it also reaches up
// more than 38 digits it cannot be shortened. That DynamoDB calls this an overflow, rather than too
// many digits, is what its users report and Alternator's tests record.
Result<Number> Number::Sum(const Number& a, const Number& b) {
  if (a.is_zero() || b.is_zero()) {
    return a.is_zero() ? b : a;
  }
  const Number& upper = a.exponent_ >= b.exponent_ ? a : b;
  const Number& lower = a.exponent_ >= b.exponent_ ? b : a;
  const int shift = upper.exponent_ - lower.exponent_;
  // A 39th digit may still vanish, but only by a borrow from a leading 1: 1E38 - 1. With two in
  // front, or with more digits, what is left after subtracting fewer than 39 digits is too long.
  if (shift > kNumberDigitsMax || upper.coefficient_ >= 2 * PowerOfTen(kNumberDigitsMax - shift)) {
    return Overflow();
  }
  const Uint128 scaled = upper.coefficient_ * PowerOfTen(shift);
  Number sum;
  if (a.negative_ == b.negative_) {
    sum.coefficient_ = scaled + lower.coefficient_;
    sum.negative_ = a.negative_;
  } else if (scaled == lower.coefficient_) {
    return Number();
  } else {
    const bool upper_wins = scaled > lower.coefficient_;
    sum.coefficient_ = upper_wins ? scaled - lower.coefficient_ : lower.coefficient_ - scaled;
    sum.negative_ = upper_wins ? upper.negative_ : lower.negative_;
  }
  sum.exponent_ = static_cast<std::int16_t>(lower.exponent_ + StripZeros(sum.coefficient_));
  const int digit_count = CountDigits(sum.coefficient_);
  if (digit_count > kNumberDigitsMax) {
    return Overflow();
  }
  PJ_RETURN_IF_ERROR(CheckRange(digit_count, sum.exponent_));
  return sum;
}

std::size_t Number::SizeBytes() const {
  if (coefficient_ == 0) {
    return 1;
  }
  return NumberSizeBytes({.top = exponent_ + CountDigits(coefficient_) - 1, .bottom = exponent_},
                         negative_);
}

std::optional<std::int64_t> Number::ToInt64() const {
  constexpr int kInt64Digits = 19;
  if (exponent_ < 0 || CountDigits(coefficient_) + exponent_ > kInt64Digits) {
    return std::nullopt;
  }
  const Uint128 magnitude = coefficient_ * PowerOfTen(exponent_);
  const Uint128 limit = (Uint128{1} << 63) - (negative_ ? 0 : 1);
  if (magnitude > limit) {
    return std::nullopt;
  }
  const auto bits = static_cast<std::uint64_t>(magnitude);
  return static_cast<std::int64_t>(negative_ ? 0 - bits : bits);
}

namespace {

std::strong_ordering CompareMagnitudes(const Number& a, const Number& b) {
  if (a.exponent() == b.exponent()) {
    return a.coefficient() <=> b.coefficient();
  }
  const int a_digits = CountDigits(a.coefficient());
  const int b_digits = CountDigits(b.coefficient());
  if (a_digits + a.exponent() != b_digits + b.exponent()) {
    return a_digits + a.exponent() <=> b_digits + b.exponent();
  }
  // The tops are equal, so the scaled coefficient has as many digits as the other one: it fits.
  const int shift = a.exponent() - b.exponent();
  return shift > 0 ? a.coefficient() * PowerOfTen(shift) <=> b.coefficient()
                   : a.coefficient() <=> b.coefficient() * PowerOfTen(-shift);
}

int Sign(const Number& number) { return number.is_zero() ? 0 : number.negative() ? -1 : 1; }

}  // namespace

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  if (Sign(a) != Sign(b)) {
    return Sign(a) <=> Sign(b);
  }
  if (a.is_zero()) {
    return std::strong_ordering::equal;
  }
  return a.negative() ? CompareMagnitudes(b, a) : CompareMagnitudes(a, b);
}

}  // namespace prejoin
