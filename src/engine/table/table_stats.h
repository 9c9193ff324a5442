// Item counts and sizes over a stop: saved by a clean close, counted again after any other end.
//
// Until they have been counted again, which takes as long as reading everything, the figures continue from a
// checkpoint, written every minute: they are wrong by the changes of the last minute before the crash. A
// thread of its own counts (Engine::counting), so that nothing waits for it, and a stop ends it early.
// Written with every change, they would need no counting, at a price for each write: docs/adr/0025.
//
// A count has to meet the writers that go on meanwhile: each change is either in what is counted or
// added to it, never both. So the count begins at a moment at which no writer is between its commit
// and the figures (Stats::gate): it takes the figures of that moment, reads the state of that
// moment, and adds the difference in the end.
#ifndef PREJOIN_ENGINE_TABLE_TABLE_STATS_H_
#define PREJOIN_ENGINE_TABLE_TABLE_STATS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/table/catalog.h"
#include "engine/table/table.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

// Keeps counts out between a commit and the figures, where a count is to come.
class StatsGates {
 public:
  StatsGates() = default;
  ~StatsGates();
  StatsGates(const StatsGates&) = delete;
  StatsGates& operator=(const StatsGates&) = delete;

  // False on a thread that may not wait (base/patience.h), as long as a count is to come.
  [[nodiscard]] bool Add(Stats& stats);

 private:
  std::vector<Stats*> held_;  // Nearly always empty.
};

// Counts the items of the space, and settles the figures. No writer has seen them settled before. Ends with
// an error, and nothing changed, as soon as `worker`, on whose thread this runs, is told to stop.
Status CountSpace(storage::Store& store, const Worker& worker, std::uint32_t space, Stats& stats);

// Counts a table and its indexes beside everything else, as far as their figures are not settled.
void Recount(Engine& engine, const std::string& table_name);

// Writes a checkpoint of all figures every minute, if they have changed.
void StartStatsCheckpoints(Engine& engine);

// At close, after the last write. Figures that are not settled are saved as a checkpoint only.
Status SaveStats(storage::Store& store, const Catalog& catalog);

// At open. Takes the saved figures back and forgets them, so that they are never believed twice.
// The others are not settled, and continue from the checkpoint: the database did not close, or not after
// they had been counted.
Status LoadStats(storage::Store& store, const Catalog& catalog);

// The saved counts of items, by space. Changes nothing.
Result<std::map<std::uint32_t, std::int64_t>> ReadSavedCounts(storage::Store& store);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_TABLE_STATS_H_
