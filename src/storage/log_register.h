// The register of logs (PREJOIN.logs, docs/formats/store.md): which logs hold acknowledged changes, and how many bytes of each are known to be on the
// disk. RocksDB takes a missing log for one that never was, so without the register a lost file would look like a healthy database.
//
// The register may lag behind the disk but never runs ahead of it: an entry is written when its log and the log's name in the directory are durable.
// Entries of logs that RocksDB has deleted since may stay; the manifest says that nobody needs those.
//
// How far the newest log was synced is written beside it after every sync (PREJOIN.synced), in place and without a sync of its own. So it costs
// a write into the system's cache, outlives the process, and after a power failure says at most less than the log has.
#ifndef PREJOIN_STORAGE_LOG_REGISTER_H_
#define PREJOIN_STORAGE_LOG_REGISTER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "prejoin/result.h"
#include "storage/store_folder.h"

namespace prejoin::storage {

// A log's number, and how many of its bytes must be there.
using LogSizes = std::map<std::uint64_t, std::uint64_t>;

inline constexpr char kLogRegisterName[] = "PREJOIN.logs";
inline constexpr char kSyncedName[] = "PREJOIN.synced";

// As RocksDB names the file: 000012.log.
std::string LogFileName(std::uint64_t number);

// Empty if there is none: a directory of an earlier version. kCorruption if it is damaged.
Result<LogSizes> ReadLogRegister(StoreFolder& folder);
// The same, and how far the newest log was last synced, if that is known.
Result<LogSizes> ReadKnownLogs(StoreFolder& folder);
// The register says everything that is known from now on.
void ForgetSynced(StoreFolder& folder);
// Durable when it returns.
Status WriteLogRegister(StoreFolder& folder, const LogSizes& sizes);

// The register of an open store. Thread-safe.
class LogRegister {
 public:
  // `folder` outlives this object. `known`: what the file says now.
  LogRegister(StoreFolder& folder, LogSizes known) : folder_(folder), sizes_(std::move(known)) {}
  ~LogRegister();
  LogRegister(const LogRegister&) = delete;
  LogRegister& operator=(const LogRegister&) = delete;

  // The log has at least so many bytes on the disk. Durable when it returns.
  Status Note(std::uint64_t number, std::uint64_t bytes) PJ_EXCLUDES(mutex_);
  // The log was synced up to there. Costs no sync; a failure is ignored, for then only the register is as good as it was.
  void NoteSynced(std::uint64_t number, std::uint64_t bytes) PJ_EXCLUDES(mutex_);
  // RocksDB deletes the log. The file hears of it with the next note.
  void Forget(std::uint64_t number) PJ_EXCLUDES(mutex_);

 private:
  StoreFolder& folder_;
  Mutex mutex_;
  LogSizes sizes_ PJ_GUARDED_BY(mutex_);
  int synced_file_ PJ_GUARDED_BY(mutex_) = -1;
  std::uint64_t synced_number_ PJ_GUARDED_BY(mutex_) = 0;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_LOG_REGISTER_H_
