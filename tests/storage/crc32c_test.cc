#include "storage/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace prejoin::storage {
namespace {

// From RFC 3720, B.4.
TEST(Crc32c, AgreesWithTheStandard) {
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A91'36AAu);
  EXPECT_EQ(Crc32c(std::string(32, '\xFF')), 0x62A8'AB43u);
  EXPECT_EQ(Crc32c("123456789"), 0xE306'9283u);
  EXPECT_EQ(Crc32c(""), 0u);
}

TEST(Crc32c, GoesOnBehindOtherBytes) {
  const std::string text = "any text that is longer than eight bytes";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(Crc32c(text.substr(cut), Crc32c(text.substr(0, cut))), Crc32c(text)) << cut;
  }
}

}  // namespace
}  // namespace prejoin::storage
