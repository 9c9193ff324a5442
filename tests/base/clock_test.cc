#include "prejoin/clock.h"

#include <gtest/gtest.h>

namespace prejoin {
namespace {

TEST(Clock, CountsMillisecondsSince1970) {
  const std::int64_t now = Clock::System().NowMs();
  EXPECT_GT(now, 1'600'000'000'000);  // September 2020, in milliseconds; in seconds it would be the
                                      // year 52671.
  EXPECT_LT(now, 10'000'000'000'000);
}

}  // namespace
}  // namespace prejoin
