// Random calls of the C interface, in any order and on null handles too. tests/fuzz/capi_fuzz.cc runs the same with a fuzzer.
#include "tests/capi/random_calls.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace prejoin::capi {
namespace {

TEST(RandomCalls, AnswerAsTheHeaderPromises) {
  constexpr unsigned kSeeds = 300;
  constexpr std::size_t kBytes = 1'500;
  int successes = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bytes = {0, 0, 1, 0,   // Opens the first database,
                                       6, 0, 0, 1, 1, 0};  // and creates the first table of the corpus there.
    for (std::size_t i = 0; i < kBytes; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(random()));
    }
    successes += RandomCalls(bytes).Run();
  }
  EXPECT_GT(successes, 500);  // Enough of the calls must get somewhere.
}

}  // namespace
}  // namespace prejoin::capi
