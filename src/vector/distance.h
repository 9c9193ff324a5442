// The distance of two vectors, as SearchVectors scores them.
#ifndef PREJOIN_VECTOR_DISTANCE_H_
#define PREJOIN_VECTOR_DISTANCE_H_

#include <cstdint>
#include <span>

namespace prejoin::vector {

enum class DistanceFunction : std::uint8_t { kCosine, kEuclidean, kDotProduct };

// COSINE is 1 - cos, EUCLIDEAN the length of the difference; DOT_PRODUCT the product itself. A zero
// vector has the cosine 0 with everything. Both spans have the same length. 32-bit arithmetic, but
// for vectors whose squares leave its range. Finite for finite vectors.
float Score(DistanceFunction function, std::span<const float> a, std::span<const float> b);

// Returns true if score `a` is nearer than `b`: less for the distances, more for the product.
inline bool IsNearer(DistanceFunction function, float a, float b) {
  return function == DistanceFunction::kDotProduct ? a > b : a < b;
}

// The products of each row's codes and a query's, for rows that lie one behind the other. Exact in
// 32 bits for kDimensionsMax codes of one byte and queries within kQueryCodeMax.
void CodeProducts(const std::int8_t* rows, std::size_t count, const std::int16_t* query,
                  std::size_t dimensions, std::int32_t* products);

inline constexpr std::size_t kDimensionsMax = 4096;
inline constexpr std::int16_t kQueryCodeMax = 4095;  // 127 * 4095 * 4096 < 2^31

}  // namespace prejoin::vector

#endif  // PREJOIN_VECTOR_DISTANCE_H_
