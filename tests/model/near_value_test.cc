#include "model/data/near_value.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace prejoin::model {
namespace {

TEST(NearValue, IsWholeCharacters) {
  for (const std::string text : {"🚀", "🚀🚀", "naïve", "größe", "é", "x🚀", "🚀x", "\u0080", "abc", "a"}) {
    for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
      const std::string beginning = Beginning(text, bytes);
      EXPECT_EQ(Utf8PrefixBytes(beginning), beginning.size()) << text << " " << bytes;
      EXPECT_TRUE(text.starts_with(beginning)) << text << " " << bytes;
      EXPECT_FALSE(beginning.empty()) << text << " " << bytes;
    }
    for (const bool less : {true, false}) {
      const AttributeValue value = ValueBeside(AttributeValue(text), less);
      EXPECT_EQ(Utf8PrefixBytes(*value.string()), value.string()->size()) << text;
      EXPECT_EQ(*value.string() < text, less) << text;
      EXPECT_NE(*value.string(), "") << text;
    }
  }
  EXPECT_EQ(FirstHalf("abcd"), "ab");
  EXPECT_EQ(FirstHalf("🚀x"), "🚀");
  EXPECT_EQ(Beginning("", 3), "");
}

}  // namespace
}  // namespace prejoin::model
