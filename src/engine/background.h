// Work that goes on beside the requests: building new indexes, removing what was dropped, deleting
// expired items, filling restored tables, trimming streams and histories, sweeping old tokens.
#ifndef PREJOIN_ENGINE_BACKGROUND_H_
#define PREJOIN_ENGINE_BACKGROUND_H_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

class Engine;
class HistoryTrim;

// One thread, jobs in order. Thread-safe.
class BackgroundWork {
 public:
  explicit BackgroundWork(Engine& engine);
  // Stops after the step at hand. Jobs not done are found again in the catalog at the next start.
  ~BackgroundWork();
  void Stop() PJ_EXCLUDES(mutex_);

  // Fills the index from the table's items, then makes it ACTIVE. `old_versions`: those whose
  // writers do not know the index; it begins when they have finished.
  void BuildIndex(std::string table_name, std::string index_name, Retirements old_versions);

  // Makes the entries of expiring items that are older than the table's time to live.
  void BuildExpiry(std::string table_name, Retirements old_versions);

  // Deletes the spaces once nobody works with the versions that used them.
  void DropSpaces(std::vector<std::uint32_t> spaces, Retirements old_versions);

  // Fills a restored table from the past of its source.
  void Restore(std::string table_name);

  // Stops keeping a table's history, or a deleted table, that nobody needs any more.
  void ReleaseHistory(std::string table_name, const KeptTable& table);

  // Deletes what was dropped before the last stop and is still there: spaces that are not in use,
  // below the next one to be given out.
  void SweepSpaces(Catalog::Spaces spaces);

  // Counts items and bytes again after a stop that could not save the figures.
  void Recount(std::string table_name);

  // Blocks until every job so far is done.
  void DrainForTesting();
  // Does at once what is else done from time to time.
  void SweepForTesting();

  bool stopping() const PJ_EXCLUDES(mutex_);

 private:
  void Add(std::function<void()> job) PJ_EXCLUDES(mutex_);
  void Run() PJ_EXCLUDES(mutex_);
  void SweepExpiredItems();
  void SweepLeftovers();
  // False: stopping.
  bool AwaitRetired(const Retirements& versions);

  using Time = std::chrono::steady_clock::time_point;

  // Work that comes again and again. Used by the thread alone.
  struct Sweep {
    void (BackgroundWork::*run)();
    std::chrono::steady_clock::duration interval;
    Time next;
  };
  Sweep& NextSweep();

  Engine& engine_;
  std::vector<Sweep> sweeps_;
  std::unique_ptr<HistoryTrim> history_trim_;  // Used by the thread alone.

  mutable Mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_ PJ_GUARDED_BY(mutex_);
  bool busy_ PJ_GUARDED_BY(mutex_) = false;
  bool stopping_ PJ_GUARDED_BY(mutex_) = false;

  std::thread thread_;  // Last: it uses everything above.
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_BACKGROUND_H_
