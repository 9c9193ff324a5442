// Times in requests.
#ifndef PREJOIN_WIRE_MEMBERS_TIME_MEMBER_H_
#define PREJOIN_WIRE_MEMBERS_TIME_MEMBER_H_

#include <cstdint>
#include <optional>

#include "wire/members/input_reader.h"

namespace prejoin::wire {

// Seconds since 1970, with a fraction, to milliseconds.
Status ReadTime(json::Value value, std::optional<std::int64_t>& out_ms);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_TIME_MEMBER_H_
