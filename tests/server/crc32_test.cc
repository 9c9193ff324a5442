#include "server/http/crc32.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <string>

namespace prejoin::server {
namespace {

std::uint32_t Zlib(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

TEST(Crc32, KnowsTheCheckValue) { EXPECT_EQ(Crc32("123456789"), 0xcbf43926u); }

// Every length around the sizes of blocks and strides, at every alignment.
TEST(Crc32, AgreesWithZlib) {
  std::mt19937 random(1);
  std::string bytes(100'000, '\0');
  for (char& c : bytes) {
    c = static_cast<char>(random());
  }
  for (std::size_t size = 0; size < 300; ++size) {
    for (std::size_t offset = 0; offset < 17; ++offset) {
      const std::string_view part = std::string_view(bytes).substr(offset, size);
      ASSERT_EQ(Crc32(part), Zlib(part)) << size << " bytes at " << offset;
    }
  }
  for (int i = 0; i < 300; ++i) {
    const std::string_view part =
        std::string_view(bytes).substr(random() % 1000, random() % 99'000);
    ASSERT_EQ(Crc32(part), Zlib(part)) << part.size();
  }
}

}  // namespace
}  // namespace prejoin::server
