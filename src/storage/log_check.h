// Looks through the logs of a data directory before RocksDB does.
//
// RocksDB numbers all changes, and a log record says which number it begins with and how many it
// has. So over all logs each record must begin where the one before it ended. A place where it does
// not is a hole: what stood there was acknowledged and is gone, and what follows was made on top of
// it. RocksDB itself looks at each log alone and takes a log that ends early for one that was being
// written when the power failed.
//
// Only the newest log can have been. LogFileSystem sees to it that a log has reached the disk before
// the next one gets its first byte. In the newest log, a record that never reached the disk is
// missing at the end, or reads as zeros where others after it were written earlier than it: a disk
// may write in any order what nobody has synced. Nothing from there on was acknowledged, so it is
// cut off. Anything else that does not add up is damage, and so is a log that the register
// (log_register.h) knows and that is missing or shorter than it was.
#ifndef PREJOIN_STORAGE_LOG_CHECK_H_
#define PREJOIN_STORAGE_LOG_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/result.h"
#include "storage/log_register.h"
#include "storage/store_folder.h"

namespace prejoin::storage {

// The place where the logs stop being one sequence of changes.
struct LogBreak {
  std::string file;          // Its name, without the directory.
  std::uint64_t offset = 0;  // All before it is in order.
  std::string what;
  bool missing = false;                  // There is no such file.
  bool acknowledged = false;             // Something acknowledged may be lost.
  std::vector<std::string> later_files;  // The logs after it.
};

// Nullopt: all is in order. Nobody has the directory open.
Result<std::optional<LogBreak>> FindLogBreak(StoreFolder& folder);

// Cuts off what a power failure left of changes that nobody was told of. kCorruption for anything
// worse, with the advice to run `prejoin repair`.
Status PrepareLogs(StoreFolder& folder);

// Registers the logs that a start will read, with their sizes: from now on they must be there. To be
// called after PrepareLogs.
Result<LogSizes> RegisterLogs(StoreFolder& folder);

// Goes back to the last state before the break: cuts the log there, after a copy of it went to the
// folder `lost`, and moves the logs after it there. Nullopt: there was none. Nobody has the
// directory open.
Result<std::optional<LogBreak>> RepairLogs(const std::string& path);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_LOG_CHECK_H_
