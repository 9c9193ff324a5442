// Random numbers, strings and items for property tests.
#ifndef PREJOIN_TESTS_VALUE_RANDOM_VALUES_H_
#define PREJOIN_TESTS_VALUE_RANDOM_VALUES_H_

#include <cstdint>
#include <random>
#include <string>

#include "prejoin/item.h"
#include "tests/rig/seed.h"

namespace prejoin {

// Single thread.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : engine_(seed) {}

  int Between(int low, int high) { return std::uniform_int_distribution(low, high)(engine_); }
  bool OneIn(int n) { return Between(1, n) == 1; }

  // A number's text in any form that DynamoDB accepts, within its range. Small values, values with
  // the same digits and values at the edges of range and precision are frequent, since order and
  // carries go wrong there.
  std::string NumberText();
  prejoin::Number Number();

  // Few different bytes, 0x00 and 0xFF among them, so that prefixes and ties are frequent.
  std::string Bytes(int size_max);

  AttributeValue Value(int depth);
  Item NextItem(int depth);

 private:
  std::mt19937_64 engine_;
};

}  // namespace prejoin

#endif  // PREJOIN_TESTS_VALUE_RANDOM_VALUES_H_
