#include "base/byte_block.h"

#include <gtest/gtest.h>

#include <string>

namespace prejoin {
namespace {

TEST(ByteBlock, FindsTheFirstByteThatIsSet) {
  EXPECT_EQ(FirstSet(ByteBlock{}), 16u);
  EXPECT_FALSE(IsAnySet(ByteBlock{}));
  for (std::size_t at = 0; at < sizeof(ByteBlock); ++at) {
    for (const char set : std::string("\x01\x80\xFF")) {
      ByteBlock block{};
      block[at] = static_cast<unsigned char>(set);
      EXPECT_TRUE(IsAnySet(block));
      EXPECT_EQ(FirstSet(block), at);
      block[15] = 1;
      EXPECT_EQ(FirstSet(block), at);
    }
  }
}

TEST(ByteBlock, AddsItsBytes) {
  const std::string full(sizeof(ByteBlock), '\xFF');
  EXPECT_EQ(SumOf(LoadBytes<ByteBlock>(full.data())), 16u * 255);
  const std::string counted = "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10";
  EXPECT_EQ(SumOf(LoadBytes<ByteBlock>(counted.data())), 136u);
  EXPECT_EQ(SumOf(ByteBlock{}), 0u);
}

}  // namespace
}  // namespace prejoin
