// Members that several requests of the Streams API have.
#ifndef PREJOIN_WIRE_MEMBERS_STREAM_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_STREAM_MEMBERS_H_

#include "wire/members/input_reader.h"

namespace prejoin::wire {

// Out is std::string or std::optional<std::string>.
template <class Out>
Status ReadBounded(InputReader& reader, json::Value value, const Path& path, LengthLimits limits,
                   Out& out) {
  PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
  reader.CheckLength(path, text, text.size(), limits);
  out = std::string(text);
  return {};
}

inline constexpr LengthLimits kStreamArnBytes = {37, 1024};
inline constexpr LengthLimits kShardIdBytes = {28, 65};
inline constexpr LengthLimits kSequenceNumberBytes = {21, 40};
inline constexpr LengthLimits kShardIteratorBytes = {1, 2048};
inline constexpr std::int64_t kStreamsPageMax = 100;

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_STREAM_MEMBERS_H_
