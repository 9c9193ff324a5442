// Sends what one database has written to the replicas of its tables in others.
//
// A thread looks at the notes of each table and target, in the order of their numbers, and sends the items that they name as
// they are now, with their stamps. A note goes when the other database has the item durably:
//
//   read notes → read items and stamps → wait until they are durable here → apply there → wait until that is durable
//   → delete the notes
//
// A crash anywhere on the way leaves the notes, and what is applied twice changes nothing. Notes whose commit becomes visible
// late, behind ones with higher numbers, are found because every look begins at the first one.
#ifndef PREJOIN_ENGINE_REPLICATION_REPLICA_SENDER_H_
#define PREJOIN_ENGINE_REPLICATION_REPLICA_SENDER_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "engine/engine.h"
#include "engine/item/write_stamp.h"
#include "engine/regions.h"
#include "engine/table/table.h"
#include "prejoin/options.h"

namespace prejoin::engine {

// Which regions hear of each other.
class Links {
 public:
  virtual ~Links() = default;
  virtual bool IsCut(const std::string& from, const std::string& to) const = 0;
};

// Thread-safe.
class ReplicaSender {
 public:
  // All outlive this object. A write is sent when it is as old as `lag` says.
  ReplicaSender(Engine& engine, Regions& regions, const Links& links, IndexLag lag);
  ~ReplicaSender() { Stop(); }
  ReplicaSender(const ReplicaSender&) = delete;
  ReplicaSender& operator=(const ReplicaSender&) = delete;

  void Start();
  void Stop() PJ_EXCLUDES(mutex_);
  // There is something to look at.
  void Wake() PJ_EXCLUDES(mutex_);
  // As Regions has it.
  void FillAfter(const std::string& table_name, std::vector<std::shared_future<void>> older_writers)
      PJ_EXCLUDES(mutex_);

  std::size_t CountNotes();

 private:
  using Wait = std::chrono::milliseconds;

  void Run() PJ_EXCLUDES(mutex_);
  // Does what can be done now. When to look again, if nobody wakes the thread; nullopt: never.
  std::optional<Wait> Round();
  std::optional<Wait> LookAtTable(const std::string& table_name);
  std::optional<Wait> LookAtTarget(const std::string& table_name, const ReplicaTarget& target);

  // The table, if it still has this target; null otherwise.
  TablePtr FindWith(const std::string& table_name, const ReplicaTarget& target);
  bool IsReadyToFill(const std::string& table_name) PJ_EXCLUDES(mutex_);
  // Sends every item and every deletion that the table knows of.
  Status Fill(const std::string& table_name, const ReplicaTarget& target);
  Status FillFrom(const std::string& table_name, const ReplicaTarget& target, bool deletions);
  // Gives those items a stamp that have none, because they are older than the first replica.
  Status StampItems(const Table& table, const std::vector<std::string>& keys);

  // Sends items and deletions. An item without a stamp is passed over.
  Status Send(const std::string& table_name, const ReplicaTarget& target,
              const std::vector<std::string>& item_tails);
  // The next notes that are due; sets `wait` to the time until the one behind them is.
  Result<std::vector<std::string>> NextNotes(const Table& table, const ReplicaTarget& target,
                                             std::optional<Wait>& wait);
  Wait TimeUntilDue(std::uint64_t number) const;
  Status SendNotes(const std::string& table_name, const ReplicaTarget& target,
                   std::vector<std::string> note_keys);
  bool stopping() PJ_EXCLUDES(mutex_);

  Engine& engine_;
  Regions& regions_;
  const Links& links_;
  const IndexLag lag_;
  const bool has_own_clock_;  // Not the machine's.

  Mutex mutex_;
  std::condition_variable changed_;
  bool woken_ PJ_GUARDED_BY(mutex_) = true;
  bool stopping_ PJ_GUARDED_BY(mutex_) = false;
  std::map<std::string, std::vector<std::shared_future<void>>> older_writers_ PJ_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_REPLICATION_REPLICA_SENDER_H_
