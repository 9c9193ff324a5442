// Random numbers that are the same on every machine.
#ifndef PREJOIN_BASE_RANDOM_SOURCE_H_
#define PREJOIN_BASE_RANDOM_SOURCE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace prejoin {

// SplitMix64. Single thread.
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }
  // From 0 up to, and without, 1.
  double Fraction() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }
  std::size_t Below(std::size_t count) {
    return static_cast<std::size_t>(Fraction() * static_cast<double>(count));
  }
  // The time between two events that come at this rate, independently of each other.
  double Interval(double per_second) { return -std::log(1 - Fraction()) / per_second; }
  // Half of the values are below `median`.
  double LogNormal(double median, double sigma) {
    const double normal =
        std::sqrt(-2 * std::log(1 - Fraction())) * std::cos(2 * std::numbers::pi * Fraction());
    return median * std::exp(sigma * normal);
  }

 private:
  std::uint64_t state_;
};

}  // namespace prejoin

#endif  // PREJOIN_BASE_RANDOM_SOURCE_H_
