#ifndef PREJOIN_BASE_UUID_H_
#define PREJOIN_BASE_UUID_H_

#include <string>

namespace prejoin {

// A random (version 4) UUID, in lower-case hex with dashes.
std::string NewUuid();

}  // namespace prejoin

#endif  // PREJOIN_BASE_UUID_H_
