// The databases of other regions, as far as replicas of tables need them. The server has one database for each region and
// implements this (engine/replication/region_group.h); a database that stands alone has none.
#ifndef PREJOIN_ENGINE_REGIONS_H_
#define PREJOIN_ENGINE_REGIONS_H_

#include <future>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "prejoin/result.h"

namespace prejoin::engine {

class Engine;

// Thread-safe.
class Regions {
 public:
  virtual ~Regions() = default;

  // The database of a region for the account of `asking`, opened if need be. kValidation for a name that no region has.
  virtual Result<Engine*> Find(Engine& asking, const std::string& region) = 0;
  // The same, if it is open; otherwise null. Waits for nobody.
  virtual Engine* FindOpen(Engine& asking, const std::string& region) = 0;

  // Held by those who change members or settings of tables with replicas. Comes before the locks of every catalog.
  virtual Mutex& changes() = 0;

  // After a write that left notes.
  virtual void Wrote(Engine& engine) = 0;
  // After a change of members or settings: everybody looks again.
  virtual void Changed() = 0;
  // The items of the table may be sent to a new replica when all of `older_writers` are ready.
  virtual void FillAfter(Engine& engine, const std::string& table_name,
                         std::vector<std::shared_future<void>> older_writers) = 0;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_REGIONS_H_
