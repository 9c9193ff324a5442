// Numbers that follow time: the clock's milliseconds and a counter after them. So they can continue
// after a restart without being stored one by one, and the age of what carries one is in it.
#ifndef PREJOIN_ENGINE_STREAM_SEQUENCE_NUMBER_H_
#define PREJOIN_ENGINE_STREAM_SEQUENCE_NUMBER_H_

#include <cstdint>
#include <limits>

namespace prejoin::engine {

using SequenceNumber = std::uint64_t;

inline constexpr SequenceNumber kSequenceNumberMax = std::numeric_limits<SequenceNumber>::max();
inline constexpr int kSequenceCounterBits = 20;

// The first number of that millisecond.
constexpr SequenceNumber SequenceAt(std::int64_t time_ms) {
  return time_ms <= 0 ? 0 : static_cast<SequenceNumber>(time_ms) << kSequenceCounterBits;
}

// Milliseconds.
constexpr std::int64_t TimeOf(SequenceNumber number) {
  return static_cast<std::int64_t>(number >> kSequenceCounterBits);
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_SEQUENCE_NUMBER_H_
