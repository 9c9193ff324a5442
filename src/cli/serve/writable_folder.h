// True if this process can keep its data where it was told to.
#ifndef PREJOIN_CLI_SERVE_WRITABLE_FOLDER_H_
#define PREJOIN_CLI_SERVE_WRITABLE_FOLDER_H_

#include <string>

#include "prejoin/result.h"

namespace prejoin::cli {

// An error that names user, folder and remedy if files cannot be created in `path`, or, if it does not exist, in the nearest folder above it.
// A volume that a container mounts often belongs to somebody else. An empty path is fine: nothing is written.
Status CheckWritable(const std::string& path);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_WRITABLE_FOLDER_H_
