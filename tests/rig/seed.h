// The seed of every random test: new in each run, and printed. PREJOIN_TEST_SEED=<seed> repeats a
// run.
#ifndef PREJOIN_TESTS_RIG_SEED_H_
#define PREJOIN_TESTS_RIG_SEED_H_

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

namespace prejoin {

inline constexpr char kSeedVariable[] = "PREJOIN_TEST_SEED";

// For SCOPED_TRACE and for people.
inline std::string SeedMessage(std::uint64_t seed) {
  return std::string(kSeedVariable) + "=" + std::to_string(seed);
}

// Small enough for every generator.
inline std::uint32_t TestSeed() {
  const char* given = std::getenv(kSeedVariable);
  const auto seed = given != nullptr ? static_cast<std::uint32_t>(std::strtoull(given, nullptr, 10))
                                     : static_cast<std::uint32_t>(std::random_device()());
  std::cout << SeedMessage(seed) << std::endl;
  return seed;
}

}  // namespace prejoin

#endif  // PREJOIN_TESTS_RIG_SEED_H_
