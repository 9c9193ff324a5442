// Members that several requests of the Streams API have.
#ifndef PREJOIN_WIRE_MEMBERS_STREAM_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_STREAM_MEMBERS_H_

#include "wire/members/input_reader.h"

namespace prejoin::wire {

inline constexpr LengthLimits kStreamArnBytes = {37, 1024};
inline constexpr LengthLimits kShardIdBytes = {28, 65};
inline constexpr LengthLimits kSequenceNumberBytes = {21, 40};
inline constexpr LengthLimits kShardIteratorBytes = {1, 2048};
inline constexpr std::int64_t kStreamsPageMax = 100;

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_STREAM_MEMBERS_H_
