#include "vector/distance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

// The loops below are written so that a compiler can use whole registers without reordering what
// the source says. GCC makes a copy for each family of processors and picks one at the start of the
// program.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PJ_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#elif defined(__aarch64__) && defined(__GNUC__) && !defined(__clang__)
#define PJ_FOR_EACH_PROCESSOR __attribute__((optimize("O3")))
#else
#define PJ_FOR_EACH_PROCESSOR
#endif

namespace prejoin::vector {
namespace {

constexpr std::size_t kLanes = 16;

float Sum(const float (&lanes)[kLanes]) {
  float sum = 0;
  for (const float lane : lanes) {
    sum += lane;
  }
  return sum;
}

PJ_FOR_EACH_PROCESSOR float Product(const float* a, const float* b, std::size_t size) {
  float lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] += a[i + lane] * b[i + lane];
    }
  }
  for (; i < size; ++i) {
    lanes[i % kLanes] += a[i] * b[i];
  }
  return Sum(lanes);
}

PJ_FOR_EACH_PROCESSOR float SquaredDifference(const float* a, const float* b, std::size_t size) {
  float lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float difference = a[i + lane] - b[i + lane];
      lanes[lane] += difference * difference;
    }
  }
  for (; i < size; ++i) {
    const float difference = a[i] - b[i];
    lanes[i % kLanes] += difference * difference;
  }
  return Sum(lanes);
}

// Returns true if a square is far enough from the ends of the 32-bit range that nothing was lost in it.
bool HasRoom(float squared) { return squared > 1e-30f && squared < 1e30f; }

float Narrow(double number) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(number, -kMost, kMost));
}

// The score of vectors whose squares leave the 32-bit range. Always finite.
float WideScore(DistanceFunction function, std::span<const float> a, std::span<const float> b) {
  double product = 0;
  double squared_a = 0;
  double squared_b = 0;
  double squared_difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += double{a[i]} * double{b[i]};
    squared_a += double{a[i]} * double{a[i]};
    squared_b += double{b[i]} * double{b[i]};
    squared_difference += (double{a[i]} - double{b[i]}) * (double{a[i]} - double{b[i]});
  }
  switch (function) {
    case DistanceFunction::kDotProduct:
      return Narrow(product);
    case DistanceFunction::kEuclidean:
      return Narrow(std::sqrt(squared_difference));
    case DistanceFunction::kCosine:
      break;
  }
  const double lengths = std::sqrt(squared_a) * std::sqrt(squared_b);
  return lengths > 0 ? Narrow(1 - product / lengths) : 1;
}

}  // namespace

float Score(DistanceFunction function, std::span<const float> a, std::span<const float> b) {
  switch (function) {
    case DistanceFunction::kDotProduct: {
      const float product = Product(a.data(), b.data(), a.size());
      return std::isfinite(product) ? product : WideScore(function, a, b);
    }
    case DistanceFunction::kEuclidean: {
      const float squared = SquaredDifference(a.data(), b.data(), a.size());
      return std::isfinite(squared) ? std::sqrt(squared) : WideScore(function, a, b);
    }
    case DistanceFunction::kCosine:
      break;
  }
  const float squared_a = Product(a.data(), a.data(), a.size());
  const float squared_b = Product(b.data(), b.data(), b.size());
  if (!HasRoom(squared_a) || !HasRoom(squared_b)) {
    return WideScore(function, a, b);
  }
  const float lengths = std::sqrt(squared_a) * std::sqrt(squared_b);
  return 1 - Product(a.data(), b.data(), a.size()) / lengths;
}

PJ_FOR_EACH_PROCESSOR void CodeProducts(const std::int8_t* rows, std::size_t count,
                                        const std::int16_t* query, std::size_t dimensions,
                                        std::int32_t* products) {
  for (std::size_t row = 0; row < count; ++row) {
    const std::int8_t* codes = rows + row * dimensions;
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < dimensions; ++i) {
      sum += std::int32_t{codes[i]} * std::int32_t{query[i]};
    }
    products[row] = sum;
  }
}

}  // namespace prejoin::vector
