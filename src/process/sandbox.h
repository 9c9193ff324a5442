// A sandbox for the server: what it may write.
#ifndef PREJOIN_PROCESS_SANDBOX_H_
#define PREJOIN_PROCESS_SANDBOX_H_

#include <string>
#include <vector>

#include "prejoin/result.h"

namespace prejoin::process {

enum class Confinement { kConfined, kNotSupported };

// From now on this thread, and every thread and process that it starts, can create, change and
// delete files only below `places`; reading stays as it was, and so do files that are open already.
// An empty place stands for nothing; one that does not exist yet stands for the nearest folder above it that does. Cannot be taken
// back. Linux's Landlock does it, from kernel 5.19 on; it looks at calls that open, rename or
// delete, so reading, writing and the network cost nothing.
Result<Confinement> ConfineWritesTo(const std::vector<std::string>& places);

}  // namespace prejoin::process

#endif  // PREJOIN_PROCESS_SANDBOX_H_
