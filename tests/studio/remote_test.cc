#include "studio/remote.h"

#include <gtest/gtest.h>

namespace prejoin::studio {
namespace {

TEST(Remote, RefusesAnAddressThatIsNone) {
  EXPECT_FALSE(Remote::Open({.url = "dynamodb", .region = "", .writes = false}, {}));
}

}  // namespace
}  // namespace prejoin::studio
