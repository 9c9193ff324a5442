#include "base/check.h"

#include <gtest/gtest.h>

namespace prejoin {
namespace {

TEST(CheckDeathTest, StopsAndSaysWhatDidNotHold) {
  EXPECT_DEATH(PJ_CHECK(1 + 1 == 3), "check_test.cc.*1 \\+ 1 == 3");
}

TEST(Check, EvaluatesItsConditionOnce) {
  int count = 0;
  PJ_CHECK(++count == 1);
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace prejoin
