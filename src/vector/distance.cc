#include "vector/distance.h"

#include <cmath>
#include <cstddef>

// The loops below are written so that a compiler can use whole registers without reordering what the source says. GCC makes a copy for each
// family of processors and picks one at the start of the program.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PJ_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
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

}  // namespace

float Score(DistanceFunction function, std::span<const float> a, std::span<const float> b) {
  switch (function) {
    case DistanceFunction::kDotProduct:
      return Product(a.data(), b.data(), a.size());
    case DistanceFunction::kEuclidean:
      return std::sqrt(SquaredDifference(a.data(), b.data(), a.size()));
    case DistanceFunction::kCosine:
      break;
  }
  const float lengths = std::sqrt(Product(a.data(), a.data(), a.size())) *
                        std::sqrt(Product(b.data(), b.data(), b.size()));
  return lengths > 0 ? 1 - Product(a.data(), b.data(), a.size()) / lengths : 1;
}

PJ_FOR_EACH_PROCESSOR std::int32_t CodeProduct(const std::int8_t* row, const std::int16_t* query,
                                               std::size_t dimensions) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    sum += std::int32_t{row[i]} * std::int32_t{query[i]};
  }
  return sum;
}

}  // namespace prejoin::vector
