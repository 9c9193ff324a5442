#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace prejoin {
namespace {

TEST(Utf8, CountsTheBytesOfWholeCharacters) {
  EXPECT_EQ(Utf8PrefixBytes(""), 0u);
  EXPECT_EQ(Utf8PrefixBytes("only ASCII, and more than eight"), 31u);
  EXPECT_EQ(Utf8PrefixBytes("gr\u00f6\u00dfe \u540d \U0001f600"), 16u);
  EXPECT_EQ(Utf8PrefixBytes("12345678\xff"), 8u);
  EXPECT_EQ(Utf8PrefixBytes("a\xc3"), 1u);              // Cut off.
  EXPECT_EQ(Utf8PrefixBytes("a\xc0\x80"), 1u);          // Longer than needed.
  EXPECT_EQ(Utf8PrefixBytes("a\xed\xa0\x80"), 1u);      // Half of a surrogate pair.
  EXPECT_EQ(Utf8PrefixBytes("a\xf4\x90\x80\x80"), 1u);  // Past the last character.
  EXPECT_TRUE(IsUtf8("\u00e9"));
  EXPECT_FALSE(IsUtf8("\xe9"));
}

TEST(Utf8, CutsBetweenCharacters) {
  EXPECT_EQ(CutUtf8("ab", 3), "ab");
  EXPECT_EQ(CutUtf8("ab\u00e9", 4), "ab\u00e9");
  EXPECT_EQ(CutUtf8("ab\u00e9", 3), "ab");
  EXPECT_EQ(CutUtf8("ab\u00e9", 2), "ab");
  EXPECT_EQ(CutUtf8("\u00e9", 0), "");
}

}  // namespace
}  // namespace prejoin
