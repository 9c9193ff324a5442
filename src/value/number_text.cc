#include "value/number_text.h"

#include <algorithm>

namespace prejoin {
namespace {

bool TakeMinus(std::string_view& text) {
  if (text.front() == '-') {
    text.remove_prefix(1);
    return true;
  }
  return false;
}

// Returns the number of digits before the point, or the end. Texts are short: a loop beats memchr's call.
std::size_t CountIntegerDigits(std::string_view magnitude) {
  std::size_t count = 0;
  while (count < magnitude.size() && magnitude[count] != '.') {
    ++count;
  }
  return count;
}

// A longer integer part is a larger number, since there are no leading zeros. With equally long
// ones the points are in one place, so the first difference decides; a text that continues where
// the other ends has a fraction more.
int CompareMagnitudes(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  std::size_t at = 0;
  bool point = false;
  while (at < common && a[at] == b[at]) {
    point |= a[at] == '.';
    ++at;
  }
  if (!point) {
    const std::size_t a_digits = CountIntegerDigits(a.substr(at));
    const std::size_t b_digits = CountIntegerDigits(b.substr(at));
    if (a_digits != b_digits) {
      return a_digits < b_digits ? -1 : 1;
    }
  }
  const int a_next = at < a.size() ? a[at] : 0;
  const int b_next = at < b.size() ? b[at] : 0;
  return a_next - b_next;
}

}  // namespace

// The documented "one byte per two significant digits, plus one" is the length of an exponent byte
// and base-100 digits aligned on the decimal point, with an end mark after a negative number that
// has less than the full 20 pairs; zero is the one byte alone. So 15 has 2 bytes, 1.5 has 3, -42
// has 3. It agrees with every literal that users measured at the item size limit
// (tests/value/number_test.cc lists them).
std::size_t NumberSizeBytes(DigitSpan span, bool negative) {
  constexpr std::size_t kPairsMax = 20;
  // Shifting rounds down also below zero, which keeps pairs aligned on both sides of the point.
  const auto pairs = static_cast<std::size_t>((span.top >> 1) - (span.bottom >> 1)) + 1;
  return 1 + pairs + (negative && pairs < kPairsMax ? 1 : 0);
}

int CompareNumberTexts(std::string_view a, std::string_view b) {
  const bool a_negative = TakeMinus(a);
  const bool b_negative = TakeMinus(b);
  if (a_negative != b_negative) {
    return a_negative ? -1 : 1;
  }
  return a_negative ? CompareMagnitudes(b, a) : CompareMagnitudes(a, b);
}

std::size_t NumberTextSizeBytes(std::string_view text) {
  if (text == "0") {
    return 1;
  }
  const bool negative = TakeMinus(text);
  const std::size_t integer_digits = CountIntegerDigits(text);
  DigitSpan span{.top = static_cast<int>(integer_digits) - 1};
  if (integer_digits < text.size()) {
    span.bottom = -static_cast<int>(text.size() - integer_digits - 1);
    if (text.front() == '0') {
      span.top = -static_cast<int>(text.find_first_not_of('0', 2) - 1);
    }
  } else {
    while (text[text.size() - 1 - static_cast<std::size_t>(span.bottom)] == '0') {
      ++span.bottom;
    }
  }
  return NumberSizeBytes(span, negative);
}

}  // namespace prejoin
