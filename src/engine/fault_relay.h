// Brings faults of the store, and damaged records that the engine meets, to whoever tells the operator.
#ifndef PREJOIN_ENGINE_FAULT_RELAY_H_
#define PREJOIN_ENGINE_FAULT_RELAY_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

class Catalog;

// A fault that an operator should hear of. Reported once when it begins, and once when it ends.
struct Fault {
  enum class Kind {
    kFull,      // Writes fail for want of room on the disk; reads continue.
    kWritable,  // Writes work again.
    kStopped,   // Writes fail until the database is opened again; reads continue.
    kDamaged,   // Stored bytes are damaged. Requests that need them fail, all others are served.
  };
  Kind kind;
  std::string message;
};

// Thread-safe.
class FaultRelay {
 public:
  // Faults go there from now on, those of before first. Called from any thread; must not block, nor
  // call the database.
  void ReportTo(std::function<void(const Fault&)> report) PJ_EXCLUDES(mutex_);

  // From now on messages name the tables that a damaged file belongs to. Null: no longer.
  void NameTablesOf(const Catalog* catalog) PJ_EXCLUDES(mutex_);

  void Report(const storage::StoreFault& fault) PJ_EXCLUDES(mutex_);

  // An operation failed. Damage that the store has not yet reported is reported once and counted.
  void NoteError(std::string_view operation, const Error& error) PJ_EXCLUDES(mutex_);
  std::uint64_t damaged_records() const { return damaged_records_.load(); }

 private:
  std::string TablesBetween(std::string_view first_key, std::string_view last_key) const
      PJ_REQUIRES(mutex_);

  void Deliver(Fault fault) PJ_REQUIRES(mutex_);

  std::atomic<std::uint64_t> damaged_records_ = 0;
  Mutex mutex_;
  std::function<void(const Fault&)> report_ PJ_GUARDED_BY(mutex_);
  std::vector<Fault> waiting_ PJ_GUARDED_BY(mutex_);  // Kept until there is a reporter.
  const Catalog* catalog_ PJ_GUARDED_BY(mutex_) = nullptr;
  std::set<std::string> reported_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_FAULT_RELAY_H_
