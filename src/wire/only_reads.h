// Tells requests that read from those that write, for doors that let only reads through.
#ifndef PREJOIN_WIRE_ONLY_READS_H_
#define PREJOIN_WIRE_ONLY_READS_H_

#include <string_view>

namespace prejoin::wire {

// Returns true if the operation ("GetItem") cannot change anything with this body. PartiQL reads if
// every `Statement` of the body is a SELECT.
bool OnlyReads(std::string_view operation, std::string_view body);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ONLY_READS_H_
