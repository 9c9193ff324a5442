// When a lock on an object ends, by the clock of the OSD that has the object.
//
// librados tells no OSD's time, but a lock with a length ends that much after the OSD's own now. The OSD's
// class `lock` notes the end in the attribute "lock.NAME", in Ceph's encoding (src/cls/lock in Ceph,
// unchanged since 2012): each structure is two bytes of version and four of length, then its members;
// integers are little-endian, strings and maps behind four bytes of length.
//
//   structure { map of (locker → lock), type, tag }
//   locker = structure { kind: 1 byte, number: 8 bytes, cookie: string }
//   lock   = structure { end: seconds, nanoseconds, 4 bytes each; address; description }
#ifndef PREJOIN_RADOS_LOCK_END_H_
#define PREJOIN_RADOS_LOCK_END_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace prejoin::rados {

// In milliseconds since 1970; nullopt if `info` has no such lock, or cannot be read.
std::optional<std::int64_t> LockEndMs(std::string_view info, std::string_view cookie);

}  // namespace prejoin::rados

#endif  // PREJOIN_RADOS_LOCK_END_H_
