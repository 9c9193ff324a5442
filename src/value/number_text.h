// Facts about a number that its canonical text shows without being parsed. Stored numbers are such
// texts, so these are the hot paths of filters and of capacity. `text` must be canonical, as
// Number::ToString writes it.
#ifndef PREJOIN_VALUE_NUMBER_TEXT_H_
#define PREJOIN_VALUE_NUMBER_TEXT_H_

#include <cstddef>
#include <string_view>

namespace prejoin {

// Powers of ten of the first and the last digit that are not zero.
struct DigitSpan {
  int top = 0;
  int bottom = 0;
};

// Bytes that AWS counts for a number other than zero; zero counts 1.
std::size_t NumberSizeBytes(DigitSpan span, bool negative);

// <0, 0, >0: the numeric order.
int CompareNumberTexts(std::string_view a, std::string_view b);

// Number::SizeBytes of the number.
std::size_t NumberTextSizeBytes(std::string_view text);

}  // namespace prejoin

#endif  // PREJOIN_VALUE_NUMBER_TEXT_H_
