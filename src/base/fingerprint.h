// A 128-bit fingerprint of bytes, for telling two requests apart. Not for secrets.
#ifndef PREJOIN_BASE_FINGERPRINT_H_
#define PREJOIN_BASE_FINGERPRINT_H_

#include <string>
#include <string_view>

namespace prejoin {

// Sixteen bytes, the same on every machine.
std::string Fingerprint(std::string_view bytes);

}  // namespace prejoin

#endif  // PREJOIN_BASE_FINGERPRINT_H_
