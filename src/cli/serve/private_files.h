// Files of the data directory are for their owner.
#ifndef PREJOIN_CLI_SERVE_PRIVATE_FILES_H_
#define PREJOIN_CLI_SERVE_PRIVATE_FILES_H_

#include <sys/stat.h>

namespace prejoin::cli {

// To be called before a data directory is opened, while there is one thread. RocksDB gives its files mode 0644 whatever it is told, so the
// process takes the rights of others away from everything that it makes.
inline void KeepFilesPrivate() { umask(S_IRWXG | S_IRWXO); }

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_PRIVATE_FILES_H_
