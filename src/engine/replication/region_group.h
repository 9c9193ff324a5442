// The databases of one server, one for each region and account, and the senders that bring writes of tables with replicas
// from each to the others (docs/adr/0040-global-tables.md).
#ifndef PREJOIN_ENGINE_REPLICATION_REGION_GROUP_H_
#define PREJOIN_ENGINE_REPLICATION_REGION_GROUP_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "engine/engine.h"
#include "engine/regions.h"
#include "engine/replication/replica_sender.h"
#include "prejoin/options.h"

namespace prejoin::engine {

// Thread-safe.
class RegionGroup : public Regions, public Links {
 public:
  // Opens the database of a region and account. It calls Add before it returns.
  using Open = std::function<Status(const std::string& region, const std::string& account)>;
  RegionGroup(Open open, IndexLag lag) : open_(std::move(open)), lag_(lag) {}
  ~RegionGroup() override { Stop(); }

  // The engine outlives the group, or the call of Stop. Before it serves requests.
  static void Add(const std::shared_ptr<RegionGroup>& group, Engine& engine);
  // Nothing is sent any more when this returns, and no database is found.
  void Stop() PJ_EXCLUDES(mutex_);

  Result<Engine*> Find(Engine& asking, const std::string& region) override PJ_EXCLUDES(mutex_);
  Engine* FindOpen(Engine& asking, const std::string& region) override PJ_EXCLUDES(mutex_);
  Mutex& changes() override { return changes_; }
  void Wrote(Engine& engine) override PJ_EXCLUDES(mutex_);
  void Changed() override PJ_EXCLUDES(mutex_);
  void FillAfter(Engine& engine, const std::string& table_name,
                 std::vector<std::shared_future<void>> older_writers) override PJ_EXCLUDES(mutex_);

  // These regions send nothing, and get nothing, from now on; all others do.
  void Pause(std::set<std::string> regions) PJ_EXCLUDES(mutex_);
  std::set<std::string> paused() const PJ_EXCLUDES(mutex_);
  // Notes of all databases that wait to be sent, those of paused regions included.
  std::size_t waiting() const PJ_EXCLUDES(mutex_);

 private:
  struct Member {
    Engine* engine;
    std::unique_ptr<ReplicaSender> sender;
  };
  using Place = std::pair<std::string, std::string>;  // Region and account.
  static Place PlaceOf(Engine& engine);

  bool IsCut(const std::string& from, const std::string& to) const override PJ_EXCLUDES(mutex_);
  std::vector<ReplicaSender*> Senders() const PJ_EXCLUDES(mutex_);

  const Open open_;
  const IndexLag lag_;
  Mutex changes_;
  mutable Mutex mutex_;
  bool stopped_ PJ_GUARDED_BY(mutex_) = false;
  // Only grows, until the end.
  std::map<Place, Member> members_ PJ_GUARDED_BY(mutex_);
  std::map<Engine*, ReplicaSender*> senders_ PJ_GUARDED_BY(mutex_);
  std::set<std::string> paused_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_REPLICATION_REGION_GROUP_H_
