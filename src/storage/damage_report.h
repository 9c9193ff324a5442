// Tells the operator, once for each file, that stored bytes are damaged, and counts.
#ifndef PREJOIN_STORAGE_DAMAGE_REPORT_H_
#define PREJOIN_STORAGE_DAMAGE_REPORT_H_

#include <rocksdb/db.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "storage/store.h"

namespace prejoin::storage {

// The file that RocksDB's text of an error names, without its directory: 000012.sst or MANIFEST-000004. Empty if it names none.
std::string FileNamedIn(std::string_view text);

// Thread-safe.
class DamageReport {
 public:
  // `report` may be empty.
  explicit DamageReport(std::function<void(const StoreFault&)> report)
      : report_(std::move(report)) {}

  // `status` is a corruption that `db` gave.
  void Note(rocksdb::DB& db, const rocksdb::Status& status) PJ_EXCLUDES(mutex_);

  std::uint64_t read_count() const { return read_count_.load(); }
  std::uint64_t file_count() const PJ_EXCLUDES(mutex_);

 private:
  const std::function<void(const StoreFault&)> report_;
  std::atomic<std::uint64_t> read_count_ = 0;
  mutable Mutex mutex_;
  std::set<std::string> files_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_DAMAGE_REPORT_H_
