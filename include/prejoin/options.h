// How to open a database.
#ifndef PREJOIN_OPTIONS_H_
#define PREJOIN_OPTIONS_H_

#include <cstddef>
#include <string>

namespace prejoin {

enum class Sync {
  kAlways,  // A write returns after its log is on disk. Writers that run together share one sync.
  kNone,  // A write returns at once. A crash of the machine, not of the process, may lose the last
          // moments.
};

struct Options {
  // The directory; created when missing. Empty: everything in memory, gone when the database
  // closes.
  std::string path;
  Sync sync = Sync::kAlways;
  std::size_t block_cache_bytes = 256u << 20;
  // Used in ARNs.
  std::string region = "us-east-1";
  std::string account_id = "123456789012";
};

}  // namespace prejoin

#endif  // PREJOIN_OPTIONS_H_
