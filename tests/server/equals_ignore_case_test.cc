#include <gtest/gtest.h>

#include <string>

#include "server/http/http.h"

namespace prejoin::server {
namespace {

char LowerOf(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Eight characters are compared at a time, so every pair of bytes is tried at every place of a word.
TEST(EqualsIgnoreCase, KnowsEveryPairOfBytesAtEveryPlace) {
  for (const std::size_t size : {1, 7, 8, 13, 17}) {
    for (std::size_t place = 0; place < size; ++place) {
      std::string a(size, 'k');
      std::string b(size, 'K');
      for (int x = 0; x < 256; ++x) {
        for (int y = 0; y < 256; ++y) {
          a[place] = static_cast<char>(x);
          b[place] = static_cast<char>(y);
          ASSERT_EQ(EqualsIgnoreCase(a, b), LowerOf(a[place]) == LowerOf(b[place]))
              << "bytes " << x << " and " << y << " at " << place << " of " << size;
        }
      }
    }
  }
}

TEST(EqualsIgnoreCase, TellsLengthsApart) {
  EXPECT_TRUE(EqualsIgnoreCase("", ""));
  EXPECT_FALSE(EqualsIgnoreCase("host", "hosts"));
  EXPECT_TRUE(EqualsIgnoreCase("X-Amz-Target", "x-amz-target"));
}

}  // namespace
}  // namespace prejoin::server
