#ifndef PREJOIN_CLI_VERSION_H_
#define PREJOIN_CLI_VERSION_H_

namespace prejoin::cli {

// "prejoin 0.1.0"
const char* Version();

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_VERSION_H_
