#include "base/parse_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace prejoin {
namespace {

TEST(ParseNumber, ReadsWholeTexts) {
  EXPECT_EQ(ParseInteger<int>("12"), 12);
  EXPECT_EQ(ParseInteger<int>("-12"), -12);
  EXPECT_EQ(ParseInteger<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(ParseInteger<std::size_t>("ff", 16), 255u);
  EXPECT_EQ(ParseDecimal("1.5"), 1.5);
  EXPECT_EQ(ParseDecimal("-1e3"), -1000);
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const char* text : {"", " 1", "1 ", "abc", "1x", "+1", "0x10", "--1"}) {
    EXPECT_FALSE(ParseInteger<int>(text)) << text;
    EXPECT_FALSE(ParseDecimal(text)) << text;
  }
  EXPECT_FALSE(ParseInteger<std::uint8_t>("256"));
  EXPECT_FALSE(ParseInteger<unsigned>("-1"));
  EXPECT_FALSE(ParseInteger<std::uint64_t>("18446744073709551616"));
  for (const char* text : {"1e999", "inf", "nan", "-infinity"}) {
    EXPECT_FALSE(ParseDecimal(text)) << text;
  }
}

}  // namespace
}  // namespace prejoin
